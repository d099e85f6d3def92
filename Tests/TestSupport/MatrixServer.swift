import Foundation

/// A real Matrix homeserver (Synapse), with a folder and a port of its own. It ends with the value or with the process.
///
///     @Suite(.enabled(if: MatrixServer.isAvailable, "needs .venv, which .ci/make-venv makes"))
package final class MatrixServer: Sendable {
    package let port: Int
    private let folder: TemporaryFolder
    private let run: Watched<Run?>

    private static let program = Tool.findInVenv("synapse_homeserver")

    package static var isAvailable: Bool { program != nil }

    /// The server that tests share, each with people and rooms of its own.
    package static let shared = Task { try await MatrixServer() }

    package var address: String { "http://127.0.0.1:\(port)" }

    package init() async throws {
        (folder, port, run) = (try TemporaryFolder(), try IRCServer.freePort(), Watched(nil))
        let limits = ["message", "registration", "admin_redaction"].map {
            "rc_\($0): {per_second: 100000, burst_count: 100000}"
        }
        let pairs = [
            ("login", ["address", "account", "failed_attempts"]), ("joins", ["local", "remote"]),
            ("invites", ["per_room", "per_user", "per_issuer"]),
        ].map { name, kinds in
            "rc_\(name): {"
                + kinds.map { "\($0): {per_second: 100000, burst_count: 100000}" }.joined(separator: ", ") + "}"
        }
        let text = """
            server_name: test
            pid_file: \(folder.path)/pid
            listeners:
              - {port: \(port), type: http, bind_addresses: ["127.0.0.1"], resources: [{names: [client, federation]}]}
            database: {name: sqlite3, args: {database: "\(folder.path)/db"}}
            media_store_path: \(folder.path)/media
            signing_key_path: \(folder.path)/key
            macaroon_secret_key: macaroon
            form_secret: form
            registration_shared_secret: shared
            report_stats: false
            enable_registration: true
            enable_registration_without_verification: true
            enable_authenticated_media: true
            suppress_key_server_warning: true
            trusted_key_servers: []
            \((limits + pairs).joined(separator: "\n"))

            """
        try text.write(toFile: folder.path + "/homeserver.yaml", atomically: false, encoding: .utf8)
        _ = try await Self.tool().run(
            ["--config-path", folder.path + "/homeserver.yaml", "--generate-keys"])
        try await start()
    }

    private static func tool() throws -> Tool {
        guard let program else { throw WaitedInVain(description: "there is no Synapse") }
        return program
    }

    /// Starts the server, and waits until it answers.
    package func start() async throws {
        let started = try Self.tool().start(["--config-path", folder.path + "/homeserver.yaml"])
        run.change { $0 = started }
        let client = WebClient(server: address)
        try await eventually("Synapse answers", state: { started.errors }) { () -> Bool? in
            (try? await client.get("/_matrix/client/versions"))?.status == 200 ? true : nil
        }
    }

    /// Kills the server (`kill -9`), and waits for its end.
    package func kill() async throws {
        guard let running = run.value else { return }
        running.signal(SIGKILL)
        try await eventually("Synapse ends") { running.isRunning ? nil : true }
        run.change { $0 = nil }
    }

    /// A person with a login.
    package struct Person: Sendable {
        package let id: String
        package let password: String
        package let token: String
        private let client: WebClient

        fileprivate init(id: String, password: String, token: String, address: String) {
            (self.id, self.password, self.token) = (id, password, token)
            client = WebClient(
                server: address, headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"])
        }

        /// Makes a call, and returns the answer's object.
        @discardableResult
        package func call(_ method: String, _ path: String, _ body: String? = nil) async throws -> [String: Any] {
            let answer = try await client.send(method, "/_matrix/client/v3" + path, body: body)
            guard answer.status == 200 else { throw WaitedInVain(description: "\(method) \(path): \(answer.body)") }
            return try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any] ?? [:]
        }

        /// Makes a room, and returns its id.
        package func makeRoom(_ name: String, _ more: String = "") async throws -> String {
            let answer = try await call(
                "POST", "/createRoom", #"{"preset": "public_chat", "name": "\#(name)"\#(more)}"#)
            return answer["room_id"] as? String ?? ""
        }

        package func join(_ room: String) async throws { try await call("POST", "/join/\(room)", "{}") }

        /// Sends an event, and returns its id.
        @discardableResult
        package func send(_ content: String, to room: String, type: String = "m.room.message") async throws -> String {
            let answer = try await call("PUT", "/rooms/\(room)/send/\(type)/\(UUID().uuidString)", content)
            return answer["event_id"] as? String ?? ""
        }

        /// Uploads a file, and returns its address.
        package func upload(_ text: String, name: String, at address: String) async throws -> String {
            let client = WebClient(
                server: address, headers: ["Authorization": "Bearer \(token)", "Content-Type": "image/png"])
            let answer = try await client.post("/_matrix/media/v3/upload?filename=\(name)", text)
            let object = try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any]
            return object?["content_uri"] as? String ?? ""
        }

        @discardableResult
        package func say(_ text: String, in room: String) async throws -> String {
            try await send(#"{"msgtype": "m.text", "body": "\#(text)"}"#, to: room)
        }
    }

    /// Makes a person with a name that nobody else has.
    package func person(_ name: String) async throws -> Person {
        let unique = name + UUID().uuidString.prefix(8).lowercased()
        let body = #"{"username": "\#(unique)", "password": "pw-\#(unique)", "auth": {"type": "m.login.dummy"}}"#
        let answer = try await WebClient(server: address, headers: ["Content-Type": "application/json"])
            .post("/_matrix/client/v3/register", body)
        let object = try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any]
        guard let id = object?["user_id"] as? String, let token = object?["access_token"] as? String else {
            throw WaitedInVain(description: "register: \(answer.body)")
        }
        return Person(id: id, password: "pw-\(unique)", token: token, address: address)
    }
}

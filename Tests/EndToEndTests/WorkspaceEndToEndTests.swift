import Foundation
import TestSupport
import Testing

/// The program and the workspace service of `Tests/SLPServer`.
@Suite(
    .enabled(if: SLPServer.isAvailable, "needs .venv, which .ci/make-venv makes"),
    .timeLimit(.minutes(MachineSpeed.minutes(10))))
struct WorkspaceEndToEndTests {
    private struct Made: Decodable {
        var id: String
    }

    private func order(_ server: SLPServer, _ what: String, _ details: String) async throws -> String {
        try JSONDecoder().decode(Made.self, from: await server.answer(to: "service/\(what)", details)).id
    }

    private func configure(_ scrollback: Program, server: String, _ more: String = "") throws {
        for (name, secret) in [("password", "secret"), ("key", "key")] {
            try scrollback.write(secret + "\n", to: name)
            chmod(scrollback.home + "/" + name, 0o600)
        }
        try scrollback.write(
            """
            [[account]]
            name = "직장"
            network = "slp"
            server = "\(server)"
            email = "alice@example.net"
            password_file = "password"
            app_key_file = "key"
            sign_of_life_seconds = 1
            \(more)

            """, to: "scrollback.toml")
    }

    /// A workspace with two channels and a direct room; their ids.
    private func fill(_ server: SLPServer) async throws -> [String] {
        let workspace = try await order(server, "workspace", #"{"name":"우리 회사"}"#)
        var ids: [String] = []
        for name in ["잡담", "공지"] {
            ids.append(
                try await order(server, "channel", #"{"workspace":"\#(workspace)","name":"\#(name)","chats":5}"#))
        }
        return ids + [try await order(server, "direct", #"{"workspace":"\#(workspace)","partner":"carol","chats":3}"#)]
    }

    private func holds(_ count: Int, _ scrollback: Program) async throws {
        try await eventually("\(count) messages are stored") {
            let accounts = try await scrollback("accounts", "--format", "jsonl").output
            return accounts.contains(#""messages": \#(count), "#) ? true : nil
        }
    }

    @Test(arguments: [1, 2])
    func `the service's unread count is shown beside ours, with and without a listener`(generation: Int) async throws {
        let server = try await SLPServer.start(["--generation", "\(generation)"])
        let rooms = try await fill(server)
        let scrollback = try Program()
        try configure(scrollback, server: "http://127.0.0.1:\(server.port)")
        let listener = try await scrollback.startListener()
        try await holds(13, scrollback)
        for (room, count) in [("직장/잡담", 5), ("직장/carol", 3)] {
            #expect(try await scrollback("mark-read", room).status == 0, "\(count)")
        }
        // The service has what we have not heard: the account's own messages count there alone.
        _ = try await order(server, "say", #"{"room":"\#(rooms[0])","content":"나","user":"alice"}"#)
        try await holds(14, scrollback)
        _ = try await order(server, "fault", #"{"path":"\#(rooms[2])/unreads","code":"E14"}"#)

        let listed = try await scrollback("unread", "--remote", "--format", "csv")
        let lines = listed.output.split(separator: "\r\n").map(String.init)
        #expect(lines[0].hasSuffix(",marked_at,service,service_error"), "\(listed)")
        #expect(lines[1].hasPrefix("직장,carol,3,0,") && lines[1].hasSuffix(",,the server answered E14 (no permission)"))
        #expect(lines[2].hasPrefix("직장,공지,2,5,") && lines[2].hasSuffix(",5,"))
        #expect(lines[3].hasPrefix("직장,잡담,1,0,") && lines[3].hasSuffix(",1,"))
        let told = try await scrollback("unread", "--remote")
        #expect(told.output.contains(" SERVICE ") && told.output.contains("1 (+1)"), "\(told)")
        #expect(!told.output.contains("carol"), "all of it is read, and the service agrees")
        #expect(try await server.logins() == 1)
        #expect(try await listener.stop().status == 0)

        let alone = try await scrollback("unread", "--remote", "잡담")
        #expect(alone.status == 0 && alone.output.contains("1 (+1)"), "\(alone)")
        #expect(try await server.logins() == 1, "with the tokens of the listener")
        try scrollback.write("", to: "empty.toml")
        let nothing = try await scrollback("unread", "--remote", "잡담", "--config", "empty.toml")
        #expect(nothing.status == 0 && nothing.output.contains("?"))
        #expect(nothing.errors.contains("직장/잡담: ") && nothing.errors.contains("[configuration]"), "\(nothing)")
    }

    @Test func `a network without unread counts says so`() async throws {
        let scrollback = try Program()
        try scrollback.write("[03:41] <alice> 서버가 죽었다\n", to: "2020-01-02.log")
        _ = try await scrollback("import", "energymech", "2020-01-02.log", "-a", "old", "--room", "#방")
        let told = try await scrollback("unread", "--remote")
        #expect(told.status == 0 && told.output.contains("?"))
        #expect(told.errors == "scrollback: old/#방: the network log has no count of unread messages\n")
    }

    @Test func `a server with a private authority is archived only if ca_file names it`() async throws {
        let folder = try TemporaryFolder()
        let server = try await SLPServer.start(["--tls", folder.path])
        _ = try await fill(server)
        let scrollback = try Program()
        let origin = "https://localhost:\(server.port)"
        try configure(scrollback, server: origin)
        let refused = try scrollback.start("listen")
        try await refused.says("no secure connection to \(origin)")
        #expect(refused.errors.contains("if the certificate is right, set ca_file"))
        #expect(try await refused.stop().status == 0)
        #expect(try await server.logins() == 0)

        try configure(scrollback, server: origin, "ca_file = \"\(folder.path)/ca.pem\"")
        let listener = try await scrollback.startListener()
        try await holds(13, scrollback)
        #expect(try await server.state().sessions == ["websocket"])
        #expect(try await listener.stop().status == 0)
        let alone = try await scrollback("unread", "--remote", "--format", "jsonl")
        #expect(alone.output.contains(#""service": 5"#), "\(alone)")
    }

    @Test func `a corrected password is used without a restart`() async throws {
        let server = try await SLPServer.start()
        _ = try await fill(server)
        let scrollback = try Program()
        try configure(scrollback, server: "http://127.0.0.1:\(server.port)")
        try scrollback.write("wrong\n", to: "password")
        chmod(scrollback.home + "/password", 0o600)
        let listener = try scrollback.start("listen")
        try await eventually("a login is needed") {
            let status = try await scrollback("status").output
            return status.contains("needs_login") && status.contains("E03") ? true : nil
        }
        try scrollback.write("secret\n", to: "password.new")
        chmod(scrollback.home + "/password.new", 0o600)
        rename(scrollback.home + "/password.new", scrollback.home + "/password")
        try await scrollback.connected(listener)
        try await holds(13, scrollback)
        #expect(try await listener.stop().status == 0)
    }
}

extension SLPServer {
    private struct Figures: Decodable {
        var login: Int
    }

    fileprivate func logins() async throws -> Int {
        try await (state(of: "service/") as Figures).login
    }
}

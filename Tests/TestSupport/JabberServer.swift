import Foundation

/// A real XMPP server with its own port and configuration, the accounts `me` and `alice`, and archives. It is killed when
/// the value is released.
///
///     @Test(.enabled(if: JabberServer.Kind.prosody.isAvailable, "needs prosody, which .ci/fetch-tools fetches"))
package struct JabberServer: Sendable {
    /// A server with one of its storages of archives. The names are those of `Tests/Soak/soak_jabber.py`.
    package enum Kind: String, Sendable, CaseIterable {
        /// With its internal storage, the default.
        case prosody = "prosody-internal"
        case prosodySQLite = "prosody-sqlite"
        /// With Mnesia, the default.
        case ejabberd = "ejabberd-mnesia"
        case ejabberdSQLite = "ejabberd-sqlite"

        package var isProsody: Bool { self == .prosody || self == .prosodySQLite }
        fileprivate var hasSQLite: Bool { self == .prosodySQLite || self == .ejabberdSQLite }

        /// True if the server and the library of its storage are there.
        package var isAvailable: Bool {
            guard let server = Tool.find(isProsody ? "prosody" : "ejabberdctl"),
                let language = Tool.find(isProsody ? "lua5.4" : "erl")
            else { return false }
            guard hasSQLite else { return true }
            guard isProsody else {
                let names = try? FileManager.default.contentsOfDirectory(atPath: language.base + "/usr/lib/erlang/lib")
                return names?.contains { $0.hasPrefix("p1_sqlite3-") } ?? false
            }
            let driver = server.base + "/usr/lib/\(IRCServer.machine)/lua/5.4/dbd/sqlite3.so"
            return FileManager.default.fileExists(atPath: driver)
        }

        /// The domain of rooms.
        package var rooms: String { isProsody ? "rooms.localhost" : "conference.localhost" }
    }

    /// The password of both accounts.
    package static let password = "secret"

    package let kind: Kind
    package let port: Int
    private let run: Run
    private let folder: TemporaryFolder

    /// Starts a server, or one that continues with the files of an earlier one.
    ///
    /// - Parameters:
    ///   - certificate: The certificate for `localhost`; nil for a server without TLS.
    ///   - authority: The authority whose clients log in by their certificates (EXTERNAL, only ejabberd); nil for none.
    ///   - earlier: A server that has ended.
    package static func start(
        _ kind: Kind, certificate: CertificateAuthority.Issued? = nil, clientsOf authority: CertificateAuthority? = nil,
        after earlier: JabberServer? = nil
    ) async throws -> JabberServer {
        let folder = try earlier?.folder ?? TemporaryFolder()
        let port = try earlier?.port ?? IRCServer.freePort()
        let run =
            if kind.isProsody {
                try startProsody(folder.path, kind, port: port, certificate)
            } else {
                try startEjabberd(folder.path, kind, port: port, certificate, clientsOf: authority)
            }
        try await eventually("\(kind) listens", state: { run.output + run.errors }) { () -> Bool? in
            guard run.isRunning else { throw WaitedInVain(description: "\(kind) ended: \(run.output) \(run.errors)") }
            // ejabberd listens before it has its accounts.
            guard kind.isProsody || run.output.contains("accounts: ready") else { return nil }
            return (try? ChatSocket(port: port)) != nil ? true : nil
        }
        return JabberServer(kind: kind, port: port, run: run, folder: folder)
    }

    /// Kills the server, as a crash does.
    package func kill() async throws { try await run.endAll() }

    private static func startProsody(
        _ folder: String, _ kind: Kind, port: Int, _ certificate: CertificateAuthority.Issued?
    ) throws -> Run {
        guard let prosody = Tool.find("prosody"), let lua = Tool.find("lua5.4") else {
            throw WaitedInVain(description: "there is no prosody")
        }
        let base = prosody.base
        let accounts = folder + "/data/localhost/accounts"
        try FileManager.default.createDirectory(atPath: accounts, withIntermediateDirectories: true)
        for name in ["me", "alice"] {
            try "return { [\"password\"] = \"\(password)\" };\n"
                .write(toFile: "\(accounts)/\(name).dat", atomically: false, encoding: .utf8)
        }
        let file = folder + "/prosody.cfg.lua"
        try prosodyConfiguration(folder, kind, port: port, base: base, certificate)
            .write(toFile: file, atomically: false, encoding: .utf8)
        let modules = "\(base)/usr/lib/prosody"
        let (shared, machine) = ("\(base)/usr/share/lua/5.4", "\(base)/usr/lib/\(IRCServer.machine)/lua/5.4")
        return try lua.start(
            [prosody.path, "-F", "--config", file],
            environment: [
                "LUA_PATH": "\(modules)/?.lua;\(shared)/?.lua;\(shared)/?/init.lua;;",
                "LUA_CPATH": "\(modules)/?.so;\(machine)/?.so;;",
            ])
    }

    private static func prosodyConfiguration(
        _ folder: String, _ kind: Kind, port: Int, base: String, _ certificate: CertificateAuthority.Issued?
    ) -> String {
        let tls =
            certificate.map {
                "ssl = { certificate = \"\($0.file)\", key = \"\($0.keyFile)\" }"
            } ?? "modules_disabled = { \"tls\" }"
        let storage = kind.hasSQLite ? "sql" : "internal"
        return """
            run_as_root = true
            pidfile = "\(folder)/prosody.pid"
            data_path = "\(folder)/data"
            plugin_paths = { "\(base)/usr/lib/prosody/modules" }
            modules_enabled = { "roster", "saslauth", "tls", "disco", "carbons", "smacks", "mam", "ping", "posix" }
            modules_disabled = { "s2s" }
            interfaces = { "127.0.0.1" }
            c2s_ports = { \(port) }
            c2s_require_encryption = false
            allow_unencrypted_plain_auth = true
            authentication = "internal_plain"
            storage = { archive = "\(storage)", muc_log = "\(storage)" }
            sql = { driver = "SQLite3", database = "\(folder)/archive.sqlite" }
            log = { info = "*console" }
            VirtualHost "localhost"
              \(tls)
            Component "rooms.localhost" "muc"
              modules_enabled = { "muc_mam" }
              muc_log_by_default = true
              muc_room_default_persistent = true
            """
    }

    private static func startEjabberd(
        _ folder: String, _ kind: Kind, port: Int, _ certificate: CertificateAuthority.Issued?,
        clientsOf authority: CertificateAuthority?
    ) throws -> Run {
        guard let erlang = Tool.find("erl") else { throw WaitedInVain(description: "there is no erlang") }
        let base = erlang.base
        let root = "\(base)/usr/lib/erlang"
        let names = try FileManager.default.contentsOfDirectory(atPath: root).filter { $0.hasPrefix("erts-") }
        let programs = "\(root)/\(names.sorted().last ?? "erts")/bin"
        var certificates = ""
        if let certificate {
            let both = try [certificate.file, certificate.keyFile].map {
                try String(contentsOfFile: $0, encoding: .utf8)
            }
            try both.joined().write(toFile: folder + "/all.pem", atomically: false, encoding: .utf8)
            certificates = "certfiles: [\"\(folder)/all.pem\"]"
        }
        if let authority { certificates += "\nc2s_cafile: \"\(authority.file)\"" }
        if kind.hasSQLite { try makeArchive(folder) }
        try ejabberdConfiguration(
            folder, kind, port: port, certificates, hasTLS: certificate != nil, verifies: authority != nil
        )
        .write(toFile: folder + "/ejabberd.yml", atomically: false, encoding: .utf8)
        let registration = """
            timer:sleep(500), {ok, _} = application:ensure_all_started(ejabberd),
            [ejabberd_auth:try_register(U, <<"localhost">>, <<"\(password)">>) || U <- [<<"me">>, <<"alice">>]],
            io:format("accounts: ready~n").
            """.replacingOccurrences(of: "\n", with: " ")
        var loader = Tool(path: programs + "/erlexec", root: erlang.root, environment: erlang.environment)
        loader.environment["PATH"] = programs + ":/usr/bin:/bin"
        return try loader.start(
            [
                "-boot", "\(root)/bin/start", "-noinput", "-mnesia", "dir", "\"\(folder)/db\"", "-s", "ejabberd",
                "-eval", registration,
            ],
            environment: [
                "ROOTDIR": root, "BINDIR": programs, "EMU": "beam", "PROGNAME": "erl",
                "ERL_LIBS": "\(base)/usr/lib/\(IRCServer.machine)", "EJABBERD_CONFIG_PATH": folder + "/ejabberd.yml",
                "EJABBERD_LOG_PATH": folder + "/ejabberd.log",
            ])
    }

    /// Makes the tables of ejabberd's archive, which the server does not make itself (23.01).
    private static func makeArchive(_ folder: String) throws {
        let path = folder + "/archive.sqlite"
        guard let server = Tool.find("ejabberdctl"), !FileManager.default.fileExists(atPath: path) else { return }
        let tables = try String(
            contentsOfFile: server.base + "/usr/share/ejabberd/sql/lite.sql", encoding: .utf8)
        try SQLiteFixture.write(tables, to: path)
    }

    private static func ejabberdConfiguration(
        _ folder: String, _ kind: Kind, port: Int, _ certificates: String, hasTLS: Bool, verifies: Bool
    ) -> String {
        let database = kind.hasSQLite ? "sql_type: sqlite\nsql_database: \"\(folder)/archive.sqlite\"" : ""
        return """
            hosts: ["localhost"]
            loglevel: warning
            \(certificates)
            listen:
              - {port: \(port), ip: "127.0.0.1", module: ejabberd_c2s, starttls: \(hasTLS), tls_verify: \(verifies)}
            auth_password_format: scram
            auth_method: mnesia
            \(database)
            modules:
              mod_carboncopy: {}
              mod_disco: {}
              mod_ping: {}
              mod_roster: {}
              mod_stream_mgmt: {}
              mod_mam: {default: always, db_type: \(kind.hasSQLite ? "sql" : "mnesia")}
              mod_muc: {access_create: all, default_room_options: {mam: true, persistent: true}}
            """
    }
}

extension Tool {
    /// The folder to which its packages were unpacked; empty for the machine's own.
    fileprivate var base: String { root == "/" ? "" : root }
}

/// A person in a room of a ``JabberServer``, by hand.
package struct JabberTalker: Sendable {
    private let socket: ChatSocket
    private let room: String

    /// Logs in as `alice`, and makes the room, or joins it.
    package init(to server: JabberServer, room: String) async throws {
        (socket, self.room) = (try ChatSocket(port: server.port), room)
        try await open()
        // A NUL, `alice`, a NUL and the password.
        try socket.send(
            "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>AGFsaWNlAHNlY3JldA==</auth>")
        try await socket.waitFor("<success")
        try await open(after: "<success")
        try socket.send(
            "<iq id='b' type='set'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq><presence/>"
                + "<presence to='\(room)/alice'><x xmlns='http://jabber.org/protocol/muc'/></presence>")
        try await eventually("alice is in the room", state: { socket.text }) { () -> Bool? in
            socket.text.contains("code='110'") || socket.text.contains("code=\"110\"") ? true : nil
        }
        try socket.send(
            "<iq id='cfg' type='set' to='\(room)'><query xmlns='http://jabber.org/protocol/muc#owner'>"
                + "<x xmlns='jabber:x:data' type='submit'/></query></iq>")
        try await socket.waitFor("cfg")
    }

    private func open(after earlier: String = "") async throws {
        try socket.send(
            "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0' to='localhost'>"
        )
        try await eventually("the server has features", state: { socket.text }) { () -> Bool? in
            let text = socket.text
            let rest =
                earlier.isEmpty ? text[...] : text[(text.firstRange(of: earlier)?.upperBound ?? text.endIndex)...]
            return rest.contains("</stream:features>") ? true : nil
        }
    }

    /// Says something in the room. Returns when the room has it.
    package func say(_ text: String, id: String = UUID().uuidString, extra: String = "") async throws {
        try socket.send(
            "<message type='groupchat' to='\(room)' id='\(id)'><body>\(text)</body>\(extra)</message>")
        try await socket.waitFor(id)
    }

    /// Tells `me` something.
    package func tell(_ text: String) throws {
        try socket.send(
            "<message type='chat' to='me@localhost' id='\(UUID().uuidString)'><body>\(text)</body></message>")
    }
}

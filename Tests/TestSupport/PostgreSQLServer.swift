import Foundation

/// A real PostgreSQL server with a folder and a Unix socket of its own, which ends with the value or with the process.
///
/// PostgreSQL refuses to run as root, so as root it runs as `nobody`.
///
///     @Suite(.enabled(if: PostgreSQLServer.isAvailable, "needs PostgreSQL, which .ci/fetch-tools fetches"))
package final class PostgreSQLServer: Sendable {
    /// The folder with the socket. Its name is short: the path of a Unix socket has at most 107 bytes.
    package let folder: String
    /// The number in the socket's name, and the TCP port if there is one.
    package let port: Int
    private let programs: Programs
    private let settings: [String]
    private let watch: Watched<Watch?>

    /// A shell that runs the server as long as this process holds the other end of its standard input.
    private struct Watch: @unchecked Sendable {
        let process: Process
        let input: FileHandle
    }

    package static var isAvailable: Bool { Programs.found != nil }

    /// The server that tests share, each with a database of its own.
    private static let shared = Task { try await PostgreSQLServer() }

    /// Makes an empty database, on the server that `SCROLLBACK_TEST_POSTGRES` names or on one of our own.
    ///
    /// - Returns: Its connection string.
    package static func newDatabase() async throws -> String {
        let name = "t" + UUID().uuidString.lowercased().filter { $0 != "-" }
        if let address = ProcessInfo.processInfo.environment["SCROLLBACK_TEST_POSTGRES"] {
            try await run("psql", [address, "-qc", "CREATE DATABASE \(name)"])
            var components = URLComponents(string: address)
            components?.path = "/" + name
            return components?.string ?? address
        }
        return try await shared.value.newDatabase(name)
    }

    package func newDatabase(_ name: String = "test") async throws -> String {
        try await Self.run("psql", [address(), "-qc", "CREATE DATABASE \(name)"])
        return address(database: name)
    }

    package func address(database: String = "postgres", user: String = "postgres", folder: String? = nil) -> String {
        "postgresql:///\(database)?host=\(folder ?? self.folder)&port=\(port)&user=\(user)"
    }

    /// Adds lines before the server's rules for who may connect (`pg_hba.conf`).
    package func addRules(_ lines: String) async throws {
        let path = folder + "/data/pg_hba.conf"
        let rules = try String(contentsOfFile: path, encoding: .utf8)
        try (lines + "\n" + rules).write(toFile: path, atomically: false, encoding: .utf8)
        _ = try await execute("SELECT pg_reload_conf()")
    }

    /// Takes connections with this certificate at 127.0.0.1.
    package func secure(with certificate: CertificateAuthority.Issued) async throws {
        let names = [("ssl_cert_file", certificate.file), ("ssl_key_file", certificate.keyFile)]
        for (name, file) in names {
            let copy = folder + "/data/" + name
            try? FileManager.default.removeItem(atPath: copy)
            try FileManager.default.copyItem(atPath: file, toPath: copy)
            chmod(copy, 0o600)
            if getuid() == 0 { chown(copy, Programs.nobody, Programs.nobody) }
            _ = try await execute("ALTER SYSTEM SET \(name) = '\(copy)'")
        }
        _ = try await execute("ALTER SYSTEM SET ssl = on")
        _ = try await execute("SELECT pg_reload_conf()")
    }

    /// Runs SQL as the server's owner.
    package func execute(_ sql: String, database: String = "postgres") async throws -> String {
        try await Self.run("psql", [address(database: database), "-qAtc", sql])
    }

    /// Runs SQL at an address.
    @discardableResult
    package static func execute(_ sql: String, at address: String) async throws -> String {
        try await run("psql", [address, "-v", "ON_ERROR_STOP=1", "-qAtc", sql])
    }

    @discardableResult
    private static func run(_ name: String, _ arguments: [String]) async throws -> String {
        guard let programs = Programs.found else { throw WaitedInVain(description: "there is no PostgreSQL") }
        let tool = Tool(path: programs.folder + "/" + name, root: "/", environment: programs.environment)
        let result = try await tool.run(arguments)
        guard result.status == 0 else { throw WaitedInVain(description: "\(name): \(result.errors)") }
        return result.output
    }

    /// Makes and starts a server.
    ///
    /// - Parameters:
    ///   - settings: Further settings, such as `work_mem=64kB`.
    ///   - data: The folder for the data, which exists; nil for one of its own.
    ///   - hasPort: Listens on a free port of 127.0.0.1 too.
    package init(settings: [String] = [], data: String? = nil, hasPort: Bool = false) async throws {
        guard let programs = Programs.found else { throw WaitedInVain(description: "there is no PostgreSQL") }
        self.programs = programs
        port = hasPort ? try IRCServer.freePort() : 5432
        self.settings = settings + (hasPort ? ["listen_addresses=127.0.0.1", "port=\(port)"] : [])
        folder = FileManager.default.temporaryDirectory.path + "/sbpg-" + UUID().uuidString.prefix(8).lowercased()
        watch = Watched(nil)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        if let data { symlink(data, folder + "/data") } else { mkdir(folder + "/data", 0o700) }
        if getuid() == 0 { for path in [folder, folder + "/data"] { chown(path, Programs.nobody, Programs.nobody) } }
        let made = try await programs.shell(
            "\(programs.folder)/initdb -D \(folder)/data -U postgres -A trust -E UTF8 --locale=C -N > /dev/null"
        ).result(within: .seconds(120))
        guard made.status == 0 else { throw WaitedInVain(description: "initdb: \(made.errors) \(made.output)") }
        try await start()
    }

    deinit {
        let (server, deadline) = (process, ContinuousClock.now + .seconds(5))
        try? watch.value?.input.close()
        while let server, Foundation.kill(server, 0) == 0, ContinuousClock.now < deadline { usleep(10_000) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts the server, and waits until it answers.
    package func start() async throws {
        let options =
            [
                "listen_addresses=", "unix_socket_directories=\(folder)", "fsync=off", "shared_buffers=32MB",
                "max_connections=200", "log_min_messages=warning", "max_wal_size=256MB",
            ] + settings
        let script = """
            \(programs.folder)/postgres -D \(folder)/data \(options.map { "-c '\($0)'" }.joined(separator: " ")) \
              < /dev/null > \(folder)/log 2>&1 &
            server=$!
            while read -r line; do :; done
            kill -QUIT $server 2> /dev/null
            """
        let pipe = Pipe()
        // Another program that inherited it would keep the server from ending.
        _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        // The shell does not wait for the server: it would need SIGCHLD, which Foundation's programs may start without.
        let process = programs.process(script)
        process.standardInput = pipe
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        watch.change { $0 = Watch(process: process, input: pipe.fileHandleForWriting) }
        try await eventually("PostgreSQL answers", state: { self.log }) { () -> Bool? in
            (try? await Self.run("psql", [self.address(), "-qAtc", "SELECT 1"])) != nil ? true : nil
        }
    }

    package var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }

    /// The number of the server's main process; nil while it does not run.
    package var process: Int32? {
        let file = try? String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
        return file?.split(separator: "\n").first.flatMap { Int32($0) }
    }

    /// Kills the server and its sessions at once (`kill -9`), and waits for their end.
    package func kill() async throws {
        guard let process else { return }
        // Sessions notice the death of their parent and end.
        Foundation.kill(process, SIGKILL)
        try await waitForEnd()
        // The process may still have its number, until somebody asks for its status.
        for file in ["data/postmaster.pid", ".s.PGSQL.\(port).lock", ".s.PGSQL.\(port)"] {
            try? FileManager.default.removeItem(atPath: folder + "/" + file)
        }
    }

    /// Stops the server, and ends its sessions.
    package func stop() async throws {
        if let process { Foundation.kill(process, SIGINT) }
        try await waitForEnd()
    }

    private func waitForEnd() async throws {
        guard let watch = watch.value else { return }
        try? watch.input.close()
        try await eventually("PostgreSQL ends") { watch.process.isRunning ? nil : true }
        // A session may hold the shared memory for a moment longer.
        try await eventually("its sessions end") { () -> Bool? in
            let others = try await Self.processes(in: folder)
            return others.isEmpty ? true : nil
        }
        self.watch.change { $0 = nil }
    }

    private static func processes(in folder: String) async throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }
        return names.filter { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(name)/cwd")) == folder + "/data"
        }
    }

    /// PostgreSQL's programs, and how to run them.
    private struct Programs: Sendable {
        let folder: String
        let environment: [String: String]

        static let nobody: UInt32 = 65534

        static let found: Programs? = {
            guard !QuickCheck.isRunning else { return nil }
            let fetched = "\(#filePath)".components(separatedBy: "/Tests/TestSupport/")[0] + "/.servers"
            for root in ["", fetched] {
                let base = root + "/usr/lib/postgresql"
                let versions = ((try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []).sorted()
                guard let version = versions.last else { continue }
                let folder = "\(base)/\(version)/bin"
                guard FileManager.default.isExecutableFile(atPath: folder + "/postgres") else { continue }
                guard !root.isEmpty else { return Programs(folder: folder, environment: [:]) }
                // For this process. `Program` gives it to the programs that it starts.
                setenv(Program.libpq, "\(root)/usr/lib/\(IRCServer.machine)/libpq.so.5", 0)
                return reachable(root, version)
            }
            return nil
        }()

        /// Returns the fetched programs, or a copy that `nobody` can reach.
        private static func reachable(_ root: String, _ version: String) -> Programs? {
            func programs(_ root: String) -> Programs {
                let libraries = "\(root)/usr/lib/\(IRCServer.machine)"
                return Programs(
                    folder: "\(root)/usr/lib/postgresql/\(version)/bin", environment: ["LD_LIBRARY_PATH": libraries])
            }
            let inPlace = programs(root)
            if getuid() != 0 { return inPlace }
            let probe = inPlace.process("test -x \(inPlace.folder)/postgres")
            try? probe.run()
            probe.waitUntilExit()
            if probe.terminationStatus == 0 { return inPlace }
            let copy = FileManager.default.temporaryDirectory.path + "/sbpg-programs"
            let script = "mkdir -p \(copy) && cp -a \(root)/usr \(copy)/ && chmod -R a+rX \(copy)"
            let copying = Process()
            copying.executableURL = URL(fileURLWithPath: "/bin/sh")
            copying.arguments = ["-c", "[ -d \(copy)/usr/lib/postgresql ] || { \(script); }"]
            try? copying.run()
            copying.waitUntilExit()
            return copying.terminationStatus == 0 ? programs(copy) : nil
        }

        /// Returns a shell that runs a script as a user whom PostgreSQL accepts.
        func process(_ script: String) -> Process {
            let process = Process()
            let command = Self.command(script)
            process.executableURL = URL(fileURLWithPath: command[0])
            process.arguments = Array(command.dropFirst())
            process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/"].merging(environment) {
                $1
            }
            process.currentDirectoryURL = URL(fileURLWithPath: "/")
            return process
        }

        func shell(_ script: String) throws -> Run {
            let command = Self.command(script)
            return try Tool(path: command[0], root: "/", environment: environment).start(Array(command.dropFirst()))
        }

        private static func command(_ script: String) -> [String] {
            let asNobody = ["/usr/bin/setpriv", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups"]
            return (getuid() == 0 ? asNobody : []) + ["/bin/sh", "-c", script]
        }
    }
}

import Foundation

/// The built `scrollback`, with a separate home and data folder.
package struct Program: Sendable {
    /// The folder of the program that runs the tests, into which `swift test` builds everything.
    static let builds: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (tests as NSString).deletingLastPathComponent
    }()
    /// The path of the program as packages contain it, which `make test` chooses.
    private static let chosen = ProcessInfo.processInfo.environment["SCROLLBACK_PROGRAM"]
    /// The path of the program.
    package static let path = chosen ?? builds + "/scrollback"
    /// True if the program is as packages contain it; false if it is that of the tests' own build.
    package static var isPacked: Bool { chosen != nil }

    private let folder: TemporaryFolder
    /// The folder in which the program runs; empty at first.
    package var home: String { folder.path + "/home" }
    /// The program's `TMPDIR`.
    package var temporary: String { folder.path + "/tmp" }
    /// The default data folder, which may be missing.
    package var data: String { home + "/data/scrollback" }

    package var environment: [String: String]

    /// The variable with the path of PostgreSQL's client library, where it is only fetched.
    static let libpq = "SCROLLBACK_LIBPQ"

    package init() throws {
        folder = try TemporaryFolder()
        environment = [
            "HOME": folder.path + "/home", "TMPDIR": folder.path + "/tmp", "TZ": "UTC", "PATH": "/usr/bin:/bin",
            "XDG_DATA_HOME": folder.path + "/home/data", "XDG_CONFIG_HOME": folder.path + "/home/xdg-config",
        ]
        if PostgreSQLServer.isAvailable, let path = getenv(Self.libpq) {
            environment[Self.libpq] = String(cString: path)
        }
        for path in [home, home + "/data", temporary, folder.path + "/runs"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
    }

    /// Starts the program, which is killed when the value is released.
    package func start(_ arguments: String...) throws -> Run {
        try start(arguments: arguments)
    }

    /// - Parameter shell: A shell script to run instead, with the program and its arguments as `"$@"`.
    package func start(arguments: [String], shell: String? = nil) throws -> Run {
        let command = shell.map { ["/bin/bash", "-c", $0, "bash", Self.path] } ?? [Self.path]
        return try Run(command + arguments, environment: environment, workingFolder: home, folder: folder)
    }

    /// Runs the program to its end.
    package func callAsFunction(_ arguments: String...) async throws -> Run.Result {
        try await start(arguments: arguments).result()
    }

    package func write(_ text: String, to name: String) throws {
        try text.write(toFile: home + "/" + name, atomically: false, encoding: .utf8)
    }

    /// Writes a configuration with one account for each port, `a1`, `a2`, …, and a sign of life every second.
    package func configure(ports: Int..., framing: String = "nul") throws {
        let accounts = ports.enumerated().map { index, port in
            """
            [[account]]
            name = "a\(index + 1)"
            network = "streamchat"
            server = "tcp://127.0.0.1:\(port)"
            nick = "archiver"
            framing = "\(framing)"
            sign_of_life_seconds = 1
            """
        }
        try write(accounts.joined(separator: "\n\n") + "\n", to: "scrollback.toml")
    }
}

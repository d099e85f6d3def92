import Foundation

/// A program that tests use: the machine's, or else the one that `.ci/fetch-tools` has unpacked in `.servers`.
///
///     @Test(.enabled(if: Tool.find("tmux") != nil, "needs tmux"))
package struct Tool: Sendable {
    package let path: String
    /// The folder to which its packages were unpacked, for their other files; `/` for the machine's own.
    package let root: String
    /// The variables that it needs besides a test's environment.
    package var environment: [String: String]

    /// Returns a program by its name, the machine's first; nil if there is none, and always in `make check`.
    package static func find(_ name: String) -> Tool? {
        guard !QuickCheck.isRunning else { return nil }
        let onMachine = ["/usr/local/bin/", "/usr/bin/", "/bin/", "/usr/sbin/"].map { $0 + name }
        if let path = onMachine.first(where: FileManager.default.isExecutableFile) {
            return Tool(path: path, root: "/", environment: [:])
        }
        // Debian's /usr/bin/chromium starts the program by its absolute path.
        let unpacked = ["/usr/lib/chromium/", "/usr/bin/", "/bin/", "/usr/sbin/"].map { fetched + $0 + name }
        guard let path = unpacked.first(where: FileManager.default.isExecutableFile) else { return nil }
        return Tool(
            path: path, root: fetched, environment: ["LD_LIBRARY_PATH": libraryFolders.joined(separator: ":")])
    }

    private static let fetched = "\(#filePath)".components(separatedBy: "/Tests/TestSupport/")[0] + "/.servers"

    /// The folders of libraries. Debian has them in a folder with the machine's name, and the libraries of systemd and
    /// PulseAudio below that.
    private static let libraryFolders: [String] = ["/lib", "/usr/lib"].flatMap { folder -> [String] in
        let path = fetched + folder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.contains("-linux-") || $0 == "systemd" }.flatMap { name -> [String] in
            ["", "/systemd", "/pulseaudio"].map { "\(path)/\(name)\($0)" }
        }
    }
}

extension Tool {
    /// Runs the program to its end, with the given environment and its own variables.
    package func run(
        _ arguments: [String], environment: [String: String] = [:], within timeout: Duration = .patience
    ) async throws -> Run.Result {
        try await start(arguments, environment: environment).result(within: timeout)
    }

    /// Starts the program, which is killed when the value is released. A program that continues in the background does
    /// not count as ended, because Foundation notices the end by an inherited descriptor.
    package func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Run {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/runs", withIntermediateDirectories: false)
        var all = ["PATH": "/usr/bin:/bin", "HOME": folder.path, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]
        all.merge(environment) { $1 }
        all.merge(self.environment) { $1 }
        return try Run([path] + arguments, environment: all, workingFolder: folder.path, folder: folder)
    }
}

extension Tool {
    /// Returns a program of `.venv`, the Python that `.ci/make-venv` makes; nil if there is none.
    ///
    ///     @Suite(.enabled(if: Tool.findInVenv("datasette") != nil, "needs .venv, which .ci/make-venv makes"))
    package static func findInVenv(_ name: String) -> Tool? {
        let programs = "\(#filePath)".components(separatedBy: "/Tests/TestSupport/")[0] + "/.venv/bin/"
        guard !QuickCheck.isRunning, FileManager.default.isExecutableFile(atPath: programs + name) else { return nil }
        return Tool(path: programs + name, root: "/", environment: ["PATH": programs + ":/usr/bin:/bin"])
    }
}

import Foundation

/// A program that tests compare with: the machine's, else the one that `.ci/fetch-tools` has unpacked in `.servers`.
///
///     @Test(.enabled(if: Tool.find("tmux") != nil, "needs tmux"))
package struct Tool: Sendable {
    package let path: String
    /// What its packages were unpacked to, for what else is in them; `/` for the machine's own.
    package let root: String
    /// What it needs in its environment besides what a test gives it.
    package let environment: [String: String]

    /// The machine's programs go first.
    package static func find(_ name: String) -> Tool? {
        let onMachine = ["/usr/local/bin/", "/usr/bin/", "/bin/", "/usr/sbin/"].map { $0 + name }
        if let path = onMachine.first(where: FileManager.default.isExecutableFile) {
            return Tool(path: path, root: "/", environment: [:])
        }
        let unpacked = ["/usr/bin/", "/bin/", "/usr/sbin/"].map { fetched + $0 + name }
        guard let path = unpacked.first(where: FileManager.default.isExecutableFile) else { return nil }
        return Tool(
            path: path, root: fetched, environment: ["LD_LIBRARY_PATH": libraryFolders.joined(separator: ":")])
    }

    private static let fetched = "\(#filePath)".components(separatedBy: "/Tests/TestSupport/")[0] + "/.servers"

    /// Debian keeps libraries in a folder named after the machine, and systemd's own ones below that.
    private static let libraryFolders: [String] = ["/lib", "/usr/lib"].flatMap { folder -> [String] in
        let path = fetched + folder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.contains("-linux-") || $0 == "systemd" }.flatMap { name -> [String] in
            ["\(path)/\(name)", "\(path)/\(name)/systemd"]
        }
    }
}

extension Tool {
    /// Runs it to its end, with the environment given and what it needs itself.
    package func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Run.Result {
        try await start(arguments, environment: environment).result()
    }

    /// Starts it; it is killed when the value is dropped. One that goes on in the background has not ended for us, as
    /// Foundation tells the end of a program by a descriptor that is inherited.
    package func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Run {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/runs", withIntermediateDirectories: false)
        var all = ["PATH": "/usr/bin:/bin", "HOME": folder.path, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]
        all.merge(environment) { $1 }
        all.merge(self.environment) { $1 }
        return try Run([path] + arguments, environment: all, workingFolder: folder.path, folder: folder)
    }
}

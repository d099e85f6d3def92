import Foundation

/// A small file system in memory, which is unmounted with the value. It needs root, and a kernel that allows mounts.
package final class SmallDisk: Sendable {
    package let path: String
    private let folder: TemporaryFolder

    private struct NotMounted: Error {}

    package static let isPossible = !QuickCheck.isRunning && geteuid() == 0 && (try? SmallDisk(kibibytes: 64)) != nil

    package init(kibibytes: Int) throws {
        folder = try TemporaryFolder()
        path = folder.path + "/disk"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try Self.run("mount", "-t", "tmpfs", "-o", "mode=700,size=\(kibibytes)k", "tmpfs", path)
    }

    /// Makes the file system read-only from now on.
    package func makeReadOnly() throws {
        try Self.run("mount", "-o", "remount,ro", path)
    }

    deinit {
        try? Self.run("umount", path)
    }

    private static func run(_ command: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw NotMounted() }
    }
}

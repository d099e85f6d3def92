import Foundation
import SQLite

/// The plain content of a compressed account, in an unnamed file in TMPDIR. The system removes the file with its last
/// descriptor, even if this process is killed.
enum PrivateCopy {
    /// The largest copy of an unknown plain size: 1 TiB.
    private static let limit: Int64 = 1 << 40
    /// The age of a leftover copy, in seconds. Versions before 0.1 gave a copy a name until it was complete, and wrote
    /// it without a pause. A copy that has not changed for this long belongs to a process that was killed.
    private static let leftoverAge = 60

    /// Expands a compressed file and opens the copy.
    ///
    /// - Parameters:
    ///   - digest: The digest that the plain content must have; nil if the catalog has none.
    ///   - migrates: True to bring the copy of an older file to the current schema. The compressed file stays as it is.
    ///   - progress: Receives the number of plain bytes written so far; its error ends the call there.
    /// - Throws: ``ArchiveError``, also when TMPDIR has no room.
    static func open(
        _ cold: ColdFile, expecting digest: FileDigest? = nil, migrates: Bool = false,
        progress: (Int64) throws -> Void = { _ in }
    ) throws -> (queue: DatabaseQueue, digest: FileDigest) {
        removeLeftovers()
        let target = try OpenFile(unnamedIn: folder)
        let found = try expand(cold, to: target, limit: digest?.size ?? limit, progress: progress)
        if let digest { try cold.check(found, is: digest) }
        if migrates { try migrate(target, path: cold.path) }
        return (try SQLiteConnection.immutable(target), found)
    }

    /// Brings a copy to the current schema.
    ///
    /// - Parameter path: The path that an error names.
    private static func migrate(_ copy: OpenFile, path: String) throws {
        let version = try SQLiteConnection.immutable(copy).read { db in try Schema.version(db, path: path) }
        guard version < Schema.current else { return }
        let queue = try SQLiteConnection.filling(copy)
        try queue.sync { db in
            try ReadLimit.apply(to: db) { try Schema.migrate(db, path: path) }
        }
        try queue.close()
    }

    /// Removes the copies that killed processes of earlier versions left in TMPDIR.
    static func removeLeftovers() {
        guard let names = try? FolderEntries.names(in: folder) else { return }
        for name in names where isCopy(name) {
            var status = stat()
            let path = folder + "/" + name
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
                time(nil) - status.st_mtim.tv_sec >= leftoverAge
            else { continue }
            unlink(path)
        }
    }

    /// Returns true for a name such as `scrollback-UUID.sqlite`.
    private static func isCopy(_ name: String) -> Bool {
        guard name.hasPrefix("scrollback-"), name.hasSuffix(".sqlite") else { return false }
        return UUID(uuidString: String(name.dropFirst("scrollback-".count).dropLast(".sqlite".count))) != nil
    }

    private static var folder: String { FileManager.default.temporaryDirectory.path }

    private static func expand(
        _ cold: ColdFile, to target: OpenFile, limit: Int64, progress: (Int64) throws -> Void
    ) throws -> FileDigest {
        var done: Int64 = 0
        return try cold.expand(limit: limit) { bytes in
            try target.write(bytes)
            done += Int64(bytes.count)
            try progress(done)
        }
    }
}

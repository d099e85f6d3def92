package import Files
import FoundationEssentials
package import SQLite
import Schema

/// The plain content of a compressed account, in an unnamed file in TMPDIR. The system removes the file with its last
/// descriptor, even if this process is killed.
package enum PrivateCopy {
    /// The largest copy of an unknown plain size: 1 TiB.
    private static let limit: Int64 = 1 << 40

    /// Expands a compressed file, brings the copy to the current schema, and opens it. The compressed file stays as it is.
    ///
    /// - Parameters:
    ///   - digest: The digest that the plain content must have; nil if the catalog has none.
    ///   - progress: Receives the number of plain bytes written so far; its error ends the call there.
    /// - Throws: ``ArchiveError``, also when TMPDIR has no room.
    package static func open(
        _ cold: ColdFile, expecting digest: FileDigest? = nil, progress: (Int64) throws -> Void = { _ in }
    ) throws -> (queue: DatabaseQueue, digest: FileDigest) {
        let target = try OpenFile(unnamedIn: folder)
        let found = try expand(cold, to: target, limit: digest?.size ?? limit, progress: progress)
        if let digest { try cold.check(found, is: digest) }
        try migrate(target, path: cold.path)
        return (try SQLiteConnection.immutable(target), found)
    }

    /// - Parameter path: The path that an error names.
    private static func migrate(_ copy: OpenFile, path: String) throws {
        let version = try SQLiteConnection.immutable(copy).read { db in try Schema.account.version(db, path: path) }
        guard version < Schema.account.current else { return }
        let queue = try SQLiteConnection.filling(copy)
        try queue.sync { db in
            try ReadLimit.apply(to: db) { try Schema.account.migrate(db, path: path) }
        }
        try queue.close()
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

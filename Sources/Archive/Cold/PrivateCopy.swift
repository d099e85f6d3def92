import Foundation
import GRDB

/// What a cold file holds, as a plain file that only one connection sees.
enum PrivateCopy {
    /// More than this is not expanded where the size is not known beforehand: 1 TiB.
    private static let limit: Int64 = 1 << 40

    /// Its name is gone when this returns, and the file with the connection, however that ends.
    ///
    /// - Parameters:
    ///   - digest: What has to come out of it; nil where nobody knows.
    ///   - progress: Told of the plain bytes that are done.
    /// - Throws: ``ArchiveError``, also when there is no room for it in TMPDIR.
    static func open(
        _ cold: ColdFile, expecting digest: FileDigest? = nil, progress: (Int64) -> Void = { _ in }
    ) throws -> (queue: DatabaseQueue, digest: FileDigest) {
        let folder = FileManager.default.temporaryDirectory.path
        let path = "\(folder)/scrollback-\(UUID().uuidString.lowercased()).sqlite"
        defer { unlink(path) }
        let found = try expand(cold, to: path, limit: digest?.size ?? limit, progress: progress)
        if let digest { try cold.check(found, is: digest) }
        return (try Connection.immutable(path: path), found)
    }

    private static func expand(
        _ cold: ColdFile, to path: String, limit: Int64, progress: (Int64) -> Void
    ) throws -> FileDigest {
        let target = try OpenFile(creating: path)
        var done: Int64 = 0
        return try cold.expand(limit: limit) { bytes in
            try target.write(bytes)
            done += Int64(bytes.count)
            progress(done)
        }
    }
}

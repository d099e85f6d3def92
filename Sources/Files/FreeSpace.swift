import Glibc
package import Synchronization

/// The free space on a folder's disk.
package enum FreeSpace {
    /// The bytes that this process leaves free on each disk.
    package static let kept = Atomic<Int64>(0)

    /// Returns the free bytes that this user may use.
    package static func of(_ folder: String) throws(ArchiveError) -> Int64 {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { throw ArchiveError(path: folder, errno: errno) }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }

    /// Returns the free bytes that this user may use, and all bytes of the disk; nil if the system can't report them.
    package static func ofDisk(_ folder: String) -> (free: Int64, total: Int64)? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        func bytes(_ blocks: some BinaryInteger) -> Int64 {
            Int64(clamping: UInt64(blocks).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
        }
        return (bytes(status.f_bavail), bytes(status.f_blocks))
    }

    /// Requires free space, besides the bytes that are to stay free.
    ///
    /// - Throws: ``ArchiveError`` with `storage` if the disk has less, `quota` if that much is to stay free.
    package static func require(_ bytes: Int64, in folder: String) throws(ArchiveError) {
        try requireAll(bytes, in: folder)
        try requireKept(bytes, in: folder)
    }

    /// Requires that bytes stay free.
    ///
    /// - Throws: ``ArchiveError`` with `quota` if fewer would.
    package static func requireKept(_ bytes: Int64, in folder: String) throws(ArchiveError) {
        let kept = Self.kept.load(ordering: .relaxed)
        guard kept > 0, case let free = try of(folder), free - kept < bytes else { return }
        throw ArchiveError(
            code: .quota,
            detail: "the disk of \(folder) has only \(free) bytes free, and keep_free leaves \(kept) of them")
    }

    /// Requires free space, also of what is to stay free.
    ///
    /// - Throws: ``ArchiveError`` with `storage` if there is less.
    package static func requireAll(_ bytes: Int64, in folder: String) throws(ArchiveError) {
        let free = try of(folder)
        guard free >= bytes else {
            throw ArchiveError(
                code: .storage,
                detail: "\(folder) needs \(bytes) bytes for its file, but the disk has only \(free) free")
        }
    }
}

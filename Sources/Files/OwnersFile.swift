import Glibc

/// A small file that only its owner can read, and that several processes read, change and write.
///
/// A change replaces the file while its process holds ``lock()``: no change is lost, and a crash or a power cut leaves
/// either the old content or the new one.
package struct OwnersFile: Sendable {
    package let path: String
    /// The path of the file that is locked. That file is never removed or replaced, so that all processes lock the same.
    private let lockPath: String

    /// The limit of bytes in the file: 50,000 tokens.
    private static let maximumBytes: Int64 = 16 * 1024 * 1024

    package struct Content: Sendable, Equatable {
        package let bytes: [UInt8]
        /// True if no other user may read or change the file.
        package let isPrivate: Bool
        /// True if the file belongs to the user of this process.
        package let isOwn: Bool
    }

    package init(path: String, lock: String) {
        (self.path, lockPath) = (path, lock)
    }

    /// Returns the content; nil if there is no file.
    ///
    /// - Throws: ``ArchiveError`` if the file can't be read.
    package func read() throws(ArchiveError) -> Content? {
        let file: OpenFile
        do {
            file = try OpenFile(reading: path)
        } catch {
            guard error.code == .noArchive else { throw error }
            return nil
        }
        var status = stat()
        guard fstat(file.descriptor, &status) == 0 else { throw ArchiveError(path: path, errno: errno) }
        return Content(
            bytes: try bytes(of: file), isPrivate: status.st_mode & 0o077 == 0, isOwn: status.st_uid == geteuid())
    }

    private func bytes(of file: OpenFile) throws(ArchiveError) -> [UInt8] {
        guard file.size <= Self.maximumBytes else {
            throw ArchiveError(code: .storage, detail: "\(path) has more than \(Self.maximumBytes) bytes")
        }
        // One more byte than the file has, so that the last read finds its end.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(file.size) + 1, alignment: 1)
        defer { buffer.deallocate() }
        var count = 0
        while count < buffer.count {
            let part = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
            guard part > 0 else { break }
            count += part
        }
        return Array(buffer[..<count])
    }

    /// Waits until no other process changes the file, and keeps others from changing it until the lock is released.
    ///
    /// - Throws: ``ArchiveError`` with `locked` after ``FileLock/timeout``.
    package func lock() throws -> FileLock {
        if let new = try? OpenFile(creating: lockPath) { give(new) }
        return try FileLock.wait(
            for: lockPath, else: ArchiveError(code: .locked, detail: "another process is changing \(path)"))
    }

    /// Replaces the file, and returns when the new one is on the disk. Call it while you hold ``lock()``.
    ///
    /// - Throws: ``ArchiveError``. The old content stays, unless only writing the folder's entries failed.
    package func replace(with bytes: [UInt8]) throws {
        let unfinished = path + ".new"
        // A killed process may have left it.
        try FolderEntries.remove(unfinished)
        do {
            let file = try OpenFile(creating: unfinished)
            give(file)
            try bytes.withUnsafeBytes { try file.write($0) }
            try file.synchronize()
            try FolderEntries.rename(unfinished, to: path)
        } catch {
            unlink(unfinished)
            throw error
        }
        try FolderEntries.synchronizeParent(of: path)
    }

    /// Removes the file, if there is one. Call it while you hold ``lock()``.
    ///
    /// - Throws: ``ArchiveError``
    package func remove() throws { try FolderEntries.remove(path) }

    /// Gives a file that root has just created to the owner of the folder, who runs the server.
    private func give(_ file: OpenFile) {
        var folder = stat()
        guard geteuid() == 0, stat(path.parentFolder, &folder) == 0, folder.st_uid != 0 else { return }
        fchown(file.descriptor, folder.st_uid, folder.st_gid)
    }
}

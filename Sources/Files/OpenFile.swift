import FoundationEssentials
import Glibc

/// An open file that is closed with the value. It must not be a file that SQLite has open in this process: closing it
/// would drop SQLite's locks.
package final class OpenFile {
    package let path: String
    package let descriptor: Int32

    /// The most bytes that one call reads or writes.
    package static let chunk = 1 << 18

    /// - Throws: ``ArchiveError`` if the file is missing, can't be read, or is a symbolic link.
    package init(reading path: String) throws(ArchiveError) {
        self.path = path
        descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
        guard descriptor >= 0 else { throw ArchiveError(path: path, errno: errno) }
    }

    /// Creates a file, readable by its owner only.
    ///
    /// - Throws: ``ArchiveError`` if the name is taken or the file can't be created.
    package init(creating path: String) throws(ArchiveError) {
        self.path = path
        descriptor = uninterrupted { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard descriptor >= 0 else { throw ArchiveError(path: path, errno: errno) }
    }

    /// Creates an unnamed file for writing and reading. It disappears with its last descriptor.
    ///
    /// Some file systems (NFS, FUSE before Linux 6.2) have no such files: there the file loses its name before anything
    /// is written.
    ///
    /// - Throws: ``ArchiveError`` if the file can't be created in the folder.
    package init(unnamedIn folder: String) throws(ArchiveError) {
        path = folder
        let unnamed = uninterrupted { open(folder, Self.withoutName | O_RDWR | O_CLOEXEC, 0o600) }
        guard unnamed < 0, errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL else {
            guard unnamed >= 0 else { throw ArchiveError(path: folder, errno: errno) }
            descriptor = unnamed
            return
        }
        let name = "\(folder)/scrollback-\(UUID().uuidString.lowercased()).sqlite"
        descriptor = uninterrupted { open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard descriptor >= 0 else { throw ArchiveError(path: name, errno: errno) }
        unlink(name)
    }

    /// `O_TMPFILE` of Linux 3.11, whose macro Swift can't read.
    private static let withoutName = 0o20_000_000 | O_DIRECTORY

    /// Opens a file for reading and appending. Creates it if it is missing. A new file is readable by its owner only.
    ///
    /// - Parameter size: The number of bytes to keep; the rest is cut off.
    /// - Throws: ``ArchiveError`` with `storage` if the file has fewer bytes.
    package init(updating path: String, keeping size: Int64) throws(ArchiveError) {
        self.path = path
        descriptor = uninterrupted { open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard descriptor >= 0 else { throw ArchiveError(path: path, errno: errno) }
        guard self.size >= size else {
            throw ArchiveError(code: .storage, detail: "\(path) has fewer than \(size) bytes")
        }
        guard uninterrupted({ ftruncate(descriptor, off_t(size)) }) == 0 else {
            throw ArchiveError(path: path, errno: errno)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Reads up to the size of the buffer.
    ///
    /// - Returns: The number of bytes read; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw ArchiveError(path: path, errno: errno) }
        }
    }

    /// Reads up to the end.
    package func readAll(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = try read(into: buffer)
            guard count > 0 else { return }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(descriptor, part.baseAddress, part.count)
            if count < 0 {
                guard errno == EINTR else { throw ArchiveError(path: path, errno: errno) }
            } else {
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Turns a complete copy of an SQLite file from one with a WAL into one without, and goes back to its start.
    package func turnIntoSingleFile() throws(ArchiveError) {
        // The versions for writing and reading: 1 is a rollback journal (sqlite.org/fileformat2.html, section 1.3).
        let versions: [UInt8] = [1, 1]
        guard uninterrupted({ Int32(pwrite(descriptor, versions, versions.count, 18)) }) == versions.count,
            lseek(descriptor, 0, SEEK_SET) == 0
        else { throw ArchiveError(path: path, errno: errno) }
    }

    /// Writes the file to disk and drops it from the page cache, so that the next read comes from the disk.
    package func synchronize() throws(ArchiveError) {
        guard uninterrupted({ fsync(descriptor) }) == 0 else { throw ArchiveError(path: path, errno: errno) }
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    }

    package var size: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }
}

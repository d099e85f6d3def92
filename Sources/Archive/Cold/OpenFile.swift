import FoundationEssentials
import Glibc

/// An open file that is closed with the value. It must not be a file that SQLite has open in this process: closing it
/// would drop SQLite's locks.
final class OpenFile {
    let path: String
    let descriptor: Int32

    /// The most bytes that one call reads or writes.
    static let chunk = 1 << 18

    /// - Throws: ``ArchiveError`` if the file is missing, can't be read, or is a symbolic link.
    init(reading path: String) throws(ArchiveError) {
        self.path = path
        descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
        guard descriptor >= 0 else { throw ArchiveError(path: path, errno: errno) }
    }

    /// Creates a file, readable by its owner only.
    ///
    /// - Throws: ``ArchiveError`` if the name is taken or the file can't be created.
    init(creating path: String) throws(ArchiveError) {
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
    init(unnamedIn folder: String) throws(ArchiveError) {
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
    init(updating path: String, keeping size: Int64) throws(ArchiveError) {
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
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw ArchiveError(path: path, errno: errno) }
        }
    }

    /// Reads up to the end.
    func readAll(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = try read(into: buffer)
            guard count > 0 else { return }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
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
    func turnIntoSingleFile() throws(ArchiveError) {
        // The versions for writing and reading: 1 is a rollback journal (sqlite.org/fileformat2.html, section 1.3).
        let versions: [UInt8] = [1, 1]
        guard uninterrupted({ Int32(pwrite(descriptor, versions, versions.count, 18)) }) == versions.count,
            lseek(descriptor, 0, SEEK_SET) == 0
        else { throw ArchiveError(path: path, errno: errno) }
    }

    /// Writes the file to disk and drops it from the page cache, so that the next read comes from the disk.
    func synchronize() throws(ArchiveError) {
        guard uninterrupted({ fsync(descriptor) }) == 0 else { throw ArchiveError(path: path, errno: errno) }
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    }

    var size: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }
}

/// Creates, renames and removes files in a folder, so that a power cut leaves either the whole change or nothing of it.
package enum FolderEntries {
    /// Creates a folder that only its owner can use, and the missing folders above it, and writes their names to disk.
    /// Does not change an existing folder.
    package static func make(_ path: String) throws(ArchiveError) {
        let parent = path.parentFolder
        var isMade = mkdir(path, 0o700) == 0
        if !isMade, errno == ENOENT, !parent.isEmpty, parent != path {
            try make(parent)
            isMade = mkdir(path, 0o700) == 0
        }
        guard isMade else {
            guard errno == EEXIST else { throw ArchiveError(path: path, errno: errno) }
            return
        }
        try synchronizeParent(of: path)
    }

    static func rename(_ old: String, to new: String) throws(ArchiveError) {
        guard Glibc.rename(old, new) == 0 else {
            guard errno == EXDEV else { throw ArchiveError(path: old, errno: errno) }
            throw ArchiveError(code: .linked, detail: "\(new) is on another disk than \(old)")
        }
    }

    /// Returns the names in the folder, in no order. Uses system calls, because Foundation takes as long as opening a
    /// database.
    static func names(in folder: String) throws(ArchiveError) -> [String] {
        guard let directory = opendir(folder) else { throw ArchiveError(path: folder, errno: errno) }
        defer { closedir(directory) }
        var names: [String] = []
        while true {
            // Only `errno` distinguishes the end from an error.
            errno = 0
            guard let entry = readdir(directory) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw ArchiveError(path: folder, errno: errno) }
        return names
    }

    /// Removes a file; does nothing when it is missing.
    static func remove(_ path: String) throws(ArchiveError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw ArchiveError(path: path, errno: errno) }
    }

    /// Removes a folder and everything in it; does nothing when it is missing.
    static func removeAll(_ path: String) throws(ArchiveError) {
        var code = ENOTEMPTY
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // Foundation's own text is a dump of the error.
            code = ((error as? CocoaError)?.userInfo["NSUnderlyingError"] as? POSIXError)?.code.rawValue ?? EIO
        }
        var status = stat()
        guard lstat(path, &status) != 0, errno == ENOENT else { throw ArchiveError(path: path, errno: code) }
    }

    /// Writes the folder's renames and removals to disk.
    static func synchronize(_ folder: String) throws(ArchiveError) { try synchronize(folder, for: folder) }

    /// Writes the name of a new file or folder to disk.
    package static func synchronizeParent(of path: String) throws(ArchiveError) {
        let parent = path.parentFolder
        try synchronize(parent.isEmpty ? "." : parent, for: path)
    }

    /// - Parameter path: The path that an error names.
    private static func synchronize(_ folder: String, for path: String) throws(ArchiveError) {
        let descriptor = uninterrupted { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw ArchiveError(path: path, errno: errno) }
        defer { close(descriptor) }
        guard uninterrupted({ fsync(descriptor) }) == 0 else { throw ArchiveError(path: path, errno: errno) }
    }
}

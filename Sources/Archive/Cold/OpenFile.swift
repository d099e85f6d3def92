import Foundation

/// An open file that is closed with the value. Never one that SQLite has open in this process: closing it would drop
/// SQLite's locks.
final class OpenFile {
    let path: String
    let descriptor: Int32

    /// What one call reads or writes, in bytes.
    static let chunk = 1 << 18

    /// - Throws: ``ArchiveError`` when there is none, or it is a symbolic link.
    init(reading path: String) throws(ArchiveError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw ArchiveError(path: path, errno: errno) }
    }

    /// A new file, readable by its owner only.
    ///
    /// - Throws: ``ArchiveError`` when something has that name.
    init(creating path: String) throws(ArchiveError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw ArchiveError(path: path, errno: errno) }
    }

    /// A new file without a name, to write and to read, which is gone with its last descriptor.
    ///
    /// Some file systems (NFS, FUSE before Linux 6.2) can't make one: there the file loses its name before anything is in it.
    ///
    /// - Throws: ``ArchiveError`` when the folder can't have one.
    init(unnamedIn folder: String) throws(ArchiveError) {
        path = folder
        let unnamed = open(folder, Self.withoutName | O_RDWR | O_CLOEXEC, 0o600)
        guard unnamed < 0, errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL else {
            guard unnamed >= 0 else { throw ArchiveError(path: folder, errno: errno) }
            descriptor = unnamed
            return
        }
        let name = "\(folder)/scrollback-\(UUID().uuidString.lowercased()).sqlite"
        descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw ArchiveError(path: name, errno: errno) }
        unlink(name)
    }

    /// `O_TMPFILE` of Linux 3.11, whose macro Swift can't read.
    private static let withoutName = 0o20_000_000 | O_DIRECTORY

    /// A file to read and then to add to, made where there is none, readable by its owner only.
    ///
    /// - Parameter size: How much of it stays.
    /// - Throws: ``ArchiveError`` with `storage` when it has less.
    init(updating path: String, keeping size: Int64) throws(ArchiveError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw ArchiveError(path: path, errno: errno) }
        guard self.size >= size else {
            throw ArchiveError(code: .storage, detail: "\(path) has less than \(size) bytes")
        }
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw ArchiveError(path: path, errno: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// - Returns: how many bytes were read; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        while true {
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw ArchiveError(path: path, errno: errno) }
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Foundation.write(descriptor, part.baseAddress, part.count)
            if count < 0 {
                guard errno == EINTR else { throw ArchiveError(path: path, errno: errno) }
            } else {
                rest = rest.dropFirst(count)
            }
        }
    }

    /// On disk, and no longer in the page cache: what is read next comes from the disk.
    func synchronize() throws(ArchiveError) {
        guard fsync(descriptor) == 0 else { throw ArchiveError(path: path, errno: errno) }
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    }

    var size: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }
}

/// Names in a folder, made and removed so that a power cut leaves either all of it or nothing.
enum FolderEntries {
    static func rename(_ old: String, to new: String) throws(ArchiveError) {
        guard Foundation.rename(old, new) == 0 else { throw ArchiveError(path: old, errno: errno) }
    }

    /// In no order. By the system's own calls: Foundation's take as long as opening a database.
    static func names(in folder: String) throws(ArchiveError) -> [String] {
        guard let directory = opendir(folder) else { throw ArchiveError(path: folder, errno: errno) }
        defer { closedir(directory) }
        var names: [String] = []
        while true {
            // The one thing that tells the end from a list that could not be read on.
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

    /// That there is none is fine.
    static func remove(_ path: String) throws(ArchiveError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw ArchiveError(path: path, errno: errno) }
    }

    /// What was renamed and removed in the folder is on disk.
    static func synchronize(_ folder: String) throws(ArchiveError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ArchiveError(path: folder, errno: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw ArchiveError(path: folder, errno: errno) }
    }
}

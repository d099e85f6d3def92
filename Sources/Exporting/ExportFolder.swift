import Crypto
package import Files
import FoundationEssentials
package import Glibc
import Rendering

/// The folder of an export. All names of files are paths relative to it, with `/` between folders.
package struct ExportFolder: Sendable {
    /// The path as given.
    package let path: String
    /// The mode of folders; that of files is the same without `x`. By default only the owner may read them.
    package var mode: mode_t = Self.ownerOnly

    /// - Parameter mode: The mode of folders, which the owner can write to.
    package init(path: String, mode: mode_t = ExportFolder.ownerOnly) {
        (self.path, self.mode) = (path, mode)
    }

    package static let ownerOnly: mode_t = 0o700

    fileprivate var fileMode: mode_t { mode & 0o666 }

    /// The names of the files that describe an export.
    private static let descriptions = [ManifestLine.fileName, ExportCollection.fileName]

    /// The mode with which an earlier export was written; nil if there is none.
    package var earlierMode: mode_t? {
        for name in Self.descriptions {
            var status = stat()
            guard lstat(full(name), &status) == 0 else { continue }
            let readable = status.st_mode & 0o666
            return Self.ownerOnly | readable | (readable & 0o444) >> 2
        }
        return nil
    }

    /// Sets the mode of the folder, of these files and of the folders in which they are.
    func setModes(of names: some Sequence<String>) throws {
        guard mode != Self.ownerOnly else { return }
        var folders: Set<String> = [""]
        for name in names {
            try setMode(fileMode, of: name)
            folders.formUnion(Self.parents(of: name))
        }
        for folder in folders { try setMode(mode, of: folder) }
    }

    private func setMode(_ mode: mode_t, of name: String) throws {
        guard chmod(full(name), mode) == 0 else { throw failure(name, errno) }
    }

    /// Returns the folders of a path: `a/b/c` is in `a` and `a/b`.
    private static func parents(of name: String) -> [String] {
        let parts = name.split(separator: "/").dropLast()
        return parts.indices.map { parts[...$0].joined(separator: "/") }
    }

    private static let chunk = 256 * 1024

    /// The path for people.
    package var shown: String { Sanitizer.line(path) }

    /// Returns true if a path of an untrusted manifest stays inside the folder.
    static func isInside(_ path: String) -> Bool {
        !path.utf8.contains(0)
            && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                !["", ".", ".."].contains($0)
            }
    }

    /// Creates the folder and its parents, unless they exist, and writes the names of new ones to disk.
    package func make() throws {
        do {
            try FolderEntries.make(path)
        } catch {
            throw ExportError(
                .export, "can't create \(Sanitizer.line(error.detail))", hint: "choose another folder with -o")
        }
        if mode != Self.ownerOnly { try setMode(mode, of: "") }
    }

    /// Creates the folder, if it is missing, and keeps other processes from exporting into it until the lock is released.
    ///
    /// - Returns: Nil on a file system without locks, such as some mounts of NFS, to which exports may go.
    package func lock() throws -> FileLock? {
        do {
            try FolderEntries.make(path)
            if let lock = try FileLock(folder: path) { return lock }
        } catch {
            if error.code == .noLocks { return nil }
            throw ExportError(
                .export, "can't use \(Sanitizer.line(error.detail))", hint: "choose another folder with -o")
        }
        throw ExportError(
            .export, "another process exports into \(shown)",
            hint: "wait until it ends, or choose another folder with -o")
    }

    /// Returns true if the folder does not exist or has no files. An unfinished manifest from a crash at the beginning
    /// does not count.
    package func isEmpty() throws -> Bool {
        guard access(path, F_OK) == 0 else { return true }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { throw failure("", errno) }
        return names.allSatisfy(Self.descriptions.map(ExportFile.unfinished).contains)
    }

    /// Returns a file's bytes; nil if there is no such file. Doesn't follow links.
    package func contents(of name: String) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        return try forEachChunk(of: name) { bytes += $0 } ? bytes : nil
    }

    /// Returns a file's size in bytes; nil if there is no such file.
    package func size(_ name: String) -> Int64? {
        var status = stat()
        return lstat(full(name), &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }

    /// Returns a file's size and SHA-256; nil if there is no such file.
    func digest(_ name: String) throws -> (bytes: Int64, sha256: String)? {
        var (hash, count) = (SHA256(), Int64(0))
        let isThere = try forEachChunk(of: name) { bytes in
            hash.update(data: bytes)
            count += Int64(bytes.count)
        }
        return isThere ? (count, hash.finalize().hexadecimal) : nil
    }

    /// Calls the body with each chunk of a file. Returns false if the file does not exist.
    func forEachChunk(of name: String, _ body: (ArraySlice<UInt8>) -> Void) throws -> Bool {
        let descriptor = open(full(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return false }
            throw failure(name, errno)
        }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(name, errno) }
            guard count > 0 else { return true }
            body(buffer[..<count])
        }
    }

    /// Creates a file, with its folder. It gets its name, and replaces a file of that name, when it is finished.
    package func create(_ name: String) throws -> ExportFile {
        for folder in Self.parents(of: name) where access(full(folder), F_OK) != 0 {
            guard mkdir(full(folder), Self.ownerOnly) == 0 else { throw failure(folder, errno) }
            if mode != Self.ownerOnly { try setMode(mode, of: folder) }
        }
        return try ExportFile(folder: self, name: name)
    }

    /// Opens a file to append to it.
    func appending(to name: String) throws -> Int32 {
        let descriptor = open(full(name), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw failure(name, errno) }
        return descriptor
    }

    /// Removes a file, and the folders that are empty after it. A missing file is ignored.
    package func remove(_ name: String) throws {
        guard unlink(full(name)) == 0 || errno == ENOENT else { throw failure(name, errno) }
        for parent in Self.parents(of: name).reversed() { rmdir(full(parent)) }
    }

    /// Returns when these files and their names are on the disk.
    ///
    /// Syncs all files at the end, because the first sync makes the file system write the others as well.
    func sync(_ names: some Sequence<String>) throws {
        var folders: Set<String> = [""]
        for name in names {
            try syncOne(name)
            folders.formUnion(Self.parents(of: name))
        }
        for folder in folders { try syncOne(folder) }
    }

    private func syncOne(_ name: String) throws {
        let descriptor = open(full(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw failure(name, errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(name, errno) }
    }

    func full(_ name: String) -> String {
        name.isEmpty ? path : path + "/" + name
    }

    /// Returns the error for a system call that failed on a file.
    ///
    /// - Parameter code: The value of `errno`.
    package func failure(_ name: String, _ code: Int32) -> ExportError {
        ExportError(
            .export, "\(Sanitizer.line(full(name))): \(String(cString: strerror(code)))",
            hint: code == ENOSPC || code == EDQUOT
                ? "free some space, then repeat the command" : "check the folder and its permissions")
    }
}

/// A file of an export while it is written. It has another name until ``finish()``, and is removed if it is never
/// finished.
package final class ExportFile {
    private let folder: ExportFolder
    private let name: String
    private let descriptor: Int32
    private var hash = SHA256()
    private var buffer: [UInt8] = []
    private var isFinished = false
    /// The number of bytes written so far, including buffered ones.
    package private(set) var bytes: Int64 = 0

    private static let bufferSize = 256 * 1024

    fileprivate init(folder: ExportFolder, name: String) throws {
        (self.folder, self.name) = (folder, name)
        let path = folder.full(Self.unfinished(name))
        unlink(path)
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw folder.failure(name, errno) }
        if folder.mode != ExportFolder.ownerOnly, fchmod(descriptor, folder.fileMode) != 0 {
            throw folder.failure(name, errno)
        }
    }

    deinit {
        if !isFinished { unlink(folder.full(Self.unfinished(name))) }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Returns the name of a file while it is written.
    static func unfinished(_ name: String) -> String { name + ".part" }

    /// Appends to the file; buffers up to 256 KiB.
    package func write(_ text: String) throws {
        try write(text.utf8)
    }

    /// Appends to the file; buffers up to 256 KiB.
    package func write(_ utf8: some Collection<UInt8>) throws {
        bytes += Int64(utf8.count)
        buffer += utf8
        if buffer.count >= Self.bufferSize { try flush() }
    }

    private func flush() throws {
        hash.update(data: buffer)
        do {
            try FileDescriptorWriter(descriptor: descriptor).write(buffer[...])
        } catch {
            throw folder.failure(name, error.code)
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Writes the rest and gives the file its name. Only ``ExportFolder/sync(_:)`` ensures that it is on the disk.
    package func finish() throws -> (bytes: Int64, sha256: String) {
        try flush()
        guard rename(folder.full(Self.unfinished(name)), folder.full(name)) == 0 else {
            throw folder.failure(name, errno)
        }
        isFinished = true
        return (bytes, hash.finalize().hexadecimal)
    }

    /// Writes the rest, and gives the file its name when its bytes are on the disk. So a file of that name is replaced by
    /// a whole one, even if the power fails.
    func finishOnDisk() throws {
        try flush()
        guard fsync(descriptor) == 0 else { throw folder.failure(name, errno) }
        _ = try finish()
        try folder.sync([name])
    }
}

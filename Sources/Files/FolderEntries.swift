import FoundationEssentials
import Glibc

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

    package static func rename(_ old: String, to new: String) throws(ArchiveError) {
        guard Glibc.rename(old, new) == 0 else {
            guard errno == EXDEV else { throw ArchiveError(path: old, errno: errno) }
            throw ArchiveError(code: .linked, detail: "\(new) is on another disk than \(old)")
        }
    }

    /// Returns the names in the folder, in no order. Uses system calls, because Foundation takes as long as opening a
    /// database.
    package static func names(in folder: String) throws(ArchiveError) -> [String] {
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
    package static func remove(_ path: String) throws(ArchiveError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw ArchiveError(path: path, errno: errno) }
    }

    /// Removes a folder and everything in it; does nothing when it is missing.
    package static func removeAll(_ path: String) throws(ArchiveError) {
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
    package static func synchronize(_ folder: String) throws(ArchiveError) { try synchronize(folder, for: folder) }

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

    /// Returns the size of a file in bytes; nil if it does not exist. Uses only `stat`: opening and closing a database
    /// file would drop SQLite's locks.
    package static func size(of path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }
}

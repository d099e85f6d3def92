import Glibc

/// The symbolic links and mounted disks in an account's folder, itself included. Removing a link leaves the files that it
/// leads to.
package struct LinkedFiles {
    /// Each link or mount point.
    private let paths: [String]

    /// Looks at the folder and everything in it, without following links.
    package init(in folder: String) throws(ArchiveError) {
        var found: [String] = []
        var waiting = [folder]
        var parent = stat()
        // The folder of accounts may be a link itself.
        guard stat(folder.parentFolder, &parent) == 0 else { throw ArchiveError(path: folder, errno: errno) }
        while let path = waiting.popLast() {
            var status = stat()
            guard lstat(path, &status) == 0 else { throw ArchiveError(path: path, errno: errno) }
            let kind = status.st_mode & S_IFMT
            if kind == S_IFLNK || status.st_dev != parent.st_dev {
                found.append(path)
            } else if kind == S_IFDIR {
                waiting += try FolderEntries.names(in: path).map { path + "/" + $0 }
            }
        }
        paths = found.sorted()
    }

    /// Requires that everything in the folder is removed with it.
    ///
    /// - Throws: ``ArchiveError`` with `linked`.
    package func requireNone() throws(ArchiveError) {
        guard let first = paths.first else { return }
        let target = realpath(first, nil).map { resolved in
            defer { free(resolved) }
            return String(cString: resolved)
        }
        let place = target.map { $0 == first ? "on another disk" : "a link to \($0)" } ?? "a link to nothing"
        let more = paths.count > 1 ? ", and there are \(paths.count - 1) more" : ""
        throw ArchiveError(code: .linked, detail: "\(first) is \(place)\(more); nothing was erased")
    }
}

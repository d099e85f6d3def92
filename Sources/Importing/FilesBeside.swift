import ChatModel
import FoundationEssentials
import Glibc
import Rendering

/// The files beside a source, which its messages name by paths.
///
/// A path leads only to regular files in the source's folder or archive: not through links, `..` or an absolute path.
/// Some exports write their paths from a folder above the source's own, so each folder up to the container's is tried.
struct FilesBeside {
    /// The result of looking for a file.
    enum Found {
        /// The file, and its position among the files that were found; nil if its folder was not searched.
        case file(FileBeside, position: Int?)
        case missing
        /// The path leads out of the export, or not to a regular file.
        case refused
        /// The path is a URL, which names no file of the export.
        case address
    }

    /// The limit of folders in a path. No known program exceeds it.
    private static let maximumDepth = 32

    let found: FoundFiles

    /// - Parameter found: All files of the import, for paths into archives.
    init(_ found: FoundFiles) {
        self.found = found
    }

    /// Looks for a file of a message: at its path, else at those of its copies.
    ///
    /// - Parameter source: The file that has the message.
    func find(_ file: ImportedMessage.File, beside source: ImportFile) -> Found {
        let found = find(file.path, beside: source)
        if case .file = found { return found }
        for path in file.copies ?? [] {
            let copy = find(path, beside: source)
            if case .file = copy { return copy }
        }
        return found
    }

    /// Looks for the file that a message names.
    ///
    /// - Parameter source: The file that has the message.
    func find(_ path: String, beside source: ImportFile) -> Found {
        guard !path.contains("://"), !path.hasPrefix("data:") else { return .address }
        let parts = path.split(separator: "/").filter { $0 != "." }
        guard !path.hasPrefix("/"), !parts.isEmpty, parts.count <= Self.maximumDepth, !parts.contains(".."),
            !path.utf8.contains(0)
        else { return .refused }
        var folder = source.folderParts
        while true {
            switch look(for: folder + parts.map(String.init), of: source) {
            case .missing where !folder.isEmpty: folder.removeLast()
            case let result: return result
            }
        }
    }

    private func look(for parts: [String], of source: ImportFile) -> Found {
        let path = parts.joined(separator: "/")
        let position = source.container.isEmpty ? nil : found.position(of: path, in: source.container)
        switch source.place {
        case .pipe:
            return .missing
        case .entry:
            return position.map { .file(.entry(found[$0]), position: $0) } ?? .missing
        case .disk:
            switch RegularFile.open(parts, below: source.root) {
            case .missing: return .missing
            case .refused: return .refused
            case .file(let descriptor): close(descriptor)
            }
            return .file(.disk(root: source.root, parts), position: position)
        }
    }
}

/// A file that a message names, on disk or in an archive.
enum FileBeside {
    case disk(root: String, [String])
    case entry(ImportFile)

    /// Opens the file; see ``ImportFile/open(isStopped:isPacked:)``.
    func open(isStopped: @escaping () -> Bool) throws -> FileBytes {
        switch self {
        case .entry(let file):
            return try file.open(isStopped: isStopped, isPacked: true)
        case .disk(let root, let parts):
            let shown = Sanitizer.line(ImportFile.join(root, parts.joined(separator: "/")))
            guard case .file(let descriptor) = RegularFile.open(parts, below: root) else {
                throw ImportError(UnreadableBytes(errno: ENOENT), of: shown)
            }
            return FileBytes(DescriptorChunks(descriptor, isStopped: isStopped), shown)
        }
    }
}

/// Opens a regular file below a folder, without following links.
private enum RegularFile {
    case file(Int32)
    case missing
    case refused

    static func open(_ parts: [String], below root: String) -> RegularFile {
        var folder = Glibc.open(root.isEmpty ? "." : root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return .missing }
        defer { close(folder) }
        for part in parts.dropLast() {
            let next = openat(folder, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard next >= 0 else { return failed(folder, part) }
            close(folder)
            folder = next
        }
        guard let name = parts.last else { return .missing }
        // Opening a named pipe must not wait for its writer.
        let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return failed(folder, name) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            return .refused
        }
        return .file(file)
    }

    /// Distinguishes a link from a name that is not there.
    private static func failed(_ folder: Int32, _ name: String) -> RegularFile {
        var status = stat()
        let exists = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
        return exists && status.st_mode & S_IFMT == S_IFLNK ? .refused : .missing
    }
}

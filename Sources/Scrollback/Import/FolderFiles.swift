import Foundation

/// The files in a folder and its folders.
///
/// Hidden ones are left out, and links to folders not followed: they may lead back.
struct FolderFiles {
    /// Deeper ones are told. No log program goes beyond ten.
    private static let maximumDepth = 32

    private(set) var files: [(name: String, size: Int64)] = []
    /// Folders and files that could not be looked at, and why.
    private(set) var troubles: [(name: String, error: UnreadableBytes)] = []

    /// - Parameter limit: The most files that are taken.
    init(in folder: String, limit: Int) throws(UnreadableBytes) {
        var waiting = [(name: "", depth: 0)]
        while let (name, depth) = waiting.popLast() {
            let path = name.isEmpty ? folder : ImportFile.join(folder, name)
            guard depth <= Self.maximumDepth else {
                troubles.append(
                    (name, UnreadableBytes(reason: "folders are nested too deeply", hint: "import it by itself")))
                continue
            }
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
                troubles.append((name, UnreadableBytes(errno: EACCES)))
                continue
            }
            for part in names where !part.hasPrefix(".") {
                let name = name.isEmpty ? part : "\(name)/\(part)"
                if look(at: name, in: folder) { waiting.append((name, depth + 1)) }
            }
            guard files.count <= limit else { throw .tooMany(limit) }
        }
    }

    /// Whether it is a folder, to look into.
    private mutating func look(at name: String, in folder: String) -> Bool {
        let path = ImportFile.join(folder, name)
        var status = stat()
        guard lstat(path, &status) == 0 else {
            troubles.append((name, UnreadableBytes(errno: errno)))
            return false
        }
        if status.st_mode & S_IFMT == S_IFDIR { return true }
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        files.append((name, Int64(status.st_size)))
        return false
    }
}

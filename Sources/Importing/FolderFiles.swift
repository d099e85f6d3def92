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

    /// - Parameter limit: Counts the files.
    /// - Throws: ``UnreadableBytes`` where there are too many.
    init(in folder: String, limit: inout FileLimit) throws(UnreadableBytes) {
        var waiting = [(name: "", depth: 0)]
        while let (name, depth) = waiting.popLast() {
            let path = name.isEmpty ? folder : ImportFile.join(folder, name)
            guard depth <= Self.maximumDepth else {
                troubles.append(
                    (name, UnreadableBytes(reason: "folders are nested too deeply", hint: "import it by itself")))
                continue
            }
            guard let stream = opendir(path) else {
                troubles.append((name, UnreadableBytes(errno: errno)))
                continue
            }
            defer { closedir(stream) }
            while let part = Self.next(of: stream) {
                guard !part.hasPrefix(".") else { continue }
                let name = name.isEmpty ? part : "\(name)/\(part)"
                try limit.take(name.utf8.count)
                if look(at: name, in: folder) { waiting.append((name, depth + 1)) }
            }
        }
    }

    /// Returns the next name: a folder of ten million is not read at once.
    private static func next(of stream: OpaquePointer) -> String? {
        readdir(stream).map { entry in
            withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
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

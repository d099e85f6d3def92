import Glibc

extension FoundFiles {
    /// The limit of folder levels. Deeper folders are reported. No log program exceeds ten levels.
    private static let maximumDepth = 32

    /// Finds the files in a folder and its subfolders.
    ///
    /// Skips hidden ones. Doesn't follow links to folders, which may form a loop.
    ///
    /// - Parameters:
    ///   - isStopped: Returns true if the search should stop.
    ///   - trouble: Receives folders and files that can't be examined, with the reason.
    /// - Throws: ``UnreadableBytes`` for too many files.
    mutating func addFiles(
        inFolder root: String, isStopped: () -> Bool = { false },
        trouble: (_ name: String, UnreadableBytes) -> Void
    ) throws(UnreadableBytes) {
        try addContainer(root, isArchive: false)
        let start = count
        var waiting = [try addFolder("")]
        while let folder = waiting.popLast() {
            let name = name(ofFolder: folder)
            guard name.utf8.count(where: { $0 == UInt8(ascii: "/") }) <= Self.maximumDepth else {
                let error = UnreadableBytes(reason: "folders are nested too deeply", hint: "import this one alone")
                trouble(String(name.dropLast()), error)
                continue
            }
            guard let stream = opendir(name.isEmpty ? root : ImportFile.join(root, name)) else {
                trouble(String(name.dropLast()), UnreadableBytes(errno: errno))
                continue
            }
            defer { closedir(stream) }
            while let part = Self.next(of: stream), !isStopped() {
                guard !part.hasPrefix(".") else { continue }
                switch Self.look(at: ImportFile.join(root, name + part)) {
                case .folder: waiting.append(try addFolder(name + part + "/"))
                case .file(let size): try addFile(part.utf8, in: folder, at: size)
                case .other: break
                case .unreadable(let error): trouble(name + part, error)
                }
            }
        }
        sort(from: start)
    }

    /// Returns the next name. A folder may have ten million, so they are read one by one.
    private static func next(of stream: OpaquePointer) -> String? {
        readdir(stream).map { entry in
            withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
        }
    }

    private enum Found {
        case folder
        case file(Int64)
        case other
        case unreadable(UnreadableBytes)
    }

    private static func look(at path: String) -> Found {
        var status = stat()
        guard lstat(path, &status) == 0 else { return .unreadable(UnreadableBytes(errno: errno)) }
        if status.st_mode & S_IFMT == S_IFDIR { return .folder }
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .other }
        return .file(Int64(status.st_size))
    }
}

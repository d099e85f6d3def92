import Glibc

extension FoundFiles {
    /// The limit of folder levels. Deeper folders are reported. No log program exceeds ten levels.
    private static let maximumDepth = 32

    /// Finds the files in a folder and its subfolders.
    ///
    /// Skips hidden ones. Follows no links: one within the folder is a file that is found anyway, or a loop.
    ///
    /// - Parameters:
    ///   - isStopped: Returns true if the search should stop.
    ///   - outer: Receives links that lead out of the folder, to files or folders that exist.
    ///   - trouble: Receives folders and files that can't be examined, with the reason.
    /// - Throws: ``UnreadableBytes`` for too many files.
    mutating func addFiles(
        inFolder root: String, isStopped: () -> Bool = { false }, outer: (_ name: String) -> Void,
        trouble: (_ name: String, UnreadableBytes) -> Void
    ) throws(UnreadableBytes) {
        try addContainer(root, isArchive: false)
        let (start, resolved) = (count, ImportFile.resolved(root))
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
                case .link(let target): if Self.leads(target, outOf: resolved) { outer(name + part) }
                case .other: break
                case .unreadable(let error): trouble(name + part, error)
                }
            }
        }
        sort(from: start)
    }

    /// Finds the files below a folder of a home that the walk opens. Follows no links.
    ///
    /// The folders nearer to the home come first, so that a walk that is stopped has seen these.
    ///
    /// - Parameter trouble: Called with the path of each folder that can't be read.
    /// - Throws: ``UnreadableBytes`` for too many files.
    mutating func addFiles(
        inHome root: String, _ walk: HomeWalk, trouble: (_ name: String) -> Void
    ) throws(UnreadableBytes) {
        try addContainer(root, isArchive: false)
        let start = count
        defer { sort(from: start) }
        var (waiting, next) = ([try addFolder("")], 0)
        while next < waiting.count, !walk.isOver() {
            let folder = waiting[next]
            next += 1
            let name = name(ofFolder: folder)
            let path = name.isEmpty ? root : ImportFile.join(root, name)
            guard let stream = opendir(path) else {
                trouble(String(name.dropLast()))
                continue
            }
            defer { closedir(stream) }
            while !walk.isOver(), let entry = FolderEntry(next: stream, in: path) {
                switch entry.kind {
                case .folder where walk.enters(entry.name, in: name, of: root):
                    waiting.append(try addFolder(name + entry.name + "/"))
                case .file where walk.wants(entry.name, in: name):
                    try addFile(entry.name.utf8, in: folder, at: Self.size(of: path, entry.name))
                default: break
                }
            }
        }
    }

    private static func size(of folder: String, _ name: String) -> Int64 {
        var status = stat()
        return lstat(ImportFile.join(folder, name), &status) == 0 ? Int64(status.st_size) : 0
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
        /// A link, with its target's path; nil if the target does not exist.
        case link(String?)
        case other
        case unreadable(UnreadableBytes)
    }

    private static func look(at path: String) -> Found {
        var status = stat()
        guard lstat(path, &status) == 0 else { return .unreadable(UnreadableBytes(errno: errno)) }
        return switch status.st_mode & S_IFMT {
        case S_IFDIR: .folder
        case S_IFREG: .file(Int64(status.st_size))
        case S_IFLNK: .link(ImportFile.resolved(path))
        default: .other
        }
    }

    /// Returns true if a link's target is neither the folder nor in it.
    private static func leads(_ target: String?, outOf folder: String?) -> Bool {
        guard let target, let folder, target != folder else { return false }
        return !target.hasPrefix(folder == "/" ? folder : folder + "/")
    }
}

/// The files that an import has found in folders and archives, one container after the other.
///
/// Names are stored as bytes, and a folder's name once for consecutive files. Other facts about a file in an archive
/// are read again when it is opened. So two million files of a Slack export take 70 MB.
struct FoundFiles {
    private struct Container {
        var name: UInt32
        var isArchive: Bool
        /// The position of its first file.
        var start: UInt32
    }

    private struct Folder {
        var container: UInt32
        /// The position of the folder's path in ``names``. The path ends with `/`; it is empty for the container
        /// itself.
        var name: UInt32
    }

    private struct File {
        var folder: UInt32
        /// The position of the file's name in ``names``, without the folder.
        var name: UInt32
        /// The size in bytes of a file on disk, or the position of the entry of a file in an archive.
        var place: Int64
    }

    private var containers: [Container] = []
    private var folders: [Folder] = []
    private var files: [File] = []
    /// All names, each after its length in two bytes.
    private var names: [UInt8] = []
    /// Recent folders by the hashes of their paths, for files that aren't consecutive.
    private var recent: [Int: UInt32] = [:]
    private(set) var limit = FileLimit()

    /// The limit of recent folders, enough for an archive that stores its files day by day.
    private static let recentCapacity = 4096

    init() {
        // Unused reserved memory costs nothing, but an array that grows has its elements in memory twice.
        files.reserveCapacity(FileLimit.maximumFiles)
        names.reserveCapacity(FileLimit.maximumBytes)
    }

    var count: Int { files.count }

    /// The file at a position.
    subscript(_ index: Int) -> ImportFile {
        let file = files[index]
        let container = containers[Int(folders[Int(file.folder)].container)]
        let path = String(decoding: bytes(at: container.name), as: UTF8.self)
        return container.isArchive
            ? ImportFile(archive: path, name: name(of: index), entry: file.place)
            : ImportFile(container: path, name: name(of: index), size: file.place)
    }

    /// The path of a file in its container.
    func name(of index: Int) -> String {
        String(decoding: folder(of: index) + bytes(at: files[index].name), as: UTF8.self)
    }

    /// The path of a file's folder in its container, with a `/` at its end.
    func folder(of index: Int) -> ArraySlice<UInt8> { bytes(at: folders[Int(files[index].folder)].name) }

    /// The path of a folder in its container.
    func name(ofFolder folder: UInt32) -> String {
        String(decoding: bytes(at: folders[Int(folder)].name), as: UTF8.self)
    }

    private func bytes(at place: UInt32) -> ArraySlice<UInt8> { Self.bytes(of: names, at: place) }

    private static func bytes(of names: [UInt8], at place: UInt32) -> ArraySlice<UInt8> {
        let start = Int(place) + 2
        return names[start..<(start + Int(names[start - 2]) + Int(names[start - 1]) << 8)]
    }

    // MARK: - Finding

    /// Adds a container. Throws ``UnreadableBytes`` for too many files, as do the functions below.
    mutating func addContainer(_ path: String, isArchive: Bool) throws(UnreadableBytes) {
        containers.append(
            Container(name: try storeName(path.utf8), isArchive: isArchive, start: UInt32(files.count)))
    }

    /// Returns the last container's folder with this path, adding it if it is new.
    ///
    /// - Parameter path: Ends with `/`, or is empty.
    mutating func addFolder(_ path: String) throws(UnreadableBytes) -> UInt32 {
        let (container, hash) = (UInt32(containers.count - 1), path.hashValue)
        if let known = recent[hash], folders[Int(known)].container == container,
            bytes(at: folders[Int(known)].name).elementsEqual(path.utf8)
        {
            return known
        }
        let folder = UInt32(folders.count)
        folders.append(Folder(container: container, name: try storeName(path.utf8)))
        if recent.count >= Self.recentCapacity { recent.removeAll(keepingCapacity: true) }
        recent[hash] = folder
        return folder
    }

    mutating func addFile(_ name: some Collection<UInt8>, in folder: UInt32, at place: Int64) throws(UnreadableBytes) {
        files.append(File(folder: folder, name: try storeName(name), place: place))
    }

    private mutating func storeName(_ name: some Collection<UInt8>) throws(UnreadableBytes) -> UInt32 {
        let length = name.count
        guard length <= Int(UInt16.max) else { throw .tooManyFiles }
        try limit.take(length + 2)
        defer {
            names.append(UInt8(truncatingIfNeeded: length))
            names.append(UInt8(truncatingIfNeeded: length >> 8))
            names.append(contentsOf: name)
        }
        return UInt32(names.count)
    }

    // MARK: - Order

    /// Sorts the files from a position on: in each folder, its own files by name, and the files of its subfolders after
    /// them.
    mutating func sort(from start: Int) {
        let (names, folders) = (names, folders)
        files[start...].sort { left, right in
            if left.folder != right.folder {
                let (mine, other) = (folders[Int(left.folder)].name, folders[Int(right.folder)].name)
                let order = Self.order(Self.bytes(of: names, at: mine), Self.bytes(of: names, at: other))
                if order != 0 { return order < 0 }
            }
            return Self.order(Self.bytes(of: names, at: left.name), Self.bytes(of: names, at: right.name)) < 0
        }
    }

    /// Compares two paths. Returns a number below 0 if `left` comes first, and 0 if both are equal. A `/` comes before
    /// every other byte.
    private static func order(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in
                let common = min(left.count, right.count)
                var index = 0
                while index < common, left[index] == right[index] { index += 1 }
                guard index < common else { return left.count - right.count }
                let slash = UInt8(ascii: "/")
                if left[index] == slash { return -1 }
                return right[index] == slash ? 1 : Int(left[index]) - Int(right[index])
            }
        }
    }

    /// Returns the position of a file; nil if the container has no such file.
    func position(of path: String, in container: String) -> Int? {
        let number = containers.firstIndex { bytes(at: $0.name).elementsEqual(container.utf8) }
        guard let number else { return nil }
        var (low, high) = (Int(containers[number].start), files.count)
        if number + 1 < containers.count { high = Int(containers[number + 1].start) }
        let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        let wanted = (folder: Array(path.utf8[..<name])[...], name: Array(path.utf8[name...])[...])
        while low < high {
            let middle = (low + high) / 2
            let own = Self.order(folder(of: middle), wanted.folder)
            let order = own != 0 ? own : Self.order(bytes(at: files[middle].name), wanted.name)
            if order == 0 { return middle }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// Returns the path of the subfolder of `folder` that contains a file; nil for a file directly in `folder`.
    func inner(of index: Int, below folder: String) -> String? {
        let path = folder.utf8.count
        let own = self.folder(of: index)
        guard let slash = own.dropFirst(path).firstIndex(of: UInt8(ascii: "/")) else { return nil }
        return String(decoding: own[...slash], as: UTF8.self)
    }

    /// Returns the end of a folder's files within a sorted range, whose first file is in the folder.
    func end(of folder: String, among files: Range<Int>) -> Int {
        var (low, high) = (files.lowerBound, files.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if self.folder(of: middle).starts(with: folder.utf8) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the end of the files after a file, in its folder, whose names differ from its name only in digits, such
    /// as `2026-11-27.log` and `2026-11-28.log`; the next position if the name has fewer than the four digits of a day.
    func endOfShape(of index: Int, among files: Range<Int>) -> Int {
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        func name(_ index: Int) -> ArraySlice<UInt8> { bytes(at: self.files[index].name) }
        let shape = name(index).filter { !isDigit($0) }
        guard name(index).count - shape.count >= 4 else { return index + 1 }
        let folder = self.files[index].folder
        return files[(index + 1)...].firstIndex {
            self.files[$0].folder != folder || !name($0).lazy.filter { !isDigit($0) }.elementsEqual(shape)
        } ?? files.upperBound
    }
}

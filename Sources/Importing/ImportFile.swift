import ChatModel
import FoundationEssentials
import Glibc
import LogFormats
import Rendering

/// A file to import, on disk, in an archive or from a pipe.
struct ImportFile: Sendable {
    enum Place: Sendable {
        /// A file on disk, with its size in bytes.
        case disk(Int64)
        /// A file in an archive, with the position of its entry in the archive's directory.
        case entry(Int64)
        /// A descriptor that can be read only once, with the bytes that were read to recognise the format.
        case pipe(Int32, PipeBeginning)
    }

    /// The folder or archive in which the file was found, as given; empty for a file that was given.
    let container: String
    /// The path within the container, or as given; `-` is standard input.
    let name: String
    private(set) var place: Place

    /// The unpacked size in bytes, if it is known beforehand; 0 for a pipe.
    var size: Int64 {
        switch place {
        case .disk(let size): max(size, Self.unpackedSize(path))
        case .entry(let place): (try? ZipDirectory.item(of: container, at: place).entry.size) ?? 0
        case .pipe: 0
        }
    }

    /// True for a file that belongs to an SQLite database beside it.
    var isBesideDatabase: Bool {
        if case .disk = place { SQLiteFile.isBesideDatabase(path) } else { false }
    }

    private var isStandardInput: Bool { container.isEmpty && name == "-" }

    /// The file's path for people.
    var shown: String { isStandardInput ? "stdin" : Sanitizer.line(path) }

    /// The file's path, as if its archive were a folder.
    private var path: String { container.isEmpty ? name : Self.join(container, name) }

    /// The folder from which paths of the file's messages are looked up: the container, or the file's own folder.
    var root: String {
        guard container.isEmpty else { return container }
        return name.lastIndex(of: "/").map { $0 == name.startIndex ? "/" : String(name[..<$0]) } ?? "."
    }

    /// The folders between the container and the file; none for a file that was given.
    var folderParts: [String] {
        container.isEmpty ? [] : name.split(separator: "/").dropLast().map(String.init)
    }

    static func join(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// Returns the path without links; nil if it leads to nothing.
    static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The path that a format receives, as if everything were unpacked; empty for standard input.
    var unpackedPath: String {
        if isStandardInput { return "" }
        var path = path
        if case .entry = place, container.lowercased().hasSuffix(".zip") {
            path = Self.join(String(container.dropLast(4)), name)
        }
        return path.hasSuffix(".gz") ? String(path.dropLast(3)) : path
    }

    /// Opens the file.
    ///
    /// - Parameter isPacked: True for the bytes as they are, also of a gzip file.
    /// - Throws: ``ImportError``.
    func open(isStopped: @escaping () -> Bool, isPacked: Bool = false) throws -> FileBytes {
        let packed = try ImportError.naming(shown) { try self.packed(isStopped) }
        return FileBytes(isPacked ? packed : unpacked(packed), shown)
    }

    /// The beginning of a pipe; nil for other files.
    var pipe: PipeBeginning? {
        if case .pipe(_, let beginning) = place { beginning } else { nil }
    }

    /// Opens a file that will be read again: a pipe has only its beginning.
    func openAgain(isStopped: @escaping () -> Bool) throws -> FileBytes {
        guard let pipe else { return try open(isStopped: isStopped) }
        return FileBytes(UnpackedChunks(ReplayedChunks(pipe.bytes, then: nil)), shown)
    }

    private func unpacked(_ packed: any ByteChunks) -> any ByteChunks {
        let bytes = UnpackedChunks(packed)
        if case .disk = place, !path.hasSuffix(".gz") { return bytes }
        return DatabaseRefusal(bytes)
    }

    private func packed(_ isStopped: @escaping () -> Bool) throws -> any ByteChunks {
        switch place {
        case .disk:
            try DatabaseChunks.open(path, isStopped: isStopped) ?? DescriptorChunks(path: path, isStopped: isStopped)
        case .entry(let place):
            try ZipDirectory.item(of: container, at: place).entry.open(in: container, isStopped: isStopped)
        case .pipe(let descriptor, let beginning):
            // Closes a copy of the descriptor after reading, so that the descriptor of the shell stays open.
            ReplayedChunks(
                beginning.bytes, then: DescriptorChunks(dup(descriptor), isPipe: true, isStopped: isStopped))
        }
    }

    /// Returns the first bytes, unpacked: enough for a ``LogSource``. For a pipe, returns the bytes that have arrived
    /// until it is quiet, and more when called again; keeps them for reading.
    ///
    /// - Parameters:
    ///   - isFormatKnown: True if a line of a pipe is enough.
    ///   - isStopped: Returns true if the wait for a pipe should end, with ``ImportStopped``.
    mutating func beginning(
        isFormatKnown: Bool = false, isStopped: @escaping () -> Bool = { false }
    ) throws -> [UInt8] {
        guard case .pipe(let descriptor, var pipe) = place else {
            return try Self.beginning(open(isStopped: isStopped).next)
        }
        let shown = shown
        return try ImportError.naming(shown) {
            let chunks = DescriptorChunks(dup(descriptor), isPipe: true, isStopped: isStopped)
            try pipe.fill(from: chunks, isFormatKnown: isFormatKnown)
            place = .pipe(descriptor, pipe)
            let unpacked = DatabaseRefusal(UnpackedChunks(ReplayedChunks(pipe.bytes, then: nil)))
            do {
                return try Self.beginning(unpacked.next)
            } catch let error as UnreadableBytes where error == .incomplete && pipe.isOpen {
                return []
            }
        }
    }

    /// - Throws: An error if nothing can be read. Reading finds damage after the beginning.
    private static func beginning(_ next: () throws -> ArraySlice<UInt8>) throws -> [UInt8] {
        var bytes = Array(try next())
        while !bytes.isEmpty, bytes.count < LogSource.beginningSize, let more = try? next(), !more.isEmpty {
            bytes += more
        }
        return bytes
    }
}

extension ImportFile {
    init(container: String, name: String, size: Int64) {
        self.init(container: container, name: name, place: .disk(size))
    }

    /// - Parameter place: The position of the file's entry in the archive's directory.
    init(archive: String, name: String, entry place: Int64) {
        self.init(container: archive, name: name, place: .entry(place))
    }

    init(pipe descriptor: Int32, name: String) {
        self.init(container: "", name: name, place: .pipe(descriptor, PipeBeginning()))
    }

    /// Returns the size in the last four bytes of a gzip file. It is too small from 4 GiB on, and for several parts
    /// gives only the last.
    private static func unpackedSize(_ path: String) -> Int64 {
        guard path.hasSuffix(".gz") else { return 0 }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let end = try? LittleEndian(descriptor, at: Int64(lseek(descriptor, 0, SEEK_END)) - 4, count: 4)
        return Int64(end?[0] as UInt32? ?? 0)
    }

    static func isArchive(_ path: String) -> Bool {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        return (try? LittleEndian(descriptor, at: 0, count: 4)).map { ZipDirectory.begins($0.bytes) } ?? false
    }

    /// Opens a named pipe or a device, which stays open for the rest of the process. Does not wait for a writer.
    static func descriptor(of path: String) throws(ImportError) -> Int32 {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw ImportError(UnreadableBytes(errno: errno), of: path) }
        // Without O_NONBLOCK, open(2) waits for the writer, and no signal ends that. From here on poll(2) waits.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return descriptor
    }
}

extension ImportError {
    init(_ error: UnreadableBytes, of path: String) {
        self.init(.input, Sanitizer.line(path), error.reason, hint: error.hint)
    }

    static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as UnreadableBytes {
            throw ImportError(error, of: path)
        }
    }
}

extension ImportFile {
    /// Returns the kind of a file that no format reads; nil for an unknown file.
    func unsupportedKind(_ beginning: [UInt8]) -> UnsupportedKind? {
        UnsupportedKind.find(name: Self.name(of: unpackedPath), beginning: beginning)
    }

    static func isPackedDocument(_ path: String) -> Bool { UnsupportedKind.isPackedDocument(name: name(of: path)) }

    private static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }
}

extension ImportError {
    /// Creates the error for a file that was given and is of a kind that no format reads.
    init(_ kind: UnsupportedKind, of file: ImportFile) {
        self.init(.importSource, file.shown, "this is \(kind.what)", hint: kind.adviceForGiven)
    }
}

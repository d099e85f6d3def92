import Glibc
import Rendering

/// The list of files at the end of a ZIP archive (APPNOTE.TXT 6.3.10, 4.3.12 to 4.3.16), also of one over 4 GiB.
enum ZipDirectory {
    /// The bytes of an entry before its name.
    private static let headerSize = 46
    /// The bytes of the archive's last record, before a comment of at most 65,535 bytes.
    private static let endSize = 22

    /// Returns true if the bytes begin an archive: with a file, or with the end of an empty archive.
    static func begins(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.starts(with: Array("PK\u{3}\u{4}".utf8)) || bytes.starts(with: Array("PK\u{5}\u{6}".utf8))
    }

    /// An entry of the directory.
    struct Item {
        /// The entry's position in the archive.
        var place: Int64
        var entry: ZipEntry
        /// The file's path; a folder's ends with `/`.
        var name: [UInt8]
    }

    /// Calls the body with each entry of the directory, in the archive's order.
    ///
    /// - Parameters:
    ///   - limit: The limit of files. An archive with more is refused.
    ///   - begin: Receives the number of entries and the directory's position.
    static func forEachItem(
        in archive: String, limit: Int, begin: (_ count: Int, _ start: Int64) -> Void = { _, _ in },
        _ body: (Item) throws(UnreadableBytes) -> Void
    ) throws(UnreadableBytes) {
        let descriptor = open(archive, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw UnreadableBytes(errno: errno) }
        defer { close(descriptor) }
        let (count, start) = try find(in: descriptor)
        guard count <= limit else { throw .tooManyFiles }
        begin(Int(count), start)
        var window = ZipWindow(descriptor, at: start)
        for _ in 0..<count { try body(try item(in: &window)) }
    }

    /// Returns the entry at a position of an archive.
    static func item(of archive: String, at place: Int64) throws(UnreadableBytes) -> Item {
        let descriptor = open(archive, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw UnreadableBytes(errno: errno) }
        defer { close(descriptor) }
        var window = ZipWindow(descriptor, at: place, size: 512)
        return try item(in: &window)
    }

    private static func item(in window: inout ZipWindow) throws(UnreadableBytes) -> Item {
        let place = window.place
        let header = try window.take(headerSize)
        guard header[0] as UInt32 == 0x0201_4B50 else { throw .damagedDirectory }
        let name = try window.take(Int(header[28] as UInt16)).bytes
        let extra = try window.take(Int(header[30] as UInt16))
        window.skip(Int(header[32] as UInt16))
        return try Item(
            place: place, entry: ZipEntry(header: header, extra: extra), name: ZipEntry.name(name, header: header))
    }

    /// Returns the number of entries and the position of the first.
    private static func find(in descriptor: Int32) throws(UnreadableBytes) -> (count: UInt64, start: Int64) {
        let size = Int64(lseek(descriptor, 0, SEEK_END))
        let from = max(0, size - Int64(endSize + 0xFFFF))
        let tail = try LittleEndian(descriptor, at: from, count: Int(size - from))
        guard
            let end = stride(from: tail.count - endSize, through: 0, by: -1)
                .first(where: { tail[$0] as UInt32 == 0x0605_4B50 })
        else { throw .damagedDirectory }
        let (count, start) = (tail[end + 10] as UInt16, tail[end + 16] as UInt32)
        guard count == .max || start == .max else { return (UInt64(count), Int64(start)) }
        // Larger numbers are in a separate record, whose position is directly before this one.
        guard end >= 20, tail[end - 20] as UInt32 == 0x0706_4B50 else { return (UInt64(count), Int64(start)) }
        guard let place = Int64(exactly: tail[end - 12] as UInt64) else { throw .damagedDirectory }
        let large = try LittleEndian(descriptor, at: place, count: 56)
        guard large[0] as UInt32 == 0x0606_4B50, let start = Int64(exactly: large[48] as UInt64) else {
            throw .damagedDirectory
        }
        return (large[32], start)
    }
}

/// Bytes of an archive, with access to the numbers in them.
struct LittleEndian {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// - Throws: ``UnreadableBytes`` if the file has fewer bytes.
    init(_ descriptor: Int32, at place: Int64, count: Int) throws(UnreadableBytes) {
        var bytes = [UInt8](repeating: 0, count: count)
        guard pread(descriptor, &bytes, count, off_t(place)) == count else { throw .damagedDirectory }
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    /// Returns the number at a position; bytes past the end count as 0.
    subscript<Number: FixedWidthInteger>(_ place: Int) -> Number {
        bytes.dropFirst(place).prefix(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}

/// The bytes of a file in sequence, read in blocks.
private struct ZipWindow {
    private let descriptor: Int32
    private let size: Int
    private(set) var place: Int64
    private var bytes: ArraySlice<UInt8> = []

    /// - Parameter size: The number of bytes that are read at once.
    init(_ descriptor: Int32, at place: Int64, size: Int = 64 * 1024) {
        (self.descriptor, self.place, self.size) = (descriptor, place, size)
    }

    mutating func take(_ count: Int) throws(UnreadableBytes) -> LittleEndian {
        if bytes.count < count { try load(count) }
        defer { skip(count) }
        return LittleEndian(Array(bytes.prefix(count)))
    }

    mutating func skip(_ count: Int) {
        bytes = bytes.dropFirst(count)
        place += Int64(count)
    }

    private mutating func load(_ count: Int) throws(UnreadableBytes) {
        var more = [UInt8](repeating: 0, count: max(count, size))
        let got = pread(descriptor, &more, more.count, off_t(place))
        guard got >= count else { throw .damagedDirectory }
        bytes = more[..<got]
    }
}

extension UnreadableBytes {
    static let damagedDirectory = UnreadableBytes(
        reason: "damaged or incomplete ZIP archive", hint: "copy or download it again")

    static let tooManyFiles = UnreadableBytes(
        reason: """
            more than \(FileLimit.maximumFiles.grouped) files, or names of more than \(FileLimit.maximumBytes >> 20) MiB
            """, hint: "import its folders one by one; unpack an archive first")
}

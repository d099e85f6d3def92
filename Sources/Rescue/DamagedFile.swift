import Files
import Glibc

/// The pages of an account's file that SQLite may be unable to open. A page of the `-wal` takes the place of an older
/// one in the file.
///
/// Nothing here trusts the file: what can't be read is nil. The formats are SQLite's (sqlite.org/fileformat2.html).
final class DamagedFile {
    /// The page size of every account's file, in bytes: SQLite's default. The header may be damaged, so it is not read.
    static let pageSize = 4096

    let path: String
    /// The number of pages, from the sizes of the file and of its `-wal`; 1 for an empty file.
    let pageCount: Int
    /// The number of frames of the `-wal` that have changes of an ended transaction, and were written wrong.
    let damagedFrames: Int
    private let file: OpenFile
    private let log: OpenFile?
    /// The places of pages in the `-wal`, in bytes.
    private let logged: [Int: Int64]
    /// The places of intact pages of the `-wal` behind its first damaged frame, in bytes. SQLite ignores them.
    private let unordered: [Int64]

    /// - Throws: ``ArchiveError`` if the file can't be opened. A missing `-wal` is no error.
    init(path: String) throws(ArchiveError) {
        self.path = path
        file = try OpenFile(reading: path)
        log = try? OpenFile(reading: path + "-wal")
        let frames = log.map(LogFrames.init) ?? LogFrames()
        (logged, unordered, damagedFrames) = (frames.pages, frames.unordered, frames.damaged)
        let inFile = Int((file.size + Int64(Self.pageSize) - 1) / Int64(Self.pageSize))
        pageCount = max(1, inFile, frames.pages.keys.max() ?? 0)
    }

    /// Returns the bytes of a page, counted from 1; nil if it is outside the file or the disk can't read it. The missing
    /// end of a cut file reads as zeros.
    func page(_ number: Int) -> [UInt8]? {
        guard (1...pageCount).contains(number) else { return nil }
        if let place = logged[number], let log { return log.bytes(at: place, count: Self.pageSize) }
        return file.bytes(at: Int64(number - 1) * Int64(Self.pageSize), count: Self.pageSize)
    }

    /// Returns the intact pages of the `-wal` behind its first damaged frame, in the order in which they were written.
    func unorderedPages() -> [[UInt8]] {
        unordered.compactMap { place in log?.bytes(at: place, count: Self.pageSize) }
    }
}

extension OpenFile {
    /// Reads bytes at a place; zeros follow the file's end. Nil if the disk can't read them, or if all are behind the
    /// end.
    fileprivate func bytes(at place: Int64, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let found = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, count, off_t(place)) }
        return found > 0 ? bytes : nil
    }
}

/// The frames of a `-wal`: up to the first damaged one as SQLite takes them, and then those that are intact themselves.
private struct LogFrames {
    private(set) var pages: [Int: Int64] = [:]
    private(set) var unordered: [Int64] = []
    private(set) var damaged = 0

    private static let headerBytes = 32
    private static let frameHeaderBytes = 24

    init() {}

    init(_ log: OpenFile) {
        guard let header = log.bytes(at: 0, count: Self.headerBytes) else { return }
        let magic = header.uint32(at: 0)
        guard magic & ~1 == 0x377F_0682 else { return }
        let isBigEndian = magic & 1 == 1
        let salt = header[16..<24]
        var last = Checksum(stored: header, at: 24)
        var pending: [Int: Int64] = [:]
        var isInOrder = true
        let frameBytes = Int64(Self.frameHeaderBytes + DamagedFile.pageSize)
        var place = Int64(Self.headerBytes)
        while place + frameBytes <= log.size {
            defer { place += frameBytes }
            guard let frame = log.bytes(at: place, count: Int(frameBytes)), frame[8..<16] == salt else { continue }
            var found = last
            found.add(frame[0..<8], isBigEndian)
            found.add(frame[Self.frameHeaderBytes...], isBigEndian)
            let stored = Checksum(stored: frame, at: 16)
            last = stored
            let content = place + Int64(Self.frameHeaderBytes)
            guard found == stored else {
                isInOrder = false
                damaged += 1
                continue
            }
            guard isInOrder else {
                unordered.append(content)
                continue
            }
            pending[Int(frame.uint32(at: 0))] = content
            if frame.uint32(at: 4) > 0 {
                pages.merge(pending) { $1 }
                pending = [:]
            }
        }
    }

    /// The checksum of a `-wal`: each frame continues that of the frame before it.
    private struct Checksum: Equatable {
        private var first: UInt32
        private var second: UInt32

        init(stored bytes: [UInt8], at place: Int) {
            (first, second) = (bytes.uint32(at: place), bytes.uint32(at: place + 4))
        }

        mutating func add(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) {
            bytes.withUnsafeBytes { bytes in
                for place in stride(from: 0, to: bytes.count - 7, by: 8) {
                    let one = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                    let two = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                    first &+= (isBigEndian ? one.bigEndian : one.littleEndian) &+ second
                    second &+= (isBigEndian ? two.bigEndian : two.littleEndian) &+ first
                }
            }
        }
    }
}

extension [UInt8] {
    /// Returns the big-endian number at a place, which the caller knows to be inside.
    func uint16(at place: Int) -> UInt16 { UInt16(self[place]) << 8 | UInt16(self[place + 1]) }

    /// Returns the big-endian number at a place, which the caller knows to be inside.
    func uint32(at place: Int) -> UInt32 { UInt32(uint16(at: place)) << 16 | UInt32(uint16(at: place + 2)) }

    /// Returns SQLite's variable-length number at a place, and the place behind it; nil if it ends outside.
    func varint(at place: Int) -> (value: Int64, end: Int)? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard place >= 0, place + index < count else { return nil }
            let byte = self[place + index]
            if index == 8 { return (Int64(bitPattern: value << 8 | UInt64(byte)), place + 9) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return (Int64(bitPattern: value), place + index + 1) }
        }
        return nil
    }
}

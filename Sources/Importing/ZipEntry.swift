import CZlib
import FoundationEssentials
import Glibc

/// A file in a ZIP archive, as the archive's directory describes it (APPNOTE.TXT 6.3.10, section 4).
///
/// Nothing in the directory is trusted: its names are never paths to write to, and reading stays within the declared
/// size.
struct ZipEntry: Sendable {
    /// The number of bytes, unpacked.
    let size: Int64
    /// The number of bytes in the archive.
    let packed: Int64
    /// The position of its local header in the archive.
    let offset: Int64
    private let checksum: UInt32
    private let method: UInt16
    private let flags: UInt16

    /// - Parameters:
    ///   - header: ``ZipDirectory/headerSize`` bytes of the directory.
    ///   - extra: The field after the name.
    init(header: LittleEndian, extra: LittleEndian) throws(UnreadableBytes) {
        (flags, method, checksum) = (header[8], header[10], header[16])
        var large = Self.large(in: extra)
        // Values above 32 bits are in the extra field, in this order.
        func value(_ small: UInt32) throws(UnreadableBytes) -> Int64 {
            guard small == .max else { return Int64(small) }
            guard !large.isEmpty, let value = Int64(exactly: large.removeFirst()) else { throw .damagedDirectory }
            return value
        }
        size = try value(header[24])
        packed = try value(header[20])
        offset = try value(header[42])
        guard size >= 0, packed >= 0, offset >= 0, offset <= .max - 0x30000 else { throw .damagedDirectory }
    }

    private static let slash = UInt8(ascii: "/")

    /// Returns a name with `/` between folders: some programs on Windows write `\`, though 4.4.17 forbids it.
    static func name(_ bytes: some Collection<UInt8>, header: LittleEndian) -> [UInt8] {
        // The archive was made on FAT, NTFS or VFAT (4.4.2), where no name has a `\`.
        guard [0, 10, 14].contains(header[5] as UInt8), !bytes.contains(slash) else { return Array(bytes) }
        return bytes.map { $0 == UInt8(ascii: "\\") ? slash : $0 }
    }

    /// Returns the path of a name, without `.`, `..` and empty parts.
    static func path(_ name: [UInt8]) -> String {
        let parts = name.split(separator: slash).map { String(decoding: $0, as: UTF8.self) }
        return parts.filter { $0 != "." && $0 != ".." }.joined(separator: "/")
    }

    /// Returns true for a path that folders usually hide.
    static func isHidden(_ path: String) -> Bool {
        let macOS = Substring("__MACOSX").utf8
        let parts = path.utf8.split(separator: slash)
        return parts.contains { $0.first == UInt8(ascii: ".") } || (parts.first ?? macOS).elementsEqual(macOS)
    }

    /// Returns the numbers of extra field 1 (4.5.3).
    private static func large(in extra: LittleEndian) -> [UInt64] {
        var place = 0
        while place + 4 <= extra.count {
            let length = Int(extra[place + 2] as UInt16)
            if extra[place] as UInt16 == 1 {
                return stride(from: place + 4, to: min(place + 4 + length, extra.count) - 7, by: 8).map { extra[$0] }
            }
            place += 4 + length
        }
        return []
    }

    /// Opens the file's unpacked bytes.
    ///
    /// - Throws: ``UnreadableBytes`` for an unsupported or encrypted entry, and for an archive that breaks off.
    func open(in archive: String, isStopped: @escaping () -> Bool) throws -> any ByteChunks {
        if flags & 1 != 0 { throw UnreadableBytes(reason: "encrypted", hint: "unpack the archive first") }
        guard method == 0 || method == 8 else {
            throw UnreadableBytes(
                reason: "unsupported compression method \(method)", hint: "unpack the archive first")
        }
        let descriptor = Glibc.open(archive, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw UnreadableBytes(errno: errno) }
        let chunks = DescriptorChunks(descriptor, limit: packed, isStopped: isStopped)
        let header = try LittleEndian(descriptor, at: offset, count: 30)
        guard header[0] as UInt32 == 0x0403_4B50 else { throw UnreadableBytes.damagedDirectory }
        let names = Int64(header[26] as UInt16) + Int64(header[28] as UInt16)
        guard lseek(descriptor, off_t(offset + 30 + names), SEEK_SET) >= 0 else { throw UnreadableBytes(errno: errno) }
        return try ZipEntryChunks(
            packed: chunks, inflater: method == 0 ? nil : Inflater(.none), size: size, checksum: checksum)
    }
}

/// The bytes of an entry, unpacked and checked against the directory.
private final class ZipEntryChunks: ByteChunks {
    private let packed: any ByteChunks
    /// Nil for an entry that isn't compressed.
    private let inflater: Inflater?
    private var input: ArraySlice<UInt8> = []
    private var remaining: Int64
    private let checksum: UInt32
    private var sum: UInt

    init(packed: any ByteChunks, inflater: Inflater?, size: Int64, checksum: UInt32) {
        (self.packed, self.inflater, remaining, self.checksum) = (packed, inflater, size, checksum)
        sum = crc32(0, nil, 0)
    }

    func next() throws -> ArraySlice<UInt8> {
        let bytes = try unpacked()
        remaining -= Int64(bytes.count)
        guard remaining >= 0 else { throw UnreadableBytes(reason: "longer than its archive says") }
        sum = bytes.withUnsafeBytes { crc32(sum, $0.bindMemory(to: UInt8.self).baseAddress, UInt32($0.count)) }
        guard bytes.isEmpty else { return bytes }
        guard remaining == 0 else { throw UnreadableBytes(reason: "ends too early") }
        guard sum == UInt(checksum) else { throw UnreadableBytes(reason: "checksum differs from the archive's") }
        return []
    }

    private func unpacked() throws -> ArraySlice<UInt8> {
        guard let inflater else { return try packed.next() }
        while true {
            let bytes = try inflater.next(from: &input)
            if !bytes.isEmpty { return bytes }
            input = try packed.next()
            if input.isEmpty { return [] }
        }
    }
}

import CZlib
import Foundation

/// The bytes of a ZIP archive, valid or not.
package struct ZipFile {
    package struct Entry {
        package var name: String
        /// The name's bytes, if it is not in UTF-8.
        package var nameBytes: [UInt8]?
        package var content: [UInt8]
        /// True for a deflated entry; false for a stored one.
        package var isDeflated = true
        package var method: UInt16?
        package var flags: UInt16 = 0
        /// The false size in the directory; nil for the true size.
        package var claimedSize: Int?
        package var checksum: UInt32?
        package var claimedPlace: Int?
        /// True to write sizes and place in the form of an archive over 4 GiB.
        package var isLarge = false

        package init(_ name: String, _ content: String) {
            self.init(name, Array(content.utf8))
        }

        package init(_ name: String, _ content: [UInt8]) {
            (self.name, self.content) = (name, content)
        }
    }

    package var entries: [Entry]

    package init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// The archive: the ``Entry``s one after the other, and the directory after them.
    package var bytes: [UInt8] {
        var (bytes, directory) = ([UInt8](), [UInt8]())
        for entry in entries {
            let packed = entry.isDeflated ? Packed.deflate(entry.content) : entry.content
            let (place, name) = (entry.claimedPlace ?? bytes.count, entry.nameBytes ?? Array(entry.name.utf8))
            let size = entry.claimedSize ?? entry.content.count
            let method = entry.method ?? (entry.isDeflated ? 8 : 0)
            let start: [UInt8] =
                number(entry.flags) + number(method) + number(UInt32(0))
                + number(entry.checksum ?? Packed.checksum(entry.content))
            func sizes(_ large: Bool) -> [UInt8] {
                large ? number(UInt64.max) : number(UInt32(packed.count)) + number(UInt32(size))
            }
            bytes += Array("PK\u{3}\u{4}".utf8) + number(UInt16(20)) + start + sizes(false)
            bytes += number(UInt16(name.count)) + number(UInt16(0)) + name + packed
            let extra =
                entry.isLarge
                ? number(UInt16(1)) + number(UInt16(24)) + number(UInt64(size)) + number(UInt64(packed.count))
                    + number(UInt64(place)) : []
            directory += Array("PK\u{1}\u{2}".utf8) + number(UInt16(20)) + number(UInt16(20)) + start
            directory += sizes(entry.isLarge) + number(UInt16(name.count)) + number(UInt16(extra.count))
            directory += [UInt8](repeating: 0, count: 10) + number(entry.isLarge ? UInt32.max : UInt32(place))
            directory += name + extra
        }
        let start = bytes.count
        bytes += directory
        return bytes + end(at: bytes.count, directory: start, isLarge: entries.contains { $0.isLarge })
    }

    private func end(at place: Int, directory: Int, isLarge: Bool) -> [UInt8] {
        let count = entries.count
        var end: [UInt8] = []
        if isLarge {
            end += Array("PK\u{6}\u{6}".utf8) + number(UInt64(44)) + number(UInt64(45)) + [0, 0, 0, 0]
            end += number(UInt64(count)) + number(UInt64(count)) + number(UInt64(place - directory))
            end += number(UInt64(directory))
            end += Array("PK\u{6}\u{7}".utf8) + [0, 0, 0, 0] + number(UInt64(place)) + number(UInt32(1))
        }
        let shown = UInt16(isLarge ? 0xFFFF : count)
        end += Array("PK\u{5}\u{6}".utf8) + [0, 0, 0, 0] + number(shown) + number(shown)
        end += number(UInt32(place - directory)) + number(isLarge ? UInt32.max : UInt32(directory))
        return end + number(UInt16(0))
    }

    private func number(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    package func write(to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }
}

/// Bytes that zlib compresses.
package enum Packed {
    /// Returns the bytes deflated (RFC 1951).
    package static func deflate(_ bytes: [UInt8]) -> [UInt8] {
        var size = compressBound(UInt(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(size))
        guard compress2(&packed, &size, bytes, UInt(bytes.count), 6) == Z_OK else { return [] }
        // Removes the header and the checksum of RFC 1950.
        return Array(packed[2..<(Int(size) - 4)])
    }

    /// Returns the text in gzip's format (RFC 1952).
    package static func gzip(_ text: String) -> [UInt8] {
        gzip(Array(text.utf8))
    }

    /// Returns the bytes in gzip's format (RFC 1952).
    package static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        let (sum, size) = (checksum(bytes), UInt32(bytes.count))
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + deflate(bytes)
            + withUnsafeBytes(of: (sum.littleEndian, size.littleEndian)) { Array($0) }
    }

    package static func checksum(_ bytes: [UInt8]) -> UInt32 {
        UInt32(crc32(0, bytes, UInt32(bytes.count)))
    }
}

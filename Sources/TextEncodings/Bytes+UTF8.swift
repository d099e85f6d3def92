extension ArraySlice<UInt8> {
    /// True if all bytes are below 0x80.
    package var isASCII: Bool {
        withUnsafeBytes { bytes in
            var place = 0
            // Eight bytes at a time.
            while place + 8 <= bytes.count {
                if bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 {
                    return false
                }
                place += 8
            }
            return bytes[place...].allSatisfy { $0 < 0x80 }
        }
    }

    /// True if the bytes are valid UTF-8.
    package var isUTF8: Bool { isASCII || isValidUTF8 }

    /// True if the bytes, which are known not to be ASCII, are valid UTF-8.
    var isValidUTF8: Bool { (try? UTF8Span(validating: span)) != nil }
}

/// The share of bytes that fit UTF-8, in bytes that are not valid UTF-8.
struct UTF8Shape {
    /// The bytes of well-formed characters of two and more bytes.
    private(set) var fitting = 0
    /// The other bytes above 0x7F.
    private(set) var other = 0

    init(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBufferPointer { bytes in
            var place = 0
            while place < bytes.count {
                let length = bytes[place] < 0x80 ? 1 : Self.length(of: bytes, at: place)
                if length > 1 { fitting += length } else if bytes[place] >= 0x80 { other += 1 }
                place += length
            }
        }
    }

    /// True for text in UTF-8 that was damaged or cut: eight of nine of its bytes fit. Text in other encodings has
    /// well-formed characters only by chance.
    var isDamagedUTF8: Bool { other > 0 && fitting >= 8 * other }

    /// Returns the length of the well-formed character at a place (Unicode 16, table 3-7); 1 if there is none.
    private static func length(of bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Int {
        let (length, second): (Int, ClosedRange<UInt8>) =
            switch bytes[place] {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: (1, 0...0)
            }
        guard length > 1, place + length <= bytes.count, second ~= bytes[place + 1] else { return 1 }
        return (place + 2..<place + length).allSatisfy { 0x80...0xBF ~= bytes[$0] } ? length : 1
    }
}

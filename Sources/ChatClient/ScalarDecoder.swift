/// Decodes code points from single bytes of UTF-8. Drops invalid bytes.
struct ScalarDecoder: Sendable {
    /// The bytes of an incomplete code point, at most four.
    private var pending: [UInt8] = []

    /// Returns the code point that ends with this byte; nil if none does.
    mutating func scalar(endedBy byte: UInt8) -> Unicode.Scalar? {
        if byte & 0xC0 == 0x80, !pending.isEmpty {
            pending.append(byte)
        } else {
            pending = [byte]
        }
        guard let length = pending.first.map(Self.length), pending.count >= length else { return nil }
        defer { pending = [] }
        return String(validating: pending, as: UTF8.self)?.unicodeScalars.first
    }

    mutating func reset() {
        pending = []
    }

    /// Returns the length of a sequence by its first byte; 1 for a byte that can't begin one (Unicode 16, table 3-7).
    private static func length(_ first: UInt8) -> Int {
        switch first {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }
}

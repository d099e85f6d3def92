/// Code points from UTF-8 that comes byte by byte. What is no UTF-8 is dropped.
struct ScalarDecoder: Sendable {
    /// The bytes so far of a code point, at most four.
    private var pending: [UInt8] = []

    /// The code point that ends with this byte.
    mutating func read(_ byte: UInt8) -> Unicode.Scalar? {
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

    /// How long a sequence with this first byte is; 1 where none begins with it (Unicode 16, table 3-7).
    private static func length(_ first: UInt8) -> Int {
        switch first {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }
}

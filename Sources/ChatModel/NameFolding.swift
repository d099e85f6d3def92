/// The rule by which a network treats different names of rooms and users as equal.
package enum NameFolding: Sendable, Hashable {
    /// Names are equal only byte for byte.
    case exact
    /// Case doesn't matter for ASCII letters, nor between `{}|^` and `[]\~` (RFC 1459 §2.2).
    case rfc1459

    /// Returns the same text for all names that are equal.
    package func fold(_ name: String) -> String {
        switch self {
        case .exact: name
        case .rfc1459 where name.utf8.allSatisfy { Self.lower($0) == $0 }: name
        case .rfc1459: String(decoding: name.utf8.map(Self.lower), as: UTF8.self)
        }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "[")...UInt8(ascii: "]"): byte + 32
        case UInt8(ascii: "~"): UInt8(ascii: "^")
        default: byte
        }
    }
}

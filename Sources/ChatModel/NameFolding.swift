/// Which names of rooms and users a network takes for the same.
package enum NameFolding: Sendable, Hashable {
    /// Only those that are equal byte for byte.
    case exact
    /// ASCII letters of either case, and `{}|^` for `[]\~` (RFC 1459 §2.2).
    case irc

    package init(network: String) {
        self = network == "streamchat" ? .exact : .irc
    }

    /// The same for all names that are the same.
    package func fold(_ name: String) -> String {
        switch self {
        case .exact: name
        case .irc: String(decoding: name.utf8.map(Self.lower), as: UTF8.self)
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

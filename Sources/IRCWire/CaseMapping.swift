/// Which bytes of nicks and channels are the same letter to a server: CASEMAPPING of ISUPPORT.
package enum CaseMapping: Sendable, Hashable, CaseIterable {
    case ascii
    /// `[]\~` are the capitals of `{}|^` (RFC 2812 §2.2).
    case rfc1459
    /// As `rfc1459`, but `~` and `^` are two.
    case rfc1459Strict

    /// Of a mapping we don't know, only what all have in common: two names must not become one.
    package init(token: [UInt8]) {
        switch String(decoding: token, as: UTF8.self).lowercased() {
        case "rfc1459": self = .rfc1459
        case "rfc1459-strict", "strict-rfc1459": self = .rfc1459Strict
        default: self = .ascii
        }
    }

    /// The key of a name: equal for those that the server takes for one.
    package func fold(_ name: [UInt8]) -> [UInt8] {
        name.map(fold)
    }

    private func fold(_ byte: UInt8) -> UInt8 {
        switch byte {
        case 0x41...0x5A: byte + 0x20
        case 0x5B...0x5D where self != .ascii: byte + 0x20
        case 0x7E where self == .rfc1459: 0x5E
        default: byte
        }
    }
}

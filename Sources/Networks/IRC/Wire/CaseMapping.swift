/// The rule by which a server treats bytes of nicks and channels as the same letter: CASEMAPPING of ISUPPORT.
package enum CaseMapping: Sendable, Hashable, CaseIterable {
    /// Only ASCII letters have two cases.
    case ascii
    /// `[]\~` are also the capitals of `{}|^` (RFC 2812 §2.2).
    case rfc1459
    /// Like `rfc1459`, except that `~` and `^` are different.
    case rfc1459Strict

    /// Reads a token. An unknown mapping becomes `ascii`, which is part of every mapping, so that two different names
    /// are never taken for the same one.
    package init(token: [UInt8]) {
        switch String(decoding: token, as: UTF8.self).lowercased() {
        case "rfc1459": self = .rfc1459
        case "rfc1459-strict", "strict-rfc1459": self = .rfc1459Strict
        default: self = .ascii
        }
    }

    /// Returns the key of a name, which is equal for names that the server treats as the same.
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

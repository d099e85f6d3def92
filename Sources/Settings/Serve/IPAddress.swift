import Glibc

/// The address of a machine: IPv4 or IPv6.
package struct IPAddress: Sendable, Hashable {
    /// The usual form: `127.0.0.1`, `::1`, or as given with a zone, such as `fe80::1%eth0`.
    package let text: String

    /// Nil for a text that is not an address.
    package init?(_ text: String) {
        guard !text.utf8.contains(0) else { return nil }
        if text.utf8.contains(UInt8(ascii: "%")) {
            guard Self.isScoped(text) else { return nil }
            self.text = text
        } else {
            guard let usual = Self.usual(text, AF_INET) ?? Self.usual(text, AF_INET6) else { return nil }
            self.text = usual
        }
    }

    private static func usual(_ text: String, _ family: Int32) -> String? {
        // in6_addr has 16 bytes, in_addr 4.
        var (address, usual) = ([UInt8](repeating: 0, count: 16), [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN)))
        guard inet_pton(family, text, &address) == 1,
            inet_ntop(family, address, &usual, socklen_t(usual.count)) != nil
        else { return nil }
        return String(decoding: usual.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns true for an IPv6 address with a zone (RFC 4007 §11), which `inet_pton` does not read.
    private static func isScoped(_ text: String) -> Bool {
        var hints = addrinfo()
        (hints.ai_family, hints.ai_flags) = (AF_INET6, AI_NUMERICHOST)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(text, nil, &hints, &found) == 0 else { return false }
        freeaddrinfo(found)
        return true
    }
}

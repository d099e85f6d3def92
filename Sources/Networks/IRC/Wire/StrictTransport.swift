/// A server's demand for connections by TLS: the value of its capability `sts` (IRCv3 Strict Transport Security).
package struct StrictTransport: Sendable, Hashable {
    /// The port for TLS, 1 to 65535. Counts only on a connection without TLS. Nil if the value has none.
    package let port: Int?
    /// The seconds in which to connect only by TLS; 0 ends that. Counts only on a connection by TLS. Nil if the value has
    /// none.
    package let duration: Int64?

    /// The limit of ``duration``: ten years. Servers have minutes to months (inspircd 3 and 4: 5 minutes by default).
    private static let longest: Int64 = 10 * 365 * 86_400

    /// Reads `port=6697,duration=300`, in any order; ignores other keys.
    package init(_ value: String) {
        func number(_ key: String) -> Int64? {
            let token = value.split(separator: ",").first { $0.hasPrefix(key + "=") }
            guard let digits = token?.dropFirst(key.utf8.count + 1), !digits.isEmpty,
                digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            return Int64(digits) ?? .max
        }
        port = number("port").flatMap { (1...65_535).contains($0) ? Int($0) : nil }
        duration = number("duration").map { min($0, Self.longest) }
    }
}

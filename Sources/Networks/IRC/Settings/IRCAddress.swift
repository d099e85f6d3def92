import ChatModel

/// The address of an IRC server: `ircs://HOST` or `irc://HOST`, with a port unless it is 6697 or 6667.
package struct IRCAddress: Sendable, Hashable {
    package var host: String
    /// 1 to 65535.
    package var port: Int
    /// True for TLS.
    package var isSecure: Bool

    package init?(_ text: String) {
        let pattern = /(ircs?):\/\/(\[[0-9A-Fa-f:.%]+\]|[^\s\[\]\/:@?#]+)(?::([0-9]{1,5}))?\/?/
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        isSecure = match.1 == "ircs"
        guard let port = match.3.map({ Int($0) }) ?? (isSecure ? 6697 : 6667), (1...65_535).contains(port) else {
            return nil
        }
        host = match.2.hasPrefix("[") ? String(match.2.dropFirst().dropLast()) : String(match.2)
        self.port = port
    }

    /// True for the addresses that every machine uses for itself. Others of 127.0.0.0/8 may lead to other machines, such
    /// as through a tunnel.
    package var isThisMachine: Bool { ["localhost", "127.0.0.1", "::1"].contains(host.lowercased()) }

    /// True if the connection stays on this machine.
    package var isLoopback: Bool { HTTPOrigin.isLoopback(host) }
}

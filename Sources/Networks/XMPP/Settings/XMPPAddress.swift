import ChatModel

/// The address of an XMPP server: `xmpps://HOST` for TLS, `xmpp://HOST` for TLS after a beginning in plain text
/// (STARTTLS), `tcp://HOST` for a server on this machine without TLS. A port follows unless it is 5223 or 5222.
package struct XMPPAddress: Sendable, Hashable {
    /// The beginning of a connection.
    package enum Security: String, Sendable, Hashable {
        case direct = "xmpps"
        case startTLS = "xmpp"
        case none = "tcp"
    }

    package var host: String
    /// 1 to 65535.
    package var port: Int
    package var security: Security

    package init?(_ text: String) {
        let pattern = /(xmpps?|tcp):\/\/(\[[0-9A-Fa-f:.%]+\]|[^\s\[\]\/:@?#]+)(?::([0-9]{1,5}))?\/?/
        guard let match = text.wholeMatch(of: pattern), let security = Security(rawValue: String(match.1)) else {
            return nil
        }
        guard let port = match.3.map({ Int($0) }) ?? (security == .direct ? 5223 : 5222), (1...65_535).contains(port)
        else { return nil }
        host = match.2.hasPrefix("[") ? String(match.2.dropFirst().dropLast()) : String(match.2)
        (self.port, self.security) = (port, security)
    }

    /// True for a connection that nobody else can read.
    package var isSafe: Bool { security != .none || HTTPOrigin.isLoopback(host) }
}

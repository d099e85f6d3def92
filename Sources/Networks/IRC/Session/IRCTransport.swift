package import ChatModel
import IRCWire
package import Sessions

/// The security of an account's connections, and the rule of a server that demands TLS (IRCv3 sts).
package enum IRCTransport: Sendable {
    /// Without TLS, whatever the server demands: a server on this machine.
    case plain
    /// By TLS. The rule is kept in case the configuration has no TLS later.
    case secure(IRCTransportRule)
    /// Without TLS, until the server demands it. After that, the connector for TLS applies.
    case upgradable(to: any Connector, IRCTransportRule)

    /// The rule to keep; nil if none is kept.
    var rule: IRCTransportRule? {
        switch self {
        case .plain: nil
        case .secure(let rule), .upgradable(_, let rule): rule
        }
    }
}

/// A server's rule to connect to it only by TLS for some time, kept between runs in a file that only its owner can read.
package struct IRCTransportRule: Sendable {
    private let path: String
    /// The server of the rule. A rule of another server is ignored.
    private let host: String

    /// - Parameters:
    ///   - path: The file, in an existing folder.
    ///   - host: The server's name or address in the configuration.
    package init(path: String, host: String) {
        (self.path, self.host) = (path, host.lowercased())
    }

    private struct Content: Codable {
        var host: String
        var port: Int
        /// In microseconds since 1970.
        var until: Int64
    }

    /// Returns the port for TLS; nil if there is no rule, or if it has expired. A file that can't be read is no rule.
    package func port(at now: Timestamp) -> Int? { content(at: now)?.port }

    /// Returns the end of the rule; nil if there is none.
    func end(at now: Timestamp) -> Timestamp? {
        content(at: now).map { Timestamp(microseconds: $0.until) }
    }

    private func content(at now: Timestamp) -> Content? {
        guard let content: Content = PrivateFile(path: path).read(), content.host == host,
            content.until > now.microseconds, (1...65_535).contains(content.port)
        else { return nil }
        return content
    }

    /// Keeps, renews or ends the rule by the server's last words on a connection by TLS.
    ///
    /// - Parameter port: The port of that connection.
    /// - Throws: The reason why the file can't be written.
    func note(_ demand: StrictTransport, port: Int, at now: Timestamp) async throws {
        guard let duration = demand.duration, duration > 0 || self.port(at: now) != nil else { return }
        let until = now.advanced(by: .seconds(duration)).microseconds
        try await PrivateFile(path: path).write(Content(host: host, port: port, until: until))
    }
}

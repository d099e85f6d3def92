import HTTPTypes
import NIOCore
import Settings

/// The proxies before the server, whose headers about the browser are believed.
struct ProxyRule: Sendable {
    private let addresses: Set<String>
    /// True if the server listens at a socket's path. Only processes of its user and root can connect to it, so every
    /// peer is a proxy that this user runs.
    private let isSocket: Bool

    init(_ settings: ServeSettings) {
        addresses = Set(settings.proxies)
        isSocket = if case .unix = settings.address { true } else { false }
    }

    private func trusts(_ peer: String?) -> Bool { isSocket || peer.map(addresses.contains) == true }

    /// Returns true if the browser uses TLS.
    ///
    /// - Parameter peer: The IP address at the other end of the connection; nil for a socket's path.
    func usesTLS(_ headers: HTTPFields, from peer: String?) -> Bool {
        trusts(peer) && headers[.xForwardedProto] == "https"
    }

    /// Returns the path below which the proxy has the server; empty for none. Without named proxies, one on this machine is
    /// believed: no page of another site can send the header, and it changes only the links of the answer to it.
    func path(_ headers: HTTPFields, from peer: String?) -> String {
        let isNear = addresses.isEmpty && (peer == "::1" || peer?.hasPrefix("127.") == true)
        guard isNear || trusts(peer), let path = headers[.xForwardedPrefix] else { return "" }
        return ServeSettings.path(path) ?? ""
    }

    /// Returns the IP address of the browser, for the log; nil if it is unknown.
    func client(_ headers: HTTPFields, from peer: String?) -> String? {
        guard trusts(peer), let chain = headers[.xForwardedFor] else { return peer }
        // Each proxy appends the address of its own peer. Addresses that a browser wrote itself are further left.
        let addresses = chain.split(separator: ",").map { String($0.filter { $0 != " " }) }
        guard let last = addresses.last(where: { !self.addresses.contains($0) }),
            let address = try? SocketAddress(ipAddress: last, port: 0)
        else { return peer }
        return address.ipAddress
    }
}

extension HTTPField.Name {
    static let xForwardedProto = known("X-Forwarded-Proto")
    static let xForwardedFor = known("X-Forwarded-For")
    static let xForwardedPrefix = known("X-Forwarded-Prefix")
}

import NIOCore

/// The names by which browsers may reach the server. A page of another site may reach a loopback address by a name of
/// its own (DNS rebinding), and sends that name.
struct HostRule: Sendable {
    /// The configured names, in lower case.
    private let names: Set<String>
    private let bound: BoundPort

    init(names: [String], port: BoundPort) {
        (self.names, bound) = (Set(names.map { $0.lowercased() }), port)
    }

    /// The port of the server; nil for a socket's path.
    var port: Int? { bound.number }

    /// Returns true for a loopback literal or `localhost` with the server's port, and for a configured name with any
    /// port, because a proxy has its own. Before a socket's path there is always a proxy, such as one at a loopback
    /// address.
    func allows(_ authority: String?) -> Bool {
        // Most browsers send one of these. The comparison saves the regular expression, which is compiled at each use.
        if let port, authority == "127.0.0.1:\(port)" || authority == "localhost:\(port)" { return true }
        guard let authority, let match = authority.wholeMatch(of: /(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(?::([0-9]{1,5}))?/)
        else { return false }
        let host = match.1.lowercased()
        if names.contains(host) { return true }
        guard port == nil || (match.2.flatMap { Int($0) } ?? 80) == port else { return false }
        if host == "localhost" { return true }
        let literal = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        guard let address = try? SocketAddress(ipAddress: literal, port: 0).ipAddress else { return false }
        return address == "::1" || address.hasPrefix("127.")
    }
}

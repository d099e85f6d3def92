import Bytes
package import NIOSSL
package import SLPWire
import Sessions

/// The Socket.IO server, and the limits of its connection.
package struct SocketIOConfiguration: Sendable {
    package var host: String
    package var port: Int
    /// True for TLS: `https` and `wss`.
    package var isSecure: Bool
    /// The certificates to trust: the machine's authorities by default.
    package var tls = TLSOptions().configuration
    /// The limits of the server's packets.
    package var limits = WireLimits()
    /// The time limit for each step of connecting: opening a session by polling, and the upgrade to a WebSocket.
    package var openTimeout: Duration = .seconds(10)
    /// The time limit for ending the session.
    package var leaveTimeout: Duration = .seconds(1)

    package init(host: String, port: Int, isSecure: Bool) {
        (self.host, self.port, self.isSecure) = (host, port, isSecure)
    }
}

extension SocketIOConfiguration {
    enum TransportName: String {
        case polling, websocket
    }

    /// Host and port for people.
    var peer: String { ConnectionError.peer(host: host, port: port) }

    /// The host, with a port only if it is not the scheme's default, as browsers send it.
    var hostHeader: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// Returns the path and query of every request of a session.
    ///
    /// - Parameter session: The session's id; nil opens one.
    func target(_ transport: TransportName, session: String?) -> String {
        let target = "/socket.io/?EIO=4&transport=\(transport.rawValue)"
        return session.map { "\(target)&sid=\(PercentCode.encode($0))" } ?? target
    }
}

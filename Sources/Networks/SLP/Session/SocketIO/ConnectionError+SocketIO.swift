import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import NIOWebSocket
import SLPWire
import Sessions

extension ConnectionError {
    static func noHandshake(_ configuration: SocketIOConfiguration) -> ConnectionError {
        ConnectionError(
            code: .other,
            detail: "\(configuration.peer) does not open an Engine.IO 4 session; check that it is the right server")
    }

    static func noTransport(_ configuration: SocketIOConfiguration) -> ConnectionError {
        ConnectionError(
            code: .other,
            detail:
                "\(configuration.peer) accepts neither polling nor a WebSocket at /socket.io/; "
                + "check that it is the right server"
        )
    }

    static func tooLong(_ configuration: SocketIOConfiguration) -> ConnectionError {
        ConnectionError(
            code: .other,
            detail: "\(configuration.peer) sent a packet of more than \(configuration.limits.packetBytes) bytes")
    }

    /// - Parameter what: The slow step, for example "opening a session".
    static func late(_ configuration: SocketIOConfiguration, _ what: String) -> ConnectionError {
        ConnectionError(code: .timedOut, detail: "\(configuration.peer) did not answer in time: \(what)")
    }

    /// Creates an error from one of HTTP, WebSocket or TLS, or else from one of NIO.
    init(_ error: any Error, _ configuration: SocketIOConfiguration) {
        switch error {
        case let error as HTTPClientError:
            self.init(error, configuration)
        case let error as NIOWebSocketError where error == .invalidFrameLength:
            self = .tooLong(configuration)
        case let error as NIOWebSocketFrameAggregator.Error where error == .accumulatedFrameSizeIsTooLarge:
            self = .tooLong(configuration)
        case NIOSSLError.uncleanShutdown, ChannelError.eof, HTTPParserError.invalidEOFState:
            self = .brokenOff(configuration)
        default:
            if let failure = TLSFailure(error, isPinned: false) {
                self.init(code: .other, detail: failure.detail(peer: configuration.peer, trust: "ca_file"))
            } else {
                self.init(error, peer: configuration.peer)
            }
        }
    }

    private init(_ error: HTTPClientError, _ configuration: SocketIOConfiguration) {
        switch error {
        case .connectTimeout, .tlsHandshakeTimeout: self = .late(configuration, "connecting")
        case .remoteConnectionClosed: self = .brokenOff(configuration)
        case .cancelled: self.init(CancellationError(), peer: configuration.peer)
        default: self.init(error as any Error, peer: configuration.peer)
        }
    }

    private static func brokenOff(_ configuration: SocketIOConfiguration) -> ConnectionError {
        ConnectionError(code: .reset, detail: "\(configuration.peer) broke the connection")
    }
}

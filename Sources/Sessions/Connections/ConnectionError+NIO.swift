import Glibc
import NIOCore
import NIOPosix
import NIOSSL

extension ConnectionError {
    /// Returns the peer of a connection for people: `example.net:443`, `[::1]:443`.
    package static func peer(host: String, port: Int) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Creates an error with a sentence for people from an error of NIO, at the connection's start or later.
    ///
    /// - Parameter isPinned: True if a single certificate is trusted, and no authority.
    package init(_ error: any Error, peer: String, isPinned: Bool = false) {
        switch error {
        case let error as ConnectionError:
            self = error
        case let error as NIOConnectionError:
            self.init(error, peer: peer)
        case let error as IOError:
            self.init(errno: error.errnoCode, peer: peer)
        case NIOSSLError.uncleanShutdown:
            self.init(code: .reset, detail: "\(peer) broke the connection")
        case ChannelError.connectTimeout(let limit):
            self.init(code: .timedOut, detail: "\(peer) did not answer within \(limit.nanoseconds / 1_000_000_000) s")
        case ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed, ChannelError.eof, is CancellationError:
            self.init(code: .other, detail: "the connection to \(peer) is closed")
        default:
            let failure = TLSFailure(error, isPinned: isPinned)?.detail(peer: peer, trust: "ca_file or fingerprint")
            self.init(code: .other, detail: failure ?? "the connection to \(peer) failed: \(error)")
        }
    }

    /// Takes the error of the last address. There may be several addresses, or none.
    private init(_ error: NIOConnectionError, peer: String) {
        if let last = error.connectionErrors.last {
            self.init(last.error, peer: peer)
        } else if error.dnsAError != nil || error.dnsAAAAError != nil {
            self.init(
                code: .unresolved, detail: "can't find host \(error.host); check the name and DNS")
        } else {
            self.init(code: .other, detail: "\(peer) has no address")
        }
    }

    private init(errno code: CInt, peer: String) {
        switch code {
        case ECONNREFUSED:
            self.init(
                code: .refused,
                detail: "\(peer) refused the connection: is the server running, and is the port right?")
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN:
            self.init(code: .unreachable, detail: "\(peer) is unreachable: is the network up?")
        case ETIMEDOUT:
            self.init(code: .timedOut, detail: "\(peer) stopped answering")
        case ECONNRESET, EPIPE, ECONNABORTED:
            self.init(code: .reset, detail: "\(peer) broke the connection")
        default:
            self.init(code: .other, detail: "the connection to \(peer) failed: \(String(cString: strerror(code)))")
        }
    }
}

import AsyncHTTPClient
package import ChatModel
import NIOSSL

/// The reason why a call to a service failed.
package struct CallError: Error, Hashable {
    /// The errors that callers distinguish.
    package enum Code: Sendable {
        /// The app key, name or password is wrong. The account stops until a person corrects it.
        case accountStopped
        /// The tokens have expired, and there is no password.
        case needsLogin
        /// The room or file no longer exists.
        case gone
        case noPermission
        /// The service refused only this call.
        case refused
        /// The service still refuses calls as too many, after slowing down.
        case tooManyCalls
        /// The server could not be reached, was too slow or failed, in all attempts.
        case unavailable
        /// The server's certificate is not trusted. A retry would fail the same way.
        case untrusted
        /// The answer broke off. The part before that is valid.
        case cut
        case tooLarge
        /// The answer does not have the service's form.
        case unexpected
        /// The file is on another server.
        case foreignOrigin
    }

    /// The kind of error.
    package let code: Code
    /// A sentence for people; never contains a token, a password or an app key.
    package let detail: String
    /// The size of a file that is too large, in bytes; nil if the server does not give it.
    package var bytes: Int?
    /// The service's own code of a refusal, such as `M_NOT_FOUND`; nil without one.
    package var refusal: String?

    package init(code: Code, detail: String, bytes: Int? = nil, refusal: String? = nil) {
        (self.code, self.detail, self.bytes, self.refusal) = (code, detail, bytes, refusal)
    }
}

extension CallError: CustomStringConvertible {
    package var description: String { detail }
}

extension CallError {
    /// True if the same call may succeed a little later.
    package var isTemporary: Bool {
        code == .unavailable || code == .tooManyCalls || code == .cut
    }

    package init(_ error: HTTPBodyError) {
        switch error {
        case .cut: self.init(code: .cut, detail: error.detail)
        case .tooLarge: self.init(code: .tooLarge, detail: error.detail)
        }
    }

    /// Reads an error from below HTTP.
    package init(_ error: any Error, at server: HTTPOrigin) {
        let origin = server.origin
        switch error {
        case let error as CallError: self = error
        case let error as HTTPClientError where Self.isLate(error):
            self.init(code: .unavailable, detail: "\(origin) does not answer in time")
        case let error as HTTPClientError where error == .remoteConnectionClosed:
            self.init(code: .unavailable, detail: "\(origin) broke the connection")
        case NIOSSLError.uncleanShutdown:
            self.init(code: .unavailable, detail: "\(origin) broke the connection")
        default:
            if let failure = TLSFailure(error, isPinned: false) {
                self.init(code: .untrusted, detail: failure.detail(peer: origin, trust: "ca_file"))
            } else {
                self.init(code: .unavailable, detail: ConnectionError(error, peer: origin).detail)
            }
        }
    }

    private static func isLate(_ error: HTTPClientError) -> Bool {
        [.deadlineExceeded, .connectTimeout, .tlsHandshakeTimeout].contains(error)
    }
}

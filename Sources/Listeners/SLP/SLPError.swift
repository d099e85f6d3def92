import SLPWire

/// The reason why a call failed.
package struct SLPError: Error, Hashable {
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
}

extension SLPError: CustomStringConvertible {
    package var description: String { detail }
}

extension SLPError {
    /// Reads a refusal of a file. For a missing file, some servers answer that it is gone, others that they know no
    /// such address.
    init(ofFile refusal: SLPRefusal) {
        let isGone =
            refusal.code.map { ["E13", "E97"].contains($0) } ?? [404, 410].contains(refusal.status)
        if isGone {
            self.init(code: .gone, detail: "the server answered \(refusal.description)")
        } else if refusal.code == nil, (300..<400).contains(refusal.status) {
            self.init(code: .foreignOrigin, detail: "the service redirects to another address")
        } else {
            self.init(refusal)
        }
    }

    init(_ refusal: SLPRefusal) {
        code =
            switch refusal.reaction {
            case .stopAccount: .accountStopped
            case .logIn, .refresh: .needsLogin
            case .markGone: .gone
            case .noPermission: .noPermission
            case .slowDown: .tooManyCalls
            case .retry: .unavailable
            case .keepToken, .record: .refused
            }
        let isRedirect = refusal.code == nil && (300..<400).contains(refusal.status)
        detail =
            "the server answered \(refusal.description)"
            + (isRedirect ? ": it redirects; configure the address that it redirects to" : "")
    }
}

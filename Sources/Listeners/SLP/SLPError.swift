import SLPWire

/// Why the service did not do what it was asked.
package struct SLPError: Error, Hashable {
    package enum Code: Sendable {
        /// App key, name or password are wrong: nothing goes on before somebody mends it.
        case accountStopped
        /// The tokens have expired, and there is no password.
        case needsLogin
        /// The room is gone.
        case gone
        case noPermission
        /// The service said no to this call alone.
        case refused
        /// Still too many calls, after slowing down.
        case tooManyCalls
        /// Not reached, too slow, or in trouble, after all tries.
        case unavailable
        /// Nobody vouches for the server; a call that is made again finds the same.
        case untrusted
        /// The answer broke off; what came before it did is good.
        case cut
        case tooLarge
        /// An answer that is not the service's.
        case unexpected
        /// A file that another server has.
        case foreignOrigin
    }

    package let code: Code
    /// For people; never has a token, a password or an app key in it.
    package let detail: String
    /// How many bytes a file has that is too large, where the server says so.
    package var bytes: Int?
}

extension SLPError: CustomStringConvertible {
    package var description: String { detail }
}

extension SLPError {
    /// Where there is no such file, some say that it is gone, some that they know no such address.
    init(ofFile refusal: SLPRefusal) {
        let isGone =
            refusal.code.map { ["E13", "E97"].contains($0) } ?? [404, 410].contains(refusal.status)
        if isGone {
            self.init(code: .gone, detail: "the server answered \(refusal.description)")
        } else if refusal.code == nil, (300..<400).contains(refusal.status) {
            self.init(code: .foreignOrigin, detail: "the service sends to another address for it")
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
            + (isRedirect ? ": it is somewhere else, configure its own address" : "")
    }
}

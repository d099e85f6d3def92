/// Why authentication failed.
package enum SASLFailure: Error, Sendable, Hashable {
    /// 902, 904, 905 or 906 with the server's text, and what mechanisms it has, where it says so.
    case refused(code: String, text: String, mechanisms: String?)
    /// 907, before we had authenticated: whose the account is, is not known.
    case alreadyAuthenticated
    /// The server does not keep to the mechanism, or does not know the password: it may be another.
    case invalidServer(String)
    /// The user or password can't be sent by this mechanism.
    case invalidCredentials(String)

    /// For people, without secrets.
    package var detail: String {
        switch self {
        case .refused(let code, let text, nil): "the server refused the account (\(code): \(text))"
        case .refused(let code, let text, let mechanisms?):
            "the server refused the account (\(code): \(text)); it takes \(mechanisms)"
        case .alreadyAuthenticated: "the server says that this connection is authenticated already (907)"
        case .invalidServer(let what): "the server's side of the authentication is wrong: \(what)"
        case .invalidCredentials(let what): what
        }
    }
}

import SASL

/// The reason why authentication failed.
package enum SASLFailure: Error, Sendable, Hashable {
    /// The server refused it (902, 904, 905 or 906), with its text, and the mechanisms that it has if it names them.
    case refused(code: String, text: String, mechanisms: String?)
    /// The server reports too early that we are authenticated (907), so the account is unknown.
    case alreadyAuthenticated
    /// The server violates the mechanism or doesn't know the password, so it may be an impostor.
    case invalidServer(String)
    /// The mechanism can't transmit this user or password.
    case invalidCredentials(String)

    init(_ failure: ScramFailure) {
        self =
            switch failure {
            case .refused(let words): .refused(code: "SCRAM", text: DecodedText(words).text, mechanisms: nil)
            case .invalidServer(let what): .invalidServer(what)
            case .invalidCredentials(let what): .invalidCredentials(what)
            }
    }

    /// The reason for people, without secrets.
    package var detail: String {
        switch self {
        case .refused(let code, let text, nil): "the server refused the account (\(code): \(text))"
        case .refused(let code, let text, let mechanisms?):
            "the server refused the account (\(code): \(text)); it supports \(mechanisms)"
        case .alreadyAuthenticated: "the server reports that this connection is already logged in (907)"
        case .invalidServer(let what): "the server sent an invalid reply during the login: \(what)"
        case .invalidCredentials(let what): what
        }
    }
}

import SASL

/// The reason why a login failed.
package enum LoginFailure: Error, Sendable, Hashable {
    /// The server refuses the name or the password, or they can't be sent; the words are for people.
    case refused(String)
    /// The server can't check the login now.
    case temporary(String)
    /// The server has no mechanism that the account can use; the words are the server's mechanisms.
    case noMechanism(String)
    /// The server violates the protocol or doesn't know the password, so it may be an impostor.
    case invalidServer(String)
    /// The server ended the stream.
    case ended(String)

    init(_ failure: ScramFailure) {
        self =
            switch failure {
            case .refused(let words): .refused(String(decoding: words, as: UTF8.self))
            case .invalidServer(let what): .invalidServer(what)
            case .invalidCredentials(let what): .refused(what)
            }
    }

    /// The reason for people, without secrets.
    package var detail: String {
        switch self {
        case .refused(let words): "the server refused the login: \(words)"
        case .temporary(let words): "the server can't check the login now: \(words)"
        case .noMechanism(let words):
            "the server offers no login that the account can use (\(words.isEmpty ? "none" : words)); without TLS, "
                + "a password is only sent by SCRAM"
        case .invalidServer(let words): "the server sent an invalid reply during the login: \(words)"
        case .ended(let words): "the server ended the login: \(words)"
        }
    }
}

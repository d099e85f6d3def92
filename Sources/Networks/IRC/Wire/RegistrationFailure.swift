/// The reason why a connection ended before it was registered, or by an ERROR later.
package enum RegistrationFailure: Error, Sendable, Hashable {
    /// The nick and all alternatives are in use or not allowed, with the server's last answer.
    case nickUnavailable(code: String, text: String)
    /// The server's password was refused (464).
    case passwordRefused(text: String)
    /// The account is banned (465 or ERROR). Retry after 15 minutes, and inform the operator.
    case banned(text: String)
    /// There are too many connections or attempts (ERROR). Wait at least a minute.
    case throttled(text: String)
    /// An operator or a service ended the connection (KILL). Wait at least a minute.
    case killed(text: String)
    /// A bouncer admitted us but has no network with the given name, or was given none. The text is the bouncer's; nil
    /// if it gives none.
    case networkUnknown(text: String?)
    /// The server demands TLS on this port (IRCv3 sts).
    case tlsDemanded(port: Int)
    /// Any other ERROR.
    case closed(text: String)
    /// Authentication is configured but not possible, so nothing is joined.
    case authenticationUnavailable(String)
    case authenticationFailed(SASLFailure)

    /// Words in the ERROR of servers that throttle (ngircd, inspircd, Ergo, Unreal, hybrid).
    private static let throttlingWords = [
        "throttl", "too fast", "too many", "try again later", "trying to reconnect", "connection limit",
    ]
    private static let banningWords = ["banned", "k-lined", "g-lined", "z-lined", "d-lined", "k:lined", "g:lined"]

    /// The words of soju 0.9 in the numeric for a wrong password (464), and those of ZNC 1.8.
    private static let networkWords = ["failed to connect to ", "multi-upstream"]
    private static let statusWords = ["network ", "you have no networks configured"]

    /// Nil for a message that does not end the connection.
    ///
    /// - Parameter isAuthenticated: True if the password was already accepted.
    init?(_ message: IRCMessage, isRegistered: Bool, isAuthenticated: Bool = false) {
        let text = DecodedText(message.params.last ?? []).text
        let words = text.lowercased()
        switch message.verb {
        case "464" where !isRegistered && (isAuthenticated || Self.networkWords.contains(where: words.hasPrefix)):
            self = .networkUnknown(text: text)
        case "PRIVMSG" where !isRegistered, "NOTICE" where !isRegistered:
            let isStatus = message.source?.nick == Array("*status".utf8)
            guard isStatus, Self.statusWords.contains(where: words.hasPrefix),
                words.contains("doesn't exist") || words.contains("no networks")
            else { return nil }
            self = .networkUnknown(text: text)
        case "ERROR": self = Self.error(text)
        // ZNC 1.8 refuses so while too many connections of an address have not logged in, and by its module fail2ban.
        case "464" where !isRegistered && Self.throttlingWords.contains(where: words.contains):
            self = .throttled(text: text)
        case "464" where !isRegistered: self = .passwordRefused(text: text)
        case "465" where !isRegistered: self = .banned(text: text)
        default: return nil
        }
    }

    private static func error(_ text: String) -> Self {
        let words = text.lowercased()
        if banningWords.contains(where: words.contains) { return .banned(text: text) }
        if throttlingWords.contains(where: words.contains) { return .throttled(text: text) }
        return words.contains("killed") ? .killed(text: text) : .closed(text: text)
    }

    /// The reason for people, without secrets.
    package var detail: String {
        switch self {
        case .nickUnavailable(let code, let text): "no nick is available (\(code): \(text)); configure another nick"
        case .passwordRefused(let text): "the server refused the server password: \(text)"
        case .banned(let text): "the server banned this connection: \(text)"
        case .throttled(let text): "the server limits connections: \(text)"
        case .killed(let text): "an operator or a service ended the connection: \(text)"
        case .networkUnknown(let text):
            "the bouncer does not have this network\(text.map { " (\($0))" } ?? ""); add one of its "
                + "networks to the user name: USER/NETWORK"
        case .tlsDemanded(let port): "the server asks for TLS on port \(port)"
        case .closed(let text): "the server closed the connection: \(text)"
        case .authenticationUnavailable(let why): "can't log in: \(why)"
        case .authenticationFailed(let failure): failure.detail
        }
    }
}

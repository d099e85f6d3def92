/// Why a connection ended before, or instead of, being registered.
package enum RegistrationFailure: Error, Sendable, Hashable {
    /// The nick and all alternatives are in use or not allowed; the server's last word on it.
    case nickUnavailable(code: String, text: String)
    /// 464.
    case passwordRefused(text: String)
    /// 465, or an ERROR that says so: try again in a quarter of an hour, and tell the operator.
    case banned(text: String)
    /// ERROR on connecting too often or too many at once: wait a minute at least.
    case throttled(text: String)
    /// A bouncer let us in, and has no network of the name that we gave, or was given none. The bouncer's words; nil where it
    /// has none for it.
    case networkUnknown(text: String?)
    /// Any other ERROR.
    case closed(text: String)
    /// Authentication is configured and can't be done; nothing is joined without it.
    case authenticationUnavailable(String)
    case authenticationFailed(SASLFailure)

    /// What an ERROR says in servers that throttle (ngircd, inspircd, Ergo, Unreal, hybrid).
    private static let throttlingWords = [
        "throttl", "too fast", "too many", "try again later", "trying to reconnect", "connection limit",
    ]
    private static let banningWords = ["banned", "k-lined", "g-lined", "z-lined", "d-lined", "k:lined", "g:lined"]

    /// What soju 0.9 says in the number of a wrong password (464), and ZNC 1.8 by itself.
    private static let networkWords = ["failed to connect to ", "multi-upstream"]
    private static let statusWords = ["network ", "you have no networks configured"]

    /// nil for a message that ends nothing.
    ///
    /// - Parameter isAuthenticated: The password was taken already.
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
        case "464" where !isRegistered: self = .passwordRefused(text: text)
        case "465" where !isRegistered: self = .banned(text: text)
        default: return nil
        }
    }

    private static func error(_ text: String) -> Self {
        let words = text.lowercased()
        if banningWords.contains(where: words.contains) { return .banned(text: text) }
        return throttlingWords.contains(where: words.contains) ? .throttled(text: text) : .closed(text: text)
    }

    /// For people, without secrets.
    package var detail: String {
        switch self {
        case .nickUnavailable(let code, let text): "no nick is to be had (\(code): \(text)): configure another"
        case .passwordRefused(let text): "the server refused its password: \(text)"
        case .banned(let text): "the server banned this connection: \(text)"
        case .throttled(let text): "the server wants fewer connections: \(text)"
        case .networkUnknown(let text):
            "the bouncer has no such network\(text.map { " (\($0))" } ?? ""): name one of its networks behind the user, as in "
                + "user/network"
        case .closed(let text): "the server closed the connection: \(text)"
        case .authenticationUnavailable(let why): "authentication is configured and can't be done: \(why)"
        case .authenticationFailed(let failure): failure.detail
        }
    }
}

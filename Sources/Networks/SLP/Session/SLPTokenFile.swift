import ChatModel
import SLPWire
import Sessions

/// An account's tokens, kept between runs in a file that only its owner can read.
struct SLPTokenFile: Sendable {
    let path: String
    /// The tokens' server, and with `email` their account. Tokens of another server or account are ignored, so that
    /// they are never sent to the wrong one.
    let origin: String
    let email: String

    init(path: String, origin: String, email: String) {
        (self.path, self.origin, self.email) = (path, origin, email)
    }

    /// Nil if the configuration keeps no tokens.
    init?(_ configuration: SLPConfiguration) {
        guard let path = configuration.tokenPath else { return nil }
        self.init(path: path, origin: configuration.server.origin, email: configuration.credentials.email)
    }

    private struct Content: Codable {
        var origin: String
        var email: String
        var tokens: SLPTokens
    }

    /// Returns the tokens; nil if there are none that can be read. The next login writes new ones.
    func read() -> SLPTokens? {
        guard let content: Content = PrivateFile(path: path).read(), content.origin == origin, content.email == email,
            content.tokens.isUsable
        else { return nil }
        return content.tokens
    }

    /// Writes the whole file or nothing, even if the power fails. Waits for the disk on a separate thread.
    func write(_ tokens: SLPTokens) async throws {
        try await PrivateFile(path: path).write(Content(origin: origin, email: email, tokens: tokens))
    }
}

import ChatModel
import Foundation
import Sessions

/// The tokens of a login.
struct MatrixTokens: Codable, Sendable, Hashable {
    var access: String
    /// The token that gets a new access token; nil if that does not expire.
    var refresh: String?
    /// The account's id, such as `@alice:example.org`.
    var user: String
    var device: String?
}

/// A login's tokens, kept between runs in a file that only its owner can read.
struct MatrixTokenFile: Sendable {
    let path: String
    /// The server and the name of the login. Tokens of another one are ignored, so that they are never sent to the wrong
    /// server.
    let origin: String
    let user: String

    private struct Content: Codable {
        var origin: String
        var login: String
        var tokens: MatrixTokens
    }

    init?(_ configuration: MatrixListenerConfiguration) {
        guard let path = configuration.tokenPath else { return nil }
        (self.path, origin, user) = (path, configuration.server.origin, configuration.credentials.user)
    }

    /// Returns the tokens; nil if there are none that can be read. The next login writes new ones.
    func read() -> MatrixTokens? {
        guard let content: Content = PrivateFile(path: path).read(), content.origin == origin, content.login == user
        else { return nil }
        return content.tokens
    }

    func write(_ tokens: MatrixTokens) async throws {
        try await PrivateFile(path: path).write(Content(origin: origin, login: user, tokens: tokens))
    }
}

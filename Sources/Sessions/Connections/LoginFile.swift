package import ChatModel
package import Logging

/// A login's tokens, kept between runs in a file that only its owner can read.
package struct LoginFile<Tokens: Codable & Sendable>: Sendable {
    private let file: PrivateFile
    /// The server and the name of the login. Tokens of another one are ignored, so that they are never sent to the wrong
    /// server.
    private let (origin, login): (String, String)
    private let isUsable: @Sendable (Tokens) -> Bool

    private struct Content: Codable {
        var origin: String
        var login: String?
        /// The login in files that earlier versions wrote.
        var email: String?
        var tokens: Tokens
    }

    /// - Parameters:
    ///   - path: The file; nil keeps no tokens.
    ///   - isUsable: Returns false for tokens that can't be sent.
    package init?(
        path: String?, server: HTTPOrigin, login: String, isUsable: @escaping @Sendable (Tokens) -> Bool = { _ in true }
    ) {
        guard let path else { return nil }
        (file, origin, self.login, self.isUsable) = (PrivateFile(path: path), server.origin, login, isUsable)
    }

    /// Returns the tokens; nil if there are none that can be read. The next login writes new ones.
    package func read() -> Tokens? {
        guard let content: Content = file.read(), content.origin == origin, content.login ?? content.email == login,
            isUsable(content.tokens)
        else { return nil }
        return content.tokens
    }

    /// Writes the tokens, or logs why they can't be written.
    package func keep(_ tokens: Tokens, _ logger: Logger) async {
        do {
            try await file.write(Content(origin: origin, login: login, tokens: tokens))
        } catch {
            logger.warning("tokens could not be saved for the next start", metadata: ["reason": "\(error)"])
        }
    }
}

/// The token that permits calls, and the token that renews it. Neither is ever shown.
package struct SLPTokens: Sendable, Hashable, Codable {
    package var access: String
    package var refresh: String

    package init(access: String, refresh: String) {
        (self.access, self.refresh) = (access, refresh)
    }

    /// True if both tokens can be sent in headers.
    package var isUsable: Bool { Self.isToken(access) && Self.isToken(refresh) }

    /// Returns true if the text is printable ASCII of at most 16 KiB, far more than such a token has.
    static func isToken(_ text: String) -> Bool {
        (1...16 * 1024).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension KeyedDecodingContainer {
    fileprivate func token(_ key: Key) throws -> String {
        let token = try decode(String.self, forKey: key)
        guard SLPTokens.isToken(token) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "no token")
        }
        return token
    }
}

extension SLPTokens: CustomStringConvertible, CustomReflectable {
    package var description: String { "tokens" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The answer to a login.
package struct SLPLoginAnswer: Sendable, Hashable, Decodable {
    package var tokens: SLPTokens

    private enum CodingKeys: CodingKey { case token, accessToken, refreshToken }

    package init(from decoder: any Decoder) throws {
        let profile = try decoder.container(keyedBy: CodingKeys.self)
        // Generation 1 has the two tokens beside the profile, generation 2 in a separate object.
        let fields =
            profile.contains(.token) ? try profile.nestedContainer(keyedBy: CodingKeys.self, forKey: .token) : profile
        tokens = SLPTokens(
            access: try fields.token(.accessToken), refresh: try fields.token(.refreshToken))
    }
}

/// The answer to a refresh. The refresh token stays valid.
package struct SLPRefreshAnswer: Sendable, Hashable, Decodable {
    package var accessToken: String

    private enum CodingKeys: CodingKey { case accessToken }

    package init(from decoder: any Decoder) throws {
        accessToken = try decoder.container(keyedBy: CodingKeys.self).token(.accessToken)
    }
}

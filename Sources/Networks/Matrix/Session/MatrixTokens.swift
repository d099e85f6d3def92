/// The tokens of a login.
struct MatrixTokens: Codable, Sendable, Hashable {
    var access: String
    /// The token that gets a new access token; nil if that does not expire.
    var refresh: String?
    /// The account's id, such as `@alice:example.org`.
    var user: String
    var device: String?
}

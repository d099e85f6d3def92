import SLPWire

/// The complete login of an account.
struct SLPLogin: Equatable, Sendable {
    var credentials: SLPCredentials
    /// The stored tokens; nil if there are none.
    var tokens: SLPTokens?

    init(_ configuration: SLPConfiguration) {
        credentials = configuration.credentials
        tokens = SLPTokenFile(configuration)?.read()
    }

    /// Returns the login with the presently stored tokens, which may be renewed ones.
    func withTokens(_ configuration: SLPConfiguration) -> SLPLogin {
        var copy = self
        copy.tokens = SLPTokenFile(configuration)?.read()
        return copy
    }
}

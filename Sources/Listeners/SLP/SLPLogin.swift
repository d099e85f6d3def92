import SLPWire

/// All that an account may be logged in with.
struct SLPLogin: Equatable, Sendable {
    var credentials: SLPCredentials
    /// Those that are kept; nil where there are none.
    var tokens: SLPTokens?

    init(_ configuration: SLPConfiguration) {
        credentials = configuration.credentials
        tokens = SLPTokenFile(configuration)?.read()
    }

    /// The same with the tokens that are kept by now, which may have been renewed.
    func withTokens(_ configuration: SLPConfiguration) -> SLPLogin {
        var copy = self
        copy.tokens = SLPTokenFile(configuration)?.read()
        return copy
    }
}

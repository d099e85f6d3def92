import SLPWire
import Sessions

/// The complete login of an account.
package struct SLPLogin: Equatable, Sendable {
    var credentials: SLPCredentials
    /// The stored tokens; nil if there are none.
    var tokens: SLPTokens?

    init(_ configuration: SLPConfiguration) {
        credentials = configuration.credentials
        tokens = configuration.tokenFile?.read()
    }

    /// Returns the login with the presently stored tokens, which may be renewed ones.
    func withTokens(_ configuration: SLPConfiguration) -> SLPLogin {
        var copy = self
        copy.tokens = configuration.tokenFile?.read()
        return copy
    }
}

package import SLPWire

/// What an account of such a service logs in with; never shown.
package struct SLPCredentials: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    package var appKey: String
    package var email: String
    /// Nil where it may not log in by itself: then it lives as long as its stored tokens do.
    package var password: String?

    package init(appKey: String, email: String, password: String?) {
        (self.appKey, self.email, self.password) = (appKey, email, password)
    }

    package var description: String { "credentials" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

package struct SLPConfiguration: Sendable {
    package var server: SLPOrigin
    package var credentials: SLPCredentials
    /// Found out by asking where it is nil.
    package var generation: SLPGeneration?
    /// Where tokens are kept between runs; nil keeps none.
    package var tokenPath: String?
    /// Whom to trust besides the machine's own authorities.
    package var authorities: SLPAuthorities?
    package var limits = SLPLimits()

    package init(
        server: SLPOrigin, credentials: SLPCredentials, generation: SLPGeneration? = nil, tokenPath: String? = nil
    ) {
        (self.server, self.credentials) = (server, credentials)
        (self.generation, self.tokenPath) = (generation, tokenPath)
    }
}

/// How long, how much and how often. No number is the service's, which documents none.
package struct SLPLimits: Sendable {
    /// Until an answer begins.
    package var answer: Duration = .seconds(60)
    /// Between two pieces of an answer, while we wait for one.
    package var idle: Duration = .seconds(60)
    /// Between two logins: a service that takes no token would be asked for one without end.
    package var loginInterval: Duration = .seconds(60)
    /// Bytes of a list; of history there is no limit. Some 25,000 people, who take three times as many bytes while they are read.
    package var listBytes = 8 << 20
    /// Elements of a list: those with 300 bytes each.
    package var listElements = 25_000
    /// Bytes of one file.
    package var fileBytes = 100 << 20
    /// How often a call is tried where the server is at fault or can't be reached.
    package var tries = 5
    package var backoff = Backoff.Limits(first: .seconds(1), longest: .seconds(60))
    package var pace = SLPPace.Limits()
    package var elements = ElementSplitter.Limits()

    package init() {}
}

package import SLPWire

/// The login of an account; never shown.
package struct SLPCredentials: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// The key that the service gives to apps; sent with every call.
    package var appKey: String
    package var email: String
    /// Nil where the account may not log in by itself: it then works as long as its stored tokens do.
    package var password: String?

    package init(appKey: String, email: String, password: String?) {
        (self.appKey, self.email, self.password) = (appKey, email, password)
    }

    package var description: String { "credentials" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The server to archive from, and how.
package struct SLPConfiguration: Sendable {
    package var server: SLPOrigin
    package var credentials: SLPCredentials
    /// The service's generation; nil to find it out from the server.
    package var generation: SLPGeneration?
    /// The file that keeps tokens between runs; nil keeps none.
    package var tokenPath: String?
    /// Authorities to trust besides the machine's own.
    package var authorities: SLPAuthorities?
    package var limits = SLPLimits()

    package init(
        server: SLPOrigin, credentials: SLPCredentials, generation: SLPGeneration? = nil, tokenPath: String? = nil
    ) {
        (self.server, self.credentials) = (server, credentials)
        (self.generation, self.tokenPath) = (generation, tokenPath)
    }
}

/// Limits of time, size and number. None of the numbers is the service's, which documents none.
package struct SLPLimits: Sendable {
    /// The wait for an answer to begin.
    package var answer: Duration = .seconds(60)
    /// The wait for the next piece of an answer.
    package var idle: Duration = .seconds(60)
    /// The least time between two logins: where the service accepts no token, logins would otherwise follow each other
    /// without end.
    package var loginInterval: Duration = .seconds(60)
    /// The most bytes of a list, for some 25,000 people, who take three times as much memory while they are read;
    /// history has no limit.
    package var listBytes = 8 << 20
    /// The most elements of a list, for elements of 300 bytes.
    package var listElements = 25_000
    /// The most bytes of one file.
    package var fileBytes = 100 << 20
    /// The number of times that a call is tried where the server fails or can't be reached.
    package var tries = 5
    /// Waits between these tries.
    package var backoff = Backoff.Limits(first: .seconds(1), longest: .seconds(60))
    package var pace = SLPPace.Limits()
    package var elements = ElementSplitter.Limits()

    package init() {}
}

package import ChatModel
package import SLPWire
package import Sessions

/// The login of an account, which is never shown.
package struct SLPCredentials: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// The key that the service gives to apps; sent with every call.
    package var appKey: String
    package var email: String
    /// The password; nil if the listener must not log in. It works until its stored tokens expire in that case.
    package var password: String?

    package init(appKey: String, email: String, password: String?) {
        (self.appKey, self.email, self.password) = (appKey, email, password)
    }

    package var description: String { "credentials" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The server to archive, the login, and the limits.
package struct SLPConfiguration: Sendable {
    package var server: HTTPOrigin
    package var credentials: SLPCredentials
    /// The service's generation; nil to find it out from the server.
    package var generation: SLPGeneration?
    /// The file that keeps tokens between runs; nil keeps none.
    package var tokenPath: String?
    /// Authorities to trust besides the machine's own.
    package var authorities: TrustedAuthorities?
    package var limits = SLPLimits()

    /// The file that keeps tokens; nil if none does.
    var tokenFile: LoginFile<SLPTokens>? {
        LoginFile(path: tokenPath, server: server, login: credentials.email) { $0.isUsable }
    }

    /// The beginning of every call's URL.
    var base: String { server.origin + SLPRoute.base }

    package init(
        server: HTTPOrigin, credentials: SLPCredentials, generation: SLPGeneration? = nil, tokenPath: String? = nil
    ) {
        (self.server, self.credentials) = (server, credentials)
        (self.generation, self.tokenPath) = (generation, tokenPath)
    }
}

/// Limits of time, size and number. None of them comes from the service, which documents none.
package struct SLPLimits: Sendable {
    /// The time limit for the beginning of an answer.
    package var answer: Duration = .seconds(60)
    /// The time limit for the next piece of an answer.
    package var idle: Duration = .seconds(60)
    /// The shortest time between two logins. If the service accepts no token, logins would otherwise follow each other
    /// without end.
    package var loginInterval: Duration = .seconds(60)
    /// The limit of bytes in a list, for some 25,000 people, who take three times as much memory during reading.
    /// History has no limit.
    package var listBytes = 8 << 20
    /// The limit of elements in a list, for elements of 300 bytes.
    package var listElements = 25_000
    /// The limit of bytes in one file.
    package var fileBytes = 100 << 20
    /// The number of attempts for a call if the server fails or can't be reached.
    package var tries = 5
    /// The waits between these attempts.
    package var backoff = Backoff.Limits(first: .seconds(1), longest: .seconds(60))
    package var pace = SLPPace.Limits()
    package var elements = ElementSplitter.Limits()

    package init() {}
}

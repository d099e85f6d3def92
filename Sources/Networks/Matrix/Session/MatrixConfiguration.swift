package import ChatModel
package import NIOSSL
package import Sessions

/// The login of an account, which is never shown.
package struct MatrixCredentials: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// The name or the whole id: `alice` or `@alice:example.org`.
    package var user: String
    /// Nil for an account that has only a token.
    package var password: String?
    /// An access token that a person made; nil to log in with the password.
    package var token: String?
    /// The token that a page of a single sign-on shows; it serves for one login.
    package var loginToken: String?

    package init(user: String, password: String? = nil, token: String? = nil, loginToken: String? = nil) {
        (self.user, self.password, self.token, self.loginToken) = (user, password, token, loginToken)
    }

    package var description: String { "credentials" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The server, the login and the limits of a Matrix account.
package struct MatrixListenerConfiguration: LoginConfiguration, Sendable {
    package var server: HTTPOrigin
    package var credentials: MatrixCredentials
    /// Reads the present credentials; nil if they can't be read.
    package var currentCredentials: @Sendable () -> MatrixCredentials? = { nil }
    package var tls = TLSOptions().configuration
    /// The file that keeps the tokens of a login between runs; nil keeps none.
    package var tokenPath: String?
    /// Reads the present secrets that open the account's key backup; nil if they can't be read.
    package var recovery: @Sendable () -> MatrixRecovery? = { nil }
    /// True if the account has such secrets.
    package var hasRecovery = false
    /// The file that keeps the private key of the key backup between runs; nil keeps none.
    package var backupKeyPath: String?
    /// The waits between questions for new keys while messages wait for theirs, each twice as long as the one before.
    package var keyBackoff = Backoff.Limits(first: .seconds(2), longest: .seconds(300))
    /// The age to which history is fetched at the first contact with a room; nil for all of it.
    package var horizon: Duration? = .seconds(30 * 86_400)
    /// The events of each room that one sync brings. Beyond that, `/messages` does.
    package var timeline = 100
    /// The time that the server waits with its answer while nothing happens. A crash loses at most this much coverage.
    package var wait: Duration = .seconds(20)
    /// The number of rooms whose history is fetched at once, and the events of one call.
    package var fetchesAtOnce = 4
    package var historyPage = 250
    /// The limit of the time between two pieces of an answer, and of the beginning of one.
    package var answer: Duration = .seconds(60)
    /// The attempts at a call while the server fails, with the waits between them.
    package var tries = 5
    package var callBackoff = Backoff.Limits(first: .seconds(1), longest: .seconds(60))
    /// The files to fetch, and the limits of fetching.
    package var files = AttachmentLimits()
    package var bufferBytes = 4 * 1024 * 1024
    package var storeTimeout = StopTimes.storing
    package var loginCheckInterval: Duration = .seconds(10)
    package var backoff = Backoff.Limits(first: .seconds(2), longest: .seconds(300))

    package init(server: HTTPOrigin, credentials: MatrixCredentials) {
        (self.server, self.credentials) = (server, credentials)
    }

    package var login: MatrixCredentials { credentials }
    package var currentLogin: MatrixCredentials? { currentCredentials() }
}

import ChatModel
import IRCWire
package import Sessions
package import TextEncodings

/// The configuration of an IRC account: the server, the identity, the rooms and the limits.
package struct IRCConfiguration: LoginConfiguration {
    /// The server's name or address, without a port.
    package var host: String
    package var port: Int
    package var nick: String
    /// Nicks to try in order if the nick is in use. After them come nicks that are made from it.
    package var alternatives: [String] = []
    /// The part of our address before the `@`. Servers may replace it.
    package var user: String
    package var realName = "Scrollback, an archiver"
    /// Channels to join. Others that the account is in, through a bouncer for instance, are archived as well.
    package var rooms: [String]
    /// True if the account is in rooms other than `rooms`, through a bouncer for instance, and stays in them; false if
    /// `rooms` has all of them.
    package var staysInAllRooms = false
    package var authentication = IRCAuthentication.none
    /// Passwords and channel keys, used until ``currentSecrets`` returns any.
    package var secrets = IRCSecrets()
    /// Reads the present secrets; nil if they can't be read. A person may correct them while the account waits.
    package var currentSecrets: @Sendable () -> IRCSecrets? = { nil }
    /// The interval at which the secrets are read while the server refuses them.
    package var loginCheckInterval: Duration = .seconds(10)
    /// The days for which the history of a room that was never archived is requested; nil requests all that the server
    /// has, 0 none.
    package var historyDays: Int?
    /// The capabilities to request if the server offers them.
    package var capabilities = CapabilityNegotiation.archiverCapabilities
    /// The encoding of bytes that are not UTF-8.
    package var fallback = TextEncoding.windows1252
    /// True to remove the text of messages that are retracted.
    package var wipesRedacted = false

    package var loginAttempts = 3
    package var pacedServer: String? { host.lowercased() }

    /// The time limit from the connection, TLS included, to the end of the MOTD. Servers that look up names and idents
    /// take 30 s.
    package var registrationTimeout: Duration = .seconds(90)
    /// The further time limit while the server does not offer to log in: services may be away for long, and a new
    /// connection would not change that.
    package var loginTimeout: Duration = .seconds(3600)
    /// The time between two PINGs of ours. Servers drop clients that are silent for 90 s and more.
    package var pingInterval: Duration = .seconds(60)
    /// The silence after our PING that ends the connection.
    package var pingTimeout: Duration = .seconds(30)
    /// The time to wait for the answer to a JOIN.
    package var joinTimeout: Duration = .seconds(60)
    /// The time to wait for an answer with history. A page of 1,000 messages comes within a few seconds.
    package var historyTimeout: Duration = .seconds(60)
    /// The waits between attempts to join a room that refused us or from which we were kicked.
    package var rejoin = Backoff.Limits(first: .seconds(10), longest: .seconds(900), stable: .seconds(300))
    /// The time to wait after our QUIT for the server to close the connection.
    package var leaveTimeout: Duration = .seconds(2)
    /// The interval at which the last sign of life is written. A crash loses at most this much coverage.
    package var signOfLifeInterval: Duration = .seconds(10)
    /// The size of received events that are not stored, in bytes, at which reading stops.
    package var bufferBytes = 64 * 1024 * 1024
    /// The time limit for storing the received events after a stop.
    package var storeTimeout = StopTimes.storing
    /// The waits between attempts to connect.
    package var backoff = Backoff.Limits(first: .seconds(2), longest: .seconds(300))
    /// The shortest wait after an ERROR about too many connections, and after other failures that end after some time.
    package var throttledPause: Duration = .seconds(60)
    /// The shortest wait after the server banned us.
    package var bannedPause: Duration = .seconds(900)

    /// Creates a configuration with defaults for everything else. The user name is the nick.
    package init(host: String, port: Int, nick: String, rooms: [String]) {
        (self.host, self.port, self.nick, self.rooms) = (host, port, nick, rooms)
        user = nick
    }

    package var login: IRCSecrets { secrets }
    package var currentLogin: IRCSecrets? { currentSecrets() }
}

/// The way in which an account authenticates. Its passwords are in ``IRCSecrets``.
package enum IRCAuthentication: Sendable, Hashable {
    case none
    case plain(user: String)
    case scramSHA256(user: String)
    /// By the certificate of the TLS connection.
    case external
}

extension IRCConfiguration {
    func identity() -> Registration.Identity {
        var identity = Registration.Identity(nick: nick, user: user, realName: realName)
        identity.alternatives = alternatives
        identity.serverPassword = secrets.serverPassword
        identity.credentials =
            switch authentication {
            case .none: nil
            case .plain(let user): .plain(user: user, password: secrets.password ?? "")
            case .scramSHA256(let user): .scramSHA256(user: user, password: secrets.password ?? "", nonce: Self.nonce())
            case .external: .external
            }
        return identity
    }

    /// Returns 25 letters and digits of 5.95 bits each: 148 random bits, more than the required 18 bytes (144 bits).
    private static func nonce() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        var random = SystemRandomNumberGenerator()
        return String((0..<25).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
    }
}

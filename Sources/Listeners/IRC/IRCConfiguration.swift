package import IRCWire

/// Which IRC network to archive, as whom, and how.
package struct IRCConfiguration: ListenerConfiguration {
    /// The server's name or address, without a port.
    package var host: String
    package var port: Int
    package var nick: String
    /// Nicks to try, in order, where the nick is in use; after them come ones made from it.
    package var alternatives: [String] = []
    /// The part of our address before the `@`; servers may put another in its place.
    package var user: String
    package var realName = "Scrollback, an archiver"
    /// Channels to join. Others that the account is in, through a bouncer for instance, are archived as well.
    package var rooms: [String]
    /// True where the account belongs into every room that it is in, as a bouncer's does; false where `rooms` has all
    /// of them.
    package var staysInAllRooms = false
    package var authentication = IRCAuthentication.none
    /// Passwords and channel keys, used until ``currentSecrets`` returns any.
    package var secrets = IRCSecrets()
    /// Reads the secrets as they are now; nil where they can't be read. Somebody may correct them while the account
    /// waits.
    package var currentSecrets: @Sendable () -> IRCSecrets? = { nil }
    /// The interval at which the secrets are read while the server refuses them.
    package var loginCheckInterval: Duration = .seconds(10)
    /// The days for which the history of a room that was never archived is requested; nil requests all that the server
    /// has, 0 none.
    package var historyDays: Int?
    /// The capabilities to request where the server offers them.
    package var capabilities = CapabilityNegotiation.archiverCapabilities
    /// The encoding of bytes that are not UTF-8.
    package var fallback = FallbackEncoding.windows1252
    /// True to remove the text of messages that are retracted.
    package var wipesRedacted = false

    /// The limit from the connection, TLS included, to the end of the MOTD. Servers that look up names and idents take
    /// 30 s.
    package var registrationTimeout: Duration = .seconds(90)
    /// The time between two PINGs of ours. Servers drop clients that are silent for 90 s and more.
    package var pingInterval: Duration = .seconds(60)
    /// The silence after our PING after which the connection is given up.
    package var pingTimeout: Duration = .seconds(30)
    /// The time to wait for the answer to a JOIN.
    package var joinTimeout: Duration = .seconds(60)
    /// Waits between attempts to join a room that refused us or that we were kicked from.
    package var rejoin = Backoff.Limits(first: .seconds(10), longest: .seconds(900), stable: .seconds(300))
    /// The time to wait after our QUIT for the server to close the connection.
    package var leaveTimeout: Duration = .seconds(2)
    /// The interval at which the last sign of life is written, and so the most time that a crash removes from what is known
    /// complete.
    package var signOfLifeInterval: Duration = .seconds(10)
    /// Bytes received and not yet stored at which reading stops.
    package var bufferBytes = 64 * 1024 * 1024
    /// The time that storing the received events may take after a stop.
    package var storeTimeout = StopTimes.storing
    /// Waits between attempts to connect.
    package var backoff = Backoff.Limits(first: .seconds(2), longest: .seconds(300))
    /// The least wait after an ERROR about too many connections, and after other failures that pass by themselves but
    /// not at once.
    package var throttledPause: Duration = .seconds(60)
    /// The least wait after the server banned us.
    package var bannedPause: Duration = .seconds(900)

    /// The defaults for all else; the user's name is the nick.
    package init(host: String, port: Int, nick: String, rooms: [String]) {
        (self.host, self.port, self.nick, self.rooms) = (host, port, nick, rooms)
        user = nick
    }
}

/// How an account authenticates; its passwords are in ``IRCSecrets``.
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

    /// 25 letters and digits of 5.95 bits each: 148 random bits, where 18 bytes have 144.
    private static func nonce() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        var random = SystemRandomNumberGenerator()
        return String((0..<25).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
    }
}

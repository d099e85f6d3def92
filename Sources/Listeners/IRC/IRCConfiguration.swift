package import IRCWire

/// Which IRC network to archive, as whom, and how.
package struct IRCConfiguration: ListenerConfiguration {
    package var host: String
    package var port: Int
    package var nick: String
    /// Tried in their order where the nick is in use; then ones made from it.
    package var alternatives: [String] = []
    /// What stands before the `@` of our address; servers may put another in its place.
    package var user: String
    package var realName = "Scrollback, an archiver"
    /// Channels to join. Those that the account is in besides, a bouncer's for instance, are archived as well.
    package var rooms: [String]
    /// Whether the account belongs into every room that it is in, as a bouncer's does; else `rooms` has all.
    package var isInRoomsOfItsOwn = false
    package var authentication = IRCAuthentication.none
    package var secrets = IRCSecrets()
    /// What there is to log in with by now; nil where that can't be told. Somebody may mend it while we wait.
    package var currentSecrets: @Sendable () -> IRCSecrets? = { nil }
    /// How often that is looked at while nothing else helps.
    package var mendInterval: Duration = .seconds(10)
    /// How far back the history of a room is asked for that was never archived; nil is all that the server gives, 0 is none.
    package var historyDays: Int?
    /// What the server is asked for, of what it offers.
    package var capabilities = CapabilityNegotiation.archiverCapabilities
    /// What bytes that are no UTF-8 are taken for.
    package var fallback = FallbackEncoding.windows1252
    /// Of what is retracted no text is kept.
    package var wipesRedacted = false

    /// From the connection, TLS included, to the end of the MOTD. Servers that look up names and idents take 30 s.
    package var registrationTimeout: Duration = .seconds(90)
    /// Servers drop clients that are silent for 90 s and more.
    package var pingInterval: Duration = .seconds(60)
    /// Nothing heard for so long after our PING, and the server is given up.
    package var pingTimeout: Duration = .seconds(30)
    /// How long the answer to a JOIN is waited for.
    package var joinTimeout: Duration = .seconds(60)
    /// Between tries to join a room that was refused, or that we were kicked from.
    package var rejoin = Backoff.Limits(first: .seconds(10), longest: .seconds(900), stable: .seconds(300))
    /// How long leaving may take.
    package var leaveTimeout: Duration = .seconds(2)
    /// How often the last sign of life is written down, and so by how much a crash shortens what is known complete.
    package var signOfLifeInterval: Duration = .seconds(10)
    /// Bytes heard and not yet stored, at which reading stops.
    package var bufferBytes = 64 * 1024 * 1024
    /// How long storing what was received may take after a stop.
    package var storeTimeout = StopTimes.storing
    package var backoff = Backoff.Limits(first: .seconds(2), longest: .seconds(300))
    /// After an ERROR about too many connections, and what else goes away by itself but not at once.
    package var throttledPause: Duration = .seconds(60)
    package var bannedPause: Duration = .seconds(900)

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

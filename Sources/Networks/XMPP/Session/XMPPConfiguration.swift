import ChatModel
package import Sessions
package import XMPPWire

/// A room to join.
package struct XMPPRoomWish: Sendable, Hashable {
    package var room: JID
    package var nick: String
    package var password: String?

    package init(room: JID, nick: String, password: String? = nil) {
        (self.room, self.nick, self.password) = (room, nick, password)
    }
}

/// The secrets of an account, which are never shown.
package struct XMPPSecrets: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    package var password: String?
    /// The passwords of rooms, by their addresses.
    package var roomPasswords: [String: String]

    package init(password: String? = nil, roomPasswords: [String: String] = [:]) {
        (self.password, self.roomPasswords) = (password, roomPasswords)
    }

    package var description: String { "secrets" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The configuration of an XMPP account: the login, the rooms and the limits.
package struct XMPPConfiguration: LoginConfiguration {
    /// The account's address without a resource.
    package var account: JID
    package var secrets: XMPPSecrets
    /// Reads the present secrets; nil if they can't be read.
    package var currentSecrets: @Sendable () -> XMPPSecrets? = { nil }
    /// True if the TLS connection has the account's certificate.
    package var hasCertificate = false
    /// True if nobody else can read the connection, so that a password may be sent as it is.
    package var isPrivate = true
    package var rooms: [XMPPRoomWish] = []
    package var nick: String
    package var joinsBookmarks = false
    package var archivesDirect = false
    /// True to remove the text of messages that are retracted.
    package var wipesRedacted = false
    /// The age to which history is fetched at the first contact with a room; nil for all of it.
    package var horizon: Duration? = .seconds(30 * 86_400)

    package var loginAttempts = 3
    package var pacedServer: String? { account.domain }
    package var loginCheckInterval: Duration = .seconds(10)
    /// The time limit from the connection to the end of the login.
    package var loginTimeout: Duration = .seconds(60)
    /// The time limit for an answer. A page of history takes a Prosody with a large archive some seconds.
    package var answerTimeout: Duration = .seconds(60)
    /// The time between two pings of ours. Servers notice a vanished peer after 60 s and more (ejabberd 23.01).
    package var pingInterval: Duration = .seconds(60)
    /// The silence of a room after which we ask whether we are still in it (XEP-0410).
    package var selfPing: Duration = .seconds(900)
    /// The time between two looks into the account's own archive: with no other client online, ejabberd (23.01) delivers no
    /// message to a client of negative priority.
    package var directCheck: Duration = .seconds(600)
    /// The time between two looks at the bookmarks: ejabberd (23.01) sends no news of a removed one.
    package var bookmarkCheck: Duration = .seconds(900)
    /// The time within which stored stanzas are counted for the server's question. ejabberd 23.01 ends a connection 60 s
    /// after an unanswered one.
    package var acknowledging: Duration = .seconds(10)
    /// The messages of one page of history: Prosody (0.12.3) gives no more, and its users wait while it makes a page.
    package var historyPage = 50
    /// The shortest pause between two pages. A pause is at least twice as long as the last page took.
    package var historyPause: Duration = .seconds(1)
    /// The waits between attempts to join a room that refused us or from which we were kicked.
    package var rejoin = Backoff.Limits(first: .seconds(10), longest: .seconds(900), stable: .seconds(300))
    package var leaveTimeout: Duration = .seconds(2)
    package var signOfLifeInterval: Duration = .seconds(10)
    /// The files to fetch, and the limits of fetching.
    package var files = AttachmentLimits()
    package var bufferBytes = 4 * 1024 * 1024
    package var storeTimeout = StopTimes.storing
    package var backoff = Backoff.Limits(first: .seconds(2), longest: .seconds(300))
    /// The shortest wait after the server could not check the login.
    package var temporaryPause: Duration = .seconds(60)

    /// Creates a configuration with defaults for everything else. The nick is the name before the `@`.
    package init(account: JID, secrets: XMPPSecrets) {
        (self.account, self.secrets, nick) = (account, secrets, account.local)
    }

    package var login: XMPPSecrets { secrets }
    package var currentLogin: XMPPSecrets? { currentSecrets() }
}

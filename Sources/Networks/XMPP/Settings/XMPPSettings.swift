/// The keys of an account of the network `xmpp`; see `docs/configuration.md`.
package struct XMPPSettings: Sendable, Hashable {
    /// The treatment of the text of a retracted message.
    package enum Redacted: String, Sendable, CaseIterable { case keep, wipe }

    /// The account's address, `NAME@DOMAIN`, in lower case.
    package var jid: String
    /// Nil for the servers that the domain names.
    package var server: XMPPAddress?
    package var tls: CertificateTrust
    package var password: Secret?
    /// The nick in rooms; nil for the name before the `@`.
    package var nick: String?
    package var rooms: [XMPPRoomAddress]
    /// True to join the rooms of the account's bookmarks as well.
    package var joinsBookmarks: Bool
    /// The passwords of rooms, as ``XMPPRoomAddress/passwords(_:)`` reads them.
    package var roomPasswords: Secret?
    /// True to archive the conversations with single people.
    package var archivesDirect: Bool
    package var redacted: Redacted
    /// The age in days up to which the history of a new room is fetched.
    package var historyDays: Int
    package var files: AttachmentSettings
    package var signOfLifeInterval: Duration
    /// The number of attempts to log in before a person must act.
    package var loginAttempts: Int
    /// The bytes that may wait to be stored before reading stops.
    package var bufferBytes: Int

    private static let defaultDays = 30

    /// Reads the account's table. Leaves every problem in `table`; a wrong setting has its default.
    package init(_ table: inout TableReader) {
        jid = Self.jid(&table)
        let server = Self.server(&table)
        self.server = server
        tls = CertificateTrust(
            &table, isSecure: server?.security != XMPPAddress.Security.none,
            schemes: (secure: "xmpps:// or xmpp://", plain: "tcp://"))
        password = Secret.read("password", &table)
        nick = table.string("nick", shownDefault: String(jid.prefix { $0 != "@" }))
        rooms = table.strings("rooms").compactMap { Self.room($0, &table) }
        joinsBookmarks = table.boolean("bookmarks")
        roomPasswords = Self.roomPasswords(&table)
        archivesDirect = table.boolean("direct")
        redacted = table.choice("redacted", default: .keep)
        historyDays = table.integer("history_days", in: 0...36_500, default: Self.defaultDays)
        files = AttachmentSettings(&table)
        signOfLifeInterval = table.signOfLifeInterval()
        loginAttempts = table.integer("login_attempts", in: 1...100, default: 3)
        bufferBytes = table.bufferBytes()
        if rooms.isEmpty, !joinsBookmarks, !archivesDirect,
            !table.hasProblem(with: "rooms", "bookmarks", "direct")
        {
            table.reportMissingList(
                "rooms",
                expected:
                    "rooms to join, such as [\"room@conference.example.org\"]; or bookmarks = true or direct = true")
        }
        if password == nil, tls.certificate == nil,
            !table.hasProblem(with: "password_file", "password_env", "certificate_file")
        {
            table.reportMissing("password_file", expected: "password_file, password_env or certificate_file")
        }
    }

    private static func jid(_ table: inout TableReader) -> String {
        let expected = "the account's address, such as alice@example.org"
        guard let text = table.requiredString("jid", expected: expected) else { return "" }
        guard let address = XMPPRoomAddress(text), address.nick == nil else {
            table.report("jid", expected: expected, found: text.isEmpty ? "nothing" : TableReader.quote(text))
            return ""
        }
        return address.room
    }

    private static func server(_ table: inout TableReader) -> XMPPAddress? {
        let expected = "xmpp://HOST, xmpps://HOST, or tcp://HOST on this machine"
        guard let text = table.string("server") else { return nil }
        guard let address = XMPPAddress(text), address.isSafe else {
            table.report("server", expected: expected, found: text.isEmpty ? "nothing" : TableReader.quote(text))
            return nil
        }
        return address
    }

    private static func room(_ text: String, _ table: inout TableReader) -> XMPPRoomAddress? {
        if let room = XMPPRoomAddress(text) { return room }
        table.report(
            "rooms", expected: "addresses such as room@conference.example.org or room@conference.example.org/nick",
            found: text.isEmpty ? "nothing" : TableReader.quote(text))
        return nil
    }

    /// Reads the passwords. Reports a wrong line by its number without its content, which is secret.
    private static func roomPasswords(_ table: inout TableReader) -> Secret? {
        guard let secret = Secret.read("room_passwords", &table, isList: true) else { return nil }
        if let line = XMPPRoomAddress.passwords(secret.value).wrongLine {
            table.report(
                secret.file == nil ? "room_passwords_env" : "room_passwords_file",
                expected: "one room a line: its address, a space and its password",
                found: "something else in line \(line)")
        }
        return secret
    }
}

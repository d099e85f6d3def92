package import TextEncodings

/// The keys of an account of the network `irc`; see `docs/configuration.md`.
package struct IRCSettings: Sendable, Hashable {
    package enum Join: String, Sendable, CaseIterable {
        /// Joins the channels of `rooms`.
        case rooms
        /// Joins none, because a bouncer is already in rooms.
        case all = "*"
    }

    package enum Mechanism: String, Sendable, CaseIterable {
        case none, plain, external
        case scram = "scram-sha-256"
    }

    /// The treatment of a retracted message's text.
    package enum Redacted: String, Sendable, CaseIterable {
        case keep, wipe
    }

    /// Nil for a setting that could not be read.
    package var server: IRCAddress?
    package var tls: CertificateTrust
    package var nick: String
    package var alternatives: [String]
    package var user: String?
    package var realName: String?
    package var rooms: [String]
    /// The keys, in the form that ``IRCChannelKeys`` reads.
    package var channelKeys: Secret?
    package var join: Join
    package var sasl: Mechanism
    /// The user of the login; nil for the nick.
    package var saslUser: String?
    package var password: Secret?
    package var serverPassword: Secret?
    package var fallback: TextEncoding
    package var redacted: Redacted
    /// The age in days up to which the history of a new room is fetched; nil for all of it.
    package var historyDays: Int?
    /// The number of attempts to log in before a person must act.
    package var loginAttempts: Int
    package var signOfLifeInterval: Duration
    /// The bytes that may wait to be stored before reading stops.
    package var bufferBytes: Int

    /// Reads the account's table. Leaves every problem in `table`; a wrong setting has its default.
    package init(_ table: inout TableReader) {
        let server = table.server(
            expected: "ircs://HOST or ircs://HOST:PORT", IRCAddress.init, isSafe: { $0.isSecure || $0.isLoopback })
        self.server = server
        tls = CertificateTrust(
            &table, isSecure: server?.isSecure ?? true, schemes: (secure: "ircs://", plain: "irc://"))
        nick = Self.nick(&table)
        alternatives = Self.words(table.strings("alternative_nicks"), "alternative_nicks", &table)
        user = table.string("user", shownDefault: nick).flatMap { Self.words([$0], "user", &table).first }
        realName = table.string("real_name", shownDefault: "Scrollback, an archiver").flatMap {
            Self.line($0, "real_name", &table)
        }
        join = table.choice("join", default: .rooms)
        rooms = Self.words(table.strings("rooms"), "rooms", &table)
        if rooms.isEmpty, join == .rooms, !table.hasProblem(with: "rooms", "join") {
            table.reportMissingList("rooms", expected: "channels to join, such as [\"#example\"]; or join = \"*\"")
        }
        channelKeys = Self.channelKeys(&table)
        sasl = table.choice("sasl", default: .none)
        saslUser = table.string("sasl_user", shownDefault: nick)
        password = Secret.read("password", &table)
        serverPassword = Secret.read("server_password", &table)
        fallback = Self.encoding(&table)
        redacted = table.choice("redacted", default: .keep)
        signOfLifeInterval = table.signOfLifeInterval()
        bufferBytes = table.bufferBytes(default: 67_108_864)
        loginAttempts = table.integer("login_attempts", in: 1...100, default: 3)
        historyDays = table.optionalInteger("history_days", in: 0...36_500)
        checkLogin(&table)
    }

    private func checkLogin(_ table: inout TableReader) {
        guard !table.hasProblem(with: "sasl", "certificate_file", "password_file", "password_env") else { return }
        if sasl == .external, tls.certificate == nil {
            table.reportMissing("certificate_file", expected: "a certificate in PEM (sasl = \"external\" needs it)")
        }
        if sasl == .plain || sasl == .scram, password == nil {
            table.reportMissing("password_file", expected: "password_file or password_env (sasl needs a password)")
        }
        if password != nil, sasl == .none || sasl == .external {
            table.report(
                "sasl", expected: "\"plain\" or \"scram-sha-256\" (a password is set)",
                found: TableReader.quote(sasl.rawValue))
        }
    }

    /// Reads the keys. Reports a wrong line by its number without its content, which is secret.
    private static func channelKeys(_ table: inout TableReader) -> Secret? {
        guard let secret = Secret.read("channel_keys", &table, isList: true) else { return nil }
        if let line = IRCChannelKeys.parse(secret.value).wrongLine {
            table.report(
                secret.file == nil ? "channel_keys_env" : "channel_keys_file",
                expected: "one channel a line: its name, a space and its key, such as \"#example secret\"",
                found: "something else in line \(line)")
        }
        return secret
    }

    private static func encoding(_ table: inout TableReader) -> TextEncoding {
        let (key, standard) = ("fallback_encoding", TextEncoding.windows1252)
        guard let name = table.string(key, shownDefault: standard.rawValue) else { return standard }
        guard let encoding = TextEncoding(name: name), !encoding.isWide else {
            let names = TextEncoding.ofLines.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            table.report(key, expected: "one of \(names)", found: TableReader.quote(name))
            return standard
        }
        do {
            _ = try TextDecoder.of(encoding)
            return encoding
        } catch {
            table.report(
                key, expected: "an encoding that this machine can decode (\(MissingConverter.hint))",
                found: TableReader.quote(name))
            return standard
        }
    }

    private static func nick(_ table: inout TableReader) -> String {
        guard let nick = table.requiredString("nick", expected: "a nick") else { return "" }
        return words([nick], "nick", &table).first ?? ""
    }

    /// Checks words that are sent as parameters of a line. The server may still refuse them.
    private static func words(_ words: [String], _ key: String, _ table: inout TableReader) -> [String] {
        for word in words {
            let isWord = !word.isEmpty && !word.hasPrefix(":") && word.utf8.count <= 255
            if !isWord || word.utf8.contains(where: { $0 <= 0x20 || $0 == 0x2C || $0 == 0x7F }) {
                table.report(
                    key, expected: "up to 255 bytes without spaces, commas, control characters or a leading colon",
                    found: word.isEmpty ? "nothing" : TableReader.quote(word))
            }
        }
        return words
    }

    private static func line(_ text: String, _ key: String, _ table: inout TableReader) -> String? {
        guard !text.isEmpty, text.utf8.count <= 255, !text.utf8.contains(where: { $0 < 0x20 }) else {
            table.report(key, expected: "one line of up to 255 bytes", found: TableReader.quote(text))
            return nil
        }
        return text
    }
}

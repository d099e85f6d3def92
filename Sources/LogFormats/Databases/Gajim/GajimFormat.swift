import ChatModel

/// The database of the XMPP client Gajim, `logs.db`.
package struct GajimFormat: NetworkDatabaseFormat {
    package static let name = "gajim"
    package static let programs = "Gajim (its SQLite database)"
    package static let keepsNames = true
    /// 1 MiB. A stanza has at most 256 KiB on usual servers, and a corrected message has two texts.
    package static let maximumLine = 1024 * 1024
    package static let hidesOwner = true

    /// `gajim/common/storage/archive`: the tables of 1.9 and later first, those of 1.0 to 1.8, and those of 0.16, which
    /// have no accounts and ids.
    package static let schemas = [current, logs(withIDs: true), logs(withIDs: false)]

    private static let current = DatabaseSchema(
        tables: [
            "message": [
                "pk", "fk_account_pk", "fk_remote_pk", "resource", "type", "direction", "timestamp", "id", "stanza_id",
                "text", "correction_id",
            ],
            "account": ["pk", "jid"], "remote": ["pk", "jid"], "reply": ["fk_message_pk", "id"],
        ],
        keys: ["account": "pk", "remote": "pk", "reply": "fk_message_pk"],
        queries: [
            DatabaseSchema.Query(
                table: "message",
                columns: [
                    ("m.fk_account_pk", "network"), ("r.jid", "jid"), ("m.resource", "nick"),
                    // The numbers of the older tables.
                    ("CASE WHEN m.type = 2 THEN 2 WHEN m.direction = 2 THEN 6 ELSE 4 END", "kind"),
                    ("m.timestamp", "time"), ("m.text", "text"), ("m.id", "id"), ("m.correction_id", "replaced"),
                    ("a.id", "reply"), ("m.stanza_id", "archive"),
                ],
                joins: """
                    LEFT JOIN remote r ON r.pk = m.fk_remote_pk LEFT JOIN reply a ON a.fk_message_pk = m.pk
                    """)
        ])

    private static func logs(withIDs: Bool) -> DatabaseSchema {
        let own: Set = ["log_line_id", "jid_id", "contact_name", "time", "kind", "show", "message"]
        let newer = ["account_id", "message_id", "stanza_id", "additional_data"]
        return DatabaseSchema(
            tables: ["logs": withIDs ? own.union(newer) : own, "jids": ["jid_id", "jid"]],
            keys: ["jids": "jid_id"],
            queries: [
                DatabaseSchema.Query(
                    table: "logs",
                    columns: (withIDs ? [("m.account_id", "network")] : []) + [
                        ("j.jid", "jid"), ("m.contact_name", "nick"), ("m.kind", "kind"), ("m.show", "show"),
                        ("m.time", "time"), ("m.message", "text"),
                    ]
                        + (withIDs
                            ? [
                                ("m.message_id", "id"), ("m.stanza_id", "archive"), ("m.additional_data", "additional"),
                            ] : []),
                    joins: "LEFT JOIN jids j ON j.jid_id = m.jid_id")
            ])
    }

    package static func header(of file: some DatabaseFile) throws -> DatabaseHeader {
        let limit = DatabaseHeader.maximumNetworks
        if file.columns(of: "remote") != nil, file.columns(of: "message") != nil {
            let accounts = try DatabaseHeader.Network.all(
                of: file,
                """
                SELECT a.pk, a.jid, '' FROM account a
                WHERE EXISTS (SELECT 1 FROM message m WHERE m.fk_account_pk = a.pk) ORDER BY a.pk LIMIT \(limit)
                """)
            return DatabaseHeader(database: name, networks: accounts)
        }
        guard file.columns(of: "logs")?.contains("account_id") ?? false else { return DatabaseHeader(database: name) }
        let accounts = try DatabaseHeader.Network.all(
            of: file,
            """
            SELECT l.account_id, j.jid, '' FROM (SELECT DISTINCT account_id FROM logs LIMIT \(limit)) l
            LEFT JOIN jids j ON j.jid_id = l.account_id
            """)
        return DatabaseHeader(database: name, networks: accounts)
    }

    private let rows: DatabaseRows<GajimRow>
    private var corrections = XMPPCorrections()

    package init(_ source: LogSource) throws(LogSourceError) {
        rows = try DatabaseRows(source, Self.self, limit: Self.maximumLine)
    }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do {
            guard let (row, flags) = try rows.row(line) else { return .nothing }
            guard let entry = try row.entry(of: rows.network?.name) else { return .nothing }
            var message = corrections.message(entry, flags: flags)
            if let original = row.originalText {
                message.versions = [ImportedMessage.Version(at: message.time, body: original)]
            }
            return .message(message)
        } catch {
            return .unreadable(UnreadablePiece(error).reason)
        }
    }
}

private struct GajimRow: DatabaseRow {
    var network, error, jid, nick, kind, show, time, text, id, archive, replaced, reply, additional: String?

    /// Returns the row's message; nil for a contact's change of status.
    ///
    /// - Parameter account: The account's own address; nil in old databases.
    func entry(of account: String?) throws(UnreadablePiece) -> XMPPEntry? {
        guard let address = ExportText.name(jid) else { throw UnreadablePiece("it has no address") }
        // `KindConstant` in `gajim/common/const.py`.
        guard let kind = kind.flatMap({ Int($0) }) else { throw UnreadablePiece("its kind is not a number") }
        let (time, resolution) = try XMPPEntry.time(time)
        let nick = ExportText.name(nick)
        var entry = XMPPEntry(
            room: address, isDirect: true, sender: nil, text: text, time: time, resolution: resolution,
            id: ExportText.name(id), serverID: ExportText.name(archive), replaced: ExportText.name(replaced),
            replyTo: ExportText.name(reply))
        switch kind {
        case 1:
            entry.isDirect = false
            entry.text = status(of: nick)
        case 2: (entry.isDirect, entry.sender) = (false, nick)
        // Of a private message in a room, the address has the nickname.
        case 3, 4: entry.sender = XMPPAddress.resource(of: address) ?? address
        case 5, 6: entry.sender = account ?? OwnWord.sender
        case 0: return nil
        default: break
        }
        return entry
    }

    /// Returns a sentence about a person's presence in a room. The numbers are those of `ShowConstant`.
    private func status(of nick: String?) -> String {
        let states = ["online", "free for chat", "away", "not available", "busy", "offline"]
        let number = show.flatMap { Int($0) } ?? 0
        let state = states.indices.contains(number) ? states[number] : states[0]
        return "\(nick ?? "?") is \(state)" + (text.flatMap { $0.isEmpty ? nil : ": \($0)" } ?? "")
    }

    private struct Additional: Decodable {
        struct Corrected: Decodable { var original_text: String? }
        var corrected: Corrected?
    }

    /// The text before a correction; nil for a message that was not corrected.
    var originalText: String? {
        guard let additional, additional.contains("original_text"),
            let piece = try? JSONPiece<Additional>(
                LogLine(number: 1, bytes: Array(additional.utf8)[...]), limit: GajimFormat.maximumLine)
        else { return nil }
        return ExportText(lines: [piece.value.corrected?.original_text]).string
    }
}

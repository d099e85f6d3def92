import ChatModel

/// The SQLite database of a Quassel core.
package struct QuasselFormat: IRCDatabaseFormat {
    package static let name = "quassel"
    package static let programs = "Quassel core (its SQLite database)"
    /// 256 KiB: a line of IRC has 8 KiB, of which each byte may be written as six.
    package static let maximumLine = 256 * 1024

    /// `src/core/SQL/SQLite/setup_*.sql`. Schema 6 gave the types of messages their present numbers.
    package static let schemas = [
        DatabaseSchema(
            tables: [
                "backlog": ["messageid", "time", "bufferid", "type", "flags", "senderid", "message"],
                "buffer": ["bufferid", "networkid", "buffername", "buffertype"],
                "sender": ["senderid", "sender"],
                "network": ["networkid", "userid", "networkname"],
                "quasseluser": ["userid", "username"],
            ],
            keys: ["buffer": "bufferid", "sender": "senderid", "network": "networkid", "quasseluser": "userid"],
            queries: [
                DatabaseSchema.Query(
                    table: "backlog",
                    columns: [
                        ("b.networkid", "network"), ("b.buffername", "buffer"), ("b.buffertype", "buffer_type"),
                        ("m.time", "time"), ("m.type", "type"), ("m.flags", "flags"), ("s.sender", "sender"),
                        ("m.message", "message"),
                    ],
                    joins: """
                        LEFT JOIN buffer b ON b.bufferid = m.bufferid LEFT JOIN sender s ON s.senderid = m.senderid
                        """)
            ])
    ]

    package static func header(of file: some DatabaseFile) throws -> DatabaseHeader {
        let networks = try DatabaseHeader.Network.all(
            of: file,
            """
            SELECT n.networkid, n.networkname, u.username FROM network n
            LEFT JOIN quasseluser u ON u.userid = n.userid
            WHERE EXISTS (
                SELECT 1 FROM buffer b JOIN backlog m ON m.bufferid = b.bufferid WHERE b.networkid = n.networkid)
            ORDER BY n.networkid LIMIT \(DatabaseHeader.maximumNetworks)
            """)
        return DatabaseHeader(database: name, networks: networks)
    }

    private let rows: DatabaseRows<QuasselRow>

    package init(_ source: LogSource) throws(LogSourceError) {
        rows = try DatabaseRows(source, Self.self, limit: Self.maximumLine)
    }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do {
            guard let (row, flags) = try rows.row(line) else { return .nothing }
            guard let time = row.time.flatMap({ Int64($0) }) else { throw UnreadablePiece("its time is not a number") }
            guard let type = row.type.flatMap({ Int64($0) }) else { throw UnreadablePiece("its type is not a number") }
            let (instant, resolution) = Self.instant(time)
            let record = row.record(type: type)
            return .message(try record.message(in: room(of: row), at: instant, resolution, flags: flags))
        } catch {
            return .unreadable(UnreadablePiece(error).reason)
        }
    }

    /// Reads milliseconds, and the seconds of cores before schema 31. The upgrade to schema 31 multiplied the times by
    /// 1000, so a time in whole seconds may be precise to the second only.
    private static func instant(_ time: Int64) -> (Timestamp, TimeResolution) {
        // As milliseconds, 10^11 is in 1973; as seconds, in the year 5138.
        if time.magnitude < 100_000_000_000 { return (Timestamp(seconds: time), .second) }
        return (Timestamp(milliseconds: time), time % 1000 == 0 ? .second : .microsecond)
    }

    private func room(of row: QuasselRow) throws(UnreadablePiece) -> IRCLog.Room {
        // `BufferInfo::Type`: a network's own window has no name.
        if row.bufferType == "1" || row.buffer == "" {
            return IRCLog.Room(name: rows.network?.name ?? "status")
        }
        guard let name = ExportText.name(row.buffer) else { throw UnreadablePiece("it has no buffer") }
        return IRCLog.Room(name: name, isDirect: row.bufferType == "4" || !IRCRawLine.isChannel(name))
    }
}

private struct QuasselRow: DatabaseRow {
    var network, error, buffer, bufferType, time, type, flags, sender, message: String?

    private enum CodingKeys: String, CodingKey {
        case network, error, buffer, time, type, flags, sender, message
        case bufferType = "buffer_type"
    }

    /// The sender without its address: `alice!~alice@host`.
    private var nick: String? { sender.map { String($0.prefix { $0 != "!" }) } }

    /// Quassel's types (`Message::Type`), and the content of each (`eventstringifier.cpp`).
    func record(type: Int64) -> IRCRecord {
        let text = message ?? ""
        switch type {
        case 0x1: return IRCRecord(.message, nick, text)
        case 0x2: return IRCRecord(.notice, nick, text)
        case 0x4: return IRCRecord(.action, nick, text)
        case 0x8:
            // Of our own change, the sender is the new name.
            return nick == text ? .system("You are now known as \(text)") : IRCRecord(.rename, nick, text)
        case 0x10: return IRCRecord(.mode, nick, String(text.drop { $0 != " " }.dropFirst()))
        case 0x20: return IRCRecord(.join, nick, nil)
        case 0x40, 0x80: return IRCRecord(.leave, nick, text)
        case 0x100:
            let victim = text.prefix { $0 != " " }
            return .kick(String(victim), by: nick, String(text.dropFirst(victim.count + 1)))
        case 0x4000: return topic(text) ?? .system(text)
        case 0x8000, 0x10000: return .system(Self.netsplit(text, isQuit: type == 0x10000))
        default: return .system(text)
        }
    }

    /// Reads `alice has changed topic for #example to: "words"`, which Quassel writes in the user's language.
    private func topic(_ text: String) -> IRCRecord? {
        guard let match = text.wholeMatch(of: /([^ ]+) has changed topic for [^ ]+ to: "(.*)"/.dotMatchesNewlines())
        else { return nil }
        return IRCRecord(.topic, String(match.1), String(match.2))
    }

    /// Reads the people, with their addresses, and the reason of a netsplit, all parted by `#:#`.
    private static func netsplit(_ text: String, isQuit: Bool) -> String {
        let parts = text.split(separator: "#:#", omittingEmptySubsequences: false)
        let people = parts.dropLast().map { $0.prefix { $0 != "!" } }.joined(separator: ", ")
        return "netsplit \(isQuit ? "quits" : "joins") (\(parts.last ?? "")): \(people)"
    }
}

import ChatModel

/// The database of the IRC client The Lounge: a table of messages, each with the client's own object as JSON.
package struct TheLoungeFormat: IRCDatabaseFormat {
    package static let name = "thelounge"
    package static let programs = "The Lounge (its SQLite database)"
    /// 1 MiB: a line of IRC has 8 KiB, and the object lists people of its text.
    package static let maximumLine = 1024 * 1024

    /// `server/plugins/messageStorage/sqlite.ts`. Versions of 2026 have the column `msgid`.
    package static let schemas = [["msgid"], []].map { newer in
        let columns = ["network", "channel", "time", "type", "msg"] + newer
        return DatabaseSchema(
            tables: ["messages": Set(columns)],
            queries: [DatabaseSchema.Query(table: "messages", columns: columns.map { ("m.\($0)", $0) })])
    }

    private let rows: DatabaseRows<Row>

    package init(_ source: LogSource) throws(LogSourceError) {
        rows = try DatabaseRows(source, Self.self, limit: Self.maximumLine)
    }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do {
            guard let (row, flags) = try rows.row(line) else { return .nothing }
            guard let milliseconds = row.time.flatMap({ Int64($0) }) else {
                throw UnreadablePiece("its time is not a number")
            }
            guard let channel = row.channel.flatMap({ ExportText.name($0) }) else {
                throw UnreadablePiece("it has no channel")
            }
            guard let message = row.msg else { throw UnreadablePiece("it has no \"msg\"") }
            var record = message.record(row.type ?? "message")
            record.remoteID = record.remoteID ?? ExportText.name(row.msgid)
            return .message(
                record.message(
                    in: room(channel), at: Timestamp(milliseconds: milliseconds), .microsecond, flags: flags))
        } catch {
            return .unreadable(UnreadablePiece(error).reason)
        }
    }

    /// Returns the room of a channel; the server's window has the network's name.
    private func room(_ channel: String) -> IRCLog.Room {
        let isServer = channel.lowercased() == rows.network?.name.lowercased()
        return IRCLog.Room(name: channel, isDirect: !isServer && !IRCRawLine.isChannel(channel))
    }
}

private struct Row: DatabaseRow {
    var network, error, channel, time, type, msgid: String?
    var msg: LoungeMessage?
}

/// The Lounge's object of a message (`server/models/msg.ts`).
struct LoungeMessage: Decodable {
    /// A person: an object, or a name in old versions.
    struct Person: Decodable {
        var nick: String?

        private struct Object: Decodable { var nick: String? }

        init(from decoder: any Decoder) throws {
            let name = try? decoder.singleValueContainer().decode(String.self)
            nick = try name ?? Object(from: decoder).nick
        }
    }

    var from, target: Person?
    var text, new_nick, new_host, new_ident, ctcpMessage, channel, command, msgid, replyTo: String?
    /// The names of the people who reacted, by reaction.
    var reactions: [String: [String]]?

    func record(_ type: String) -> IRCRecord {
        let sender = from?.nick
        switch type {
        case "message", "action", "notice", "wallops":
            let kinds: [String: MessageKind] = ["message": .message, "action": .action]
            return said(IRCRecord(kinds[type] ?? .notice, sender, text))
        case "join": return IRCRecord(.join, sender, nil)
        case "part", "quit": return IRCRecord(.leave, sender, text)
        case "kick": return .kick(target?.nick ?? "?", by: sender, text)
        case "nick": return IRCRecord(.rename, sender, new_nick)
        case "mode", "mode_channel": return IRCRecord(.mode, sender, text.map(ColumnMapping.trimmed))
        case "topic": return IRCRecord(.topic, sender, text)
        case "invite": return IRCRecord(.invite, sender, target?.nick ?? channel)
        case "chghost": return .system("\(sender ?? "?") has changed to \(new_ident ?? "")@\(new_host ?? "")")
        case "away", "back": return .system("\(sender ?? "?") is \(type)" + (text.map { ": \($0)" } ?? ""))
        case "ctcp", "ctcp_request": return .system("CTCP \(ctcpMessage ?? command ?? "") (\(sender ?? "?"))")
        default: return .system([sender, text ?? type].compactMap(\.self).joined(separator: ": "))
        }
    }

    private func said(_ record: IRCRecord) -> IRCRecord {
        var record = record
        (record.remoteID, record.replyTo) = (ExportText.name(msgid), ExportText.name(replyTo))
        guard record.remoteID != nil else { return record }
        record.reactions = (reactions ?? [:]).sorted { $0.key < $1.key }.flatMap { text, people in
            people.map { ImportedMessage.Reaction(text: text, user: ExportText.name($0) ?? "?") }
        }
        return record
    }
}

import Bytes
import ChatModel

/// The JSON that KnugiHK's WhatsApp Chat Exporter (`wtsexporter -j`) writes of a phone's database: all chats in one file,
/// or one file for each chat. Both are objects of chats by their addresses.
package struct WhatsAppExporterFormat: LogFormat {
    package static let name = "whatsapp-exporter"
    package static let programs = "WhatsApp Chat Exporter (wtsexporter, JSON)"
    /// 1 MiB: a message has at most 65,536 characters, of which each may be written as six bytes.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false
    package static let ownerWords = [OwnWord.sender]

    private var chat = ""
    private var name: String?

    private static let places = ["*.name", "*.messages.*"]

    package static func recognises(_ source: LogSource) -> Bool {
        let pieces = JSONPieceCutter.pieces(of: source.beginning, at: places)
        return pieces.contains { piece in
            guard piece.keys.count == 3, let json = try? JSONValue(object: piece, limit: maximumLine) else {
                return false
            }
            return json["from_me"] != nil && json["timestamp"] != nil && json.has("key_id")
        }
    }

    package static func cutter() -> any SourceCutter { JSONPieceCutter(places: places, maximumPiece: maximumLine) }

    package init(_ source: LogSource) {}

    package var hasOwnRooms: Bool { true }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            if let first = line.keys.first, first != chat { (chat, name) = (first, nil) }
            guard line.keys.count == 3 else {
                name = ExportText.name(try JSONValue(line, limit: Self.maximumLine).text)
                return .nothing
            }
            return .message(try message(JSONValue(object: line, limit: Self.maximumLine)))
        } catch {
            return .unreadable(error.reason)
        }
    }

    private func message(_ json: JSONValue) throws(UnreadablePiece) -> ImportedMessage {
        guard let time = Timestamp(secondsText: try json.required("timestamp").scalar().text) else {
            throw UnreadablePiece("its \"timestamp\" is not a time")
        }
        guard !chat.isEmpty else { throw UnreadablePiece("the export names no chat before it") }
        let isGroup = chat.hasSuffix("@g.us")
        let number = chat.split(separator: "@").first.map(String.init) ?? chat
        let room = name ?? ExportText.name(number) ?? chat
        let isOwn = try json.isTrue("from_me")
        let isNotice = try json.isTrue("meta")
        let sender = isOwn ? OwnWord.sender : ExportText.name(try json.text("sender"), isGroup ? nil : room)
        let isMedia = try json.isTrue("media")
        let data = json["data"]?.text ?? json["data"]?.number
        let body = data.map { $0.replacing(" <br>", with: "\n").replacing("<br>", with: "\n") }
        let isSystem = isNotice || sender == nil
        let text = ExportText(lines: [isMedia && !isNotice ? nil : body, try json.text("caption")])
        var imported = ImportedMessage(
            room: room, roomKey: chat.withoutNUL, roomKind: isGroup ? .group : .direct,
            kind: isSystem ? .system : .message,
            sender: isSystem ? nil : sender, senderKey: nil, body: text.string, time: time, resolution: .microsecond,
            remoteID: try json.scalar("key_id")?.id, flags: json.flags.union(text.flags),
            replyTo: try json.scalar("reply")?.id)
        if isMedia, !isNotice, let path = ExportText.name(data) {
            imported.files = [ImportedMessage.File(path: path)]
        }
        for (user, emoji) in try json.object("reactions")?.members ?? [] {
            guard let emoji = ExportText.name(emoji.text) else { continue }
            let name = user == "You" ? OwnWord.sender : ExportText.name(user) ?? "?"
            imported.reactions.append(ImportedMessage.Reaction(text: emoji, user: name))
        }
        return imported
    }
}

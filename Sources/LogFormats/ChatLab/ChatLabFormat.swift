import Bytes
import ChatModel

/// ChatLab's exchange format, which exporters of WeChat, QQ and other services write: a chat as one JSON document, or as
/// lines of JSON (version 0.0.1 and 0.0.2 of the format).
package struct ChatLabFormat: LogFormat {
    package static let name = "chatlab"
    package static let programs = "ChatLab (JSON, JSONL), WeFlow"
    /// 1 MiB: a message has at most some kilobytes, and the messages forwarded in it; the chat has its picture.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false
    package static let ownerWords = [OwnWord.sender]

    private struct Chat {
        var name: String?
        var key: String?
        var owner: String?
        var kind: RoomReference.Kind
    }

    private let givenRoom: String?
    private let fileRoom: String?
    private var chat: Chat?
    /// The number of messages above the chat's name.
    private var early = 0
    private var omissions = ExportOmissions()

    // MARK: - Recognition

    private static let messages = "messages[]"
    /// The first key of a line.
    private static let firstKey = "_type"

    package static func recognises(_ source: LogSource) -> Bool {
        if LinesOrDocumentCutter.hasLines(source.beginning, from: firstKey) {
            let line = IRCLog.eachLine(of: source.beginning).first {
                $0.first { !Byte.isJSONSpace($0) } == Byte.objectStart
            }
            let json = line.flatMap { try? JSONValue(object: LogLine(number: 1, bytes: $0), limit: maximumLine) }
            return json?["chatlab"] != nil && json?["meta"] != nil
        }
        let pieces = JSONPieceCutter.pieces(of: source.beginning, at: ["chatlab", "session", "session.type", messages])
        func first(_ place: String) -> JSONValue? {
            pieces.first { $0.place == place }.flatMap { try? JSONValue(object: $0, limit: maximumLine) }
        }
        // Older versions of WeFlow begin their own form in the same way.
        guard first("chatlab")?["version"] != nil, !pieces.contains(where: { $0.place == "session" }) else {
            return false
        }
        return first(messages).map { $0["timestamp"] != nil || $0["createTime"] == nil } ?? true
    }

    package static func cutter() -> any SourceCutter {
        LinesOrDocumentCutter(linesFrom: firstKey, places: ["meta", messages], maximumPiece: maximumLine)
    }

    package init(_ source: LogSource) {
        givenRoom = source.room?.withoutNUL
        let stem = source.name.split(separator: ".").dropLast().joined(separator: ".")
        fileRoom = ExportText.name(stem, source.name)
    }

    package var assumptions: [String] {
        let words = "messages without the chat's name above them, which get the room of the file's name"
        return (early > 0 ? ["\(words): \(early)"] : []) + omissions.assumptions(zone: "")
    }
    package var unknownKinds: UnknownKinds { omissions.kinds }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        // Lines may be comments.
        let first = line.bytes.first { !Byte.isJSONSpace($0) }
        if line.place.isEmpty, first == nil || first == UInt8(ascii: "#") { return .nothing }
        do throws(UnreadablePiece) {
            let json = try JSONValue(object: line, limit: Self.maximumLine)
            switch line.place.isEmpty ? try json.text(Self.typeKey) ?? "" : line.place {
            case "meta": try note(chat: json)
            case "header": if let chat = try json.object("meta") { try note(chat: chat) }
            case "member": break
            case "message", Self.messages: return .message(try message(json))
            default: throw UnreadablePiece("its \"_type\" is unknown")
            }
            return .nothing
        } catch {
            return .unreadable(error.reason)
        }
    }

    private static let typeKey: StaticString = "_type"

    private mutating func note(chat json: JSONValue) throws(UnreadablePiece) {
        let isGroup = try json.text("type") == "group"
        chat = Chat(
            name: ExportText.name(try json.text("name")), key: ExportText.name(try json.scalar("groupId")?.id),
            owner: ExportText.name(try json.scalar("ownerId")?.id), kind: isGroup ? .group : .direct)
    }

    private mutating func message(_ json: JSONValue) throws(UnreadablePiece) -> ImportedMessage {
        guard let room = givenRoom ?? chat?.name ?? fileRoom else {
            throw UnreadablePiece("the export names no chat before it")
        }
        guard let time = Timestamp(secondsText: try json.required("timestamp").scalar().text) else {
            throw UnreadablePiece("its \"timestamp\" is not a time")
        }
        if givenRoom == nil, chat == nil { early += 1 }
        let type = ChatLabType(try json.scalar("type")?.integer ?? 0)
        let key = ExportText.name(try json.scalar("sender")?.id)
        let isOwn = key != nil && key == chat?.owner
        let name = ExportText.name(try json.text("groupNickname"), try json.text("accountName"), key)
        let isSystem = type.isNotice || name == nil
        let content = try json.text("content")
        let path = type.hasFile ? content.flatMap(MediaPath.path) : nil
        let text = ExportText(lines: [path == nil ? content ?? type.word : nil] + (try Self.forwarded(json)))
        if path == nil, text.string == nil { omissions.count(kind: type.name) }
        return ImportedMessage(
            room: room, roomKey: givenRoom == nil ? chat?.key : nil, roomKind: chat?.kind ?? .group,
            kind: isSystem ? .system : .message, sender: isSystem ? nil : isOwn ? OwnWord.sender : name,
            senderKey: isSystem || isOwn ? nil : key, body: text.string, time: time, resolution: .second,
            remoteID: try json.scalar("platformMessageId")?.id, flags: json.flags.union(text.flags),
            replyTo: try json.scalar("replyToMessageId")?.id, files: path.map { [ImportedMessage.File(path: $0)] } ?? []
        )
    }

    /// More than the text of a message can hold.
    private static let maximumForwarded = 1000

    /// Returns a line for each message that was forwarded in a message.
    private static func forwarded(_ json: JSONValue) throws(UnreadablePiece) -> [String?] {
        var lines: [String?] = []
        for record in try json.objects("chatRecords").prefix(maximumForwarded) {
            let name = ExportText.name(try record.text("accountName")) ?? "?"
            let type = ChatLabType(try record.scalar("type")?.integer ?? 0)
            let content = try record.text("content") ?? type.word
            lines.append(content.map { "\(name): \($0)" })
        }
        return lines
    }
}

/// The type of a message in ChatLab's format.
struct ChatLabType {
    private let number: Int64

    init(_ number: Int64) {
        self.number = number
    }

    private static let names: [Int64: String] = [
        0: "text", 1: "image", 2: "voice", 3: "video", 4: "file", 5: "sticker", 7: "link", 8: "location",
        20: "red packet", 21: "transfer", 22: "poke", 23: "call", 24: "share", 25: "reply", 26: "forwarded",
        27: "contact", 80: "notice", 81: "recalled",
    ]

    var name: String { Self.names[number] ?? "type \(number)" }

    /// True for a notice of the service, such as one of a recalled message.
    var isNotice: Bool { number == 80 || number == 81 }

    /// True if the text may be the path of a file.
    var hasFile: Bool { (1...5).contains(number) }

    /// The text of a message that has none; nil for a text.
    var word: String? { number == 0 || Self.names[number] == nil ? nil : "[\(name)]" }
}

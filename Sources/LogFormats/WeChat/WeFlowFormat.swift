import Bytes
import ChatModel

/// The JSON of the WeChat exporters WeFlow and EchoTrace: one file for each chat, with the chat in `session`. Of WeFlow's
/// forms, this is "JSON" and not "arkme JSON".
package struct WeFlowFormat: LogFormat {
    package static let name = "weflow"
    package static let programs = "WeFlow, EchoTrace (JSON)"
    /// 1 MiB: a message has at most some kilobytes. The chat's picture is left out.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false
    package static let ownerWords = [OwnWord.sender]

    /// The values of the chat, by their keys.
    private struct Session {
        var values: [String: String] = [:]

        var key: String? { values["wxid"] ?? values["accountId"] ?? values["username"] }
        var name: String? { values["displayName"] ?? values["nickname"] ?? key }
        var isGroup: Bool { key?.hasSuffix("@chatroom") ?? false }
    }

    private let givenRoom: String?
    private let fileRoom: String?
    private var session: Session?
    private var omissions = ExportOmissions()

    // MARK: - Recognition

    private static let messages = "messages[]"
    private static let session = "session"
    /// The values of the chat that are read, one by one, because its picture has any size.
    private static let sessionKeys = ["wxid", "accountId", "username", "displayName", "nickname"]

    private static func places(_ keys: [String]) -> [String] {
        [session] + keys.map { "\(session).\($0)" } + [messages]
    }

    /// Recognises WeFlow by its head, and EchoTrace by the chat and the first message. A chat with a large picture has no
    /// message in the file's beginning.
    package static func recognises(_ source: LogSource) -> Bool {
        let facts = ["displayName", "messageCount", "lastTimestamp"]
        let pieces = JSONPieceCutter.pieces(of: source.beginning, at: ["weflow"] + places(facts))
        func first(_ place: String) -> JSONValue? {
            pieces.first { $0.place == place }.flatMap { try? JSONValue(object: $0, limit: maximumLine) }
        }
        func hasSession(_ fact: String) -> Bool { pieces.contains { $0.place == "\(session).\(fact)" } }
        if let head = first("weflow") { return head["format"] == nil }
        guard hasSession("messageCount"), hasSession("displayName") else { return false }
        guard let message = first(messages) else {
            return source.beginning.count >= LogSource.beginningSize && hasSession("lastTimestamp")
        }
        return message["createTime"] != nil && message["localType"] != nil && message.has("isSend")
    }

    package static func cutter() -> any SourceCutter {
        JSONPieceCutter(places: places(sessionKeys), maximumPiece: maximumLine)
    }

    package init(_ source: LogSource) {
        givenRoom = source.room?.withoutNUL
        fileRoom = ExportText.name(source.name.hasSuffix(".json") ? String(source.name.dropLast(5)) : source.name)
    }

    package var assumptions: [String] { omissions.assumptions(zone: "") }
    package var unknownKinds: UnknownKinds { omissions.kinds }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            // The beginning of the chat has no bytes.
            if line.place == Self.session, line.bytes.isEmpty {
                session = Session()
                return .nothing
            }
            guard let key = Self.sessionKeys.first(where: { line.place == "\(Self.session).\($0)" }) else {
                return .message(try message(JSONValue(object: line, limit: Self.maximumLine)))
            }
            let value = try JSONValue(line, limit: Self.maximumLine)
            session?.values[key] = value.isNull ? nil : ExportText.name(try value.requiredText())
            return .nothing
        } catch {
            return .unreadable(error.reason)
        }
    }

    private mutating func message(_ json: JSONValue) throws(UnreadablePiece) -> ImportedMessage {
        guard let room = givenRoom ?? session?.name ?? fileRoom else {
            throw UnreadablePiece("the export names no chat before it")
        }
        guard let seconds = try json.required("createTime").scalar().integer else {
            throw UnreadablePiece("its \"createTime\" is not a whole number")
        }
        let type = try json.text("type") ?? ""
        let isOwn = try json.scalar("isSend")?.integer == 1
        let sender = try sender(json, isOwn: isOwn)
        let isSystem = Self.noticeTypes.contains(type) || json["isSend"] == nil || sender == nil
        let content = json["content"]?.text ?? json["content"].map { LogText($0.json).string }
        let path = Self.fileTypes.contains(type) ? content.flatMap(MediaPath.path) : nil
        let text = ExportText(lines: [path == nil ? content?.trimmedOfBlanks : nil])
        if path == nil, text.string == nil { omissions.count(kind: type.isEmpty ? "message" : type) }
        return ImportedMessage(
            room: room, roomKey: givenRoom == nil ? session?.key : nil,
            roomKind: session?.isGroup ?? false ? .group : .direct, kind: isSystem ? .system : .message,
            sender: isSystem ? nil : sender?.name, senderKey: isSystem ? nil : sender?.key, body: text.string,
            time: Timestamp(seconds: seconds), resolution: .second,
            remoteID: try json.scalar("platformMessageId")?.id, flags: json.flags.union(text.flags),
            replyTo: try json.scalar("replyToMessageId")?.id, files: path.map { [ImportedMessage.File(path: $0)] } ?? []
        )
    }

    /// Returns the sender. In a conversation of two, one without a name is the other person.
    private func sender(_ json: JSONValue, isOwn: Bool) throws(UnreadablePiece) -> (name: String, key: String?)? {
        if isOwn { return (OwnWord.sender, nil) }
        let key = ExportText.name(try json.text("senderUsername"))
        // A group's own notices have the group as their sender.
        if key?.hasSuffix("@chatroom") ?? false { return nil }
        if let name = ExportText.name(try json.text("senderDisplayName"), key) { return (name, key) }
        guard let session, !session.isGroup, let name = session.name else { return nil }
        return (name, session.key)
    }

    /// The types whose text is a notice of WeChat.
    private static let noticeTypes: Set = ["系统消息", "拍一拍消息"]
    /// The types whose text is the path of a file, if the files were exported.
    private static let fileTypes: Set = ["图片消息", "语音消息", "视频消息", "动画表情", "文件消息"]
}

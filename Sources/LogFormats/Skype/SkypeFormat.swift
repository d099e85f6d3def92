import Bytes
import ChatModel

/// The export of Skype, and of Teams Free after it: all conversations in `messages.json`, the newest messages first.
package struct SkypeFormat: LogFormat {
    package static let name = "skype"
    package static let programs = "Skype, Teams Free (messages.json)"
    /// 1 MiB: a message has at most 28 KiB of HTML; the list of members of a large group has some 100 KiB.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false

    private struct Conversation {
        var id: String
        var name: String?
        var topic: String?
    }

    private var owner: String?
    private var conversation: Conversation?
    private var omissions = ExportOmissions()

    private static let list = "conversations[].MessageList[]"

    package static func recognises(_ source: LogSource) -> Bool {
        let pieces = JSONPieceCutter.pieces(of: source.beginning, at: ["userId", "exportDate", "conversations[].id"])
        return ["userId", "exportDate", "conversations[].id"].allSatisfy { place in
            pieces.contains { $0.place == place }
        }
    }

    package static func cutter() -> any SourceCutter {
        JSONPieceCutter(
            places: [
                "userId", "conversations[].id", "conversations[].displayName", "conversations[].threadProperties", list,
            ], maximumPiece: maximumLine)
    }

    package init(_ source: LogSource) {}

    package var hasOwnRooms: Bool { true }
    package var assumptions: [String] { omissions.assumptions(zone: "") }
    package var unknownKinds: UnknownKinds { omissions.kinds }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            let json = try JSONValue(line, limit: Self.maximumLine)
            switch line.place {
            case "userId": owner = json.text
            case "conversations[].id": conversation = Conversation(id: try json.requiredText().withoutNUL)
            case "conversations[].displayName": conversation?.name = ExportText.name(json.text)
            case "conversations[].threadProperties": conversation?.topic = ExportText.name(try json.text("topic"))
            default: return .message(try message(JSONValue(object: line, limit: Self.maximumLine)))
            }
            return .nothing
        } catch {
            return .unreadable(error.reason)
        }
    }

    private mutating func message(_ json: JSONValue) throws(UnreadablePiece) -> ImportedMessage {
        guard let conversation else { throw UnreadablePiece("the export names no conversation before it") }
        let isDirect = !conversation.id.hasPrefix("19:")
        let from = ExportText.name(try json.text("from"))
        let sender = from.flatMap { $0.hasPrefix("19:") ? nil : $0 }
        let name = ExportText.name(try json.text("displayName"), sender.map(Self.shown))
        var imported = ImportedMessage(
            room: ExportText.name(conversation.name, conversation.topic, Self.shown(conversation.id)) ?? "conversation",
            roomKey: conversation.id, roomKind: isDirect ? .direct : .group, kind: sender == nil ? .system : .message,
            sender: sender == nil ? nil : name, senderKey: sender, body: nil, time: try Self.time(json),
            resolution: .microsecond, remoteID: try json.scalar("id")?.id)
        let type = try json.text("messagetype") ?? "Text"
        let written = try json.text("content") ?? ""
        let content = SkypeContent(written)
        // A plain text is not HTML, except for Skype's own marks.
        let isPlain = type == "Text" && content.originalTime == nil && content.quote.isEmpty
        let lines = read(content, type, try Self.fileIDs(json, content), &imported)
        let text = ExportText(lines: isPlain ? [written] : lines)
        (imported.body, imported.flags) = (text.string, json.flags.union(text.flags))
        imported.replyTo = content.quoted
        let properties = try json.object("properties")
        try setTimes(&imported, content, properties)
        if let deleted = try Self.milliseconds(properties, "deletetime") {
            (imported.body, imported.deletedAt, imported.editedAt) = (nil, deleted, nil)
        } else if text.string == nil, imported.files.isEmpty, imported.kind == .message {
            if content.originalTime != nil {
                imported.deletedAt = imported.editedAt
            } else {
                omissions.count(kind: type)
            }
        }
        imported.reactions = try Self.reactions(properties)
        return imported
    }

    /// Sets the time of an edit. An edited message arrives when it is edited, and its text has the time of the first one.
    private func setTimes(
        _ imported: inout ImportedMessage, _ content: SkypeContent, _ properties: JSONValue?
    ) throws(UnreadablePiece) {
        let arrival = imported.time
        let original = content.originalTime.map(Timestamp.init(milliseconds:))
        imported.time = min(arrival, original ?? arrival)
        imported.editedAt = try Self.milliseconds(properties, "edittime") ?? original.map { max(arrival, $0) }
    }

    /// Returns the ids of a message's files: `amsreferences`, else the one in the text.
    private static func fileIDs(_ json: JSONValue, _ content: SkypeContent) throws(UnreadablePiece) -> [String] {
        let references = try json.list("amsreferences").prefix(maximumFiles).compactMap { ExportText.name($0.text) }
        return references.isEmpty ? content.fileID.map { [$0] } ?? [] : references
    }

    /// More than an album can have.
    private static let maximumFiles = 200
    /// More than a message has.
    private static let maximumReactions = 1000

    /// Returns the reactions: `emotions`, a list or its JSON in a text.
    private static func reactions(_ properties: JSONValue?) throws(UnreadablePiece) -> [ImportedMessage.Reaction] {
        guard let properties, var emotions = properties["emotions"], !emotions.isNull else { return [] }
        if let text = emotions.text {
            guard !text.isEmpty else { return [] }
            emotions = try JSONValue(LogLine(number: 1, bytes: Array(text.utf8)[...]), limit: maximumLine)
        }
        var reactions: [ImportedMessage.Reaction] = []
        for emotion in try emotions.elements() {
            let key = ExportText.name(try emotion.text("key")) ?? "?"
            for user in try emotion.objects("users") {
                guard let id = ExportText.name(try user.text("mri")), reactions.count < maximumReactions else {
                    continue
                }
                reactions.append(
                    ImportedMessage.Reaction(
                        text: ":\(key):", user: shown(id), userKey: id, at: try milliseconds(user, "time")))
            }
        }
        return reactions
    }

    private static func time(_ json: JSONValue) throws(UnreadablePiece) -> Timestamp {
        let text = try json.required("originalarrivaltime").requiredText()
        guard let time = WrittenTime(text)?.instants(in: .gmt).first else {
            throw UnreadablePiece("its \"originalarrivaltime\" is not a time")
        }
        return time
    }

    private static func milliseconds(_ json: JSONValue?, _ key: StaticString) throws(UnreadablePiece) -> Timestamp? {
        try json?.scalar(key)?.integer.map(Timestamp.init(milliseconds:))
    }

    /// Returns `bob` for `8:bob` and `8:live:bob`.
    private static func shown(_ id: String) -> String {
        let name = id.split(separator: ":").last.map(String.init) ?? id
        return id.hasPrefix("8:") || id.hasPrefix("28:") ? name : id
    }

    /// Sets the kind and the files of a message, and returns its lines.
    private mutating func read(
        _ content: SkypeContent, _ type: String, _ files: [String], _ imported: inout ImportedMessage
    ) -> [String?] {
        let initiator = content.texts("initiator").first
        let targets = content.texts("target")
        func act(_ kind: MessageKind) {
            guard let actor = initiator ?? imported.senderKey else { return imported.kind = .system }
            if actor != imported.senderKey {
                (imported.sender, imported.senderKey) = (Self.shown(actor), actor)
            }
            imported.kind = kind
        }
        switch type {
        case "Text", "RichText": return content.quote + [content.text.trimmedOfBlanks]
        case "ThreadActivity/AddMember":
            let isAlone = targets == [initiator ?? ""]
            act(isAlone ? .join : .invite)
            return isAlone ? [] : [targets.map(Self.shown).joined(separator: ", ")]
        case "ThreadActivity/DeleteMember":
            let isAlone = targets == [initiator ?? ""]
            act(isAlone ? .leave : .kick)
            return isAlone ? [] : [targets.map(Self.shown).joined(separator: ", ")]
        case "ThreadActivity/TopicUpdate":
            act(.topic)
            return [content.texts("value").first]
        case "Event/Call":
            act(.action)
            let seconds = content.texts("duration").compactMap { Double($0) }.max() ?? 0
            let words = content.texts("type").first == "missed" ? "called: missed" : "called"
            return [seconds >= 1 && seconds < 1e9 ? "\(words) (\(Int64(seconds)) seconds)" : words]
        case "RichText/Contacts", "RichText/Location": return content.lines
        default: return other(content, type, files, &imported)
        }
    }

    private mutating func other(
        _ content: SkypeContent, _ type: String, _ files: [String], _ imported: inout ImportedMessage
    ) -> [String?] {
        if type.hasPrefix("ThreadActivity/") {
            let words = type.dropFirst("ThreadActivity/".count)
            imported.kind = imported.sender == nil ? .system : .action
            return [String(words), content.texts("value").first]
        }
        let name = ExportText.name(content.fileName)
        if type.hasPrefix("RichText"), !files.isEmpty {
            imported.files = files.enumerated().map { index, id in
                ImportedMessage.File(
                    path: index == 0 ? name ?? id : id, copies: Self.places(of: id, named: index == 0 ? name : nil))
            }
            return []
        }
        if let name {
            imported.files = [ImportedMessage.File(path: name)]
            omissions.countFile()
            return []
        }
        if type.hasPrefix("RichText") { return content.quote + [content.text.trimmedOfBlanks] }
        (imported.kind, imported.sender, imported.senderKey) = (.system, nil, nil)
        return [type == "Notice" || type == "PopCard" ? nil : type, content.text.trimmedOfBlanks]
    }

    /// Returns the paths that a file may have in the export: `media/ID.1.jpg`.
    private static func places(of id: String, named name: String?) -> [String] {
        let parts = name?.split(separator: ".") ?? []
        let own = parts.count > 1 ? parts.last.map { ".\($0)" } ?? "" : ""
        return ([own] + [".jpg", ".jpeg", ".png", ".gif", ".mp4", ".m4a", ""].filter { $0 != own }).map { ending in
            "media/\(id).1\(ending)"
        }
    }
}

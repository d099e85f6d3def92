import Bytes
import ChatModel

/// Google Chat in a download of Google Takeout: a folder for each conversation and space, with `messages.json` and
/// `group_info.json`, and `user_info.json` of the account's owner.
package struct GoogleChatFormat: LogFormat {
    package static let name = "google-chat"
    package static let programs = "Google Chat (Takeout)"
    /// 1 MiB: a message has at most 32,000 bytes, and the previews of its links.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false

    private struct Group {
        var name: String?
        /// The names of the first people other than the owner, at most ``maximumNames``.
        var people: [String] = []
        var count = 0
    }

    private let givenRoom: String?
    private var folder: String?
    private var group = Group()
    private var owner: String?
    private var isSeveral = false
    private var file = ""

    private static let maximumNames = 10

    // MARK: - Recognition

    private static let messages = "messages[]"

    package static func recognises(_ source: LogSource) -> Bool {
        let pieces = JSONPieceCutter.pieces(of: source.beginning, at: [messages])
        return pieces.contains { piece in
            guard let json = try? JSONValue(object: piece, limit: maximumLine) else { return false }
            return json["created_date"] != nil && (json["creator"]?.isObject == true || json["message_state"] != nil)
                && (json["topic_id"] != nil || json["message_id"] != nil)
        }
    }

    package static func cutter() -> any SourceCutter {
        JSONPieceCutter(places: [messages, "user", "name", "members[]"], maximumPiece: maximumLine)
    }

    /// Returns the owner's file, and after it the files of each conversation; nil for a folder without conversations.
    /// A conversation's own folder is such an export, too.
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
        var groups: [String: (info: Int?, messages: Int?)] = [:]
        var folders: [String] = []
        var owner: [Int] = []
        for (index, path) in paths.enumerated() {
            let parts = path.split(separator: "/")
            guard parts.count <= 3, let name = parts.last else { continue }
            if name == "user_info.json" { owner = [index] }
            guard name == "group_info.json" || name == "messages.json" else { continue }
            let folder = String(path.dropLast(name.count))
            if groups[folder] == nil { folders.append(folder) }
            if name == "messages.json" {
                groups[folder, default: (nil, nil)].messages = index
            } else {
                groups[folder, default: (nil, nil)].info = index
            }
        }
        let files = folders.flatMap { folder -> [Int] in
            guard let group = groups[folder], let info = group.info, let messages = group.messages else { return [] }
            return [info, messages]
        }
        return files.isEmpty ? nil : owner + files
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
        folder = source.folders.last
    }

    package mutating func begin(file path: String) {
        let parts = path.split(separator: "/").map(String.init)
        isSeveral = isSeveral || parts.count > 1
        if let inner = parts.dropLast().last, inner != folder { (folder, group) = (inner, Group()) }
        file = parts.last ?? ""
    }

    package var hasOwnRooms: Bool { isSeveral }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            switch line.place {
            case "user":
                owner = try JSONValue(object: line, limit: Self.maximumLine).scalar("email")?.id
                return .nothing
            case "name":
                group.name = ExportText.name(try JSONValue(line, limit: Self.maximumLine).text)
                return .nothing
            case "members[]":
                let member = try JSONValue(object: line, limit: Self.maximumLine)
                group.count += 1
                let email = try member.text("email")
                let name = ExportText.name(try member.text("name"), email)
                if let name, owner == nil || owner != email, group.people.count < Self.maximumNames {
                    group.people.append(name)
                }
                return .nothing
            default: return .message(try message(JSONValue(object: line, limit: Self.maximumLine)))
            }
        } catch {
            return .unreadable(error.reason)
        }
    }

    private func message(_ json: JSONValue) throws(UnreadablePiece) -> ImportedMessage {
        let deleted = try Self.time(json, "deleted_date")
        // A deleted message may have only the time of its deletion.
        guard let time = try Self.time(json, "created_date") ?? deleted else {
            throw UnreadablePiece("it has no \"created_date\"")
        }
        let creator = try json.object("creator")
        let email = try creator?.text("email")
        let id = ExportText.name(try json.text("message_id"))
        let text = ExportText(lines: try lines(of: json))
        let state = try json.text("message_state")
        let isDeleted = deleted != nil || state == "DELETED"
        var flags = json.flags.union(text.flags)
        if try creator?.text("user_type") == "Bot" { flags.insert(.bot) }
        // SPACE/TOPIC/MESSAGE
        let parts = id?.split(separator: "/").map(String.init) ?? []
        let isAnswer = parts.count == 3 && parts[1] != parts[2]
        let sender = ExportText.name(try creator?.text("name"), email)
        var imported = ImportedMessage(
            room: (isSeveral ? nil : givenRoom) ?? roomName,
            roomKey: isSeveral || givenRoom == nil ? roomKey(parts) : nil,
            roomKind: kind, kind: sender == nil ? .system : .message, sender: sender, senderKey: email,
            body: isDeleted ? nil : text.string, time: time, resolution: .second, remoteID: id, flags: flags,
            editedAt: try Self.time(json, "updated_date"), deletedAt: isDeleted ? deleted ?? time : nil,
            replyTo: isAnswer ? "\(parts[0])/\(parts[1])/\(parts[1])" : nil)
        for file in try json.objects("attached_files") {
            guard let name = ExportText.name(try file.text("export_name"), try file.text("original_name")) else {
                continue
            }
            imported.files.append(ImportedMessage.File(path: name))
        }
        imported.reactions = try Self.reactions(of: json)
        return imported
    }

    private static func reactions(of json: JSONValue) throws(UnreadablePiece) -> [ImportedMessage.Reaction] {
        var reactions: [ImportedMessage.Reaction] = []
        for reaction in try json.objects("reactions") {
            let emoji = try reaction.object("emoji")
            let shown =
                ExportText.name(
                    try emoji?.text("unicode"), try emoji?.object("custom_emoji")?.text("shortcode")) ?? "?"
            for user in try reaction.list("reactor_emails").compactMap(\.text) {
                let user = ExportText.name(user) ?? "?"
                reactions.append(ImportedMessage.Reaction(text: shown, user: user, userKey: user))
            }
        }
        return reactions
    }

    private func lines(of json: JSONValue) throws(UnreadablePiece) -> [String?] {
        var lines: [String?] = []
        if let quoted = try json.object("quoted_message_metadata"), let text = try quoted.text("text") {
            lines += text.split(separator: "\n").prefix(Self.maximumQuote).map { "> \($0)" }
        }
        let text = try json.text("text") ?? ""
        lines.append(text)
        for annotation in try json.objects("annotations") {
            let link = try annotation.object("url_metadata")
            let drive = try annotation.object("drive_metadata")
            let call = try annotation.object("video_call_metadata")?.object("meeting_space")
            let texts = [
                try link?.text("title"),
                try link?.object("url")?.text("private_do_not_access_or_else_safe_url_wrapped_value"),
                try drive?.text("title"), try call?.text("meeting_url"),
            ]
            // The text has most addresses already.
            lines += texts.compactMap(\.self).filter { !$0.isEmpty && !text.contains($0) }
        }
        return lines
    }

    /// The limit of lines of a quoted text.
    private static let maximumQuote = 100

    /// Returns the time of a key; nil if it is missing.
    private static func time(_ json: JSONValue, _ key: StaticString) throws(UnreadablePiece) -> Timestamp? {
        guard let text = try json.text(key) else { return nil }
        guard let time = GoogleChatTime(text)?.time else {
            throw UnreadablePiece("its \"\(key)\" is in an unknown form: \(UnknownKinds.name(text))")
        }
        return time
    }

    /// Returns the id in `SPACE/TOPIC/MESSAGE`, else that of the folder: `DM abc`.
    private func roomKey(_ parts: [String]) -> String? {
        parts.count == 3 ? parts[0] : folder?.split(separator: " ").last.map(String.init)
    }

    private var kind: RoomReference.Kind {
        if folder?.hasPrefix("Space") ?? false { return group.name == nil ? .group : .channel }
        return group.count > 2 ? .group : .direct
    }

    /// The space's name; for a conversation, its people.
    private var roomName: String {
        ExportText.name(group.name, group.people.joined(separator: ", "), folder) ?? "chat"
    }
}

import Bytes
import ChatModel

/// The direct messages in an archive of X (Twitter): `direct-messages.js`, `direct-messages-group.js`, and their further
/// parts. The newest messages come first, and with them the name of a group, so the files of groups are read twice.
///
/// People have only numbers, except the account's owner, who is in `account.js`.
package struct TwitterFormat: LogFormat {
    package static let name = "twitter"
    package static let programs = "X (Twitter), direct messages"
    /// 1 MiB: a message has at most 10,000 characters, and a group 50 people.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false

    private var owner: (id: String, name: String)?
    private var conversation: String?
    /// The names of groups, with their times.
    private var names: [String: (name: String, time: Timestamp)] = [:]
    private var budget = NameBudget()
    private var file: String?
    private var isLookingAhead = false

    // MARK: - Recognition

    private static let beginning = Array("window.YTD.direct_message".utf8)

    package static func recognises(_ source: LogSource) -> Bool {
        let title = source.beginning.prefix { $0 != Byte.equals }
        return title.starts(with: beginning) && title.range(of: "headers") == nil
    }

    private static let places = ["[].account", "[].dmConversation.conversationId", "[].dmConversation.messages[]"]

    package static func cutter() -> any SourceCutter { TwitterCutter(places: places, maximumPiece: maximumLine) }

    /// Returns `account.js`, and after it the files of messages, those of groups twice; nil for a folder without them.
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
        var (account, files): ([Int], [Int]) = ([], [])
        for (index, path) in paths.enumerated() {
            guard !path.utf8.contains(Byte.slash) else { break }
            if path == "account.js" { account = [index] }
            guard path.hasPrefix("direct-message"), path.hasSuffix(".js"), !path.contains("headers"),
                !path.contains("mute")
            else { continue }
            files += path.contains("group") ? [index, index] : [index]
        }
        return files.isEmpty ? nil : account + files
    }

    /// Returns true for the archive's other lists.
    package static func saysNothing(_ path: some StringProtocol) -> Bool { path.hasSuffix(".js") }

    package init(_ source: LogSource) {}

    package mutating func begin(file path: String) {
        isLookingAhead = path.contains("group") && path != file
        (file, conversation) = (path, nil)
    }

    package var hasOwnRooms: Bool { true }
    package var assumptions: [String] { budget.assumptions }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            switch line.place {
            case "[].account":
                let json = try JSONValue(object: line, limit: Self.maximumLine)
                guard let id = try json.scalar("accountId")?.id else { return .nothing }
                owner = (id, ExportText.name(try json.text("username"), id) ?? id)
                return .nothing
            case "[].dmConversation.conversationId":
                conversation = try JSONValue(line, limit: Self.maximumLine).scalar().id
                return .nothing
            default:
                let json = try JSONValue(object: line, limit: Self.maximumLine)
                if isLookingAhead { return try note(json) }
                return .message(try message(json))
            }
        } catch {
            return isLookingAhead ? .nothing : .unreadable(error.reason)
        }
    }

    /// Notes the newest name of a group.
    private mutating func note(_ json: JSONValue) throws(UnreadablePiece) -> ParsedLine {
        guard let update = try json.object("conversationNameUpdate"), let id = conversation,
            let name = ExportText.name(try update.text("name"))
        else { return .nothing }
        let time = try Self.time(update)
        if let known = names[id] {
            if known.time < time { names[id] = (name, time) }
        } else if budget.reserve(id, name) {
            names[id] = (name, time)
        }
        return .nothing
    }

    private func message(_ json: JSONValue) throws(UnreadablePiece) -> ImportedMessage {
        guard let id = conversation else { throw UnreadablePiece("the export names no conversation before it") }
        guard let (kind, event) = Self.kinds.lazy.compactMap({ key in json[key].map { (key, $0) } }).first else {
            throw UnreadablePiece("its kind is unknown" + (json.firstKey.map { " (\(UnknownKinds.name($0)))" } ?? ""))
        }
        let isDirect = Self.people(in: id) != nil
        var imported = ImportedMessage(
            room: roomName(id), roomKey: id, roomKind: isDirect ? .direct : .group, kind: .message, sender: nil,
            body: nil, time: try Self.time(event), resolution: .microsecond)
        switch "\(kind)" {
        case "messageCreate", "welcomeMessageCreate": try read(event, into: &imported)
        case "reactionCreate":
            set(&imported, .action, by: try event.scalar("senderId")?.id)
            imported.body = "reacted with :\(ExportText.name(try event.text("reactionKey")) ?? "?"):"
            imported.replyTo = try event.scalar("eventId")?.id
        case "conversationNameUpdate":
            set(&imported, .action, by: try event.scalar("initiatingUserId")?.id)
            imported.body = ExportText(lines: ["changed the name to \(try event.text("name") ?? "")"]).string
        case "participantsLeave":
            let users = try Self.ids(event, "userIds")
            set(&imported, users.count == 1 ? .leave : .system, by: users.count == 1 ? users.first : nil)
            if users.count != 1 { imported.body = ExportText(lines: ["\(shown(users)) left"]).string }
        default:
            let actor = try event.scalar("initiatingUserId")?.id
            let users = try Self.ids(event, "userIds") + Self.ids(event, "participantsSnapshot")
            let isJoin = users == [actor] || actor == nil && users.count == 1
            set(&imported, isJoin ? .join : actor == nil ? .system : .invite, by: isJoin ? users.first : actor)
            if !isJoin { imported.body = ExportText(lines: [shown(users.filter { $0 != actor })]).string }
        }
        imported.flags.formUnion(json.flags)
        return imported
    }

    private static let kinds: [StaticString] = [
        "messageCreate", "welcomeMessageCreate", "conversationNameUpdate", "participantsLeave", "participantsJoin",
        "joinConversation", "reactionCreate",
    ]

    private func read(_ message: JSONValue, into imported: inout ImportedMessage) throws(UnreadablePiece) {
        guard let id = try message.scalar("id")?.id else { throw UnreadablePiece("it has no \"id\"") }
        guard let sender = try message.scalar("senderId")?.id else { throw UnreadablePiece("it has no \"senderId\"") }
        set(&imported, .message, by: sender)
        var body = try message.text("text") ?? ""
        for url in try message.objects("urls") {
            guard let short = try url.text("url"), let long = try url.text("expanded"), !short.isEmpty else { continue }
            body = body.replacing(short, with: long)
        }
        let text = ExportText(lines: [body])
        (imported.body, imported.flags, imported.remoteID) = (text.string, text.flags, id)
        for address in try message.list("mediaUrls") {
            let address = try address.requiredText().withoutNUL
            let name = address.split(separator: "/").last.map(String.init) ?? ""
            let copies = ["direct_messages_media", "direct_messages_group_media"].map { "\($0)/\(id)-\(name)" }
            imported.files.append(ImportedMessage.File(path: address, copies: copies))
        }
        for reaction in try message.objects("reactions") {
            guard let user = try reaction.scalar("senderId")?.id else { continue }
            let key = ExportText.name(try reaction.text("reactionKey")) ?? "?"
            imported.reactions.append(
                ImportedMessage.Reaction(
                    text: ":\(key):", user: shown([user]), userKey: user,
                    at: try reaction.text("createdAt").flatMap { WrittenTime($0)?.instants(in: .gmt).first }))
        }
    }

    private func set(_ imported: inout ImportedMessage, _ kind: MessageKind, by user: String?) {
        imported.kind = user == nil ? .system : kind
        (imported.sender, imported.senderKey) = (user.map { shown([$0]) }, user)
    }

    private static func time(_ event: JSONValue) throws(UnreadablePiece) -> Timestamp {
        let text = try event.required("createdAt").requiredText()
        guard let time = WrittenTime(text)?.instants(in: .gmt).first else {
            throw UnreadablePiece("its \"createdAt\" is not a time")
        }
        return time
    }

    private static func ids(_ event: JSONValue, _ key: StaticString) throws(UnreadablePiece) -> [String] {
        try event.list(key).map { id throws(UnreadablePiece) in try id.scalar().text }
    }

    /// Returns the two people of `7-8`; nil for the number of a group.
    private static func people(in conversation: String) -> [String]? {
        let people = conversation.split(separator: "-").map(String.init)
        return people.count == 2 ? people : nil
    }

    /// The name of a group, or the other person of a conversation of two.
    private func roomName(_ id: String) -> String {
        if let name = names[id]?.name { return name }
        guard let owner, let people = Self.people(in: id), people.contains(owner.id) else { return id }
        return people.first { $0 != owner.id } ?? owner.name
    }

    private func shown(_ users: [String]) -> String {
        users.map { $0 == owner?.id ? owner?.name ?? $0 : $0 }.joined(separator: ", ")
    }
}

import Bytes
import ChatModel

/// A message of Rocket.Chat: a row of its database (`IMessage` of its sources), or the few keys of it that an export
/// has.
struct RocketChatMessage {
    private(set) var id: String?
    private(set) var kind = MessageKind.message
    private(set) var sender: (name: String, key: String?)
    private(set) var lines: [String?] = []
    private(set) var files: [ImportedMessage.File] = []
    private(set) var reactions: [ImportedMessage.Reaction] = []
    private(set) var replyTo: String?
    private(set) var editedAt: Timestamp?
    private(set) var flags: MessageFlags = []
    private(set) var isDeleted = false

    init(_ json: JSONValue) throws(UnreadablePiece) {
        id = try json.scalar("_id")?.id
        if let user = try json.object("u") {
            let key = try user.scalar("_id")?.id
            guard let name = ExportText.name(try user.text("username"), try user.text("name"), key) else {
                throw UnreadablePiece("its author has no name")
            }
            sender = (name, key)
        } else {
            guard let name = ExportText.name(try json.text("username")) else {
                throw UnreadablePiece("it has no \"username\"")
            }
            sender = (name, nil)
        }
        let text = try json.text("msg") ?? ""
        let type = try json.text("t")
        let exported = try json.text("type")
        try read(type: type ?? exported ?? "", text)
        editedAt = Self.time(json["editedAt"])
        replyTo = try json.scalar("tmid")?.id
        if try json.isTrue("pinned") { flags.insert(.pinned) }
        if json["bot"] != nil { flags.insert(.bot) }
        for attachment in try json.objects("attachments") { try read(attachment: attachment) }
        for (name, users) in try json.object("reactions")?.members ?? [] {
            for user in try users.list("usernames").compactMap(\.text) {
                let text = ExportText.name(name) ?? "?"
                reactions.append(ImportedMessage.Reaction(text: text, user: ExportText.name(user) ?? "?"))
            }
        }
    }

    /// Reads a time: a text of ISO 8601, milliseconds, or `{"$date": …}` with one of them, as MongoDB writes it.
    static func time(_ value: JSONValue?) -> Timestamp? {
        guard let value else { return nil }
        if let inner = value["$date"] ?? value["$numberLong"] { return time(inner) }
        if let text = value.text, let written = WrittenTime(text) { return written.instants(in: .gmt).first }
        return (value.number ?? value.text).flatMap(Int64.init).map(Timestamp.init(milliseconds:))
    }

    /// - Parameter text: The message's text; for an event, its object, such as the user who was added.
    private mutating func read(type: String, _ text: String) throws(UnreadablePiece) {
        switch type {
        case "": lines = [Self.withoutLink(text)]
        case "uj", "ujt", "ut": kind = .join
        case "ul", "ult": kind = .leave
        case "au", "added-user-to-team": (kind, lines) = (.invite, [text])
        case "ru", "removed-user-from-team": (kind, lines) = (.kick, [text])
        case "room_changed_topic": (kind, lines) = (.topic, [text])
        case "rm": isDeleted = true
        case "r": (kind, lines) = (.action, ["changed the room's name to \(text)"])
        case "message_pinned": (kind, lines) = (.action, ["pinned a message"])
        default:
            let words = String(type.map { $0 == "_" || $0 == "-" ? " " : $0 })
            (kind, lines) = (.action, [text.isEmpty ? words : "\(words): \(text)"])
        }
    }

    /// Returns a text without the empty link to the answered message at its beginning: `[ ](https://…?msg=ID) hi`.
    private static func withoutLink(_ text: String) -> String {
        guard text.hasPrefix("[ ]("), let end = text.firstIndex(of: ")") else { return text }
        return String(text[text.index(after: end)...]).trimmedOfBlanks
    }

    private mutating func read(attachment: JSONValue) throws(UnreadablePiece) {
        if let link = try attachment.text("message_link") {
            replyTo = replyTo ?? link.split(separator: "?msg=", maxSplits: 1).dropFirst().first.map(String.init)
            return
        }
        var address: String?
        for key in ["title_link", "image_url", "audio_url", "video_url"] as [StaticString] where address == nil {
            address = try attachment.text(key).flatMap { $0.isEmpty ? nil : $0 }
        }
        guard let address else {
            for key in ["title", "text"] as [StaticString] { lines.append(try attachment.text(key)) }
            return
        }
        let file = [try attachment.text("fileId"), try attachment.text("fileName")].compactMap(\.self)
        let copies = file.count == 2 ? ["assets/\(file[0])-\(file[1])".withoutNUL] : nil
        files.append(ImportedMessage.File(path: address.withoutNUL, copies: copies))
        lines.append(try attachment.text("description"))
    }
}

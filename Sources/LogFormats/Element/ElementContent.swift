import Bytes
import ChatModel

/// The content of an event of Matrix in words.
struct ElementContent {
    var kind = MessageKind.message
    var lines: [String] = []
    var files: [ImportedMessage.File] = []

    /// Reads the content of an event, which an edit may give. Nil for an event that means nothing to people.
    ///
    /// - Parameters:
    ///   - content: The content, or the new one of an edit.
    ///   - isAnswer: True if the text may begin with a quote of the message replied to.
    init?(
        _ content: JSONValue?, of event: ElementEvent, isAnswer: Bool, nameOf name: (String) -> String
    ) throws(UnreadablePiece) {
        if event.type == "m.room.message", let content {
            self = try ElementContent(message: content, isAnswer: isAnswer)
        } else if let read = try ElementContent(content, of: event, nameOf: name) {
            self = read
        } else {
            return nil
        }
    }

    /// Reads a message.
    private init(message content: JSONValue, isAnswer: Bool) throws(UnreadablePiece) {
        let type = try content.text("msgtype") ?? ""
        kind = type == "m.emote" ? .action : type == "m.notice" ? .notice : .message
        let body = try content.text("body") ?? ""
        lines = [isAnswer ? Self.withoutQuote(body) : body]
        if type == "m.location" { lines += try Self.location(content).filter { !body.contains($0) } }
        files = try Self.files(of: content)
        // The files of a gallery (MSC4274).
        for item in (try? content.objects("itemtypes")) ?? [] { files += try Self.files(of: item) }
        if let name = Self.profileName(content) {
            lines[0] = kind == .action ? "\(name) \(lines[0])" : "\(name): \(lines[0])"
        }
    }

    /// Reads an event that is not a message.
    private init?(
        _ content: JSONValue?, of event: ElementEvent, nameOf name: (String) -> String
    ) throws(UnreadablePiece) {
        kind = .action
        switch event.type {
        case "m.sticker":
            kind = .message
            lines = [try content?.text("body") ?? ""]
            if let content { files = try Self.files(of: content) }
        case "m.poll.start", "org.matrix.msc3381.poll.start":
            kind = .message
            lines = try Self.poll(content)
        case "m.poll.end", "org.matrix.msc3381.poll.end": lines = ["ended the poll"]
        case "m.room.encrypted": throw UnreadablePiece("the export has it only encrypted")
        case "m.room.topic": (kind, lines) = (.topic, [try content?.text("topic") ?? ""])
        case "m.room.name": lines = ["changed the room's name to \(try content?.text("name") ?? "")"]
        case "m.room.avatar":
            lines = ["changed the room's picture"]
            if let content { files = try Self.files(of: content) }
        case "m.room.create":
            let before = try content?.object("predecessor")?.scalar("room_id")?.id
            lines = ["created the room" + (before.map { ", which continues \($0)" } ?? "")]
        case "m.room.tombstone":
            let (after, reason) = (try content?.scalar("replacement_room")?.id, try content?.text("body"))
            lines = ["closed the room" + (after.map { ", which continues in \($0)" } ?? "")]
            if let reason { lines[0] += ": \(reason)" }
        case "m.room.member": try readMember(event, name)
        // A message without content.
        case "m.room.message": kind = .message
        default: guard try readOther(content, of: event) else { return nil }
        }
    }

    private mutating func readMember(_ event: ElementEvent, _ name: (String) -> String) throws(UnreadablePiece) {
        let member = try event.stateKey ?? event.sender
        let (before, after, oldName, newName) = try event.membership
        let reason = try event.content?.text("reason")
        let about = (newName ?? name(member)) + (reason.map { ": \($0)" } ?? "")
        switch after {
        case "join" where before == "join":
            (kind, lines) = oldName == newName ? (.action, ["changed the avatar"]) : (.rename, [newName ?? member])
        case "join": kind = .join
        case "invite": (kind, lines) = (.invite, [about])
        case "leave" where member == event.sender: (kind, lines) = (.leave, [reason ?? ""])
        case "leave" where before == "ban": lines = ["unbanned \(about)"]
        case "leave" where before == "invite": lines = ["withdrew the invitation of \(about)"]
        case "leave": (kind, lines) = (.kick, [about])
        case "ban": (kind, lines) = (.kick, [about])
        case "knock": lines = ["asked to join" + (reason.map { ": \($0)" } ?? "")]
        default: lines = ["changed the membership of \(about)"]
        }
    }

    /// Returns the question, and after it the choices. A poll in another form has its text for programs without polls.
    private static func poll(_ content: JSONValue?) throws(UnreadablePiece) -> [String] {
        let poll = content?["m.poll"] ?? content?["m.poll.start"] ?? content?["org.matrix.msc3381.poll.start"]
        guard let poll else { return [try content.flatMap(ExtensibleText.text) ?? ""] }
        var lines = [try poll.object("question").flatMap(ExtensibleText.text) ?? ""]
        for answer in try poll.objects("answers") { lines.append("- " + (try ExtensibleText.text(in: answer) ?? "")) }
        return lines
    }

    /// Returns the words about a place and its coordinates.
    private static func location(_ content: JSONValue) throws(UnreadablePiece) -> [String] {
        let place = content["m.location"] ?? content["org.matrix.msc3488.location"]
        return [place?["description"]?.text, try content.text("geo_uri") ?? place?["uri"]?.text].compactMap(\.self)
    }

    /// Returns the name under which a bridge's account sends the message alone (MSC4144). Nil if there is none, or the text
    /// has it already.
    private static func profileName(_ content: JSONValue) -> String? {
        let profile = content["com.beeper.per_message_profile"] ?? content["m.per_message_profile"]
        guard let profile, profile["has_fallback"]?.truth != true else { return nil }
        return ExportText.name(profile["displayname"]?.text)
    }

    static func files(of content: JSONValue) throws(UnreadablePiece) -> [ImportedMessage.File] {
        let encrypted = try content.object("file")
        guard let address = try (content["url"] ?? encrypted?["url"])?.requiredText(), !address.isEmpty else {
            return []
        }
        return [
            ImportedMessage.File(path: address.withoutNUL, size: try content.object("info")?.scalar("size")?.integer)
        ]
    }

    /// Returns a text without the quote of the message replied to, which programs wrote before a reply until version 1.13
    /// of Matrix: `> <@alice:example.org> words` or `> * <@alice:example.org> words`, more quoted lines, and an empty line.
    /// Every other quote is the person's own.
    private static func withoutQuote(_ body: String) -> String {
        guard body.hasPrefix("> <@") || body.hasPrefix("> * <@") else { return body }
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
        let id = lines[0].drop { $0 != "@" }.prefix { $0 != ">" && $0 != " " }
        guard id.contains(":"), id.endIndex < lines[0].endIndex, lines[0][id.endIndex] == ">" else { return body }
        let rest = lines.drop { $0.hasPrefix("> ") || $0 == ">" }
        guard rest.first?.isEmpty == true else { return body }
        return rest.drop(while: \.isEmpty).joined(separator: "\n")
    }
}

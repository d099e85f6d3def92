import Bytes
package import ChatModel

/// An event of a Matrix room as a server sends it, read by the rules of the import of Element's exports.
package struct MatrixEvent: Sendable, Hashable {
    /// The part of an event that people see.
    package struct Said: Sendable, Hashable {
        package var kind: MessageKind
        /// Nil for an empty text.
        package var body: String?
        package var flags: MessageFlags
        /// The addresses of its files: `mxc://SERVER/ID`.
        package var files: [String]

        package init(kind: MessageKind, body: String?, flags: MessageFlags, files: [String] = []) {
            (self.kind, self.body, self.flags, self.files) = (kind, body, flags, files)
        }
    }

    package enum Meaning: Sendable, Hashable {
        case message(Said, replyTo: String?)
        /// Another text of a message.
        case edit(of: String, Said)
        case reaction(to: String, key: String)
        case redaction(of: String, reason: String?)
        /// A person has another membership (`join`, `leave`, `invite`, `ban`, `knock`) or name.
        case member(Member, Said)
        /// An event whose content was removed.
        case redacted(by: String?, reason: String?, at: Timestamp)
        /// A message that only its readers' devices can read.
        case encrypted(replyTo: String?)
        /// The room's name; nil if it has none.
        case roomName(String?, Said)
        /// The place of the room's picture: `mxc://SERVER/ID`; nil if it has none.
        case roomPicture(String?, Said)
        /// The sender created the room.
        case created(Said)
        /// The room's address, such as `#chat:example.org`; nil if it has none.
        case alias(String?)
        /// A room is in this space, or no longer.
        case child(room: String, isIn: Bool)
        /// This room is in a space, or no longer.
        case parent(space: String, isIn: Bool)
        /// The members who can read the history: `joined`, `invited`, `shared`, `world_readable`.
        case visibility(String)
        /// An event without meaning for people.
        case nothing
    }

    package struct Member: Sendable, Hashable {
        package var user: String
        package var membership: String
        package var name: String?
        /// True if the server gives the membership before.
        package var hasPrevious = false
        /// The name before; nil without one.
        package var oldName: String?
        /// The place of the picture: `mxc://SERVER/ID`.
        package var picture: String?
    }

    package var id: String
    package var type: String
    /// The sender's id, such as `@alice:example.org`.
    package var sender: String
    /// When the sender's server got it, by that server's clock.
    package var time: Timestamp
    package var stateKey: String?
    package var meaning: Meaning
    /// The newest text that the server adds to an event that was edited, and when.
    package var latestEdit: Edit?
    package var raw: [UInt8]

    package struct Edit: Sendable, Hashable {
        package var said: Said
        package var time: Timestamp
        /// The id of the edit; nil if the server does not give it.
        package var id: String?
    }

    /// The reason why bytes are no event that can be read, for people.
    package struct Unreadable: Error {
        package var reason: String

        package init(reason: String) { self.reason = reason }
    }

    /// - Parameter nameOf: Returns the name of a person by id.
    package init(_ bytes: [UInt8], nameOf: (String) -> String) throws(Unreadable) {
        do throws(UnreadablePiece) {
            try self.init(bytes, reading: nameOf)
        } catch {
            throw Unreadable(reason: error.reason)
        }
    }

    private init(_ bytes: [UInt8], reading nameOf: (String) -> String) throws(UnreadablePiece) {
        let line = LogLine(number: 1, bytes: bytes[...])
        let json = try JSONValue(object: line, limit: bytes.count)
        let event = try ElementEvent(json)
        (id, type, sender, time, raw) = (event.id.withoutNUL, event.type, event.sender, event.time, bytes)
        stateKey = try json.scalar("state_key")?.text
        meaning = .nothing
        let answered = try event.answered
        if let deletedAt = try event.deletedAt {
            let redaction = try json.object("unsigned")?.object("redacted_because")
            meaning = .redacted(
                by: try redaction?.text("sender"), reason: try redaction?.object("content")?.text("reason")?.withoutNUL,
                at: deletedAt)
            return
        }
        let isEncrypted = event.type == "m.room.encrypted"
        if let (target, key) = try event.annotated {
            meaning = .reaction(to: target, key: key)
        } else if let target = try event.redacted {
            meaning = .redaction(of: target, reason: try event.content?.text("reason")?.withoutNUL)
        } else if !isEncrypted, let (target, content) = try event.replaced {
            meaning = try Self.said(content, of: event, nameOf).map { Meaning.edit(of: target, $0) } ?? .nothing
        } else {
            meaning = try Self.meaning(event, answered, nameOf)
        }
        if !isEncrypted, let (time, id, content) = try event.latestEdit, let content,
            let said = try Self.said(content, of: event, nameOf)
        {
            latestEdit = Edit(said: said, time: time, id: id)
        }
    }

    private static func meaning(
        _ event: ElementEvent, _ answered: String?, _ nameOf: (String) -> String
    ) throws(UnreadablePiece) -> Meaning {
        let content = event.content
        switch event.type {
        case "m.room.encrypted": return .encrypted(replyTo: answered)
        // A message without a body is the rest of one whose content was removed.
        case "m.room.message" where content?["msgtype"] == nil && content?["body"] == nil: return .nothing
        case "m.room.canonical_alias": return .alias(ExportText.name(try content?.text("alias")))
        case "m.room.history_visibility": return .visibility(try content?.text("history_visibility") ?? "shared")
        // Without servers, the room is in the space no longer.
        case "m.space.child":
            return .child(room: try event.stateKey ?? "", isIn: try content?.list("via").isEmpty == false)
        case "m.space.parent":
            let (servers, isMain) = (try content?.list("via") ?? [], try content?.isTrue("canonical") ?? false)
            return .parent(space: try event.stateKey ?? "", isIn: !servers.isEmpty && isMain)
        default: break
        }
        guard let said = try said(content, of: event, isAnswer: answered != nil, nameOf) else { return .nothing }
        switch event.type {
        case "m.room.member": return .member(try member(event), said)
        case "m.room.name": return .roomName(ExportText.name(try content?.text("name")), said)
        case "m.room.avatar": return .roomPicture(ExportText.name(try content?.text("url")), said)
        case "m.room.create": return .created(said)
        default: return .message(said, replyTo: answered)
        }
    }

    private static func member(_ event: ElementEvent) throws(UnreadablePiece) -> Member {
        let member = try event.stateKey ?? event.sender
        let (before, after, oldName, name) = try event.membership
        return Member(
            user: member, membership: after, name: name, hasPrevious: before != nil, oldName: oldName,
            picture: try event.picture)
    }

    /// Returns what people see of a content; nil for one that means nothing to them.
    private static func said(
        _ content: JSONValue?, of event: ElementEvent, isAnswer: Bool = false, _ nameOf: (String) -> String
    ) throws(UnreadablePiece) -> Said? {
        guard let content = try ElementContent(content, of: event, isAnswer: isAnswer, nameOf: nameOf) else {
            return nil
        }
        let text = ExportText(lines: content.lines)
        return Said(
            kind: content.kind, body: text.string, flags: event.flags.union(text.flags),
            files: content.files.map(\.path))
    }
}

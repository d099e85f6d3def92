import Bytes
import ChatModel

/// Turns the events of a Matrix room into messages, reactions and retractions.
struct ElementMessages {
    /// The room that the user gave; nil if none.
    private let givenRoom: String?
    /// True for events in the form that servers send each other: a removed one is empty, and an encrypted one keeps its bytes.
    private let isFederated: Bool
    /// The room's name; nil if it is unknown.
    var room: String?
    /// The names of people by their ids, as far as memberships give them.
    private var names: [String: String] = [:]
    private var budget = NameBudget()
    /// The events so far, by a hash of their ids.
    private var seen: [Int: Seen] = [:]
    private var omissions = ExportOmissions()

    /// The facts about an event that a later one may change.
    private struct Seen {
        var time: Timestamp
        /// A hash of the sender's id.
        var sender: Int
        var isEmptied: Bool
    }

    /// The limit of ``seen``, at about 60 bytes each. An edit comes soon after its message.
    private static let maximumSeen = 200_000

    init(givenRoom: String?, isFederated: Bool = false) {
        (self.givenRoom, self.isFederated) = (givenRoom, isFederated)
    }

    var assumptions: [String] { omissions.assumptions(zone: "") + budget.assumptions }
    var unknownKinds: UnknownKinds { omissions.kinds }

    /// Reads an event.
    mutating func parse(_ event: ElementEvent) throws(UnreadablePiece) -> ParsedLine {
        let key = givenRoom == nil ? try event.room : nil
        if seen.count >= Self.maximumSeen { seen.removeAll(keepingCapacity: true) }
        seen[event.id.hashValue] = Seen(
            time: event.time, sender: event.sender.hashValue, isEmptied: event.content?.firstKey == nil)
        if let (target, emoji) = try event.annotated {
            guard let key else { return .message(act("reacted \(emoji)", event, on: target)) }
            let reaction = ExactMessage.Reaction(
                text: emoji, user: .key(event.sender), at: event.time, removedAt: nil, ownID: event.id.withoutNUL)
            return .record(.reaction(ReactionRecord(roomKey: key, remoteID: target, reaction: reaction)))
        }
        if let target = try event.redacted {
            // A server keeps a removal that its sender had no right to.
            if isFederated, seen[target.hashValue]?.isEmptied == false { return .nothing }
            guard let key else { return .message(act("removed a message", event, on: target)) }
            let reason = try event.content?.text("reason")?.withoutNUL
            return .record(
                .retraction(
                    RetractionRecord(
                        roomKey: key, remoteID: target, user: .key(event.sender), at: event.time, reason: reason,
                        wipes: false)))
        }
        return try message(event, key).map { ParsedLine.message($0) } ?? .nothing
    }

    /// Returns an action on a message as a message, for a room without a key, where it can't be stored with its
    /// message.
    private func act(_ words: String, _ event: ElementEvent, on target: String) -> ImportedMessage {
        var message = ImportedMessage(
            room: givenRoom ?? room ?? "", kind: .action, sender: name(of: event.sender), senderKey: event.sender,
            body: words, time: event.time, resolution: .microsecond, remoteID: event.id)
        message.replyTo = target
        return message
    }

    /// Returns nil for an event that means nothing to people.
    private mutating func message(_ event: ElementEvent, _ key: String?) throws(UnreadablePiece) -> ImportedMessage? {
        guard let shown = givenRoom ?? room ?? key else { throw UnreadablePiece("the export names no room before it") }
        let sender = name(of: event.sender)
        let answered = try event.answered
        let (replaced, deletedAt) = (try event.replaced, try event.deletedAt)
        var content: ElementContent?
        let isKept = isFederated && (event.type == "m.room.encrypted" || event.isEmptied)
        if deletedAt == nil, !isKept {
            content = try ElementContent(
                replaced?.content ?? event.content, of: event, isAnswer: answered != nil, nameOf: name)
            if content == nil { return nil }
        }
        if event.type == "m.room.member" { try noteName(event) }
        omissions.count(reactions: try event.countedReactions, named: 0)
        let text = ExportText(lines: content?.lines ?? [])
        if let content, content.kind == .message, text.string == nil, content.files.isEmpty {
            omissions.count(kind: try event.content?.text("msgtype") ?? event.type)
        }
        var message = ImportedMessage(
            room: shown, roomKey: key, kind: content?.kind ?? .message, sender: sender, senderKey: event.sender,
            body: text.string, time: event.time, resolution: .microsecond, remoteID: event.id,
            flags: event.flags.union(text.flags), deletedAt: deletedAt, replyTo: answered, files: content?.files ?? [])
        if isKept, !event.isEmptied {
            message.flags.insert(.encrypted)
            message.raw = event.bytes
        }
        if let replaced { edit(&message, replaced.event, event) } else { try completeEdit(&message, event) }
        return message
    }

    // MARK: - Edits

    /// Makes a message the newest text of the event that it replaces. If that event is not among those before it, or another
    /// person's, makes it a reply.
    private func edit(_ message: inout ImportedMessage, _ target: String, _ event: ElementEvent) {
        guard let replaced = seen[target.hashValue], replaced.sender == event.sender.hashValue else {
            message.replyTo = target
            return
        }
        message.editedAt = message.time
        (message.remoteID, message.time) = (target, replaced.time)
    }

    /// Adds the edit that the server has added to an event.
    private func completeEdit(_ message: inout ImportedMessage, _ event: ElementEvent) throws(UnreadablePiece) {
        guard let (time, _, content) = try event.latestEdit else { return }
        message.editedAt = time
        guard let content else { return }
        let edited = try ElementContent(content, of: event, isAnswer: false, nameOf: name)
        let new = ExportText(lines: edited?.lines ?? [])
        // Newer exports have the new text as the event's own.
        guard new.string != message.body else { return }
        message.versions = [ImportedMessage.Version(at: message.time, body: message.body)]
        message.body = new.string
        message.flags.formUnion(new.flags)
    }

    // MARK: - People

    private func name(of id: String) -> String { names[id] ?? id }

    /// Notes the name that a membership gives a person.
    private mutating func noteName(_ event: ElementEvent) throws(UnreadablePiece) {
        let member = try event.stateKey ?? event.sender
        guard let name = try event.membership.newName, names[member] != name else { return }
        if budget.reserve(member, name) { names[member] = name }
    }
}

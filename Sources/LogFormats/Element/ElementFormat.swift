import Bytes
import ChatModel

/// The JSON that Element writes for "Export chat": the events of a Matrix room.
package struct ElementFormat: LogFormat {
    package static let name = "element"
    package static let programs = "Element (JSON)"
    /// 1 MiB: an event has at most 64 KiB, and the facts that a server adds to it.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false

    private let givenRoom: String?
    private var room: String?
    /// The names of people by their ids, as far as memberships give them.
    private var names: [String: String] = [:]
    private var budget = NameBudget()
    /// The times of the events so far, by a hash of their ids.
    private var times: [Int: Timestamp] = [:]
    private var omissions = ExportOmissions()

    /// The limit of ``times``, at about 40 bytes each. An edit comes soon after its message.
    private static let maximumTimes = 200_000

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        let places = ["room_name", "exported_by", "export_date", "messages[].event_id"]
        let found = Set(JSONPieceCutter.pieces(of: source.beginning, at: places).map(\.place))
        return found.contains("room_name") && found.count > 1
    }

    package static func cutter() -> any SourceCutter {
        JSONPieceCutter(places: ["room_name", "messages[]"], maximumPiece: maximumLine)
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
    }

    package var assumptions: [String] { omissions.assumptions(zone: "") + budget.assumptions }

    package var unknownKinds: UnknownKinds { omissions.kinds }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            guard line.place == "room_name" else {
                return try parseEvent(ElementEvent(JSONValue(object: line, limit: Self.maximumLine)))
            }
            let name = try JSONValue(line, limit: Self.maximumLine)
            room = name.isNull ? nil : ExportText.name(try name.requiredText())
            return .nothing
        } catch {
            return .unreadable(error.reason)
        }
    }

    private mutating func parseEvent(_ event: ElementEvent) throws(UnreadablePiece) -> ParsedLine {
        let key = givenRoom == nil ? try event.room : nil
        if times.count >= Self.maximumTimes { times.removeAll(keepingCapacity: true) }
        times[event.id.hashValue] = event.time
        if let (target, emoji) = try event.annotated {
            guard let key else { return .message(act("reacted \(emoji)", event, on: target)) }
            let reaction = ExactMessage.Reaction(
                text: emoji, user: .key(event.sender), at: event.time, removedAt: nil, ownID: event.id.withoutNUL)
            return .record(.reaction(ReactionRecord(roomKey: key, remoteID: target, reaction: reaction)))
        }
        if let target = try event.redacted {
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
        if deletedAt == nil {
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
        if let replaced { edit(&message, replaced.event) } else { try completeEdit(&message, event) }
        return message
    }

    // MARK: - Edits

    /// Makes a message the newest text of the event that it replaces. If that event is not among those before it, makes
    /// it a reply.
    private func edit(_ message: inout ImportedMessage, _ target: String) {
        guard let time = times[target.hashValue] else {
            message.replyTo = target
            return
        }
        message.editedAt = message.time
        (message.remoteID, message.time) = (target, time)
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

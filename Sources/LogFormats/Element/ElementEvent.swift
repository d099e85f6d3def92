import Bytes
import ChatModel

/// An event of Matrix, such as an element of `messages` of Element's export.
struct ElementEvent {
    private let json: JSONValue
    /// The facts that the event lacks in the form in which servers send it to each other; nil for another form.
    private let facts: FederationFacts?
    let type: String
    let id: String
    /// The sender's id, such as `@alice:example.org`.
    let sender: String
    let time: Timestamp
    let content: JSONValue?

    /// Facts about an event that a server leaves out when it sends the event to another one.
    struct FederationFacts {
        var id: String
        var room: String
        /// The content of the state event before this one; nil if there is none.
        var previous: JSONValue?
    }

    /// - Parameter facts: The facts that the event lacks; nil for an event with all of them.
    init(_ json: JSONValue, facts: FederationFacts? = nil) throws(UnreadablePiece) {
        (self.json, self.facts) = (json, facts)
        type = try json.required("type").requiredText()
        guard let id = if let facts { facts.id } else { try json.required("event_id").scalar().id } else {
            throw UnreadablePiece("its \"event_id\" is empty")
        }
        guard let sender = ExportText.name(try json.required("sender").requiredText()) else {
            throw UnreadablePiece("its \"sender\" is empty")
        }
        guard let time = try json.required("origin_server_ts").scalar().integer else {
            throw UnreadablePiece("its \"origin_server_ts\" is not a whole number")
        }
        (self.id, self.sender, self.time) = (id, sender, Timestamp(milliseconds: time))
        content = try json.object("content")
    }

    var room: String? {
        get throws(UnreadablePiece) { if let facts { facts.room } else { try json.scalar("room_id")?.id } }
    }
    /// The subject of a state event, such as the person whose membership changes; nil for none, or an empty one.
    var stateKey: String? { get throws(UnreadablePiece) { try json.scalar("state_key")?.id } }
    /// True for a part of the room's state.
    var isState: Bool { json.has("state_key") }
    /// The content of the state event before this one; nil if the server does not give it.
    var previous: JSONValue? {
        get throws(UnreadablePiece) {
            if let previous = facts?.previous { previous } else { try unsigned?.object("prev_content") }
        }
    }
    var flags: MessageFlags { json.flags }
    /// True for a message without content, of which a server keeps nothing else after its removal.
    var isEmptied: Bool {
        ["m.room.message", "m.room.encrypted", "m.sticker"].contains(type) && content?.firstKey == nil
    }
    /// The event as JSON, with its id.
    var bytes: [UInt8] {
        guard let facts, !json.has("event_id") else { return Array(json.json) }
        return Array(#"{"event_id":"\#(facts.id)","#.utf8) + json.json.dropFirst()
    }

    // MARK: - Relations

    private var unsigned: JSONValue? { get throws(UnreadablePiece) { try json.object("unsigned") } }

    /// The time when the event was removed; nil if it was not.
    var deletedAt: Timestamp? {
        get throws(UnreadablePiece) {
            guard let redaction = try unsigned?.object("redacted_because") else { return nil }
            return try redaction.scalar("origin_server_ts")?.integer.map(Timestamp.init(milliseconds:)) ?? time
        }
    }

    private var relation: JSONValue? { get throws(UnreadablePiece) { try content?.object("m.relates_to") } }

    /// The event that this one changes, and its new content; nil if it changes no event.
    var replaced: (event: String, content: JSONValue)? {
        get throws(UnreadablePiece) {
            guard let relation = try relation, try relation.text("rel_type") == "m.replace",
                let event = try relation.scalar("event_id")?.id, let new = try content?.object("m.new_content")
            else { return nil }
            return (event, new)
        }
    }

    /// The event that this one reacts to, and the reaction; nil if this is not a reaction.
    var annotated: (event: String, key: String)? {
        get throws(UnreadablePiece) {
            guard type == "m.reaction", let relation = try relation, let event = try relation.scalar("event_id")?.id,
                let key = ExportText.name(try relation.text("key"))
            else { return nil }
            return (event, key)
        }
    }

    /// The event that this one removes; nil if it removes no event.
    var redacted: String? {
        get throws(UnreadablePiece) {
            guard type == "m.room.redaction" else { return nil }
            return try (json["redacts"] ?? content?["redacts"])?.scalar().id
        }
    }

    /// The event that this one replies to; in a thread without another reply, the event that the thread begins with.
    var answered: String? {
        get throws(UnreadablePiece) {
            guard let relation = try relation else { return nil }
            let isThread = try relation.text("rel_type") == "m.thread"
            let thread = isThread ? try relation.scalar("event_id")?.id : nil
            if thread != nil, try relation.isTrue("is_falling_back") { return thread }
            return try relation.object("m.in_reply_to")?.scalar("event_id")?.id ?? thread
        }
    }

    /// The latest change of the event, as the server adds it: the time, the change's id, and the content if the server gives
    /// it.
    var latestEdit: (time: Timestamp, id: String?, content: JSONValue?)? {
        get throws(UnreadablePiece) {
            guard let edit = try unsigned?.object("m.relations")?.object("m.replace"),
                let time = try edit.scalar("origin_server_ts")?.integer,
                try edit.scalar("sender")?.id ?? sender == sender
            else { return nil }
            let id = try edit.scalar("event_id")?.id?.withoutNUL
            return (Timestamp(milliseconds: time), id, try edit.object("content")?.object("m.new_content"))
        }
    }

    /// The number of reactions that the server adds without the names of the people.
    var countedReactions: Int64 {
        get throws(UnreadablePiece) {
            guard let bundle = try unsigned?.object("m.relations")?.object("m.annotation") else { return 0 }
            var sum: Int64 = 0
            for chunk in try bundle.objects("chunk") {
                sum = sum.addingReportingOverflow(try chunk.scalar("count")?.integer ?? 0).partialValue
            }
            return sum
        }
    }

    // MARK: - Memberships

    /// The place of the member's picture; nil without one.
    var picture: String? {
        get throws(UnreadablePiece) {
            ExportText.name(try content?.text("avatar_url"))
        }
    }

    /// The membership before and after, and the names before and after.
    var membership: (before: String?, after: String, oldName: String?, newName: String?) {
        get throws(UnreadablePiece) {
            let before = try previous
            return (
                try before?.text("membership"), try content?.text("membership") ?? "",
                ExportText.name(try before?.text("displayname")), ExportText.name(try content?.text("displayname"))
            )
        }
    }
}

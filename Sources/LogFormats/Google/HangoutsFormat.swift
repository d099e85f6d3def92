import Bytes
import ChatModel

/// Google Hangouts in a download of Google Takeout (until 2022): all conversations in `Hangouts.json`.
///
/// Before 2018, the parts have other names.
package struct HangoutsFormat: LogFormat {
    package static let name = "hangouts"
    package static let programs = "Google Hangouts (Takeout)"
    /// 1 MiB: a conversation has at most 150 people, of some 300 bytes.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false

    private struct Conversation {
        var id: String?
        var name: String?
        var isGroup = false
        /// The names of the people by their numbers.
        var people: [(id: String, name: String)] = []
    }

    private var conversation: Conversation?
    private var owner: String?
    private var omissions = ExportOmissions()

    private static let conversations = [
        "conversations[].conversation.conversation", "conversation_state[].conversation_state.conversation",
    ]
    private static let events = ["conversations[].events[]", "conversation_state[].conversation_state.event[]"]

    /// More people than Hangouts allowed in a conversation (150).
    private static let maximumPeople = 500
    private static let maximumNames = 10

    package static func recognises(_ source: LogSource) -> Bool {
        let pieces = JSONPieceCutter.pieces(of: source.beginning, at: conversations)
        return pieces.contains { (try? JSONValue(object: $0, limit: maximumLine)["participant_data"]) != nil }
    }

    package static func cutter() -> any SourceCutter {
        JSONPieceCutter(places: conversations + events, maximumPiece: maximumLine)
    }

    package init(_ source: LogSource) {}

    package var hasOwnRooms: Bool { true }
    package var assumptions: [String] { omissions.assumptions(zone: "") }
    package var unknownKinds: UnknownKinds { omissions.kinds }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            if Self.conversations.contains(line.place) {
                conversation = nil
                conversation = try Self.conversation(JSONValue(object: line, limit: Self.maximumLine))
                return .nothing
            }
            return .message(try message(JSONValue(object: line, limit: Self.maximumLine)))
        } catch {
            return .unreadable(error.reason)
        }
    }

    private static func conversation(_ json: JSONValue) throws(UnreadablePiece) -> Conversation {
        var found = Conversation(id: try json.object("id")?.scalar("id")?.id)
        found.name = ExportText.name(try json.text("name"))
        found.isGroup = try json.text("type") == "GROUP"
        for person in try json.objects("participant_data").prefix(maximumPeople) {
            guard let id = try number(json: person, "id") else { continue }
            found.people.append((id, ExportText.name(try person.text("fallback_name"), id) ?? id))
        }
        return found
    }

    /// Returns the number of the person in an object such as `{"gaia_id": "1", "chat_id": "1"}`.
    private static func number(json: JSONValue, _ key: StaticString) throws(UnreadablePiece) -> String? {
        guard let id = try json.object(key) else { return nil }
        return try number(of: id)
    }

    private static func number(of person: JSONValue) throws(UnreadablePiece) -> String? {
        if let id = try person.scalar("gaia_id")?.id { return id }
        return try person.scalar("chat_id")?.id
    }

    private mutating func message(_ json: JSONValue) throws(UnreadablePiece) -> ImportedMessage {
        guard let conversation else { throw UnreadablePiece("the export names no conversation before it") }
        guard let microseconds = try json.required("timestamp").scalar().integer else {
            throw UnreadablePiece("its \"timestamp\" is not a whole number")
        }
        if let state = try json.object("self_event_state") { owner = try Self.number(json: state, "user_id") ?? owner }
        let sender = try Self.number(json: json, "sender_id")
        var imported = ImportedMessage(
            room: roomName(conversation),
            roomKey: conversation.id,
            roomKind: conversation.isGroup ? .group : .direct, kind: sender == nil ? .system : .message,
            sender: sender.map { name($0, in: conversation) }, senderKey: sender, body: nil,
            time: Timestamp(microseconds: microseconds), resolution: .microsecond,
            remoteID: try json.scalar("event_id")?.id)
        let lines = try read(json, conversation, &imported)
        let text = ExportText(lines: lines)
        (imported.body, imported.flags) = (text.string, json.flags.union(text.flags))
        if text.string == nil, imported.files.isEmpty, imported.kind == .message {
            omissions.count(kind: try json.text("event_type") ?? "unknown")
        }
        return imported
    }

    /// Reads the content of an event, and returns its lines.
    private func read(
        _ json: JSONValue, _ conversation: Conversation, _ imported: inout ImportedMessage
    ) throws(UnreadablePiece) -> [String?] {
        func set(_ kind: MessageKind) { imported.kind = imported.sender == nil ? .system : kind }
        if let message = try json.object("chat_message") {
            // The annotation 4 is that of /me.
            if try message.objects("annotation").contains(where: { $0["type"]?.number == "4" }) { set(.action) }
            let content = try message.object("message_content")
            for attachment in try content?.objects("attachment") ?? [] {
                try addFiles(of: attachment, to: &imported)
            }
            let lines = try content.map { content throws(UnreadablePiece) in try Self.text(content.objects("segment")) }
            return try [lines]
                + (content?.objects("attachment") ?? []).map { file throws(UnreadablePiece) in
                    try Self.words(of: file.object("embed_item"))
                }
        }
        if let change = try json.object("membership_change") {
            var people: [String] = []
            for person in try change.objects("participant_id").prefix(Self.maximumPeople) {
                if let id = try Self.number(of: person) { people.append(id) }
            }
            let isAlone = people == [imported.senderKey]
            let isJoin = try change.text("type") == "JOIN"
            set(isJoin ? (isAlone ? .join : .invite) : (isAlone ? .leave : .kick))
            return isAlone ? [] : [people.map { name($0, in: conversation) }.joined(separator: ", ")]
        }
        if let rename = try json.object("conversation_rename") {
            set(.action)
            return ["changed the name to \(try rename.text("new_name") ?? "")"]
        }
        if let call = try json.object("hangout_event") {
            set(.action)
            return [try call.text("event_type") == "END_HANGOUT" ? "ended a call" : "called"]
        }
        return []
    }

    private static func text(_ segments: [JSONValue]) throws(UnreadablePiece) -> String {
        var text = ""
        for segment in segments where text.utf8.count <= ExportText.maximumBody {
            text += try segment.text("type") == "LINE_BREAK" ? "\n" : segment.text("text") ?? ""
        }
        return text
    }

    /// Returns the name and the address of a place or a page; nil for other content.
    private static func words(of item: JSONValue?) throws(UnreadablePiece) -> String? {
        guard let item else { return nil }
        let (place, page) = (try item.object("place_v2"), try item.object("thing_v2"))
        guard let found = place ?? page else { return nil }
        let name = try found.text("name")
        guard place == nil || name == nil, let address = try found.text("url") else { return name }
        return name.map { "\($0) (\(address))" } ?? address
    }

    /// Adds a picture or a recording, which the download has beside its list under the last part of the address.
    private func addFiles(of attachment: JSONValue, to imported: inout ImportedMessage) throws(UnreadablePiece) {
        guard let item = try attachment.object("embed_item") else { return }
        let photo = try item.object("plus_photo")
        let old = try item.object("embeds.PlusPhoto.plus_photo")
        let sound = try item.object("plus_audio_v2")
        guard let photo = photo ?? old ?? sound,
            let address = ExportText.name(try photo.text("original_content_url"), try photo.text("url"))
        else { return }
        let name = address.split(separator: "/").last.map(String.init)
        imported.files.append(ImportedMessage.File(path: address, copies: name.map { [$0] }))
    }

    private func name(_ id: String, in conversation: Conversation) -> String {
        conversation.people.first { $0.id == id }?.name ?? id
    }

    private func roomName(_ conversation: Conversation) -> String {
        let others = conversation.people.filter { $0.id != owner }
        let people = (others.isEmpty ? conversation.people : others).prefix(Self.maximumNames).map(\.name)
        return ExportText.name(conversation.name, people.joined(separator: ", "), conversation.id) ?? "conversation"
    }
}

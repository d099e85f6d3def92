import Bytes
import ChatModel

/// The bulk export of Mattermost: a line of JSON for each team, channel, person and post. A post has its replies in it.
///
/// The export has no ids. Mattermost itself identifies a post by its channel, its time and its text; here, the author
/// stands for the text, which may be edited.
package struct MattermostFormat: LogFormat {
    package static let name = "mattermost"
    package static let programs = "Mattermost (bulk export)"
    /// 4 MiB: a post has at most 16,383 characters, and some thousand replies.
    package static let maximumLine = 4 * 1024 * 1024
    package static let hasLocalTimes = false

    private struct Room {
        var name: String
        var key: String
        var kind = RoomReference.Kind.channel
        var description: String?
    }

    private var channels: [String: (name: String, description: String?)] = [:]
    private var bots: Set<String> = []
    private var budget = NameBudget()
    /// The last post, to which replies belong; nil if it could not be read.
    private var post: (room: Room, id: String)?

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        let line = source.beginning.prefix { $0 != Byte.lineFeed }
        guard let json = try? JSONValue(object: LogLine(number: 1, bytes: line), limit: maximumLine) else {
            return false
        }
        return json["type"]?.text == "version" && json["version"]?.number != nil
    }

    package static func cutter() -> any SourceCutter { MattermostCutter(maximumLine: maximumLine) }

    package init(_ source: LogSource) {}

    package var hasOwnRooms: Bool { true }
    package var assumptions: [String] { budget.assumptions }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.bytes.isBlank else { return .nothing }
        let isReply = line.place == MattermostCutter.replyPlace
        do throws(UnreadablePiece) {
            let json = try JSONValue(object: line, limit: Self.maximumLine)
            guard !isReply else {
                guard let post else { throw UnreadablePiece("the post that it answers can't be read") }
                var reply = try message(json, in: post.room)
                reply.replyTo = post.id
                return .message(reply)
            }
            post = nil
            switch try json.required("type").requiredText() {
            case "post": return .message(try begin(json.required("post"), in: room(of: json.required("post"))))
            case "direct_post":
                return .message(try begin(json.required("direct_post"), in: directRoom(json.required("direct_post"))))
            case "channel": try note(channel: json.required("channel"))
            case "bot":
                if let name = ExportText.name(try json.required("bot").text("username")), budget.reserve(name) {
                    bots.insert(name)
                }
            default: break
            }
            return .nothing
        } catch {
            return .unreadable(error.reason)
        }
    }

    private mutating func begin(_ json: JSONValue, in room: Room) throws(UnreadablePiece) -> ImportedMessage {
        let message = try message(json, in: room)
        post = message.remoteID.map { (room, $0) }
        return message
    }

    private mutating func note(channel: JSONValue) throws(UnreadablePiece) {
        let key = try Self.key(channel, "name")
        let name = ExportText.name(try channel.text("display_name"), try channel.text("name")) ?? key
        let description = ExportText(lines: [try channel.text("purpose"), try channel.text("header")]).string
        if budget.reserve(key, name, description) { channels[key] = (name, description) }
    }

    private static func key(_ json: JSONValue, _ name: StaticString) throws(UnreadablePiece) -> String {
        "\(try json.required("team").requiredText())/\(try json.required(name).requiredText())".withoutNUL
    }

    private func room(of post: JSONValue) throws(UnreadablePiece) -> Room {
        let key = try Self.key(post, "channel")
        let name = ExportText.name(channels[key]?.name, try post.text("channel")) ?? key
        return Room(name: name, key: key, description: channels[key]?.description)
    }

    /// Returns the room of people, called and known by all of them.
    private func directRoom(_ post: JSONValue) throws(UnreadablePiece) -> Room {
        let members = try post.list("channel_members").map { member throws(UnreadablePiece) in
            try member.requiredText().withoutNUL
        }
        guard !members.isEmpty else { throw UnreadablePiece("it has no \"direct_post.channel_members\"") }
        let sorted = Set(members).sorted()
        return Room(
            name: ExportText.name(sorted.joined(separator: ", ")) ?? "direct", key: sorted.joined(separator: ","),
            kind: sorted.count > 2 ? .group : .direct)
    }

    private func message(_ json: JSONValue, in room: Room) throws(UnreadablePiece) -> ImportedMessage {
        guard let user = ExportText.name(try json.text("user")) else { throw UnreadablePiece("it has no \"user\"") }
        guard let created = try json.required("create_at").scalar().integer else {
            throw UnreadablePiece("its \"create_at\" is not a whole number")
        }
        let post = try MattermostPost(json)
        let text = ExportText(lines: post.lines)
        let time = Timestamp(milliseconds: created)
        let edited = try json.scalar("edit_at")?.integer.flatMap { $0 > 0 ? Timestamp(milliseconds: $0) : nil }
        var flags = json.flags.union(text.flags)
        if try json.isTrue("is_pinned") { flags.insert(.pinned) }
        if bots.contains(user) { flags.insert(.bot) }
        var imported = ImportedMessage(
            room: room.name, roomKey: room.key, roomKind: room.kind, kind: post.kind, sender: user, senderKey: user,
            body: text.string, time: time, resolution: .microsecond, remoteID: "\(user):\(created)", flags: flags,
            editedAt: edited, deletedAt: post.isDeleted ? edited ?? time : nil, files: post.files,
            reactions: post.reactions)
        if let description = room.description { imported.facts = ImportedFacts(description: description) }
        return imported
    }
}

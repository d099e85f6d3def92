import Bytes
import ChatModel

/// Messages of Rocket.Chat, an object of JSON a line: a room's file in a person's own data or in the export of a room
/// (`server/lib/dataExport` of Rocket.Chat's sources), or a table of the server's database, as `mongoexport` writes it.
package struct RocketChatFormat: LogFormat {
    package static let name = "rocketchat"
    package static let programs = "Rocket.Chat (exports, mongoexport)"
    /// 1 MiB: a message has at most 5,000 characters by default, twice (as text and as parts), and its attachments.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false
    package static let isAlwaysUTF8 = true

    private struct Room {
        var name: String
        var kind: RoomReference.Kind
        var description: String?
    }

    private let givenRoom: String?
    /// The room in the file's name; nil for a table.
    private var fileRoom: String?
    private var rooms: [String: Room] = [:]
    private var budget = NameBudget()
    private var file: String?

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        let line = source.beginning.prefix { $0 != Byte.lineFeed }
        guard let json = try? JSONValue(object: LogLine(number: 1, bytes: line), limit: maximumLine) else {
            return false
        }
        return isTable(json) || isExport(json)
    }

    /// Returns true for a row of the table of messages.
    private static func isTable(_ json: JSONValue) -> Bool {
        json["_id"] != nil && json["rid"] != nil && json["u"]?.isObject == true && json["ts"] != nil
    }

    private static let exportedKeys: Set = ["msg", "username", "ts", "attachments", "type"]

    /// Returns true for a message of a room's file, which has these keys and no others.
    private static func isExport(_ json: JSONValue) -> Bool {
        json.members.allSatisfy { exportedKeys.contains($0.key) } && json.has("msg") && json["username"] != nil
            && RocketChatMessage.time(json["ts"]) != nil
    }

    /// Returns the table of rooms and that of messages in a folder with both, by the names that the server's tables
    /// have; nil for other folders.
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
        let own = paths.prefix { !$0.utf8.contains(Byte.slash) }
        func index(_ names: String...) -> Int? { own.enumerated().first { names.contains($0.element) }?.offset }
        guard let rooms = index("rocketchat_room.json", "rocketchat_rooms.json"),
            let messages = index("rocketchat_message.json", "rocketchat_messages.json")
        else { return nil }
        return [rooms, messages]
    }

    /// - Throws: ``LogSourceError/noRoom`` for a room's file without a name, unless a room is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
        let line = source.beginning.prefix { $0 != Byte.lineFeed }
        let first = try? JSONValue(object: LogLine(number: 1, bytes: line), limit: Self.maximumLine)
        guard !(first.map(Self.isTable) ?? false) else { return }
        let stem = source.name.hasSuffix(".json") ? String(source.name.dropLast(5)) : source.name
        guard let room = givenRoom ?? ExportText.name(stem) else { throw .noRoom }
        fileRoom = room
    }

    package mutating func begin(file path: String) {
        (file, fileRoom) = (path, nil)
    }

    package var hasOwnRooms: Bool { file != nil }
    package var assumptions: [String] { budget.assumptions }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.bytes.isBlank else { return .nothing }
        do throws(UnreadablePiece) {
            let json = try JSONValue(object: line, limit: Self.maximumLine)
            if let file, file.contains("room") {
                try note(room: json)
                return .nothing
            }
            return .message(try message(json))
        } catch {
            return .unreadable(error.reason)
        }
    }

    private mutating func note(room json: JSONValue) throws(UnreadablePiece) {
        guard let id = try json.scalar("_id")?.id else { return }
        let people = try json.list("usernames").compactMap(\.text)
        let isDirect = try json.text("t") == "d"
        let name =
            ExportText.name(
                try json.text("fname"), try json.text("name"), people.isEmpty ? nil : people.joined(separator: ", "))
            ?? id
        let description = ExportText(lines: [try json.text("description"), try json.text("topic")]).string
        guard budget.reserve(id, name, description) else { return }
        rooms[id] = Room(
            name: name, kind: isDirect ? people.count > 2 ? .group : .direct : .channel, description: description)
    }

    private func message(_ json: JSONValue) throws(UnreadablePiece) -> ImportedMessage {
        guard let time = RocketChatMessage.time(json["ts"]) else { throw UnreadablePiece("its \"ts\" is not a time") }
        let message = try RocketChatMessage(json)
        let text = ExportText(lines: message.lines)
        var imported = ImportedMessage(
            room: "", kind: message.kind, sender: message.sender.name, senderKey: message.sender.key,
            body: text.string, time: time, resolution: .microsecond, remoteID: message.id,
            flags: json.flags.union(text.flags).union(message.flags), editedAt: message.editedAt,
            deletedAt: message.isDeleted ? message.editedAt ?? time : nil, replyTo: message.replyTo,
            files: message.files, reactions: message.reactions)
        if let fileRoom {
            imported.room = fileRoom
            return imported
        }
        guard let id = try json.scalar("rid")?.id else { throw UnreadablePiece("it has no \"rid\"") }
        let room = rooms[id]
        let isOne = file == nil && givenRoom != nil
        imported.room = (isOne ? givenRoom : nil) ?? room?.name ?? id
        (imported.roomKey, imported.roomKind) = (isOne ? nil : id, room?.kind ?? .channel)
        if let description = room?.description { imported.facts = ImportedFacts(description: description) }
        return imported
    }
}

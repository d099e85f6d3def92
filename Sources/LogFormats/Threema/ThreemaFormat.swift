import Bytes
import ChatModel

/// The unpacked data backup of Threema for Android: a table of contacts, one of groups, and a table of messages for each chat
/// (`message_1234567890.csv`) and group (`group_message_….csv`).
///
/// The app encrypts the archive, so a user unpacks it with the password.
package struct ThreemaFormat: LogFormat {
    package static let name = "threema"
    package static let programs = "Threema (data backup of Android, unpacked)"
    /// 1 MiB: a message has at most 7,000 bytes, and a file's previews are files of their own.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false
    package static let ownerWords = [OwnWord.sender]

    private let givenRoom: String?
    private var directory = ThreemaDirectory()
    /// The table that is being read, and its room; nil for a table without messages.
    private var table: ThreemaTable
    private var room: ThreemaDirectory.Room?
    private var columns: [String: Int]?
    private var isSeveral = false
    private var omissions = ExportOmissions()

    // MARK: - Recognition

    /// Recognises a table of messages by its columns, of which one has a name that is misspelt.
    package static func recognises(_ source: LogSource) -> Bool {
        let line = IRCLog.lines(of: source.beginning, first: 1).first ?? []
        guard let columns = ThreemaRow.columns(of: line) else { return false }
        return ["apiid", "isoutbox", "messagestae", "type", "body"].allSatisfy { columns[$0] != nil }
    }

    package static func cutter() -> any SourceCutter { CSVRecordCutter(maximumRecord: maximumLine) }

    /// Returns the tables, those with messages last; nil for a folder without contacts or without messages.
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
        var tables: [(order: Int, index: Int)] = []
        var (hasContacts, hasMessages) = (false, false)
        for (index, path) in paths.enumerated() {
            guard !path.utf8.contains(Byte.slash) else { break }
            guard let table = ThreemaTable(path) else { continue }
            hasContacts = hasContacts || table == .contacts
            hasMessages = hasMessages || table.hasMessages
            tables.append((table.order, index))
        }
        return hasContacts && hasMessages ? tables.sorted { $0 < $1 }.map(\.index) : nil
    }

    private static let others: Set = [
        "settings", "app_settings", "identity", "nonces.csv", "nonces_d2d.csv", "nonce_counts.csv",
        "reaction_counts.csv",
        "ballot_vote.csv",
    ]
    private static let pictures = [
        "contact_avatar_", "contact_profile_pic_", "group_avatar_", "message_thumbnail_", "group_message_thumbnail_",
        "distribution_list_thumbnail_",
    ]

    /// Returns true for the app's own files, and for pictures of people and previews.
    package static func saysNothing(_ path: some StringProtocol) -> Bool {
        others.contains(String(path)) || pictures.contains { path.hasPrefix($0) }
    }

    /// - Throws: ``LogSourceError/noRoom`` for a single table whose name is another one, unless a room is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
        let name = source.name
        guard let table = ThreemaTable(name) ?? givenRoom.map({ .chat($0) }) else { throw .noRoom }
        (self.table, room) = (table, directory.room(of: table))
    }

    package mutating func begin(file path: String) {
        (columns, isSeveral) = (nil, true)
        table = ThreemaTable(path) ?? table
        room = directory.room(of: table)
    }

    package var hasOwnRooms: Bool { isSeveral }
    package var assumptions: [String] { directory.assumptions + omissions.assumptions(zone: "UTC") }
    package var unknownKinds: UnknownKinds { omissions.kinds }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes; is a quote not closed?") }
        guard !line.bytes.isBlank else { return .nothing }
        guard let columns else {
            columns = ThreemaRow.columns(of: line.bytes)
            return columns == nil ? .unreadable("it is not the header of a table") : .nothing
        }
        do throws(UnreadablePiece) {
            let row = try ThreemaRow(line.bytes, columns: columns)
            guard let room else {
                try directory.note(row, of: table)
                return .nothing
            }
            return try message(row, in: room).map { .message($0) } ?? .nothing
        } catch {
            return .unreadable(error.reason)
        }
    }

    private mutating func message(_ row: ThreemaRow, in room: ThreemaDirectory.Room) throws(UnreadablePiece)
        -> ImportedMessage?
    {
        // A message that was never sent has no time of sending.
        guard let time = row.time("posted_at") ?? row.time("created_at") else {
            throw UnreadablePiece("it has no time")
        }
        let content = try ThreemaContent(row, of: table, directory)
        if content.saysNothing { return nil }
        if let type = content.unknownType { omissions.count(kind: type) }
        let text = ExportText(lines: content.lines)
        let isOne = !isSeveral && givenRoom != nil
        var imported = ImportedMessage(
            room: isOne ? givenRoom ?? room.name : room.name, roomKey: isOne ? nil : room.key, roomKind: room.kind,
            kind: content.kind, sender: nil, body: text.string, time: time, resolution: .microsecond,
            remoteID: ExportText.name(row["apiid"]), flags: row.flags.union(text.flags),
            editedAt: row.time("edited_at"),
            deletedAt: row.time("deleted_at"), replyTo: ExportText.name(row["quoted_message_apiid"]),
            files: [content.file].compactMap(\.self))
        if content.kind != .system {
            let sender = try sender(of: row, in: room, content)
            (imported.sender, imported.senderKey) = (sender.name, sender.key)
        }
        if let id = imported.remoteID { imported.reactions = reactions(to: id, row, in: room) }
        if let description = room.description { imported.facts = ImportedFacts(description: description) }
        return imported
    }

    private func sender(
        of row: ThreemaRow, in room: ThreemaDirectory.Room, _ content: ThreemaContent
    ) throws(UnreadablePiece) -> ThreemaDirectory.Person {
        if let actor = content.actor { return directory.person(actor) }
        if row.isTrue("isoutbox") { return ThreemaDirectory.Person(name: OwnWord.sender, key: nil) }
        if let contact = room.contact { return contact }
        guard let identity = ExportText.name(row["identity"]) else { throw UnreadablePiece("it names no sender") }
        return directory.person(identity)
    }

    // MARK: - Reactions

    /// Returns the reactions of the backup's table, and the two that older versions have as a state of the message.
    private func reactions(
        to id: String, _ row: ThreemaRow, in room: ThreemaDirectory.Room
    ) -> [ImportedMessage.Reaction] {
        var reactions = directory.reactions(to: id, in: room)
        func add(_ state: String?, by person: ThreemaDirectory.Person?) {
            guard let person, let text = state.flatMap({ Self.states[$0] }),
                !reactions.contains(where: { $0.text == text && $0.user == person.name })
            else { return }
            reactions.append(.init(text: text, user: person.name, userKey: person.key))
        }
        if let contact = room.contact {
            // The receiver reacts.
            let owner = ThreemaDirectory.Person(name: OwnWord.sender, key: nil)
            add(row["messagestae"], by: row.isTrue("isoutbox") ? contact : owner)
        } else if let states = row["g_msg_states"] {
            let line = LogLine(number: 1, bytes: Array(states.utf8)[...])
            // States that can't be read say nothing about the message.
            let members = (try? JSONValue(object: line, limit: Self.maximumLine))?.members ?? []
            for (identity, state) in members.prefix(Self.maximumStates) {
                add(state.text, by: ExportText.name(identity).map(directory.person))
            }
        }
        return reactions
    }

    private static let states = ["USERACK": "👍", "USERDEC": "👎"]
    /// More people than a group has.
    private static let maximumStates = 1000
}

import Bytes
import ChatModel
import Records
import Schema

/// The details that few archives have: workspaces, attachments, replies and reactions. Read for a whole page at once,
/// so that archives without them pay for one query a page.
struct MessageExtras {
    /// The workspaces' names by the room's number.
    private var workspaces: [Int64: String] = [:]
    /// The attachments by the message's id.
    private var attachments: [Int64: [Attachment]] = [:]
    private var replies: [Int64: Message.Reply] = [:]
    private var reactions: [Int64: [Message.Reaction]] = [:]
    /// The senders' names by the user's number, where they differ from those of the message's time.
    private var senders: [Int64: String] = [:]
    /// The bridges by which senders write, by the user's number.
    private var bridges: [Int64: BridgeKey] = [:]
    /// The senders' pictures by the message's id.
    private var pictures: [Int64: Picture] = [:]
    private let people: NamedPeople

    /// Reads the details of messages in any order.
    init(of messages: ArraySlice<Message>, names: MessageQuery.Names, _ db: ReadTransaction) throws {
        people = try NamedPeople(of: messages, names: names, db)
        if names == .now, let seen = try SeenNames(db) {
            for user in Set(messages.compactMap(\.sender?.id)) { senders[user] = try seen.name(of: user) }
        }
        let there = try db.first(
            """
            SELECT EXISTS (SELECT 1 FROM workspace), EXISTS (SELECT 1 FROM attachment), EXISTS (SELECT 1 FROM reaction),
              EXISTS (SELECT 1 FROM user_picture)
            """
        ) { row in
            try (workspaces: row.bool(0), files: row.bool(1), reactions: row.bool(2), pictures: row.bool(3))
        }
        guard let there else { return }
        bridges = try Self.bridges(of: Set(messages.compactMap(\.sender?.id)), db)
        if there.pictures { try readPictures(of: messages, names: names, db) }
        if messages.contains(where: { $0.reply != nil }) { try readReplies(of: messages, names: names, db) }
        if there.reactions { try readReactions(to: messages, db) }
        if there.workspaces {
            for room in Set(messages.map(\.roomID)) {
                workspaces[room] = try db.text(
                    """
                    SELECT name FROM room JOIN workspace_name USING (workspace_id)
                    WHERE room.id = ?1 AND last_seen_us IS NULL
                    """, [.integer(room)])
            }
        }
        guard there.files else { return }
        let files: SQLText =
            "SELECT \(Attachment.columns) FROM \(Attachment.tables) WHERE message_id = ?1 ORDER BY attachment.id"
        for id in try Self.some(of: messages, "EXISTS (SELECT 1 FROM attachment WHERE message_id = value)", db) {
            attachments[id] = try db.all(files, [.integer(id)], Attachment.init)
        }
    }

    /// Returns the bridges by which people write, by their numbers; in most accounts none.
    static func bridges(of users: Set<Int64>, _ db: ReadTransaction) throws -> [Int64: BridgeKey] {
        // In a file, an index finds the keys of all bridges. A server may have another order of texts.
        let isOfBridge = "key >= char(31) AND key < char(32)"
        guard !users.isEmpty, try db.isShared || db.holds("SELECT EXISTS (SELECT 1 FROM user WHERE \(isOfBridge))")
        else { return [:] }
        var found: [Int64: BridgeKey] = [:]
        try db.forEach(
            "SELECT u.id, u.key FROM \(.each(1, as: "wanted")) \(.crossJoin) \"user\" AS u ON u.id = wanted.value",
            [.list(users.sorted())]
        ) { row in
            guard let key = try row.optionalText(1) else { return }
            found[try row.integer(0)] = BridgeKey(key)
        }
        return found
    }

    /// Returns the ids of the messages that fulfil a condition. Few do, and one query is faster than a thousand.
    ///
    /// - Parameter condition: An SQL condition on the id, `value`.
    private static func some(
        of messages: ArraySlice<Message>, _ condition: SQLText, _ db: ReadTransaction
    ) throws -> Set<Int64> {
        var found: Set<Int64> = []
        let ids = SQLArgument.list(messages.map(\.id.microseconds))
        try db.forEach("SELECT value FROM \(.each(1)) WHERE \(condition)", [ids]) { found.insert(try $0.integer(0)) }
        return found
    }

    private mutating func readPictures(
        of messages: ArraySlice<Message>, names: MessageQuery.Names, _ db: ReadTransaction
    ) throws {
        let people = SQLArgument.list(Set(messages.compactMap(\.sender?.id)).sorted())
        let shown = try Set(
            db.integers(
                """
                SELECT value FROM \(.each(1)) WHERE EXISTS (SELECT 1 FROM user_picture WHERE user_id = value)
                """, [people]))
        guard !shown.isEmpty, let first = messages.map(\.id.microseconds).min(),
            let last = messages.map(\.id.microseconds).max()
        else { return }
        let reader = PictureReader(.userPictures, db)
        let seen = names == .now ? try SeenNames(db) : nil
        var (spans, today) = ([Int64: [PictureReader.Span]](), [Int64: Picture]())
        // The forms by the hash, so that each file is opened once.
        var formats: [String: Picture.Format?] = [:]
        for user in shown {
            switch names {
            case .then: spans[user] = try reader.spans(of: user, from: first, through: last)
            case .now: today[user] = try reader.picture(ofUser: user, seen)
            }
        }
        for message in messages {
            guard let user = message.sender?.id, shown.contains(user) else { continue }
            let id = message.id.microseconds
            guard var picture = today[user] ?? spans[user]?.picture(at: id) else { continue }
            if let hash = picture.file.sha256 {
                if formats[hash] == nil {
                    picture.readFormat(in: db.files)
                    formats[hash] = .some(picture.format)
                }
                picture.format = formats[hash] ?? nil
            }
            pictures[id] = picture
        }
    }

    private mutating func readReplies(
        of messages: ArraySlice<Message>, names: MessageQuery.Names, _ db: ReadTransaction
    ) throws {
        let target: SQLText = """
            SELECT m.id, m.sender_id, \(PageReader.name("user_name", "user_id = m.sender_id", db.rooms == nil ? names : .then)),
              substr(m.body, 1, \(Message.Reply.excerpt))
            FROM message AS m WHERE m.room_id = ?1 AND m.remote_id = ?2
            """
        var senders: [Int64: Int64] = [:]
        for message in messages where replies[message.id.microseconds] == nil {
            guard let reply = message.reply else { continue }
            replies[message.id.microseconds] = try db.first(
                target, [.integer(message.roomID), .text(reply.remoteID)]
            ) { row in
                senders[message.id.microseconds] = try row.optionalInteger(1)
                return try Message.Reply(
                    remoteID: reply.remoteID, id: row.messageID(0), sender: row.optionalText(2),
                    body: row.optionalText(3))
            }
        }
        let bridges = try Self.bridges(of: Set(senders.values), db)
        for (id, sender) in senders {
            guard let bridge = bridges[sender], let body = replies[id]?.body else { continue }
            replies[id]?.body = bridge.text(of: body)
        }
    }

    private mutating func readReactions(to messages: ArraySlice<Message>, _ db: ReadTransaction) throws {
        // The reader of some rooms gets the name that was seen with the reaction.
        let name = PageReader.name("user_name", "user_id = reaction.user_id", at: "at_us")
        let standing: SQLText =
            db.rooms == nil
            ? """
            SELECT text, name FROM reaction JOIN user_name USING (user_id)
            WHERE room_id = ?1 AND remote_id = ?2 AND removed_at_us IS NULL AND last_seen_us IS NULL
            ORDER BY at_us, user_id LIMIT \(Message.Reaction.limit)
            """
            : """
            SELECT text, \(name) FROM reaction
            WHERE room_id = ?1 AND remote_id = ?2 AND removed_at_us IS NULL
            ORDER BY at_us, user_id LIMIT \(Message.Reaction.limit)
            """
        let some = try Self.some(
            of: messages,
            """
            EXISTS (SELECT 1 FROM message AS m \(.crossJoin) reaction USING (room_id, remote_id) WHERE m.id = value)
            """, db)
        for message in messages where some.contains(message.id.microseconds) {
            guard let remoteID = message.remoteID, reactions[message.id.microseconds] == nil else { continue }
            var places: [ExactString: Int] = [:]
            var found: [Message.Reaction] = []
            try db.forEach(standing, [.integer(message.roomID), .text(remoteID)]) { row in
                let (text, name) = try (row.text(0), row.optionalText(1) ?? "")
                if let place = places[ExactString(text)] {
                    found[place].by.append(name)
                } else {
                    places[ExactString(text)] = found.count
                    found.append(Message.Reaction(text: text, by: [name]))
                }
            }
            reactions[message.id.microseconds] = found
        }
    }

    func add(to message: inout Message) {
        people.add(to: &message)
        if let bridge = message.sender.flatMap({ bridges[$0.id] }) {
            let text = message.body.flatMap(bridge.pattern.match)?.text
            let prefix = text.flatMap { text in
                message.body.map { String(decoding: $0.utf8.dropLast(text.utf8.count), as: UTF8.self) }
            }
            message.via = Message.Via(bot: bridge.bot, prefix: prefix ?? "")
            message.body = text ?? message.body
        }
        if let sender = message.sender, let name = senders[sender.id] { message.sender?.name = name }
        message.sender?.picture = pictures[message.id.microseconds]
        message.workspace = workspaces[message.roomID]
        message.attachments = attachments[message.id.microseconds] ?? []
        message.reply = replies[message.id.microseconds] ?? message.reply
        message.reactions = reactions[message.id.microseconds] ?? []
    }
}

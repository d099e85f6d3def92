import ChatModel
import Records
import Schema

/// Reads the conversation of a message: upwards by the ids of the messages replied to, downwards by the index of
/// replies. The cost depends on the conversation, not on the size of the archive.
struct ThreadReader {
    let account: AccountIdentity
    let gaps: GapReader
    /// The limit of messages, and of the depth of replies to replies.
    var limit = ThreadOutline.limit
    /// The bytes of messages after which a page ends.
    var bytes = Int.max

    private struct Node {
        var id: Int64
        var remoteID: String?
        var answers: String?

        init(_ row: Columns) throws {
            (id, remoteID, answers) = try (row.integer(0), row.optionalText(1), row.optionalText(2))
        }
    }

    private struct Root {
        var state: ThreadOutline.RootState
        var id: Int64?
        var remoteID: String?

        init(_ state: ThreadOutline.RootState, _ node: Node) {
            (self.state, id, remoteID) = (state, node.id, node.remoteID)
        }

        /// Creates a root that messages reply to, but that is not archived.
        init(missing remoteID: String) {
            (state, self.remoteID) = (.missing, remoteID)
        }
    }

    /// Returns the ids of a message's conversation; nil if the account has no such message.
    func outline(of id: MessageID, _ db: ReadTransaction) throws -> ThreadOutline? {
        let found = try db.first(
            "SELECT id, remote_id, reply_to, room_id FROM message WHERE id = ?1", [.integer(id.microseconds)]
        ) { row in try (node: Node(row), room: row.integer(3)) }
        guard let (node, room) = found else { return nil }
        let root = try root(above: node, room: room, db)
        let ids = try answers(to: root, room: room, db)
        return ThreadOutline(
            account: account.name, room: room, rootState: root.state, root: root.id.map(MessageID.init(microseconds:)),
            rootRemoteID: root.remoteID, ids: ids.prefix(limit).sorted().map(MessageID.init(microseconds:)),
            isCut: ids.count > limit)
    }

    private func root(above start: Node, room: Int64, _ db: ReadTransaction) throws -> Root {
        var node = start
        var seen: Set<Int64> = [node.id]
        while let answered = node.answers {
            guard let parent = try Self.find(answered, room: room, db) else { return Root(missing: answered) }
            guard seen.insert(parent.id).inserted else { return try earliest(inCircleOf: parent, room: room, db) }
            node = parent
            guard seen.count <= limit else { return Root(.tooFar, node) }
        }
        return Root(.found, node)
    }

    /// Returns the earliest message of a cycle of replies.
    private func earliest(inCircleOf node: Node, room: Int64, _ db: ReadTransaction) throws -> Root {
        var (earliest, next) = (node, node)
        while let answered = next.answers, let parent = try Self.find(answered, room: room, db), parent.id != node.id {
            if parent.id < earliest.id { earliest = parent }
            next = parent
        }
        return Root(.cycle, earliest)
    }

    private static func find(_ remoteID: String, room: Int64, _ db: ReadTransaction) throws -> Node? {
        try db.first(
            "SELECT id, remote_id, reply_to FROM message WHERE room_id = ?1 AND remote_id = ?2",
            [.integer(room), .text(remoteID)], Node.init)
    }

    /// SQL for the ids of a conversation: the root ?1, whose network's id is ?2, in room ?3, and ?4 rows at most. UNION
    /// ends cycles.
    ///
    /// The earliest messages come first if each reply is later than the message that it replies to. PostgreSQL has no
    /// order within a recursion, and so reads the whole conversation.
    static let selection: SQLText = """
        WITH RECURSIVE thread (id, remote_id) AS (
          SELECT ?1, \(file: "?2", shared: "?2 COLLATE \"C\"")
          UNION
          SELECT m.id, m.remote_id FROM thread
            \(.crossJoin) message AS m \(.indexed("message_reply")) ON m.reply_to = thread.remote_id
          WHERE m.room_id = ?3 AND m.reply_to IS NOT NULL
          \(file: "ORDER BY 1 LIMIT ?4", shared: ""))
        SELECT id FROM thread WHERE id IS NOT NULL \(file: "", shared: "ORDER BY id LIMIT ?4")
        """

    /// Returns the root and all direct and indirect replies to it, at most one more than the limit, each once.
    private func answers(to root: Root, room: Int64, _ db: ReadTransaction) throws -> [Int64] {
        let rows = limit + (root.id == nil ? 2 : 1)
        return try db.integers(
            Self.selection,
            [.integer(root.id), .text(root.remoteID), .integer(room), .integer(Int64(rows))])
    }

    /// Returns the messages of a page, with the gaps from the message before it to the one after it.
    func page(
        of outline: ThreadOutline, from anchor: ThreadQuery.Anchor, limit: Int, names: MessageQuery.Names,
        _ db: ReadTransaction
    ) throws -> Page {
        let ids = outline.ids
        var range: Range<Int>
        // The messages among which the cursors continue.
        var whole = ids.indices
        switch anchor {
        case .oldest: range = 0..<min(limit, ids.count)
        case .after(let id):
            let start = ids.partitioningIndex { $0 > id }
            range = start..<min(start + limit, ids.count)
        case .before(let id):
            let end = ids.partitioningIndex { $0 >= id }
            range = max(0, end - limit)..<end
        case .around(let id):
            let middle = ids.partitioningIndex { $0 >= id }
            let start = max(0, min(middle - limit / 2, ids.count - limit))
            range = start..<min(start + limit, ids.count)
        case .between(let lower, let upper):
            let start = ids.partitioningIndex { $0 > lower }
            whole = start..<max(start, ids.partitioningIndex { $0 >= upper })
            range = whole.prefix(limit)
        }
        range = try fitting(range, of: ids, from: anchor, db)
        let messages = try pages(outline, names).messages(ids[range].map(\.microseconds), db)
        let lower = (range.lowerBound > 0 ? ids[range.lowerBound - 1] : ids.first)?.microseconds ?? .min
        let upper = range.upperBound < ids.count ? ids[range.upperBound].microseconds : .max
        return Page(
            messages: messages,
            older: range.lowerBound > whole.lowerBound ? messages.first?.id ?? ids.last.map(Self.after) : nil,
            newer: range.upperBound < whole.upperBound ? messages.last?.id ?? ids.first.map(Self.before) : nil,
            gaps: try gaps.gaps(rooms: [outline.room], from: lower, to: upper, with: [.purged], db).inOrder())
    }

    /// Returns the part of a page whose messages are not too long: from the side of the anchor on, or around it.
    private func fitting(
        _ range: Range<Int>, of ids: [MessageID], from anchor: ThreadQuery.Anchor, _ db: ReadTransaction
    ) throws -> Range<Int> {
        guard bytes < .max, !range.isEmpty else { return range }
        let sizes = try sizes(of: ids[range], db)
        var start =
            switch anchor {
            case .oldest, .after, .between: range.lowerBound
            case .before: range.upperBound - 1
            case .around(let id): min(ids.partitioningIndex { $0 >= id }, range.upperBound - 1)
            }
        var end = start + 1
        var left = bytes - sizes[start - range.lowerBound]
        func take(_ index: Int) -> Bool {
            guard range.contains(index) else { return false }
            left -= sizes[index - range.lowerBound]
            return left >= 0
        }
        var (goesOn, goesBack) = (true, true)
        while goesOn || goesBack {
            goesOn = goesOn && take(end)
            if goesOn { end += 1 }
            goesBack = goesBack && take(start - 1)
            if goesBack { start -= 1 }
        }
        return start..<end
    }

    /// Returns the bytes of messages in the order of their ids.
    private func sizes(of ids: ArraySlice<MessageID>, _ db: ReadTransaction) throws -> [Int] {
        var sizes: [Int64: Int64] = [:]
        try db.forEach(
            """
            SELECT m.id, 128 + coalesce(\(.bytes(of: "m.body")), 0)
            FROM \(.each(1, as: "wanted")) \(.crossJoin) message AS m ON m.id = wanted.value
            """, [.list(ids.map(\.microseconds))]
        ) { row in sizes[try row.integer(0)] = try row.integer(1) }
        return ids.map { Int(sizes[$0.microseconds] ?? 0) }
    }

    /// Returns the cursor with which an empty page continues, because cursors are exclusive.
    private static func after(_ id: MessageID) -> MessageID { MessageID(id.time.advanced(byMicroseconds: 1)) }
    private static func before(_ id: MessageID) -> MessageID { MessageID(id.time.advanced(byMicroseconds: -1)) }

    /// Returns a page of a message's conversation; nil if the account has no such message.
    func thread(_ query: ThreadQuery, _ db: ReadTransaction) throws -> MessageThread? {
        guard let outline = try outline(of: query.message, db) else { return nil }
        let page = try page(of: outline, from: query.anchor, limit: query.limit, names: query.names, db)
        let root = try outline.root.flatMap { try pages(outline, query.names).messages([$0.microseconds], db).first }
        return MessageThread(outline: outline, root: root, page: page)
    }

    private func pages(_ outline: ThreadOutline, _ names: MessageQuery.Names) throws -> PageReader {
        let scope = MessageQuery.Scope.room(account: account.name, id: outline.room)
        return PageReader(account: account, query: try MessageQuery(scope: scope, names: names))
    }
}

import ChatModel
import Records
import Schema

/// Reads runs of one account's messages. The cost depends on the run, not on the size of the archive.
struct PageReader {
    let account: AccountIdentity
    /// The rooms to read; nil for every room of the account. Each read leaves out those that the reader may not see.
    let rooms: [Int64]?
    let hidden: HiddenMessages
    /// The names of the account's bots in the form of ``FoldedName``; empty unless bots are hidden.
    let bots: Set<String>
    let names: MessageQuery.Names
    /// The hits of a search; nil for all messages.
    let hits: SearchHits?
    /// The bytes of messages after which a run ends. It includes the message that exceeds them.
    let bytes: Int
    /// True to read the names of a whole run at once (``NamesThen``).
    private var readsNamesApart = false

    init(account: AccountIdentity, query: MessageQuery, hits: SearchHits? = nil, bytes: Int = .max) {
        (self.account, self.hits, self.bytes) = (account, hits, bytes)
        rooms = query.scope.rooms(of: account.name)
        hidden = query.hidden
        bots = Self.bots(of: account, query.hidden)
        names = query.names
    }

    /// Reads one room in runs of many messages, with the names of their time.
    init(account: AccountIdentity, room: Int64) {
        (self.account, rooms, hidden, bots, names, hits, bytes) = (account, [room], [], [], .then, nil, .max)
        readsNamesApart = true
    }

    /// Reads one room without noise.
    ///
    /// - Parameter hidden: What else to leave out.
    init(
        account: AccountIdentity, room: Int64, hidden: HiddenMessages = [], names: MessageQuery.Names, bytes: Int
    ) {
        (self.account, rooms, self.names, self.bytes) = (account, [room], names, bytes)
        self.hidden = hidden.withJoins
        bots = Self.bots(of: account, hidden)
        hits = nil
    }

    /// Returns the latest messages before `upper`, at most `count`, in time order. Nil is the end of time.
    func backward(from upper: Int64?, after lower: Int64? = nil, count: Int, _ db: ReadTransaction) throws -> [Message]
    {
        try readRuns(.backward, after: lower ?? .min, before: upper ?? .max, count: count, db)
    }

    /// Returns the earliest messages after `lower`, at most `count`, in time order. Nil is the beginning of time.
    func forward(from lower: Int64?, before upper: Int64? = nil, count: Int, _ db: ReadTransaction) throws -> [Message]
    {
        try readRuns(.forward, after: lower ?? .min, before: upper ?? .max, count: count, db)
    }

    func hasAny(before upper: Int64, _ db: ReadTransaction) throws -> Bool {
        try subjects(db).contains { try nearest(.backward, of: $0, after: .min, before: upper, db) != nil }
    }

    func hasAny(after lower: Int64, _ db: ReadTransaction) throws -> Bool {
        try subjects(db).contains { try nearest(.forward, of: $0, after: lower, before: .max, db) != nil }
    }

    /// Returns the latest message before `upper`; nil if there is none.
    func nearest(before upper: Int64, _ db: ReadTransaction) throws -> MessageID? {
        try subjects(db).compactMap { try nearest(.backward, of: $0, after: .min, before: upper, db) }.max()
    }

    /// Returns the earliest message after `lower`; nil if there is none.
    func nearest(after lower: Int64, _ db: ReadTransaction) throws -> MessageID? {
        try subjects(db).compactMap { try nearest(.forward, of: $0, after: lower, before: .max, db) }.min()
    }

    enum Direction {
        case backward, forward

        var order: String { self == .backward ? "DESC" : "ASC" }
    }

    /// Returns the number of messages that have a place on a page which begins at the nearest one.
    private func fitting(_ messages: [Message], _ size: PageSize, _ direction: Direction) -> Int {
        direction == .backward ? size.fitting(messages.reversed()) : size.fitting(messages)
    }

    /// Returns the messages of all subjects in time order.
    private func readRuns(
        _ direction: Direction, after lower: Int64, before upper: Int64, count: Int, _ db: ReadTransaction
    ) throws -> [Message] {
        var messages: [Message] = []
        var (lower, upper) = (lower, upper)
        let subjects = subjects(db)
        let size = PageSize(count: count - 1, bytes: bytes)
        for subject in subjects {
            let found = try run(direction, of: subject, after: lower, before: upper, count: count, db)
            messages = messages.isEmpty ? found : messages + found
            guard subjects.count > 1 else { break }
            messages.sort { $0.id < $1.id }
            // Another room's message has a place only if it is nearer than the farthest one.
            let near = fitting(messages, size, direction) + 1
            guard messages.count >= near else { continue }
            switch direction {
            case .backward:
                messages = messages.suffix(near)
                lower = messages.first?.id.microseconds ?? lower
            case .forward:
                messages = Array(messages.prefix(near))
                upper = messages.last?.id.microseconds ?? upper
            }
        }
        try addExtras(to: &messages, direction, db)
        return messages
    }

    /// The number of messages whose extras are read at once if bytes are limited. Each may have 1,000 reactions.
    private static let extrasAtOnce = 100

    /// Adds the messages' extras, and ends the run where these exceed the bytes.
    private func addExtras(to messages: inout [Message], _ direction: Direction, _ db: ReadTransaction) throws {
        let count = bytes == .max ? messages.count : Self.extrasAtOnce
        var (rest, left) = (messages.indices, bytes)
        while !rest.isEmpty, left >= 0 {
            let part =
                direction == .backward
                ? max(rest.lowerBound, rest.upperBound - count)..<rest.upperBound
                : rest.lowerBound..<min(rest.upperBound, rest.lowerBound + count)
            rest =
                direction == .backward ? rest.lowerBound..<part.lowerBound : part.upperBound..<rest.upperBound
            let extras = try MessageExtras(of: messages[part], names: names, db)
            for index in part { extras.add(to: &messages[index]) }
            if bytes < .max { left -= messages[part].weight }
        }
        messages.removeSubrange(rest)
    }

    /// Returns the messages of one subject in time order, without their extras and the hidden ones.
    private func run(
        _ direction: Direction, of subject: SQLArgument, after lower: Int64, before upper: Int64, count: Int,
        _ db: ReadTransaction
    ) throws -> [Message] {
        let span = Span(direction: direction, subject: subject, after: lower, before: upper)
        guard hidden.hidesLurkers, hits == nil else {
            return try shown(span, hidesNoise: hidden.hidesNoise, count: count, db).messages
        }
        return try withoutLurkers(span, count: count, db)
    }

    /// A part of a subject's messages, and the end from which it is read.
    struct Span {
        let direction: Direction
        let subject: SQLArgument
        /// The exclusive bounds.
        var after: Int64
        var before: Int64
    }

    /// Returns the messages of a span in time order, without their extras, and true if the number or the bytes ended
    /// the run.
    func rows(
        _ span: Span, hidesNoise: Bool, count: Int, _ db: ReadTransaction
    ) throws -> (messages: [Message], isCut: Bool) {
        let direction = span.direction
        var (messages, left) = ([Message](), bytes)
        messages.reserveCapacity(count)
        var arguments = arguments(after: span.after, before: span.before, span.subject, count: count)
        let ids: SQLText
        if let hits, let sieve = hits.sieve {
            ids = try hits.passingIDs(order: direction.order, db)
            arguments.append(.test(sieve.test))
        } else {
            ids = try idSelect(direction, hidesNoise: hidesNoise, db)
        }
        let isFull = try db.first(
            "SELECT \(columns(db)) FROM (\(ids)) AS page \(.crossJoin) message AS m ON m.id = page.id", arguments
        ) { row -> Bool? in
            messages.append(try message(row))
            if bytes < .max { left -= messages[messages.count - 1].weight }
            // The first message has a place, and the second one shows that there are more.
            return left < 0 && messages.count > 1 ? true : nil
        }
        // SQL leaves the order of a join open. SQLite keeps the page's order, so the array is sorted already, once it is
        // reversed: Swift (6.3) sorts up to 64 elements by insertion, which moves a page's messages 1,300 times if they
        // come in the opposite order, a tenth of the time of a page *(measured)*.
        if direction == .backward { messages.reverse() }
        messages.sort { $0.id < $1.id }
        if readsNamesApart, !messages.isEmpty {
            let names = try NamesThen(of: messages, db)
            for index in messages.indices { names.add(to: &messages[index]) }
        }
        return (messages, isFull ?? (messages.count == count))
    }

    private func nearest(
        _ direction: Direction, of subject: SQLArgument, after lower: Int64, before upper: Int64, _ db: ReadTransaction
    ) throws -> MessageID? {
        guard !hidden.hidesLurkers, !hidesByMessage else {
            return try run(direction, of: subject, after: lower, before: upper, count: 1, db).first?.id
        }
        return try db.integer(
            try idSelect(direction, hidesNoise: hidden.hidesNoise, db),
            arguments(after: lower, before: upper, subject, count: 1)
        ).map(MessageID.init(microseconds:))
    }

    /// Returns the arguments of ``idSelect(_:_:)``, with bounds within the time of the search.
    func arguments(
        after lower: Int64, before upper: Int64, _ subject: SQLArgument, count: Int
    ) -> [SQLArgument] {
        [
            .integer(max(lower, hits?.after ?? .min)), .integer(min(upper, hits?.before ?? .max)), subject,
            .integer(Int64(count)),
        ]
    }

    /// The values of ?3, each of which selects a run of messages: the search, each room, or null for all messages.
    private func subjects(_ db: ReadTransaction) -> [SQLArgument] {
        if let hits { return [.text(hits.match)] }
        return db.visible(rooms)?.map { .integer($0) } ?? [.integer(nil)]
    }

    /// Returns SQL for the ids of a run: ?1 < id < ?2, that match ?3 or are in room ?3, at most ?4. For one room or for
    /// hits it reads indexes only.
    ///
    /// A room with its noise is two runs of its index, merged. `noise IN (0, 1)` would sort the whole room. Without
    /// `INDEXED BY` the planner scans all messages when it takes the room for most of the file.
    private func idSelect(_ direction: Direction, hidesNoise: Bool, _ db: ReadTransaction) throws -> SQLText {
        if hits != nil { return try SearchHits.ids(order: direction.order, db) }
        let tail = "id > ?1 AND id < ?2\(isNotBot) ORDER BY id \(direction.order) LIMIT ?4"
        // Each statement must use ?3, because its argument is always bound.
        switch (db.visible(rooms) != nil, hidesNoise) {
        case (true, true):
            return "SELECT id FROM message \(.indexed("message_room")) WHERE room_id = ?3 AND noise = 0 AND \(tail)"
        case (true, false):
            return """
                SELECT id FROM (SELECT id FROM message \(.indexed("message_room"))
                  WHERE room_id = ?3 AND noise = 0 AND \(tail)) AS quiet
                UNION ALL
                SELECT id FROM (SELECT id FROM message \(.indexed("message_room"))
                  WHERE room_id = ?3 AND noise = 1 AND \(tail)) AS noisy
                ORDER BY id \(direction.order) LIMIT ?4
                """
        case (false, true):
            return "SELECT id FROM message \(.notIndexed) WHERE ?3 IS NULL AND noise = 0 AND \(tail)"
        case (false, false):
            return "SELECT id FROM message \(.notIndexed) WHERE ?3 IS NULL AND \(tail)"
        }
    }

    func columns(_ db: ReadTransaction) -> String {
        guard !readsNamesApart else { return Message.columnsWithoutNames }
        // The present name may be one that the reader of some rooms does not know: ``MessageExtras``.
        let senderNames = db.rooms == nil ? names : .then
        return Message.columns(
            sender: Self.name("user_name", "user_id = m.sender_id", senderNames),
            room: Self.name("room_name", "room_id = m.room_id", names))
    }

    /// Returns SQL for a name: today's, or the one at the message's time. Messages before the first sighting get the
    /// earliest name.
    static func name(_ table: String, _ key: String, _ names: MessageQuery.Names) -> String {
        switch names {
        case .now:
            "(SELECT name FROM \(table) WHERE \(key) ORDER BY first_seen_us DESC LIMIT 1)"
        case .then: name(table, key, at: "m.id")
        }
    }

    /// Returns SQL for the name at a time.
    static func name(_ table: String, _ key: String, at time: String) -> String {
        """
        coalesce((SELECT name FROM \(table) WHERE \(key) AND first_seen_us <= \(time) ORDER BY first_seen_us DESC LIMIT 1),
          (SELECT name FROM \(table) WHERE \(key) ORDER BY first_seen_us LIMIT 1))
        """
    }

    func message(_ row: Columns) throws -> Message { try Message(row, of: account) }
}

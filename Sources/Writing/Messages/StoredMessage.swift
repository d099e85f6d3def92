import Bytes
package import ChatModel
package import Records
package import SQLite
import Schema

/// A stored message, for an event or an import that changes it.
package struct StoredMessage {
    package let id: Int64
    package let room: Int64
    package let sender: Int64?
    package var kind: MessageKind
    package let remoteID: String?
    /// The source's time, or the id if the source has no time that can be true.
    let time: Timestamp
    let resolution: TimeResolution
    /// True if the message has only our time of receipt.
    let isReceived: Bool
    package var body: String?
    /// Nil while the message has its first text.
    var editedAt: Int64?
    package var deletedAt: Int64?
    /// The marks of its files.
    var files: SearchMarks
    /// True if it answers another message.
    var isReply: Bool
    /// True if the texts were removed for good.
    package var isWiped: Bool
    var isPinned: Bool
    /// True if a reaction stands.
    var isReacted: Bool
    /// True while only the ciphertext is known.
    package var isUndecrypted: Bool
    /// True if it was imported as read.
    package let isRead: Bool

    package static func find(_ remoteID: String, room: Int64, _ db: Database) throws -> StoredMessage? {
        try db.cachedStatement(sql: "\(selection) WHERE room_id = ? AND remote_id = ?").first({
            $0.bind(1, room)
            $0.bind(2, remoteID)
        }) { try StoredMessage($0) }
    }

    /// The limit of messages of a room and time among which ``find(like:room:sender:_:)`` looks: more than people write in a
    /// second.
    private static let mostOfTime = 100

    /// Returns the first message that was imported without the network's id and has the room, sender, kind, text and time of
    /// an imported one; nil if there is none.
    static func find(
        like message: ImportedMessage, room: Int64, sender: Int64?, _ db: Database
    ) throws -> StoredMessage? {
        let start = message.resolution.floor(message.matchedTime).microseconds
        // Messages of one time are stored 1 µs apart.
        let (end, isBeyond) = start.addingReportingOverflow(max(message.resolution.microseconds, 1000))
        guard !isBeyond else { return nil }
        let statement = try db.cachedStatement(
            sql: """
                \(selection) WHERE id = (
                  SELECT id FROM (
                    SELECT * FROM message INDEXED BY message_room
                    WHERE room_id = ?1 AND noise = ?2 AND id >= ?3 AND id < ?4 ORDER BY id LIMIT \(mostOfTime))
                  WHERE remote_id IS NULL AND session_id IS NULL AND kind = ?5 AND sender_id IS ?6 AND body IS ?7
                    AND flags & \(MessageFlags.wiped.rawValue) = 0
                    AND (source_time_us IS NULL OR source_time_us >= ?3 AND source_time_us < ?4)
                  ORDER BY id LIMIT 1)
                """)
        return try statement.first({
            $0.bind(1, room)
            $0.bind(2, message.kind.isNoise ? 1 : 0)
            $0.bind(3, start)
            $0.bind(4, end)
            $0.bind(5, message.kind.code)
            $0.bind(6, sender)
            $0.bind(7, message.body)
        }) { try StoredMessage($0) }
    }

    package static func find(at id: Int64, _ db: Database) throws -> StoredMessage? {
        try db.cachedStatement(sql: "\(selection) WHERE id = ?").first({ $0.bind(1, id) }) { try StoredMessage($0) }
    }

    /// Returns the id of the message that follows the next `count` ones after an id; the largest number if there is none.
    package static func end(of count: Int, after id: Int64, _ db: Database) throws -> Int64 {
        let sql = "SELECT id FROM message WHERE id > ? ORDER BY id LIMIT 1 OFFSET \(count)"
        return try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [id]) ?? .max
    }

    /// Returns the earliest messages after an id, at most `limit`, in order of time.
    package static func all(after id: Int64, limit: Int, _ db: Database) throws -> [StoredMessage] {
        var found: [StoredMessage] = []
        try db.cachedStatement(sql: "\(selection) WHERE id > ? ORDER BY id LIMIT ?").forEach({
            $0.bind(1, id)
            $0.bind(2, Int64(limit))
        }) { found.append(try StoredMessage($0)) }
        return found
    }

    /// Returns the earliest messages in `after < id <= end` that ``isOf(user:)`` selects, at most `limit`, in order of
    /// time.
    package static func of(user: Int64, after: Int64, through end: Int64, limit: Int, _ db: Database) throws
        -> [StoredMessage]
    {
        try selected(
            "WHERE id > ?1 AND id <= ?2 AND \(isOf(user: "?3")) ORDER BY id LIMIT ?4", user, after, end, limit, db)
    }

    /// Returns the earliest messages that a user sent in `after < id <= end`, at most `limit`, in order of time.
    package static func sent(by user: Int64, after: Int64, through end: Int64, limit: Int, _ db: Database) throws
        -> [StoredMessage]
    {
        try selected(
            "NOT INDEXED WHERE id > ?1 AND id <= ?2 AND sender_id = ?3 ORDER BY id LIMIT ?4", user, after, end, limit,
            db)
    }

    /// Returns the earliest messages that some users sent in `after < id <= end`, at most `limit`, in order of time.
    package static func sent(by users: [Int64], after: Int64, through end: Int64, limit: Int, _ db: Database) throws
        -> [StoredMessage]
    {
        var found: [StoredMessage] = []
        let condition = """
            NOT INDEXED WHERE id > ? AND id <= ? AND sender_id IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?
            """
        try db.cachedStatement(sql: "\(selection) \(condition)").forEach({
            $0.bind(1, after)
            $0.bind(2, end)
            $0.bind(3, "\(users)")
            $0.bind(4, Int64(limit))
        }) { found.append(try StoredMessage($0)) }
        return found
    }

    private static func selected(
        _ condition: String, _ user: Int64, _ after: Int64, _ end: Int64, _ limit: Int, _ db: Database
    ) throws -> [StoredMessage] {
        var found: [StoredMessage] = []
        try db.cachedStatement(sql: "\(selection) \(condition)").forEach({
            $0.bind(1, after)
            $0.bind(2, end)
            $0.bind(3, user)
            $0.bind(4, Int64(limit))
        }) { found.append(try StoredMessage($0)) }
        return found
    }

    /// Returns an SQL condition for the messages of a user, and for others' kicks, modes and invitations that name the
    /// user, as in `bob: go away`, `+o bob` and `+b bob!*@*`. Those name nobody who writes by a bridge.
    ///
    /// - Parameter user: SQL for the user's number.
    package static func isOf(user: String) -> String {
        let kinds = [MessageKind.kick, .mode, .invite].map { "\($0.code)" }.joined(separator: ", ")
        return """
            (sender_id = \(user) OR (kind IN (\(kinds)) AND EXISTS (SELECT 1 FROM user_name
              JOIN "user" AS u ON u.id = user_id WHERE user_id = \(user) AND \(BridgeBook.isOwn(key: "u.key"))
              AND instr(' ' || replace(replace(lower(body), ':', ' '), '!', ' ') || ' ', ' ' || lower(name) || ' ') > 0)))
            """
    }

    /// Returns the earliest messages of a room in `start <= id < end`, at most `count`, in order of time.
    ///
    /// - Parameter noise: True for joins, leaves, renames and modes; false for all others.
    package static func earliest(
        _ count: Int, room: Int64, noise: Bool, from start: Int64, to end: Int64, _ db: Database
    ) throws -> [StoredMessage] {
        let statement = try db.cachedStatement(
            sql: """
                \(selection) INDEXED BY message_room WHERE room_id = ? AND noise = ? AND id >= ? AND id < ?
                ORDER BY id LIMIT ?
                """)
        var found: [StoredMessage] = []
        try statement.forEach({
            $0.bind(1, room)
            $0.bind(2, noise ? 1 : 0)
            $0.bind(3, start)
            $0.bind(4, end)
            $0.bind(5, Int64(count))
        }) { found.append(try StoredMessage($0)) }
        return found
    }

    private static let selection = """
        SELECT id, room_id, sender_id, kind, \(StoredOccurrences.matchedTime), flags, body, edited_at_us, deleted_at_us,
          \(SearchMarks.paths), remote_id, NOT \(StoredOccurrences.hasNetworkTime), reply_to IS NOT NULL
        FROM message
        """

    private init(_ row: Columns) throws {
        let flags = try MessageFlags(rawValue: row.integer(5))
        (id, room, sender) = try (row.integer(0), row.integer(1), row.optionalInteger(2))
        (kind, remoteID) = try (MessageKind(code: row.integer(3)), row.optionalText(10))
        time = try StoredOccurrences.time(id: row.integer(0), source: row.claim(4))
        (resolution, isReceived) = try (flags.resolution, row.integer(11) != 0)
        (body, editedAt, deletedAt) = try (row.optionalText(6), row.optionalInteger(7), row.optionalInteger(8))
        (files, isReply) = try (SearchMarks.files(joined: row.optionalText(9)), row.integer(12) != 0)
        (isWiped, isPinned, isReacted) = (flags.contains(.wiped), flags.contains(.pinned), flags.contains(.reacted))
        isUndecrypted = flags.contains(.encrypted) && body == nil && deletedAt == nil
        isRead = flags.contains(.readOnArrival)
    }

    package var searchEntry: SearchEntry {
        SearchEntry(
            id: id, room: room, sender: sender, kind: kind, body: body,
            marks: SearchMarks(
                isEdited: editedAt != nil, isDeleted: deletedAt != nil,
                flags: (isPinned ? MessageFlags.pinned : []).union(isReacted ? .reacted : []), isReply: isReply,
                files: files),
            isRead: isRead)
    }

    /// The time of the present text, in microseconds since 1970.
    var since: Int64 { editedAt ?? id }

    func hasBody(_ other: String?) -> Bool {
        body.map(ExactString.init) == other.map(ExactString.init)
    }

    /// Returns true if the message has or had this text.
    func everHadBody(_ other: String?, _ db: Database) throws -> Bool {
        if hasBody(other) { return true }
        guard editedAt != nil else { return false }
        let statement = try db.cachedStatement(
            sql: "SELECT 1 FROM message_version WHERE message_id = ? AND body IS ? LIMIT 1")
        return try Int64.fetchOne(statement, arguments: [id, other]) != nil
    }

    /// Returns true if an earlier version of that time has this text. Versions of the same time are stored 1 µs apart.
    func hadBody(_ other: String?, at time: Int64, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                SELECT 1 FROM (SELECT body FROM message_version WHERE message_id = ? AND at_us BETWEEN ? AND ?)
                WHERE body IS ? LIMIT 1
                """)
        return try Int64.fetchOne(statement, arguments: [id, time, time &+ Self.ties, other]) != nil
    }

    /// Returns true if `message`, from history, has a text that the archive lacks.
    ///
    /// A text without a time is the original, which is missing only if an edit came before the message.
    func lacksVersion(_ message: IncomingMessage, _ db: Database) throws -> Bool {
        guard message.editedAt != nil || editedAt != nil, !message.isEmptied, try !everHadBody(message.body, db) else {
            return false
        }
        return try message.editedAt != nil || freeTime(notBefore: id, db) == id
    }

    func lacksDeletion(_ message: IncomingMessage) -> Bool {
        message.deletedAt != nil && deletedAt == nil
    }

    /// Returns the first free time for an earlier version that is not before `time`; nil if that time has too many
    /// versions.
    func freeTime(notBefore time: Int64, _ db: Database) throws -> Int64? {
        let statement = try db.cachedStatement(
            sql: "SELECT at_us FROM message_version WHERE message_id = ? AND at_us BETWEEN ? AND ? ORDER BY at_us")
        let used = Set(try Int64.fetchAll(statement, arguments: [id, time, time &+ Self.ties]))
        return (0...Self.ties).lazy.map { time &+ $0 }.first { $0 < since && !used.contains($0) }
    }

    /// The largest distance of a version from its own time, in microseconds. The 16 places are more edits than a person
    /// makes within a network's second or millisecond.
    private static let ties: Int64 = 15
}

extension IncomingMessage {
    /// True for a deleted message whose text the network no longer sends.
    var isEmptied: Bool { body == nil && deletedAt != nil }
}

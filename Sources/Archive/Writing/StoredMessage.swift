import ChatModel
import GRDB

/// A message of the archive that is told of again, and what it said before.
struct StoredMessage {
    let id: Int64
    let room: Int64
    let sender: Int64?
    let kind: MessageKind
    let remoteID: String?
    /// What its source says its time is, as far as the archive knows.
    let time: Timestamp
    let resolution: TimeResolution
    /// Only our time of receipt is known of it.
    let isReceived: Bool
    var body: String?
    /// Nil while it says what it said at first.
    var editedAt: Int64?
    var deletedAt: Int64?
    var hasFile: Bool
    /// Its texts were taken away, and don't come back.
    var isWiped: Bool

    static func find(_ remoteID: String, room: Int64, _ db: Database) throws -> StoredMessage? {
        let statement = try db.cachedStatement(sql: "\(selection) WHERE room_id = ? AND remote_id = ?")
        return try Row.fetchOne(statement, arguments: [room, remoteID]).map(StoredMessage.init)
    }

    static func find(at id: Int64, _ db: Database) throws -> StoredMessage? {
        let statement = try db.cachedStatement(sql: "\(selection) WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [id]).map(StoredMessage.init)
    }

    private static let selection = """
        SELECT id, room_id, sender_id, kind, source_time_us, flags, body, edited_at_us, deleted_at_us,
          EXISTS (SELECT 1 FROM attachment WHERE message_id = message.id), remote_id, NOT \(StoredOccurrences.isOfNetwork)
        FROM message
        """

    private init(_ row: Row) throws {
        let flags = try MessageFlags(rawValue: row.value(5))
        (id, room, sender, remoteID) = try (row.value(0), row.value(1), row.value(2), row.value(10))
        kind = try MessageKind(code: row.value(3))
        time = try StoredOccurrences.time(id: row.value(0), source: row.claim(4))
        (resolution, isReceived) = try (flags.resolution, row.value(11))
        (body, editedAt, deletedAt, hasFile) = try (row.value(6), row.value(7), row.value(8), row.value(9))
        isWiped = flags.contains(.wiped)
    }

    var searchEntry: SearchEntry {
        SearchEntry(
            id: id, room: room, sender: sender, kind: kind, body: body, isEdited: editedAt != nil,
            isDeleted: deletedAt != nil, hasFile: hasFile)
    }

    /// Since when it says what it says now.
    var since: Int64 { editedAt ?? id }

    func says(_ other: String?) -> Bool {
        body.map(ExactString.init) == other.map(ExactString.init)
    }

    /// Whether it says this now, or ever did.
    func everSaid(_ other: String?, _ db: Database) throws -> Bool {
        if says(other) { return true }
        guard editedAt != nil else { return false }
        let statement = try db.cachedStatement(
            sql: "SELECT 1 FROM message_version WHERE message_id = ? AND body IS ? LIMIT 1")
        return try Int64.fetchOne(statement, arguments: [id, other]) != nil
    }

    /// Whether an earlier version of that time says this; several of one time follow each other by a microsecond.
    func said(_ other: String?, at time: Int64, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                SELECT 1 FROM (SELECT body FROM message_version WHERE message_id = ? AND at_us BETWEEN ? AND ?)
                WHERE body IS ? LIMIT 1
                """)
        return try Int64.fetchOne(statement, arguments: [id, time, time &+ Self.ties, other]) != nil
    }

    /// Whether history has a text of the message that the archive lacks.
    ///
    /// One without a time is the original, which is missing only where an edit was heard of a message that was not there.
    func lacksVersion(_ message: IncomingMessage, _ db: Database) throws -> Bool {
        guard message.editedAt != nil || editedAt != nil, !message.isEmptied, try !everSaid(message.body, db) else {
            return false
        }
        return try message.editedAt != nil || freeTime(notBefore: id, db) == id
    }

    func lacksDeletion(_ message: IncomingMessage) -> Bool {
        message.deletedAt != nil && deletedAt == nil
    }

    /// The first free time for an earlier version that is not before this one; nil where too many are of that time.
    func freeTime(notBefore time: Int64, _ db: Database) throws -> Int64? {
        let statement = try db.cachedStatement(
            sql: "SELECT at_us FROM message_version WHERE message_id = ? AND at_us BETWEEN ? AND ? ORDER BY at_us")
        let used = Set(try Int64.fetchAll(statement, arguments: [id, time, time &+ Self.ties]))
        return (0...Self.ties).lazy.map { time &+ $0 }.first { $0 < since && !used.contains($0) }
    }

    /// As many versions of one time are told apart: a person can't edit as often in a network's second or millisecond.
    private static let ties: Int64 = 15
}

extension IncomingMessage {
    /// It was deleted, and its network tells no text of it any more.
    var isEmptied: Bool { body == nil && deletedAt != nil }
}

import ChatModel
import Foundation
import GRDB

/// A table whose rows are exported as records, page by page in the order of its primary key.
struct RecordTable: Sendable {
    struct Entry {
        var place: [DatabaseValue]
        /// Nil for a row that can't be exported, which only a damaged file has.
        var record: ArchiveRecord?
    }

    /// A place before every row.
    let start: [DatabaseValue]
    /// The query of a page. Its first columns are the row's place; its parameters are the place to continue after and
    /// the number of rows.
    private let sql: String
    private let record: @Sendable (Row, Database) throws -> ArchiveRecord?

    private init(
        start: [DatabaseValue] = [Int64.min.databaseValue], _ sql: String,
        _ record: @escaping @Sendable (Row, Database) throws -> ArchiveRecord?
    ) {
        (self.start, self.sql, self.record) = (start, sql, record)
    }

    func page(after place: [DatabaseValue], _ db: Database) throws -> [Entry] {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: sql),
            arguments: StatementArguments(place) + [AccountExport.pageSize])
        return try rows.map { row in
            try Entry(place: start.indices.map { try row.value($0) }, record: record(row, db))
        }
    }

    static let all = [
        workspaces, users, rooms, memberships, coverage, importedSpans, gapNotes, readMarkers, retractions, reactions,
        failures,
    ]

    private static let workspaces = RecordTable("SELECT id, key FROM workspace WHERE id > ? ORDER BY id LIMIT ?") {
        try .workspace(
            WorkspaceRecord(key: $0.value(1), names: names("workspace_name", of: "workspace_id", $0.value(0), $1)))
    }

    private static let users = RecordTable("SELECT id, key, is_self FROM user WHERE id > ? ORDER BY id LIMIT ?") {
        try .user(
            UserRecord(
                key: $0.value(1), isSelf: $0.value(2), names: names("user_name", of: "user_id", $0.value(0), $1),
                pictures: names("user_picture", of: "user_id", column: "path", $0.value(0), $1)))
    }

    private static let rooms = RecordTable(
        """
        SELECT room.id, room.key, kind, workspace.key, partner_id, left_at_us, gone_at_us, asked_back_to_us
        FROM room LEFT JOIN workspace ON workspace.id = workspace_id WHERE room.id > ? ORDER BY room.id LIMIT ?
        """
    ) { row, db in
        try .room(
            RoomRecord(
                key: row.value(1), kind: RoomReference.Kind(rawValue: row.value(2)) ?? .channel,
                names: names("room_name", of: "room_id", row.value(0), db), workspaceKey: row.value(3),
                partner: UserIdentity.read(row.value(4), db), leftAt: row.value(5), goneAt: row.value(6),
                fetchedBackTo: row.value(7)))
    }

    private static let memberships = RecordTable(
        start: [Int64.min.databaseValue, Int64.min.databaseValue],
        """
        SELECT room_id, user_id, key, joined_at_us, membership.left_at_us FROM membership JOIN room ON room.id = room_id
        WHERE (room_id, user_id) > (?, ?) ORDER BY room_id, user_id LIMIT ?
        """
    ) { row, db in
        try UserIdentity.read(row.value(1), db).map { user in
            try .membership(
                MembershipRecord(roomKey: row.value(2), user: user, joinedAt: row.value(3), leftAt: row.value(4)))
        }
    }

    private static let coverage = RecordTable(
        start: [Int64.min.databaseValue, Int64.min.databaseValue],
        """
        SELECT room_id, from_us, key, max(from_us, ifnull(to_us, heard_until_us))
        FROM coverage JOIN room ON room.id = room_id JOIN session ON session.id = session_id
        WHERE (room_id, from_us) > (?, ?) ORDER BY room_id, from_us LIMIT ?
        """
    ) { row, _ in .coverage(try span(row)) }

    private static let importedSpans = RecordTable(
        start: [Int64.min.databaseValue, Int64.min.databaseValue],
        """
        SELECT room_id, from_us, key, to_us FROM imported_span JOIN room ON room.id = room_id
        WHERE (room_id, from_us) > (?, ?) ORDER BY room_id, from_us LIMIT ?
        """
    ) { row, _ in .importedSpan(try span(row)) }

    private static let gapNotes = RecordTable(
        start: [Int64.min.databaseValue, Int64.min.databaseValue],
        """
        SELECT room_id, from_us, key, reason, attempts, unfilled, detail FROM gap_note JOIN room ON room.id = room_id
        WHERE (room_id, from_us) > (?, ?) ORDER BY room_id, from_us LIMIT ?
        """
    ) { row, _ in
        try .gapNote(
            GapNoteRecord(
                roomKey: row.value(2), from: row.value(1), reason: row.value(3), attempts: row.value(4),
                unfilled: row.value(5), detail: row.value(6)))
    }

    private static let readMarkers = RecordTable(
        """
        SELECT room_id, key, through_us, set_at_us FROM read_marker JOIN room ON room.id = room_id
        WHERE room_id > ? ORDER BY room_id LIMIT ?
        """
    ) { row, _ in
        try .readMarker(
            ReadMarkerRecord(roomKey: row.value(1), through: row.value(2), setAt: row.value(3)))
    }

    private static let retractions = RecordTable(
        start: [Int64.min.databaseValue, "".databaseValue],
        """
        SELECT room_id, remote_id, key, user_id, at_us, reason, wipes FROM retraction JOIN room ON room.id = room_id
        WHERE (room_id, remote_id) > (?, ?) ORDER BY room_id, remote_id LIMIT ?
        """
    ) { row, db in
        try .retraction(
            RetractionRecord(
                roomKey: row.value(2), remoteID: row.value(1), user: UserIdentity.read(row.value(3), db),
                at: row.value(4), reason: row.value(5), wipes: row.value(6)))
    }

    /// The reactions to messages that the archive does not have.
    private static let reactions = RecordTable(
        start: [Int64.min.databaseValue, "".databaseValue, Int64.min.databaseValue, "".databaseValue],
        """
        SELECT reaction.room_id, remote_id, user_id, text, key, at_us, removed_at_us, own_id
        FROM reaction JOIN room ON room.id = reaction.room_id
        WHERE (reaction.room_id, remote_id, user_id, text) > (?, ?, ?, ?) AND NOT EXISTS (SELECT 1 FROM message
          WHERE message.room_id = reaction.room_id AND message.remote_id = reaction.remote_id)
        ORDER BY reaction.room_id, remote_id, user_id, text LIMIT ?
        """
    ) { row, db in
        try UserIdentity.read(row.value(2), db).map { user in
            try .reaction(
                ReactionRecord(
                    roomKey: row.value(4), remoteID: row.value(1),
                    reaction: ExactMessage.Reaction(
                        text: row.value(3), user: user, at: row.value(5), removedAt: row.value(6),
                        ownID: row.value(7))))
        }
    }

    private static let failures = RecordTable(
        """
        SELECT failure.id, key, remote_id, payload, reason, first_at_us, last_at_us, count
        FROM failure LEFT JOIN room ON room.id = room_id WHERE failure.id > ? ORDER BY failure.id LIMIT ?
        """
    ) { row, _ in
        try .failure(
            FailureRecord(
                roomKey: row.value(1), remoteID: row.value(2), payload: [UInt8](row.value(3) as Data),
                reason: row.value(4), firstAt: row.value(5), lastAt: row.value(6), count: row.value(7)))
    }

    /// Reads a span from the columns room, from, key and to.
    private static func span(_ row: Row) throws -> SpanRecord {
        try SpanRecord(roomKey: row.value(2), from: row.value(1), to: row.value(3))
    }

    private static func names(
        _ table: String, of key: String, column: String = "name", _ id: Int64, _ db: Database
    ) throws -> [NameSpan] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(column), first_seen_us, last_seen_us FROM \(table) WHERE \(key) = ? ORDER BY first_seen_us")
        return try Row.fetchAll(statement, arguments: [id]).map { row in
            try NameSpan(name: row.value(0), firstSeen: row.value(1), lastSeen: row.value(2))
        }
    }
}

extension UserIdentity {
    /// Returns the identity of a user; nil if there is no such user.
    static func read(_ user: Int64?, _ db: Database) throws -> UserIdentity? {
        guard let user else { return nil }
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT key, name, first_seen_us FROM user JOIN user_name ON user_id = id
                    WHERE id = ? ORDER BY first_seen_us LIMIT 1
                    """),
            arguments: [user])
        return try row.flatMap { row in
            try UserIdentity(key: row.value(0), former: Former(name: row.value(1), firstSeen: row.value(2)))
        }
    }
}

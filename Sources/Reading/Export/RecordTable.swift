import ChatModel
import Schema

/// A table whose rows are exported as records, page by page in the order of its primary key.
struct RecordTable: Sendable {
    struct Entry {
        var place: [SQLArgument]
        /// Nil for a row outside the scope, and for a row that can't be exported, which only a damaged file has.
        var record: ArchiveRecord?
    }

    /// A place before every row.
    let start: [SQLArgument]
    /// The query of a page. Its first columns are the row's place; its parameters are the place to continue after and
    /// the number of rows.
    private let sql: SQLText
    /// The kind of thing that a row is about.
    private let subject: RecordScope.Subject
    /// The column with the number of that thing.
    private let column: Int32
    private let record: @Sendable (Columns, ReadTransaction) throws -> ArchiveRecord?

    private init(
        start: [SQLArgument] = [.integer(.min)], of subject: RecordScope.Subject = .room, column: Int32 = 0,
        _ sql: SQLText, _ record: @escaping @Sendable (Columns, ReadTransaction) throws -> ArchiveRecord?
    ) {
        (self.start, self.sql, self.record) = (start, sql, record)
        (self.subject, self.column) = (subject, column)
    }

    /// - Parameter scope: The rows to export; nil for all.
    func page(after place: [SQLArgument], in scope: RecordScope?, _ db: ReadTransaction) throws -> [Entry] {
        try db.all(sql, place + [.integer(Int64(AccountExport.pageSize))]) { row in
            try Entry(place: self.place(row), record: isIncluded(row, in: scope) ? record(row, db) : nil)
        }
    }

    /// Returns false for a row outside the scope. A row of no known room is outside every scope.
    private func isIncluded(_ row: Columns, in scope: RecordScope?) throws -> Bool {
        guard let scope else { return true }
        guard let number = try row.number(column) else { return false }
        return scope.contains(number, subject)
    }

    /// Reads the row's place from its first columns.
    private func place(_ row: Columns) throws -> [SQLArgument] {
        try zip(Int32(0)..., start).map { index, first in
            switch first {
            case .integer: .integer(try row.limit(index))
            case .text: .text(try row.text(index))
            case .test: first
            }
        }
    }

    static let all = [
        workspaces, users, rooms, memberships, coverage, importedSpans, gapNotes, readMarkers, retractions, reactions,
        failures,
    ]

    private static let workspaces = RecordTable(
        of: .workspace, "SELECT id, key FROM workspace WHERE id > ?1 ORDER BY id LIMIT ?2"
    ) {
        try .workspace(
            WorkspaceRecord(
                key: $0.text(1), names: names("workspace_name", of: "workspace_id", $0.integer(0), $1),
                pictures: names("workspace_picture", of: "workspace_id", column: "path", $0.integer(0), $1)))
    }

    static let users = RecordTable(
        of: .user,
        """
        SELECT id, key, is_self FROM "user" WHERE id > ?1 AND EXISTS (SELECT 1 FROM user_name WHERE user_id = id)
        ORDER BY id LIMIT ?2
        """
    ) {
        try .user(
            UserRecord(
                key: $0.optionalText(1), isSelf: $0.bool(2),
                names: names("user_name", of: "user_id", $0.integer(0), $1),
                pictures: names("user_picture", of: "user_id", column: "path", $0.integer(0), $1)))
    }

    private static let rooms = RecordTable(
        """
        SELECT room.id, room.key, kind, workspace.key, partner_id, left_at_us, gone_at_us, asked_back_to_us
        FROM room LEFT JOIN workspace ON workspace.id = workspace_id
        WHERE room.id > ?1 AND EXISTS (SELECT 1 FROM room_name WHERE room_id = room.id) ORDER BY room.id LIMIT ?2
        """
    ) { row, db in
        try .room(
            RoomRecord(
                key: row.text(1), kind: RoomReference.Kind(rawValue: row.text(2)) ?? .channel,
                names: names("room_name", of: "room_id", row.integer(0), db), workspaceKey: row.optionalText(3),
                partner: UserIdentity.read(row.optionalInteger(4), db), leftAt: row.optionalTime(5),
                goneAt: row.optionalTime(6), fetchedBackTo: row.optionalTime(7),
                pictures: names("room_picture", of: "room_id", column: "path", row.integer(0), db),
                descriptions: names("room_description", of: "room_id", column: "text", row.integer(0), db),
                owners: owners(of: row.integer(0), db)))
    }

    private static let memberships = RecordTable(
        start: [.integer(.min), .integer(.min)],
        """
        SELECT room_id, user_id, key, joined_at_us, membership.left_at_us FROM membership JOIN room ON room.id = room_id
        WHERE (room_id, user_id) > (?1, ?2) ORDER BY room_id, user_id LIMIT ?3
        """
    ) { row, db in
        try UserIdentity.read(row.integer(1), db).map { user in
            try .membership(
                MembershipRecord(
                    roomKey: row.text(2), user: user, joinedAt: row.optionalTime(3), leftAt: row.optionalTime(4)))
        }
    }

    private static let coverage = RecordTable(
        start: [.integer(.min), .integer(.min)],
        """
        SELECT room_id, from_us, key, coalesce(to_us, heard_until_us)
        FROM coverage JOIN room ON room.id = room_id JOIN session ON session.id = session_id
        WHERE (room_id, from_us) > (?1, ?2) ORDER BY room_id, from_us LIMIT ?3
        """
    ) { row, _ in
        try .coverage(
            SpanRecord(roomKey: row.text(2), from: row.time(1), to: max(row.time(1), row.time(3))))
    }

    private static let importedSpans = RecordTable(
        start: [.integer(.min), .integer(.min)],
        """
        SELECT room_id, from_us, key, to_us FROM imported_span JOIN room ON room.id = room_id
        WHERE (room_id, from_us) > (?1, ?2) ORDER BY room_id, from_us LIMIT ?3
        """
    ) { row, _ in
        try .importedSpan(SpanRecord(roomKey: row.text(2), from: row.time(1), to: row.time(3)))
    }

    private static let gapNotes = RecordTable(
        start: [.integer(.min), .integer(.min)],
        """
        SELECT room_id, from_us, key, reason, attempts, unfilled, detail FROM gap_note JOIN room ON room.id = room_id
        WHERE (room_id, from_us) > (?1, ?2) ORDER BY room_id, from_us LIMIT ?3
        """
    ) { row, _ in
        try .gapNote(
            GapNoteRecord(
                roomKey: row.text(2), from: row.time(1), reason: row.text(3), attempts: row.integer(4),
                unfilled: row.optionalText(5), detail: row.optionalText(6)))
    }

    private static let readMarkers = RecordTable(
        """
        SELECT room_id, key, through_us, set_at_us FROM read_marker JOIN room ON room.id = room_id
        WHERE room_id > ?1 ORDER BY room_id LIMIT ?2
        """
    ) { row, _ in
        try .readMarker(
            ReadMarkerRecord(roomKey: row.text(1), through: row.messageID(2), setAt: row.time(3)))
    }

    private static let retractions = RecordTable(
        start: [.integer(.min), ""],
        """
        SELECT room_id, remote_id, key, user_id, at_us, reason, wipes FROM retraction JOIN room ON room.id = room_id
        WHERE (room_id, remote_id) > (?1, ?2) ORDER BY room_id, remote_id LIMIT ?3
        """
    ) { row, db in
        try .retraction(
            RetractionRecord(
                roomKey: row.text(2), remoteID: row.text(1), user: UserIdentity.read(row.optionalInteger(3), db),
                at: row.time(4), reason: row.optionalText(5), wipes: row.bool(6)))
    }

    /// The reactions to messages that the archive does not have.
    private static let reactions = RecordTable(
        start: [.integer(.min), "", .integer(.min), ""],
        """
        SELECT reaction.room_id, remote_id, user_id, text, key, at_us, removed_at_us, own_id
        FROM reaction JOIN room ON room.id = reaction.room_id
        WHERE (reaction.room_id, remote_id, user_id, text) > (?1, ?2, ?3, ?4) AND NOT EXISTS (SELECT 1 FROM message
          WHERE message.room_id = reaction.room_id AND message.remote_id = reaction.remote_id)
        ORDER BY reaction.room_id, remote_id, user_id, text LIMIT ?5
        """
    ) { row, db in
        try UserIdentity.read(row.integer(2), db).map { user in
            try .reaction(
                ReactionRecord(
                    roomKey: row.text(4), remoteID: row.text(1),
                    reaction: ExactMessage.Reaction(
                        text: row.text(3), user: user, at: row.time(5), removedAt: row.optionalTime(6),
                        ownID: row.optionalText(7))))
        }
    }

    private static let failures = RecordTable(
        column: 8,
        """
        SELECT failure.id, key, remote_id, payload, reason, first_at_us, last_at_us, count, room_id
        FROM failure LEFT JOIN room ON room.id = room_id WHERE failure.id > ?1 ORDER BY failure.id LIMIT ?2
        """
    ) { row, _ in
        try .failure(
            FailureRecord(
                roomKey: row.optionalText(1), remoteID: row.optionalText(2), payload: row.blob(3),
                reason: row.text(4), firstAt: row.time(5), lastAt: row.time(6), count: row.integer(7)))
    }

    private static func owners(of room: Int64, _ db: ReadTransaction) throws -> [OwnerSpan] {
        try db.all(
            """
            SELECT user_id, first_seen_us, last_seen_us FROM room_owner WHERE room_id = ?1 ORDER BY first_seen_us
            """, [.integer(room)]
        ) { row in
            try UserIdentity.read(row.integer(0), db).map {
                try OwnerSpan(user: $0, firstSeen: row.time(1), lastSeen: row.optionalTime(2))
            }
        }.compactMap(\.self)
    }

    private static func names(
        _ table: String, of key: String, column: String = "name", _ id: Int64, _ db: ReadTransaction
    ) throws -> [NameSpan] {
        try db.all(
            "SELECT \(column), first_seen_us, last_seen_us FROM \(table) WHERE \(key) = ?1 ORDER BY first_seen_us",
            [.integer(id)]
        ) { row in try NameSpan(name: row.text(0), firstSeen: row.time(1), lastSeen: row.optionalTime(2)) }
    }
}

extension UserIdentity {
    /// Returns the identity of a user; nil if there is no such user.
    static func read(_ user: Int64?, _ db: ReadTransaction) throws -> UserIdentity? {
        guard let user else { return nil }
        return try db.first(
            """
            SELECT key, name, first_seen_us FROM "user" JOIN user_name ON user_id = id
            WHERE id = ?1 ORDER BY first_seen_us LIMIT 1
            """, [.integer(user)]
        ) { row in
            try UserIdentity(key: row.optionalText(0), former: Former(name: row.text(1), firstSeen: row.time(2)))
        }
    }
}

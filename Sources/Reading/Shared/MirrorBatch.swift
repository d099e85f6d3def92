package import ChatModel
import Records
import Schema

/// Consecutive changes of an account's feed, with the present rows of what they changed.
package struct MirrorBatch: Sendable {
    /// The position after the last change.
    package var position: FeedPosition
    /// The number of the feed's last change.
    package var end: Int64
    /// The rows to insert or to replace, and what is gone, by table. The shared archive keeps messages that rules have
    /// removed from the file.
    package var rows: [MirrorRows] = []
    /// The ids of messages that are forgotten, and are forgotten there, too.
    package var forgottenMessages: [Int64] = []
    /// The numbers of people who are forgotten.
    package var forgottenUsers: [Int64] = []
    /// Tables without rows, which are not read.
    private let empty: Set<SchemaTable>

    /// The number of changes.
    package var count: Int { rows.first { $0.table == .change }?.count ?? 0 }
    package var messages: SearchedMessages? {
        rows.first { $0.table == .message }.map { messages in
            SearchedMessages(
                messages, attachments: rows.first { $0.table == .attachment }, files: rows.first { $0.table == .file })
        }
    }
}

extension MirrorBatch {
    /// The largest number of changes in a batch.
    package static let usualCount = 2000
    /// The size of the bodies at which a batch usually ends, in bytes.
    package static let usualBytes = 4 << 20

    /// Reads the changes after a position.
    ///
    /// - Parameters:
    ///   - after: The number of the last change that was read.
    ///   - maximum: The size of the bodies at which the batch ends, in bytes.
    init(after: Int64, count: Int, bytes maximum: Int, end: FeedPosition, _ db: ReadTransaction) throws {
        let changes = try MirrorChanges(after: after, count: count, bytes: maximum, db)
        position = FeedPosition(epoch: end.epoch, seq: changes.through ?? after)
        self.end = end.seq
        empty = try Self.emptyTables(db)
        // These move on without a change.
        try addMatching(.session, "ended_at_us IS NULL", [], db)
        try addMatching(.roomTrouble, "true", [], db)
        try addMatching(.gapNote, "next_try_us IS NOT NULL", [], db)
        guard let through = changes.through else { return }
        let span: [SQLArgument] = [.integer(after), .integer(through)]

        var rows = MirrorRows(.change)
        try rows.append("SELECT seq, what, subject_id FROM change WHERE seq > ?1 AND seq <= ?2 ORDER BY seq", span, db)
        self.rows.append(rows)

        (forgottenMessages, forgottenUsers) = (changes.forgottenMessages, changes.forgottenUsers.sorted())
        let users = try addMessages(of: changes, span, db)
        let rooms = changes.coverage.union(changes.roomNames).union(changes.members).union(users.rooms)
        try addRooms(rooms, changes, db)
        try addUsers(
            users.people.union(changes.userNames).union(changes.forgottenUsers),
            renamed: changes.userNames.union(changes.forgottenUsers), db)
        try addOwned(.session, "id", in: changes.sessions, db)
        try addMerged(changes, db)
    }

    /// Adds the messages, and what belongs to them.
    ///
    /// - Returns: The rooms that they are in, and the people whom they name.
    private mutating func addMessages(
        of changes: MirrorChanges, _ span: [SQLArgument], _ db: ReadTransaction
    ) throws -> (rooms: Set<Int64>, people: Set<Int64>) {
        guard !changes.messages.isEmpty else { return ([], []) }
        let list: [SQLArgument] = [Self.list(changes.messages.keys)]
        let wanted: SQLText = "FROM \(.each(1, as: "wanted")) \(.crossJoin) message AS m ON m.id = wanted.value"
        let ofMessage = "ON t.room_id = m.room_id AND t.remote_id = m.remote_id"

        let messages = try addJoined(.message, to: wanted, as: "m", list, db)
        let changed = messages.integers("id").compactMap(\.self).filter { changes.messages[$0] == true }
        try addJoined(
            .messageVersion,
            to: "FROM \(.each(1, as: "wanted")) \(.crossJoin) message_version AS t ON t.message_id = wanted.value",
            list, owners: ("message_id", changed), db)
        let reactions = try addJoined(.reaction, to: "\(wanted) \(.crossJoin) reaction AS t \(ofMessage)", list, db)
        let retractions = try addJoined(
            .retraction, to: "\(wanted) \(.crossJoin) retraction AS t \(ofMessage)", list, db)
        try addFiles(list, changed: changed, db)
        try addJoined(
            .late,
            to: """
                FROM change \(.crossJoin) message AS m ON m.id = subject_id
                  \(.crossJoin) late AS t ON t.room_id = m.room_id AND t.seq = change.seq
                WHERE change.seq > ?1 AND change.seq <= ?2 AND what IN (\(Feed.messageCode), \(Feed.moveCode))
                """, span, db)
        let pairs: SQLText =
            "FROM (SELECT DISTINCT room_id, sender_id \(wanted) WHERE sender_id IS NOT NULL) AS m \(.crossJoin)"
        try addJoined(.senderCount, to: "\(pairs) sender_count AS t USING (room_id, sender_id)", list, db)
        try addJoined(
            .membership, to: "\(pairs) membership AS t ON t.room_id = m.room_id AND t.user_id = m.sender_id", list,
            db)
        try addOwned(.session, "id", in: Set(messages.integers("session_id").compactMap(\.self)), db)
        let people = messages.integers("sender_id") + reactions.integers("user_id") + retractions.integers("user_id")
        return (Set(messages.integers("room_id").compactMap(\.self)), Set(people.compactMap(\.self)))
    }

    private mutating func addFiles(_ list: [SQLArgument], changed: [Int64], _ db: ReadTransaction) throws {
        let attachments = try addJoined(
            .attachment,
            to: "FROM \(.each(1, as: "wanted")) \(.crossJoin) attachment AS t ON t.message_id = wanted.value",
            list, owners: ("message_id", changed), db)
        guard attachments.count > 0 else { return }
        let ids = Set(attachments.integers("file_id").compactMap(\.self))
        try addOwned(.file, "id", in: ids, db)
        try addMatching(.content, "sha256 IN (SELECT sha256 FROM file WHERE id \(.among(1)))", [Self.list(ids)], db)
    }

    private mutating func addRooms(_ rooms: Set<Int64>, _ changes: MirrorChanges, _ db: ReadTransaction) throws {
        guard !rooms.isEmpty else { return }
        let found = try addOwned(.room, "id", in: rooms, db)
        let renamed = changes.roomNames.sorted()
        try addOwned(.roomName, "room_id", in: rooms, owners: renamed, db)
        try addFacts(of: changes.roomNames, db)
        let workspaces = Set(found.integers("workspace_id").compactMap(\.self))
        if !workspaces.isEmpty {
            try addOwned(.workspace, "id", in: workspaces, db)
            try addOwned(
                .workspaceName, "workspace_id", in: workspaces, owners: renamed.isEmpty ? [] : workspaces.sorted(), db)
            if !renamed.isEmpty {
                try addPictures(.workspacePicture, of: workspaces.sorted(), "workspace_id", db)
            }
        }
        try addOwned(.readMarker, "room_id", in: changes.roomNames, db)
        try addOwned(.roomTrouble, "room_id", in: changes.roomNames, owners: renamed, db)
        try addUsers(Set(found.integers("partner_id").compactMap(\.self)), renamed: [], db)
        try addCoverage(of: changes.coverage, db)
        try addMembers(of: changes.members, db)
    }

    /// Adds what the lists of the network say of rooms besides their names.
    private mutating func addFacts(of rooms: Set<Int64>, _ db: ReadTransaction) throws {
        guard !rooms.isEmpty else { return }
        let ids = rooms.sorted()
        try addOwned(.roomDescription, "room_id", in: ids, owners: ids, db)
        let owned = try addOwned(.roomOwner, "room_id", in: ids, owners: ids, db)
        try addPictures(.roomPicture, of: ids, "room_id", db)
        try addUsers(Set(owned.integers("user_id").compactMap(\.self)), renamed: [], db)
    }

    /// Adds the pictures of people, rooms or workspaces, with their files.
    private mutating func addPictures(
        _ table: SchemaTable, of ids: [Int64], _ column: String, _ db: ReadTransaction
    ) throws {
        let list: [SQLArgument] = [Self.list(ids)]
        let found = try addOwned(table, column, in: ids, owners: ids, db)
        guard found.count > 0 else { return }
        let paths: SQLText = "path IN (SELECT path FROM \(table.name) WHERE \(column) \(.among(1)))"
        try addMatching(.file, paths, list, db)
        try addMatching(.content, "sha256 IN (SELECT sha256 FROM file WHERE \(paths))", list, db)
    }

    private mutating func addCoverage(of rooms: Set<Int64>, _ db: ReadTransaction) throws {
        guard !rooms.isEmpty else { return }
        for table in [SchemaTable.coverage, .importedSpan, .gapNote] {
            try addOwned(table, "room_id", in: rooms, owners: rooms.sorted(), db)
        }
        let sessions: SQLText = "id IN (SELECT session_id FROM coverage WHERE room_id \(.among(1)))"
        try addMatching(.session, sessions, [Self.list(rooms)], db)
    }

    /// Adds the members of rooms, and what came for messages that the file does not have.
    private mutating func addMembers(of rooms: Set<Int64>, _ db: ReadTransaction) throws {
        guard !rooms.isEmpty else { return }
        let list: [SQLArgument] = [Self.list(rooms)]
        let members = try addOwned(.membership, "room_id", in: rooms, db)
        let loose: SQLText = """
            room_id \(.among(1)) AND NOT EXISTS (
              SELECT 1 FROM message AS m WHERE m.room_id = t.room_id AND m.remote_id = t.remote_id)
            """
        let reactions = try addMatching(.reaction, loose, list, db)
        let retractions = try addMatching(.retraction, loose, list, db)
        let people = members.integers("user_id") + reactions.integers("user_id") + retractions.integers("user_id")
        try addUsers(Set(people.compactMap(\.self)), renamed: [], db)
    }

    private mutating func addUsers(_ users: Set<Int64>, renamed: Set<Int64>, _ db: ReadTransaction) throws {
        guard !users.isEmpty else { return }
        try addOwned(.user, "id", in: users, db)
        try addOwned(.userName, "user_id", in: users, owners: renamed.sorted(), db)
        if !renamed.isEmpty { try addPictures(.userPicture, of: renamed.sorted(), "user_id", db) }
    }

    /// Adds everything of people and rooms that a merge changed, and removes what they no longer have.
    private mutating func addMerged(_ changes: MirrorChanges, _ db: ReadTransaction) throws {
        for table in [SchemaTable.senderCount, .membership, .reaction, .retraction] {
            let column = table == .senderCount ? "sender_id" : "user_id"
            try addAll(table, of: changes.mergedUsers, column, db)
        }
        for table in [SchemaTable.senderCount, .membership, .reaction, .retraction, .late, .readMarker] {
            try addAll(table, of: changes.mergedRooms, "room_id", db)
        }
    }

    private mutating func addAll(
        _ table: SchemaTable, of owners: Set<Int64>, _ column: String, _ db: ReadTransaction
    ) throws {
        guard !owners.isEmpty else { return }
        try addOwned(table, column, in: owners, owners: owners.sorted(), db)
    }

    /// Adds the rows of a table whose column has one of the numbers.
    ///
    /// - Parameter owners: Those of the numbers whose other rows are gone.
    @discardableResult
    private mutating func addOwned(
        _ table: SchemaTable, _ column: String, in numbers: some Sequence<Int64>, owners: [Int64] = [],
        _ db: ReadTransaction
    ) throws -> MirrorRows {
        try addMatching(table, "\(column) \(.among(1))", [Self.list(numbers)], owners: (column, owners), db)
    }

    /// Adds the rows of a table that fulfil a condition on the table `t`.
    @discardableResult
    private mutating func addMatching(
        _ table: SchemaTable, _ condition: SQLText, _ arguments: [SQLArgument],
        owners: (column: String, ids: [Int64])? = nil, _ db: ReadTransaction
    ) throws -> MirrorRows {
        try addJoined(
            table, to: "FROM \"\(table.name)\" AS t WHERE \(condition)", arguments, owners: owners, db)
    }

    /// - Parameter alias: The name of the table in `source`.
    @discardableResult
    private mutating func addJoined(
        _ table: SchemaTable, to source: SQLText, as alias: String = "t", _ arguments: [SQLArgument],
        owners: (column: String, ids: [Int64])? = nil, _ db: ReadTransaction
    ) throws -> MirrorRows {
        var found = MirrorRows(table)
        if empty.contains(table), owners?.ids.isEmpty ?? true { return found }
        try found.append("SELECT \(table.names(of: alias)) \(source)", arguments, db)
        if let owners, !owners.ids.isEmpty {
            found.owners = MirrorRows.Owners(column: owners.column, ids: owners.ids)
        }
        if found.count > 0 || found.owners != nil { rows.append(found) }
        return found
    }

    /// The tables that many accounts leave empty.
    private static let rareTables: [SchemaTable] = [
        .messageVersion, .reaction, .retraction, .attachment, .late, .importedSpan, .gapNote, .roomTrouble, .readMarker,
        .userPicture, .roomPicture, .roomDescription, .roomOwner, .workspacePicture,
    ]
    private static let rareTablesHaveRows: SQLText = """
        SELECT \(rareTables.map { "EXISTS (SELECT 1 FROM \"\($0.name)\")" }.joined(separator: ", "))
        """

    private static func emptyTables(_ db: ReadTransaction) throws -> Set<SchemaTable> {
        let found = try db.all(rareTablesHaveRows) { row in
            try rareTables.indices.filter { try !row.bool(Int32($0)) }.map { rareTables[$0] }
        }
        return Set(found.flatMap(\.self))
    }

    private static func list(_ numbers: some Sequence<Int64>) -> SQLArgument { .list(Array(numbers)) }
}

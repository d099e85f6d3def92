import ChatModel
import SQLite
import Schema
import Writing

/// A table with few rows of each person or room, of which a merge gives those of one to another. `merge_row` keeps what
/// they were, so that it can be undone.
struct MergedTable {
    let name: String
    /// The column with the number of the person or room.
    let owner: String
    /// The other columns of the primary key; nil if the owner is not part of it.
    let key: [String]?
    /// The columns of a primary key without the owner; else the columns that are in no key.
    let others: [String]
    let form: Form

    /// The way in which a merge moves the rows.
    enum Form {
        /// All of them; of two with the same key, the one stays that is there.
        case rows
        case names
        /// Those of a ``FactTable`` that are earlier than all of the one that stays.
        case history
        case coverage
        case importedSpans
        case ownIdentity
        /// Not at all: they go with their messages.
        case withMessages
        /// Not at all: they are removed.
        case removed
    }

    /// - Parameter owner: A column of the table. The others follow: those of the rest of its key, if that has the owner.
    private init(_ table: SchemaTable, owner: String, form: Form = .rows) {
        let isOfKey = table.key.contains { $0.name == owner }
        let others = isOfKey ? table.columns.dropFirst(table.keyCount) : table.key
        (name, self.owner, self.form) = (table.name, owner, form)
        key = isOfKey ? table.key.map(\.name).filter { $0 != owner } : nil
        self.others = others.map(\.name)
    }

    /// A table with a unique index of the owner and `key`.
    private init(name: String, owner: String, key: [String], others: [String], form: Form) {
        (self.name, self.owner, self.key, self.others, self.form) = (name, owner, key, others, form)
    }

    static func tables(of kind: Merging.Kind) -> [MergedTable] { kind == .people ? ofPeople : ofRooms }

    private static let ofPeople = [
        names(.users), MergedTable(.membership, owner: "user_id"), MergedTable(.reaction, owner: "user_id"),
        MergedTable(.retraction, owner: "user_id"), MergedTable(.room, owner: "partner_id"), ownIdentity,
        facts(.userPicture), MergedTable(.roomOwner, owner: "user_id"),
    ]

    private static let ofRooms =
        [
            names(.rooms), gapNotes, coverage, spans, MergedTable(.roomTrouble, owner: "room_id", form: .removed), late,
        ]
        + [SchemaTable.membership, .reaction, .retraction, .historyPlace, .purge, .hold, .failure].map {
            MergedTable($0, owner: "room_id")
        } + [facts(.roomPicture), facts(.roomDescription), facts(.roomOwner)]

    static func names(_ table: NameTable) -> MergedTable {
        MergedTable(table == .users ? .userName : .roomName, owner: table.column, form: .names)
    }

    private static func facts(_ table: SchemaTable) -> MergedTable {
        MergedTable(table, owner: table.columns[0].name, form: .history)
    }

    /// Who says that a user is the account's own person.
    static let ownIdentity = MergedTable(.user, owner: "self_by", form: .ownIdentity)
    static let coverage = MergedTable(
        name: "coverage", owner: "room_id", key: ["from_us"], others: ["to_us", "session_id"], form: .coverage)
    static let gapNotes = MergedTable(.gapNote, owner: "room_id")
    static let spans = MergedTable(.importedSpan, owner: "room_id", form: .importedSpans)
    static let late = MergedTable(.late, owner: "room_id", form: .withMessages)

    private var columns: [String] { [owner] + (key ?? []) + others }

    // MARK: Merging

    /// Gives all rows of one to another. Of rows with the same key, the other one's stays.
    func move(_ merge: Int64, from: Int64, into: Int64, _ db: Database) throws {
        let arguments: StatementArguments = ["merge": merge, "from": from, "into": into]
        let cells = columns.dropFirst().map { "t.\($0)" }
        let isTaken = key.map { key in
            let equal = key.map { " AND o.\($0) = t.\($0)" }.joined()
            return "EXISTS (SELECT 1 FROM \(name) AS o WHERE o.\(owner) = :into\(equal))"
        }
        try db.execute(
            sql: """
                INSERT INTO merge_row (merge_id, source, was, now)
                  SELECT :merge, '\(name)', \(Self.array([":from"] + cells)),
                    iif(\(isTaken ?? "0"), NULL, \(Self.array([":into"] + cells)))
                  FROM \(name) AS t WHERE \(owner) = :from
                """, arguments: arguments)
        try db.execute(
            sql: "UPDATE OR IGNORE \(name) SET \(owner) = :into WHERE \(owner) = :from",
            arguments: ["from": from, "into": into])
        if key != nil { try db.execute(sql: "DELETE FROM \(name) WHERE \(owner) = ?", arguments: [from]) }
    }

    /// Gives the facts of one that are earlier than all of another to the other, so that what is moved shows those of its
    /// time. The later ones stay: the one that takes up has its own since then.
    ///
    /// Deletes no row meanwhile, because a picture's file goes with its last row.
    func moveEarlier(_ merge: Int64, from: Int64, into: Int64, _ db: Database) throws {
        let arguments: StatementArguments = ["merge": merge, "from": from, "into": into]
        let beginning = "(SELECT min(first_seen_us) FROM \(name) WHERE \(owner) = :into)"
        // NULL where the other one has none, which ends nothing.
        let end = "min(ifnull(last_seen_us, \(beginning)), ifnull(\(beginning), last_seen_us))"
        try db.execute(
            sql: """
                INSERT INTO merge_row (merge_id, source, was, now)
                  SELECT :merge, '\(name)', \(Self.array(columns)),
                    \(Self.array([":into", "first_seen_us", end] + others.dropFirst()))
                  FROM \(name) WHERE \(owner) = :from AND first_seen_us < ifnull(\(beginning), \(Int64.max))
                """, arguments: arguments)
        try db.execute(
            sql: """
                UPDATE \(name) SET \(owner) = json_extract(now, '$[0]'), last_seen_us = json_extract(now, '$[2]')
                FROM merge_row WHERE merge_id = ?1 AND source = '\(name)' AND \(owner) = ?2
                  AND first_seen_us = json_extract(was, '$[1]')
                """, arguments: [merge, from])
    }

    /// Removes rows.
    ///
    /// - Parameter condition: An SQL condition on the table.
    func remove(_ merge: Int64, where condition: String, _ arguments: StatementArguments, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO merge_row (merge_id, source, was)
                  SELECT \(merge), '\(name)', \(Self.array(columns)) FROM \(name) WHERE \(condition)
                """, arguments: arguments)
        try db.execute(sql: "DELETE FROM \(name) WHERE \(condition)", arguments: arguments)
    }

    /// Keeps the rows as added ones.
    ///
    /// - Parameter condition: An SQL condition on the table.
    func note(_ merge: Int64, where condition: String, _ arguments: StatementArguments, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO merge_row (merge_id, source, now)
                  SELECT \(merge), '\(name)', \(Self.array(columns)) FROM \(name) WHERE \(condition)
                """, arguments: arguments)
    }

    /// Adds a row with the values of the columns in their order.
    func add(_ merge: Int64, _ values: [(any DatabaseValueConvertible)?], _ db: Database) throws {
        let places = Self.list(columns.map { _ in "?" })
        try db.execute(
            sql: "INSERT INTO \(name) (\(Self.list(columns))) VALUES (\(places))", arguments: StatementArguments(values)
        )
        try db.execute(
            sql: "INSERT INTO merge_row (merge_id, source, now) VALUES (?, ?, json_array(\(places)))",
            arguments: [merge, name] + StatementArguments(values))
    }

    // MARK: Undoing

    /// Removes the row that a row of `merge_row` added, and restores the one that it replaced.
    func undo(row: Int64, _ db: Database) throws {
        guard let key else {
            return try db.execute(
                sql: """
                    UPDATE OR IGNORE "\(name)" SET \(owner) = \(Self.cell("was", 0)) WHERE \(isRow([owner] + others))
                    """, arguments: [row])
        }
        // A picture's file goes with its last row.
        if form == .history { try restore(row: row, db) }
        try db.execute(sql: "DELETE FROM \(name) WHERE \(isRow([owner] + key))", arguments: [row])
        if form != .history { try restore(row: row, db) }
    }

    /// Restores the row that a row of `merge_row` replaced.
    func restore(row: Int64, _ db: Database) throws {
        let cells = columns.indices.map { "json_extract(was, '$[\($0)]')" }
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO \(name) (\(Self.list(columns)))
                  SELECT \(Self.list(cells)) FROM merge_row WHERE id = ? AND was IS NOT NULL
                """, arguments: [row])
    }

    /// Returns an SQL condition for the row whose columns are the first ones of `now` in row ?1 of `merge_row`.
    private func isRow(_ columns: [String]) -> String {
        columns.enumerated().map { "\($1) = \(Self.cell("now", $0))" }.joined(separator: " AND ")
    }

    private static func cell(_ array: String, _ index: Int) -> String {
        "(SELECT json_extract(\(array), '$[\(index)]') FROM merge_row WHERE id = ?1)"
    }

    private static func list(_ words: [String]) -> String { words.joined(separator: ", ") }
    private static func array(_ words: [String]) -> String { "json_array(\(list(words)))" }
}

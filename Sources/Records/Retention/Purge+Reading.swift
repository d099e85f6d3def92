package import ChatModel
package import Schema

extension Purge {
    private static let columns = """
        (SELECT name FROM room_name WHERE room_name.room_id = purge.room_id AND last_seen_us IS NULL), what
        """
    /// The rule without its rooms, which the readers of one room must not learn: the text up to the quote that ends the
    /// age, as ``RetentionRule/withoutRooms`` has it.
    private static let ruleWithoutRooms = "substr(rule, 1, instr(rule || '\" for ', '\" for '))"

    /// Returns everything that rules removed.
    package static func readAll(of account: String, _ db: ReadTransaction) throws -> [Purge] {
        try db.all(
            """
            SELECT \(columns), rule, kept_us, first_us, last_us, count, at_us FROM purge ORDER BY at_us DESC, id DESC
            """
        ) { try Purge(account, $0) }
    }

    /// Returns true if messages of a room were removed.
    package static func exists(room: Int64, _ db: ReadTransaction) throws -> Bool {
        try db.holds("SELECT EXISTS (SELECT 1 FROM purge WHERE room_id = ?1 AND what = 0)", [.integer(room)])
    }

    /// Returns the removed messages of a room that were at least partly between two ids, by rule. The rules do not name
    /// their rooms.
    static func between(
        _ lower: Int64, _ upper: Int64, room: Int64, of account: String, _ db: ReadTransaction
    ) throws -> [Purge] {
        try db.all(
            """
            SELECT \(columns), \(ruleWithoutRooms) AS shown_rule, kept_us, min(first_us), max(last_us), sum(count),
              max(at_us)
            FROM purge WHERE room_id = ?1 AND what = 0 AND last_us > ?2 AND first_us < ?3
            GROUP BY shown_rule ORDER BY min(first_us)
            """, [.integer(room), .integer(lower), .integer(upper)]
        ) { try Purge(account, $0) }
    }

    private init(_ account: String, _ row: Columns) throws {
        guard let part = RetentionPart.allCases.first(where: { PurgeLedger.code($0) == (try? row.integer(1)) }) else {
            throw Columns.damage("the ledger has the unknown part \(try row.integer(1))")
        }
        try self.init(
            account: account, room: row.optionalText(0), part: part,
            rule: RetentionRule(text: row.text(2), age: row.optionalInteger(3).map { .microseconds($0) }),
            first: row.time(4),
            last: row.time(5), count: row.integer(6), at: row.time(7))
    }
}

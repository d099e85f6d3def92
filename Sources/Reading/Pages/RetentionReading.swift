import Accounts
package import ChatModel
import Files
import Records
import Schema

/// The things that the rules of an account would remove now.
package struct RetentionPlan: Sendable, Hashable {
    package var purges: [Purge]
    /// The number of messages of the account, joins and the like included.
    package var messages: Int64
    /// The texts of the rules that were not applied yet.
    package var newRules: Set<String>

    package init(purges: [Purge] = [], messages: Int64 = 0, newRules: Set<String> = []) {
        (self.purges, self.messages, self.newRules) = (purges, messages, newRules)
    }

    /// The part of an account that a new rule may remove at once.
    private static let largestShare = 0.1

    /// The texts of the new rules that would remove more than a tenth of the account's messages, sorted. They wait for
    /// the owner's decision.
    package var waiting: [String] {
        var counts: [String: Int64] = [:]
        for purge in purges where newRules.contains(purge.rule.text) && [.messages, .joins].contains(purge.part) {
            counts[purge.rule.text, default: 0] += purge.count
        }
        return counts.filter { Double($0.value) > Double(messages) * Self.largestShare }.keys.sorted()
    }
}

/// Reads what retention rules and holds do in accounts.
package struct RetentionReading: Sendable {
    package let reading: ArchiveReading

    /// Returns what the rules would remove from an account now, in order of rooms. A file that a newer message has, too,
    /// is counted but stays.
    package func plan(of account: String, _ rules: RetentionRules, at now: Timestamp) throws
        -> RetentionPlan
    {
        try reading.collect(of: [account], into: RetentionPlan()) { plan, reader in
            guard reader.file != nil else { throw ArchiveError.needsFiles }
            plan = try reader.read { db in try RetentionPlan(of: reader.account.name, rules, at: now, db) }
        }.result
    }

    /// Returns what rules removed from the accounts so far, the latest first.
    package func log(accounts: [String]? = nil) throws -> [Purge] {
        try reading.collect(of: accounts, into: []) { purges, reader in
            guard reader.file != nil else { throw ArchiveError.needsFiles }
            purges += try reader.read { db in try Purge.readAll(of: reader.account.name, db) }
        }.result.sorted { a, b in
            let (first, second) = (a.at ?? a.last, b.at ?? b.last)
            return (second, a.account) < (first, b.account)
        }
    }

    /// Returns the number of messages, and of joins, leaves, renames and modes, that a hold of an account keeps.
    package func counts(of hold: Hold, in account: String) throws -> (messages: Int64, events: Int64) {
        try reading.collect(of: [account], into: (messages: Int64(0), events: Int64(0))) { counts, reader in
            guard reader.file != nil else { throw ArchiveError.needsFiles }
            counts = try reader.read { db in try hold.counts(db) }
        }.result
    }

    /// Returns the holds of the accounts, with today's names of their rooms, sorted by account and name.
    package func holds(accounts: [String]? = nil) throws -> [AccountHold] {
        try reading.collect(of: accounts, into: []) { holds, reader in
            guard reader.file != nil else { throw ArchiveError.needsFiles }
            holds += try reader.read { db in
                let rooms = Dictionary(
                    try PurgeTargets.Room.readAll(db).map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
                return try Hold.readAll(db).map { hold in
                    AccountHold(account: reader.account.name, room: hold.room.map { rooms[$0] ?? "" }, hold: hold)
                }
            }
        }.result
    }
}

extension RetentionPlan {
    init(of account: String, _ rules: RetentionRules, at now: Timestamp, _ db: ReadTransaction) throws {
        let targets = try PurgeTargets(rules, at: now, db)
        self.init()
        for room in try PurgeTargets.Room.readAll(db) {
            messages += try db.integer("SELECT messages FROM room WHERE id = ?1", [.integer(room.id)]) ?? 0
            for part in [RetentionPart.messages, .joins, .files] {
                guard let target = try targets.target(part, in: room, db) else { continue }
                purges += try Self.count(part, room, target, account, db)
            }
        }
        purges += try Self.countRaw(targets, account, db)
        let applied = Set(try db.all("SELECT rule FROM applied_rule") { try $0.text(0) })
        newRules = Set(purges.map(\.rule.text)).subtracting(applied)
    }

    /// Returns what a rule would remove from a room; empty for nothing.
    private static func count(
        _ part: RetentionPart, _ room: PurgeTargets.Room, _ target: PurgeTargets.Target, _ account: String,
        _ db: ReadTransaction
    ) throws -> [Purge] {
        let sql: SQLText =
            part == .files
            ? """
            SELECT count(DISTINCT file_id), min(message_id), max(message_id) FROM attachment
              CROSS JOIN file ON file.id = file_id CROSS JOIN message ON message.id = message_id
            WHERE room_id = ?1 AND ?2 = 0 AND message_id >= ?3 AND message_id < ?4 AND state = 1
              AND NOT \(FactTable.hasPicture)
            """
            : """
            SELECT count(*), min(id), max(id) FROM message INDEXED BY message_room
            WHERE room_id = ?1 AND noise = ?2 AND id >= ?3 AND id < ?4
            """
        var found: Purge?
        for span in target.spans {
            try db.forEach(
                sql,
                [.integer(room.id), .bool(part == .joins), .integer(span.lowerBound), .integer(span.upperBound)]
            ) { row in
                guard let first = try row.optionalTime(1), let last = try row.optionalTime(2) else { return }
                found = Purge(
                    account: account, room: room.name, part: part, rule: target.rule, first: found?.first ?? first,
                    last: last, count: (found?.count ?? 0) + (try row.integer(0)))
            }
        }
        return found.map { [$0] } ?? []
    }

    private static func countRaw(_ targets: PurgeTargets, _ account: String, _ db: ReadTransaction) throws -> [Purge] {
        let ofMessages = try targets.rawEnd().map { rule, end in
            try db.all(
                """
                SELECT count(*), min(message_id), max(message_id) FROM message_raw
                WHERE message_id < ?1 AND at_us < ?1 AND \(EncryptedMessages.hasOtherForm)
                """, [.integer(end.microseconds)]
            ) { try Purge(raw: account, rule, $0) }
        }
        let ofJournal = try targets.journalEnd(db).map { rule, end in
            try db.all(
                """
                SELECT count(*), min(received_at_us), max(received_at_us) FROM chunk JOIN session ON session.id = session_id
                WHERE received_at_us < ?1 AND chunk.offset + length(chunk.bytes) <= position
                """, [.integer(end.microseconds)]
            ) { try Purge(raw: account, rule, $0) }
        }
        return ((ofMessages ?? []) + (ofJournal ?? [])).compactMap(\.self)
    }
}

extension Purge {
    /// - Returns: Nil for a row that counts nothing.
    fileprivate init?(raw account: String, _ rule: RetentionRule, _ row: Columns) throws {
        guard let first = try row.optionalTime(1), let last = try row.optionalTime(2) else { return nil }
        try self.init(
            account: account, room: nil, part: .raw, rule: rule, first: first, last: last, count: row.integer(0))
    }
}

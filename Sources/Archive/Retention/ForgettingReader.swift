package import ChatModel
import GRDB

/// Counts of what an account has of a person.
enum PersonCount {
    /// Returns the number of messages, joins and the like included, and how many of them have texts that holds keep.
    static func read(_ user: Int64, _ db: Database) throws -> (messages: Int64, held: Int64) {
        let holds = try HoldBook(ReadTransaction(db))
        let rows = try Row.fetchAll(
            db, sql: "SELECT id, room_id FROM message WHERE sender_id = ? AND flags & ? = 0",
            arguments: [user, MessageFlags.wiped.rawValue])
        let all =
            try Int64.fetchOne(db, sql: "SELECT count(*) FROM message WHERE sender_id = ?", arguments: [user]) ?? 0
        return (all, Int64(try rows.count { try holds.hold($0.value(0), room: $0.value(1)) }))
    }
}

extension ArchiveReading {
    /// Returns what an account has to forget, without forgetting it.
    package func forgettingPlan(of account: String, _ subject: Forgetting.Subject) async throws -> ForgettingPlan {
        try await collect(of: [account], into: ForgettingPlan(account: account)) { plan, reader in
            guard reader.file != nil else { throw ArchiveError.needsFiles }
            try reader.read { db in try plan.count(subject, db) }
        }.result
    }
}

extension ForgettingPlan {
    fileprivate mutating func count(_ subject: Forgetting.Subject, _ db: ReadTransaction) throws {
        let all = try Hold.readAll(db)
        let book = try HoldBook(db)
        let (condition, number): (String, Int64) =
            switch subject {
            case .user(let user): ("sender_id = ?1", user)
            case .message(let id): ("id = ?1", id.microseconds)
            }
        try db.forEach(
            "SELECT id, room_id FROM message WHERE \(condition) AND flags & \(MessageFlags.wiped.rawValue) = 0 ORDER BY id",
            [.integer(number)]
        ) { row in
            let (id, room) = try (row.messageID(0), row.integer(1))
            if book.hold(id.microseconds, room: room) {
                held += 1
            } else {
                messages += 1
                first = first ?? id
                last = id
            }
        }
        if held > 0 { holds = all.map(\.name) }
        files =
            try db.integer(
                """
                SELECT count(DISTINCT file_id) FROM message JOIN attachment ON message_id = message.id
                WHERE message.\(condition)
                """, [.integer(number)]) ?? 0
        if case .user(let user) = subject {
            reactions = try db.integer("SELECT count(*) FROM reaction WHERE user_id = ?1", [.integer(user)]) ?? 0
        }
    }
}

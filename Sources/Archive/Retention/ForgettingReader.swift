import Accounts
package import ChatModel
import Files
import Reading
import Records
import Schema
import Writing

extension RetentionReading {
    /// Returns what an account has to forget, without forgetting it.
    package func forgettingPlan(of account: String, _ subject: Forgetting.Subject) throws -> ForgettingPlan {
        try reading.collect(of: [account], into: ForgettingPlan(account: account)) { plan, reader in
            guard reader.file != nil else { throw ArchiveError.needsFiles }
            try reader.read { db in try plan.count(subject, db) }
        }.result
    }
}

extension ForgettingPlan {
    fileprivate mutating func count(_ subject: Forgetting.Subject, _ db: ReadTransaction) throws {
        if case .user(let user) = subject { try BridgeBook.requireNone(ofBot: user, db) }
        let book = try HoldBook(db)
        let (condition, number): (String, Int64) =
            switch subject {
            case .user(let user): (StoredMessage.isOf(user: "?1"), user)
            case .message(let id): ("id = ?1", id.microseconds)
            }
        var names: Set<String> = []
        try db.forEach(
            """
            SELECT id, room_id, noise = 1 FROM message
            WHERE \(condition) AND flags & \(MessageFlags.wiped.rawValue) = 0 ORDER BY id
            """,
            [.integer(number)]
        ) { row in
            let (id, room, isEvent) = try (row.messageID(0), row.integer(1), row.bool(2))
            let keeping = book.holds(keeping: id.microseconds, room: room)
            if !keeping.isEmpty {
                if isEvent { heldEvents += 1 } else { held += 1 }
                names.formUnion(keeping.map(\.name))
            } else {
                if isEvent { events += 1 } else { messages += 1 }
                first = first ?? id
                last = id
            }
        }
        holds = names.sorted()
        files =
            try db.integer(
                """
                SELECT count(DISTINCT file_id) FROM attachment
                WHERE message_id IN (SELECT id FROM message WHERE \(condition))
                """, [.integer(number)]) ?? 0
        if case .user(let user) = subject {
            reactions = try db.integer("SELECT count(*) FROM reaction WHERE user_id = ?1", [.integer(user)]) ?? 0
        }
    }
}

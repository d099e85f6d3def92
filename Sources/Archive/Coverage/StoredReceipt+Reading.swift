import ChatModel
import GRDB

extension StoredReceipt {
    /// Returns the last receipt of the latest session; nil in a new archive.
    static func last(_ db: Database) throws -> StoredReceipt? {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT last_sign_of_life_us, ahead_us, booted_at_us, boot FROM session
                WHERE id > 0 ORDER BY id DESC LIMIT 1
                """)
        return try row.map { row in
            try StoredReceipt(
                row.value(0),
                offset: ReceiptOffset(ahead: row.value(1), bootedAt: row.value(2), boot: row.value(3)))
        }
    }
}

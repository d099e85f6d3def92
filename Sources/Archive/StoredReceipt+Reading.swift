import ChatModel
import GRDB

extension StoredReceipt {
    /// Nil in a new archive.
    static func last(_ db: Database) throws -> StoredReceipt? {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT last_sign_of_life_us, ahead_us, booted_at_us, boot FROM session
                WHERE id > 0 ORDER BY id DESC LIMIT 1
                """)
        return row.map { row in
            StoredReceipt(
                Timestamp(microseconds: row[0]),
                offset: ReceiptOffset(
                    ahead: row[1], bootedAt: (row[2] as Int64?).map(Timestamp.init(microseconds:)), boot: row[3]))
        }
    }
}

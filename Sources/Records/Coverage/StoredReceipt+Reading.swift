package import ChatModel
package import Schema

extension StoredReceipt {
    /// Returns the last receipt of the latest session; nil in a new archive.
    package static func last(_ db: ReadTransaction) throws -> StoredReceipt? {
        try db.first(
            """
            SELECT last_sign_of_life_us, ahead_us, booted_at_us, boot FROM session
            WHERE id > 0 ORDER BY id DESC LIMIT 1
            """
        ) { row in
            try StoredReceipt(
                row.time(0),
                offset: ReceiptOffset(
                    ahead: row.integer(1), bootedAt: row.optionalTime(2), boot: row.optionalText(3)))
        }
    }
}

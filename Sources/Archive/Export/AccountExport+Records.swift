package import ChatModel
import GRDB

/// What pages don't tell of an account.
extension AccountExport {
    /// Rows of a page: at most some hundred KiB.
    static let pageSize = 500

    /// Every fact of the account that is no message, in an order in which they can be stored: who and where comes first.
    ///
    /// In constant memory, but for a failure's payload. What is stored meanwhile may be among them or not.
    ///
    /// - Parameter body: Given some at a time, never none.
    package func records(_ body: ([ArchiveRecord]) throws -> Void) throws {
        try body([.account(try reader.read(AccountRecord.read))])
        for table in RecordTable.all {
            var place = table.start
            while true {
                let page = try reader.read { db in try table.page(after: place, db) }
                guard let last = page.last else { break }
                let records = page.compactMap(\.record)
                if !records.isEmpty { try body(records) }
                place = last.place
            }
        }
    }

    /// What a page does not tell of its messages, in a few statements however many they are; those that are not there are left out.
    package func exactDetails(of ids: [MessageID]) throws -> [MessageID: ExactMessage] {
        guard !ids.isEmpty else { return [:] }
        return try reader.read { db in try ExactMessageReader(ids: ids).read(db) }
    }
}

extension AccountRecord {
    fileprivate static func read(_ db: Database) throws -> AccountRecord {
        guard let row = try Row.fetchOne(db, sql: "SELECT name, network, epoch, created_at_us FROM account") else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the file says of no account that it is its own")
        }
        return try AccountRecord(
            name: row.value(0), network: row.value(1), epoch: row.value(2), createdAt: row.value(3))
    }
}

import Accounts
package import ChatModel
import Schema

/// Reads the facts of an account that are not messages.
extension AccountExport {
    /// The rows read in one transaction: at most some hundred KiB.
    static let pageSize = 500

    /// Calls `body` with every fact of the account other than messages, in an order in which they can be stored:
    /// workspaces, users and rooms come first.
    ///
    /// Needs constant memory, except for a failure's payload and the numbers of the selected rooms' people. May miss
    /// facts that are stored meanwhile.
    ///
    /// - Parameters:
    ///   - rooms: The numbers of the rooms; nil for all. Leaves out facts of other rooms, and people who occur in none
    ///     of the rooms, except the account itself.
    ///   - body: Receives some records at a time, at least one.
    package func records(rooms: [Int64]? = nil, _ body: ([ArchiveRecord]) throws -> Void) throws {
        try body([.account(try reader.read(AccountRecord.read))])
        let scope = try rooms.map { rooms in try reader.read { db in try RecordScope(rooms: rooms, db) } }
        for table in RecordTable.all {
            var place = table.start
            while true {
                let page = try reader.read { db in try table.page(after: place, in: scope, db) }
                guard let last = page.last else { break }
                let records = page.compactMap(\.record)
                if !records.isEmpty { try body(records) }
                place = last.place
            }
        }
    }

    /// Returns the details that ``messages(room:after:before:count:)`` lacks, with a few statements for any number of
    /// messages.
    package func exactDetails(of messages: [Message]) throws -> [MessageID: ExactMessage] {
        guard !messages.isEmpty else { return [:] }
        return try reader.read { db in try ExactMessageReader(messages).details(db) }
    }
}

extension AccountRecord {
    fileprivate static func read(_ db: ReadTransaction) throws -> AccountRecord {
        let record = try db.first("SELECT name, network, epoch, created_at_us FROM account") { row in
            try AccountRecord(name: row.text(0), network: row.text(1), epoch: row.text(2), createdAt: row.time(3))
        }
        guard let record else { throw Columns.damage("the file has no account name") }
        return record
    }
}

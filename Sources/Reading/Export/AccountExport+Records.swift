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
        for table in RecordTable.all { try records(of: table, in: scope, body) }
    }

    private func records(
        of table: RecordTable, in scope: RecordScope?, _ body: ([ArchiveRecord]) throws -> Void
    ) throws {
        var place = table.start
        while true {
            let page = try reader.read { db in try table.page(after: place, in: scope, db) }
            guard let last = page.last else { return }
            let records = page.compactMap(\.record)
            if !records.isEmpty { try body(records) }
            place = last.place
        }
    }

    /// Calls `body` with each person.
    package func people(_ body: (UserRecord) throws -> Void) throws {
        try records(of: .users, in: nil) { records in
            for case .user(let person) in records { try body(person) }
        }
    }

    /// Returns the numbers of people.
    ///
    /// - Parameter people: The first name of each.
    package func numbers(of people: [UserIdentity.Former]) throws -> [Int64] {
        try reader.read { db in
            try people.flatMap { first in
                try db.all(
                    "SELECT user_id FROM user_name WHERE name = ?1 AND first_seen_us = ?2",
                    [.text(first.name), .integer(first.firstSeen.microseconds)]
                ) { row in try row.integer(0) }
            }
        }
    }

    /// Returns true if a room has messages or reactions of people between two exclusive bounds. Reads the messages up to the
    /// first.
    ///
    /// - Parameter people: The numbers of the people.
    package func hasMessages(of people: [Int64], room: Int64, after: MessageID, before: MessageID) throws -> Bool {
        let bounds: [SQLArgument] = [.integer(room), .integer(after.microseconds), .integer(before.microseconds)]
        return try reader.read { db in
            try db.first(
                """
                SELECT EXISTS (SELECT 1 FROM message \(.indexed("message_room"))
                    WHERE room_id = ?1 AND noise IN (0, 1) AND id > ?2 AND id < ?3 AND sender_id \(.among(4)))
                  OR EXISTS (SELECT 1 FROM reaction JOIN message AS m
                    ON m.room_id = reaction.room_id AND m.remote_id = reaction.remote_id
                    WHERE reaction.room_id = ?1 AND reaction.user_id \(.among(4)) AND m.id > ?2 AND m.id < ?3)
                """, bounds + [.list(people)]
            ) { row in try row.bool(0) } ?? false
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

import Accounts
package import ChatModel
import Schema

/// The events that a room's page leaves out between its messages.
package enum LeftOutEvents {
    /// The limit of events that are counted before a message. A page of 1,000 messages reads as many entries of an index.
    package static let limit = 1000

    /// Returns the number of events that a room's page leaves out directly before each of its messages, without those
    /// that have none; empty for a page with all events, and for one of several rooms.
    ///
    /// - Parameter query: The query of the page, which hides lurkers.
    package static func counts(
        of page: Page, _ query: MessageQuery, in reading: ArchiveReading
    ) throws -> [MessageID: Int] {
        guard query.hidden.hidesLurkers, let room = query.scope.onlyRoom, let first = page.messages.first else {
            return [:]
        }
        return try reading.collect(in: query.scope, into: [:]) { counts, reader in
            let pages = PageReader(account: reader.account, query: query)
            counts = try reader.read { db in
                guard db.sees(room.id) else { return [:] }
                var counts: [MessageID: Int] = [:]
                var lower = try pages.nearest(before: first.id.microseconds, db)?.microseconds ?? .min
                for message in page.messages {
                    let upper = message.id.microseconds
                    let count = try Self.events(in: room.id, after: lower, before: upper, db)
                    counts[message.id] = count == 0 ? nil : count
                    lower = upper
                }
                return counts
            }
        }.result
    }

    private static func events(in room: Int64, after lower: Int64, before upper: Int64, _ db: ReadTransaction) throws
        -> Int
    {
        let count = try db.integer(
            """
            SELECT count(*) FROM (SELECT id FROM message \(.indexed("message_room"))
              WHERE room_id = ?1 AND noise = 1 AND id > ?2 AND id < ?3 LIMIT \(limit)) AS events
            """, [.integer(room), .integer(lower), .integer(upper)])
        return Int(count ?? 0)
    }
}

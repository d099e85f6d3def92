package import ChatModel
package import Foundation
import GRDB

/// Counts the messages of accounts in one pass over each.
struct StatisticsReader {
    private let after: MessageID?
    private let before: MessageID?
    private var total = Statistics()
    private var spans: LocalSpans
    private var rooms: [HitCount] = []
    private var users: [HitCount] = []

    init(zone: TimeZone, after: MessageID?, before: MessageID?) {
        (self.after, self.before) = (after, before)
        spans = LocalSpans(zone: zone)
    }

    /// Counts the messages of an account.
    ///
    /// - Parameter rooms: The rooms to count; nil for all.
    mutating func add(_ account: AccountIdentity, rooms: [Int64]?, _ db: Database) throws {
        var (byRoom, bySender): ([Int64: Int64], [Int64: Int64]) = ([:], [:])
        for room in rooms ?? [] { try add(room: room, &byRoom, &bySender, db) }
        if rooms == nil { try add(room: nil, &byRoom, &bySender, db) }
        // Messages of the system have no sender.
        bySender[0] = nil
        total.people += bySender.count
        self.rooms += try Self.named(byRoom, "room_name", "room_id", account, db)
        users += try Self.named(bySender, "user_name", "user_id", account, db)
    }

    private mutating func add(
        room: Int64?, _ byRoom: inout [Int64: Int64], _ bySender: inout [Int64: Int64], _ db: Database
    ) throws {
        let index = room == nil ? "NOT INDEXED WHERE ?3 IS NULL" : "INDEXED BY message_room WHERE room_id = ?3"
        let statement = try db.cachedStatement(
            sql: "SELECT id, room_id, ifnull(sender_id, 0) FROM message \(index) AND noise = 0 AND id > ?1 AND id < ?2")
        let rows = try Row.fetchCursor(
            statement, arguments: [after?.microseconds ?? .min, before?.microseconds ?? .max, room])
        let columns = Columns(statement)
        while try rows.next() != nil {
            let id = try columns.integer(0)
            spans.add(id)
            byRoom[try columns.integer(1), default: 0] += 1
            bySender[try columns.integer(2), default: 0] += 1
            total.messages += 1
            total.first = min(total.first ?? MessageID(microseconds: id), MessageID(microseconds: id))
            total.last = max(total.last ?? MessageID(microseconds: id), MessageID(microseconds: id))
        }
    }

    private static func named(
        _ counts: [Int64: Int64], _ table: String, _ key: String, _ account: AccountIdentity, _ db: Database
    ) throws -> [HitCount] {
        let statement = try db.cachedStatement(
            sql: "SELECT name FROM \(table) WHERE \(key) = ? AND last_seen_us IS NULL")
        return try counts.map { id, count in
            HitCount(account: account.name, name: try String.fetchOne(statement, arguments: [id]), count: count)
        }
    }

    var statistics: Statistics {
        var statistics = total
        statistics.counts = [
            .room: rooms.highestFirst(), .user: users.highestFirst(), .year: spans.counts(by: .year),
            .month: spans.counts(by: .month), .day: spans.counts(by: .day), .weekday: spans.counts(by: .weekday),
            .hour: spans.counts(by: .hour),
        ]
        return statistics
    }
}

extension ArchiveReading {
    /// Counts the messages of a scope between two exclusive bounds.
    ///
    /// - Parameter zone: The zone of days and hours.
    package func statistics(
        scope: MessageQuery.Scope, after: MessageID?, before: MessageID?, zone: TimeZone
    ) async throws -> Statistics {
        let start = StatisticsReader(zone: zone, after: after, before: before)
        return try await collect(in: scope, into: start) { counter, reader in
            try reader.read { db in try counter.add(reader.account, rooms: scope.rooms(of: reader.account.name), db) }
        }.result.statistics
    }
}

import ChatModel
package import Foundation
import GRDB

/// Counts hits, in time proportional to their number.
struct SearchTally {
    let account: AccountIdentity
    let scope: MessageQuery.Scope
    let search: SearchScope

    func total(_ db: Database) throws -> Int64 {
        let hits = try search.hits(scope: scope, of: account, db)
        return try Int64.fetchOne(
            db, sql: "SELECT count(*) FROM (\(ids))", arguments: arguments(hits)) ?? 0
    }

    func byRoom(_ db: Database) throws -> [HitCount] {
        try grouped("room_id", names: "room_name", key: "room_id", db)
    }

    func byUser(_ db: Database) throws -> [HitCount] {
        try grouped("sender_id", names: "user_name", key: "user_id", db)
    }

    /// Counts hits by day of the zone, in no order.
    func byDay(_ zone: TimeZone, _ db: Database) throws -> [HitCount] {
        let hits = try search.hits(scope: scope, of: account, db)
        var counts: [Int64: Int64] = [:]
        var days = LocalDays(zone: zone)
        let rows = try Row.fetchCursor(db, sql: ids, arguments: arguments(hits))
        while let row = try rows.next() { counts[days.day(of: try row.value(0)), default: 0] += 1 }
        return counts.map { day, count in HitCount(account: nil, name: LocalDays.name(of: day), count: count) }
    }

    private func grouped(_ column: String, names: String, key: String, _ db: Database) throws -> [HitCount] {
        let hits = try search.hits(scope: scope, of: account, db)
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT (SELECT name FROM \(names) WHERE \(key) = message.\(column) AND last_seen_us IS NULL), count(*) AS hits
                FROM (\(ids)) AS found CROSS JOIN message ON message.id = found.id
                WHERE message.\(column) IS NOT NULL GROUP BY message.\(column)
                """,
            arguments: arguments(hits))
        return try rows.map { try HitCount(account: account.name, name: $0.value(0), count: $0.value(1)) }
    }

    private let ids =
        "SELECT rowid AS id FROM message_search WHERE message_search MATCH ?1 AND rowid > ?2 AND rowid < ?3"

    private func arguments(_ hits: SearchHits) -> StatementArguments {
        [hits.match, hits.after, hits.before]
    }
}

/// The property by which hits are counted.
package enum HitGrouping: Sendable, Hashable {
    case all, room, user
    case day(TimeZone)

    /// Merges and sorts the accounts' counts: the total and the days are summed over all accounts; rooms and users stay
    /// apart, the highest count first.
    func order(_ counts: [HitCount]) -> [HitCount] {
        switch self {
        case .all:
            [HitCount(account: nil, name: nil, count: counts.reduce(0) { $0 + $1.count })]
        case .day:
            Dictionary(counts.map { ($0.name, $0.count) }, uniquingKeysWith: +)
                .map { HitCount(account: nil, name: $0.key, count: $0.value) }.sorted {
                    ($0.name ?? "") < ($1.name ?? "")
                }
        case .room, .user:
            counts.sorted { ($1.count, $0.account ?? "", $0.name ?? "") < ($0.count, $1.account ?? "", $1.name ?? "") }
        }
    }
}

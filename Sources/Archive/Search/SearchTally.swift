import ChatModel
package import Foundation
import GRDB
import SearchText

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

    /// Counts hits by a unit of the zone's time, in order of time.
    func byTime(_ unit: TimeUnit, _ zone: TimeZone, _ db: Database) throws -> [HitCount] {
        let hits = try search.hits(scope: scope, of: account, db)
        var spans = LocalSpans(zone: zone)
        let rows = try Row.fetchCursor(db, sql: ids, arguments: arguments(hits))
        while let row = try rows.next() { spans.add(try row.value(0)) }
        return spans.counts(by: unit)
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

    /// SQL for the ids of the hits. Without words and filters, all messages are hits, also those that the search index
    /// doesn't have yet.
    private var ids: String {
        let isAll = search.query.all.isEmpty && search.query.none.isEmpty && scope.rooms(of: account.name) == nil
        return isAll
            ? "SELECT id FROM message NOT INDEXED WHERE noise = 0 AND ?1 IS NOT NULL AND id > ?2 AND id < ?3"
            : "SELECT rowid AS id FROM message_search WHERE message_search MATCH ?1 AND rowid > ?2 AND rowid < ?3"
    }

    private func arguments(_ hits: SearchHits) -> StatementArguments {
        [hits.match, hits.after, hits.before]
    }
}

/// The property by which hits are counted.
package enum HitGrouping: Sendable, Hashable {
    case all, room, user
    case time(TimeUnit, TimeZone)

    /// Merges and sorts the accounts' counts: the total and the times are summed over all accounts; rooms and users
    /// stay apart, the highest count first.
    func order(_ counts: [HitCount]) -> [HitCount] {
        switch self {
        case .all: [HitCount(account: nil, name: nil, count: counts.reduce(0) { $0 + $1.count })]
        case .time(let unit, _): counts.inOrder(of: unit)
        case .room, .user: counts.highestFirst()
        }
    }
}

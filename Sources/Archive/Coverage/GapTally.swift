import ChatModel
import GRDB

/// The number of an account's gaps that have an end, and their total length.
///
/// Counting half a million spans takes 0.4 s *(measured)*, so the tally is kept until the change feed reports another
/// span.
struct GapTally: Sendable, Hashable {
    private(set) var gaps: Int64 = 0
    private(set) var microseconds: Int64 = 0
    /// The last change of the feed that the tally includes.
    private var sequence: Int64

    /// Counts the gaps that ``GapReader`` returns, except the current ones.
    init(_ db: Database) throws {
        sequence = try Self.lastChange(db)
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT count(*), ifnull(sum((from_us - before) / 1000000), 0), ifnull(sum((from_us - before) % 1000000), 0) FROM (
                  SELECT coverage.from_us, lag(ifnull(to_us,
                      max(from_us, (SELECT heard_until_us FROM session WHERE session.id = session_id))))
                    OVER (PARTITION BY room_id ORDER BY from_us) AS before
                  FROM coverage)
                WHERE from_us - before > 1
                """)
        guard let row else { return }
        gaps = try row.value(0)
        // The gaps of a few hundred rooms, 1,000 years each, would overflow an integer of microseconds.
        let (seconds, rest): (Int64, Int64) = try (row.value(1), row.value(2))
        microseconds = Timestamp(microseconds: rest).advanced(by: .seconds(seconds)).microseconds
    }

    /// Returns the tally for the file's present state.
    func updated(to db: Database) throws -> GapTally {
        let last = try Self.lastChange(db)
        let isAnother = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM change WHERE seq > ? AND what = ?)",
            arguments: [sequence, Feed.coverageCode])
        guard last >= sequence, isAnother == false else { return try GapTally(db) }
        var tally = self
        tally.sequence = last
        return tally
    }

    private static func lastChange(_ db: Database) throws -> Int64 {
        try Int64.first(db, sql: "SELECT ifnull(max(seq), 0) FROM change") ?? 0
    }
}

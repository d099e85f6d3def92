import ChatModel

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
    init(_ db: ReadTransaction) throws {
        sequence = try Self.lastChange(db)
        try db.forEach(
            """
            SELECT count(*), CAST(coalesce(sum((from_us - before) / 1000000), 0) AS BIGINT),
              CAST(coalesce(sum((from_us - before) % 1000000), 0) AS BIGINT)
            FROM (SELECT coverage.from_us, lag(coalesce(to_us, (
                  SELECT CASE WHEN from_us > heard_until_us THEN from_us ELSE heard_until_us END
                  FROM session WHERE session.id = session_id)))
                OVER (PARTITION BY room_id ORDER BY from_us) AS before
              FROM coverage) AS span
            WHERE from_us - before > 1
            """
        ) { row in
            gaps = try row.integer(0)
            // The gaps of a few hundred rooms, 1,000 years each, would overflow an integer of microseconds.
            let (seconds, rest) = try (row.integer(1), row.integer(2))
            microseconds = Timestamp(microseconds: rest).advanced(by: .seconds(seconds)).microseconds
        }
    }

    /// Returns the tally for the file's present state.
    func updated(to db: ReadTransaction) throws -> GapTally {
        let last = try Self.lastChange(db)
        let isAnother = try db.holds(
            "SELECT EXISTS (SELECT 1 FROM change WHERE seq > ?1 AND what = ?2)",
            [.integer(sequence), .integer(Feed.coverageCode)])
        guard last >= sequence, !isAnother else { return try GapTally(db) }
        var tally = self
        tally.sequence = last
        return tally
    }

    private static func lastChange(_ db: ReadTransaction) throws -> Int64 {
        try db.integer("SELECT max(seq) FROM change") ?? 0
    }
}

import ChatModel
package import Schema

/// The number of an account's gaps that have an end, and their total length.
///
/// Counting half a million spans takes 0.4 s *(measured)*, so the tally is kept until the change feed reports another
/// span.
package struct GapTally: Sendable, Hashable {
    package private(set) var gaps: Int64 = 0
    package private(set) var microseconds: Int64 = 0
    /// The last change of the feed that the tally includes.
    private var sequence: Int64

    /// Counts the gaps between two spans.
    package init(_ db: ReadTransaction) throws {
        sequence = try Self.lastChange(db)
        for room in try db.integers("SELECT id FROM room") {
            try CoveredSpan.sweep(room, db) { before, after -> Never? in
                guard let before, let after, before.hasGap(before: after) else { return nil }
                gaps += 1
                microseconds = microseconds.adding(after.from - before.to)
                return nil
            }
        }
    }

    /// Returns the tally for the file's present state.
    package func updated(to db: ReadTransaction) throws -> GapTally {
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

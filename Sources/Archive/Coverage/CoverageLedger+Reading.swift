import ChatModel

extension CoverageLedger {
    /// The longest run of unreadable messages that is one gap, in microseconds. Each message takes 1 µs.
    private static let unreadableRun: Int64 = 1000

    /// Returns the instant up to which a room is complete from its first span on; nil if nothing is complete. Ignores
    /// the gaps that another request would not fill: unreadable messages of the network's history, and history that it
    /// does not have.
    ///
    /// - Parameter retriesLost: True to count history that the network did not have as a gap to fill, because the
    ///   network may have it now.
    static func completeUntil(key: String, retriesLost: Bool = false, _ db: ReadTransaction) throws -> Timestamp? {
        try firstGap(key: key, retriesLost: retriesLost, db)?.from
    }

    /// Returns the room's first gap that another request may fill, as ``completeUntil(key:retriesLost:_:)``; its end is
    /// nil if no span follows.
    static func firstGap(
        key: String, retriesLost: Bool, _ db: ReadTransaction
    ) throws -> (from: Timestamp, to: Timestamp?)? {
        let gap = try db.first(
            """
            SELECT until, next FROM (
              SELECT room_id, span.from_us, until, lead(span.from_us) OVER (ORDER BY span.from_us) AS next
              FROM (SELECT room_id, from_us,
                  coalesce(to_us, CASE WHEN from_us > heard_until_us THEN from_us ELSE heard_until_us END) AS until
                FROM coverage JOIN session ON session.id = session_id
                WHERE room_id = \(MergeBook.room(key: "?1"))) AS span) AS span
            LEFT JOIN gap_note ON gap_note.room_id = span.room_id AND gap_note.from_us = until
            WHERE next IS NULL OR NOT (coalesce(reason, '') = ?2 AND next <= until + ?3)
              AND (?4 = 1 OR unfilled IS NULL OR next_try_us IS NOT NULL)
            ORDER BY span.from_us LIMIT 1
            """, [.text(key), .text(unreadable), .integer(unreadableRun), .bool(retriesLost)]
        ) { row in try (row.optionalTime(0), row.optionalTime(1)) }
        return gap.flatMap { gap in gap.0.map { ($0, gap.1) } }
    }
}

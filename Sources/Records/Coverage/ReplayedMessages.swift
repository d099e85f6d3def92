import ChatModel
import Schema

extension Gap.Replayed {
    /// Counts the messages within a gap that a connection received later than they were sent: in the playback of a
    /// bouncer, or in a part of the network's history.
    ///
    /// Live messages may lie a moment behind the end of a span, because spans of networks with a clock end before the
    /// last millisecond.
    init(in gap: Gap, room: Int64, _ db: ReadTransaction) throws {
        let counts = try db.first(
            """
            SELECT count(*), coalesce(sum(late), 0)
            FROM (SELECT CASE WHEN coalesce(received_at_us, message.id) + clock_lead_us - message.id > ?4 THEN 1 ELSE 0 END
                AS late
              FROM message \(.indexed("message_room")) LEFT JOIN session ON session.id = session_id
              WHERE message.room_id = ?1 AND noise = 0 AND message.id > ?2 AND message.id < ?3
              ORDER BY message.id LIMIT ?5) AS found
            """,
            [
                .integer(room), .integer(gap.from.microseconds), .integer(gap.to?.microseconds ?? .max),
                .integer(Self.delay), .integer(Self.limit + 1),
            ]
        ) { row in try (read: row.integer(0), late: row.integer(1)) }
        let (read, late) = counts ?? (0, 0)
        self.init(messages: min(late, Self.limit), hasMore: late > 0 && read > Self.limit)
    }

    /// 2 s in microseconds: a live message of a server with times in whole seconds is received up to a second later, and
    /// on its way for less than another.
    private static let delay: Int64 = 2_000_000
}

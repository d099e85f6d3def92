import ChatModel
import Moves
import Records
import Schema

extension NamedCheck {
    static let messageChecks = [
        NamedCheck(
            name: "room_counts", advice: .disagrees,
            sql: """
                SELECT printf('room %d: its message count is %d, but it has %d', id, messages, ifnull(rows, 0))
                FROM room LEFT JOIN
                  (SELECT room_id, count(*) AS rows FROM message INDEXED BY message_room GROUP BY room_id) ON room_id = id
                WHERE messages <> ifnull(rows, 0)
                """),
        senderCounts,
        NamedCheck(
            name: "room_ends", advice: .counts,
            sql: """
                SELECT printf('room %d: its first and last message are not those that are kept', id)
                FROM (SELECT id, first_us, last_us, (\(Room.firstMessage(of: "room.id").file)) AS first,
                    (\(Room.lastMessage(of: "room.id").file)) AS last
                  FROM room LEFT JOIN room_span ON room_span.room_id = room.id)
                WHERE first_us IS NOT first OR last_us IS NOT last
                UNION ALL
                SELECT printf('a first and a last message are kept of room %d, which is missing', room_id)
                FROM room_span WHERE NOT EXISTS (SELECT 1 FROM room WHERE id = room_id)
                """),
        NamedCheck(name: "message_counts", advice: .counts, search: CountCheck.problems),
        NamedCheck(
            name: "kinds", advice: .damaged,
            sql: """
                SELECT 'message ' || \(id("id")) || ' has the unknown kind ' || kind
                FROM message WHERE kind NOT IN (\(MessageKind.allCases.map { String($0.code) }.joined(separator: ", ")))
                """),
        NamedCheck(
            name: "versions", advice: .disagrees,
            sql: """
                SELECT 'message ' || \(id("id")) || ' has an edit that is not later than the message'
                FROM message WHERE edited_at_us <= id
                UNION ALL
                SELECT printf(
                  'message %s has an earlier text from %s, which is not between the message and its last edit',
                  \(id("message_id")), \(id("at_us")))
                FROM message_version JOIN message ON id = message_id
                WHERE at_us < message_id OR ifnull(at_us >= edited_at_us, 1)
                """),
        NamedCheck(
            name: "wiped", advice: .disagrees,
            sql: """
                SELECT 'message ' || \(id("id"))
                  || ' is marked as wiped, but its text or its raw bytes are still stored'
                FROM message WHERE flags & \(MessageFlags.wiped.rawValue) <> 0 AND (body IS NOT NULL
                  OR EXISTS (SELECT 1 FROM message_version WHERE message_id = message.id)
                  OR EXISTS (SELECT 1 FROM message_raw WHERE message_id = message.id))
                """),
        reactions,
        attachments,
        feed,
        NamedCheck(
            name: "feed_subjects", advice: .disagrees,
            sql: """
                SELECT printf('change %d refers to %s, which is missing', seq,
                  CASE WHEN what IN \(Feed.subjectMessageCodes) THEN 'message ' || \(id("subject_id"))
                    WHEN what = 8 THEN 'session ' || subject_id
                    WHEN what IN (1, 9) THEN 'room ' || subject_id
                    ELSE iif(subject_id > 0, 'user ' || subject_id, 'room ' || -subject_id) END)
                FROM change
                WHERE (what IN \(Feed.subjectMessageCodes) AND NOT EXISTS (SELECT 1 FROM message WHERE id = subject_id)
                    AND ifnull((SELECT last_us FROM id_run WHERE first_us <= subject_id ORDER BY first_us DESC LIMIT 1)
                      < subject_id, 1))
                  OR (what IN (1, 9) AND NOT EXISTS (SELECT 1 FROM room WHERE id = subject_id))
                  OR (what = 8 AND NOT EXISTS (SELECT 1 FROM session WHERE id = subject_id))
                  OR (what = 2 AND subject_id > 0 AND NOT EXISTS (SELECT 1 FROM user WHERE id = subject_id))
                  OR (what = 2 AND subject_id <= 0 AND NOT EXISTS (SELECT 1 FROM room WHERE id = -subject_id))
                """),
        NamedCheck(
            name: "used_ids", advice: .disagrees,
            sql: """
                SELECT 'the run of used ids from ' || \(id("first_us"))
                  || iif(last_us < first_us, ' ends before it begins', ' overlaps the next run')
                FROM (SELECT first_us, last_us, lead(first_us) OVER (ORDER BY first_us) AS next FROM id_run)
                WHERE next <= last_us OR last_us < first_us
                UNION ALL
                SELECT 'the last run of used ids ends at ' || \(id("latest")) || ', later than any message'
                FROM (SELECT max(last_us) AS latest FROM id_run)
                WHERE latest > ifnull((SELECT max(id) FROM message), latest - 1)
                  AND NOT EXISTS (SELECT 1 FROM change WHERE what = 0 AND subject_id = latest)
                """),
    ]

    /// Checks the counts of messages by room and sender.
    ///
    /// No index has the senders. Sums show in one pass and without memory that the counts agree. Only if they differ
    /// does SQLite sort the messages by room and sender.
    private static let senderCounts = NamedCheck(
        name: "sender_counts", advice: .disagrees,
        quick: """
            SELECT (SELECT ifnull(sum(messages), 0), sum(messages * (\(sender))) FROM sender_count)
              IS (SELECT count(*), sum(\(sender)) FROM message WHERE noise = 0 AND sender_id IS NOT NULL)
            """,
        sql: """
            SELECT printf('user %d in room %d: the message count is %d, but there are %d', sender_id, room_id,
              sum(kept), sum(rows))
            FROM (
              SELECT room_id, sender_id, messages AS kept, 0 AS rows FROM sender_count
              UNION ALL
              SELECT room_id, sender_id, 0, count(*) FROM message WHERE noise = 0 AND sender_id IS NOT NULL
              GROUP BY room_id, sender_id)
            GROUP BY room_id, sender_id HAVING sum(kept) <> sum(rows)
            """)

    /// Checks that messages with a reaction that stands are marked, and no others. A merge of rooms that was interrupted has
    /// reactions in another room than their messages.
    private static let reactions = NamedCheck(
        name: "reactions", advice: .disagrees,
        sql: """
            SELECT 'message ' || \(id("id")) || iif(is_marked, ' is marked as having a reaction, but has none',
              ' has a reaction, but is not marked as having one')
            FROM (SELECT id, flags & \(MessageFlags.reacted.rawValue) <> 0 AS is_marked,
                remote_id IS NOT NULL AND EXISTS (SELECT 1 FROM reaction AS r
                  WHERE r.room_id = message.room_id AND r.remote_id = message.remote_id AND removed_at_us IS NULL)
                AS is_reacted
              FROM message)
            WHERE is_marked <> is_reacted AND NOT EXISTS (SELECT 1 FROM merge WHERE is_done = 0)
            """)

    /// SQL for a number that differs for most pairs of room and sender.
    private static let sender = "(room_id * 65599 + sender_id) % 65521 * (sender_id % 32749)"

    /// Checks that the change feed has every message once.
    ///
    /// `change` has no index on its subject. Sums show in one pass and without memory that the rows agree. Only if they
    /// differ are the rows compared one by one, in a temporary table of SQLite with 15 bytes a message *(measured)*.
    private static let feed = NamedCheck(
        name: "change_feed", advice: .disagrees,
        quick: """
            SELECT (SELECT \(sums("id")) FROM message)
              IS (SELECT \(sums("id")) FROM change CROSS JOIN message ON message.id = subject_id WHERE what = 0)
            """,
        sql: """
            SELECT 'message ' || \(id("id")) || ' is not in the change feed'
            FROM (SELECT id FROM message EXCEPT SELECT subject_id FROM change WHERE what = 0)
            UNION ALL
            SELECT 'message ' || \(id("subject_id")) || ' is in the change feed ' || times || ' times'
            FROM (SELECT subject_id, count(*) AS times FROM change WHERE what = 0 GROUP BY subject_id HAVING count(*) > 1)
            """)

    /// Returns SQL for three sums. Likely mistakes change at least one of them, and 100 million rows don't overflow
    /// them.
    private static func sums(_ column: String) -> String {
        """
        count(*), sum(\(column) % 1000003), sum(\(column) / 1000 % 998244353), \
        sum((\(column) % 65521) * (\(column) % 65519))
        """
    }
}

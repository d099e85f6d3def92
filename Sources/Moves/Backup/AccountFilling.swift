import ChatModel
import Records
package import SQLite
import Writing

/// Completes an account's file whose rows came from elsewhere.
package enum AccountFilling {
    /// SQL that records runs of used ids as ``IDAllocator`` does: long ones, and those with the ids of messages that are
    /// gone.
    package static let recordRuns = """
        INSERT INTO id_run (first_us, last_us)
          SELECT min(id), max(id)
          FROM (SELECT id, is_gone, id - row_number() OVER (ORDER BY id) AS run
            FROM (SELECT id, 0 AS is_gone FROM message UNION ALL
              SELECT DISTINCT subject_id, 1 FROM change
              WHERE what IN \(Feed.subjectMessageCodes)
                AND NOT EXISTS (SELECT 1 FROM message WHERE message.id = subject_id)))
          GROUP BY run HAVING count(*) >= \(IDAllocator.shortestRecordedRun) OR max(is_gone);

        """

    /// SQL that counts the messages of each room and of each person in it, and finds the first and the last of each room.
    package static let countMessages = """
        UPDATE room SET messages = (SELECT count(*) FROM message WHERE room_id = room.id);
        DELETE FROM sender_count;
        INSERT INTO sender_count (room_id, sender_id, messages)
          SELECT room_id, sender_id, count(*) FROM message WHERE noise = 0 AND sender_id IS NOT NULL GROUP BY 1, 2;
        DELETE FROM room_span;
        INSERT INTO room_span (room_id, first_us, last_us)
          SELECT room_id, min(id), max(id) FROM message INDEXED BY message_room GROUP BY room_id;

        """

    /// Fills the empty search index with all messages, and makes their counts and digests, in a transaction for each batch.
    ///
    /// - Parameter step: Called after each batch.
    package static func indexMessages(_ db: Database, step: () throws -> Void) throws {
        try db.execute(sql: "UPDATE search_index SET from_us = coalesce((SELECT max(id) + 1 FROM message), from_us)")
        try MessageCounts.reset(db)
        try MessageDigests.reset(db)
        var isDone = false
        while !isDone {
            isDone = try db.inTransaction { try SearchFilling.step(db).from == nil }
            try step()
        }
    }
}

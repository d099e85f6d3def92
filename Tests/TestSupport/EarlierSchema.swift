/// An account's file of an earlier program, with rows in every table.
package enum EarlierSchema {
    /// Returns the SQL that turns an empty file into such a file, with the schema after the given migrations.
    package static func sql(_ migrations: [String], applicationID: Int32) -> String {
        let steps = migrations.enumerated().map { $0.element + rows[$0.offset + 1, default: ""] }
        return steps.joined() + "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(migrations.count)"
    }

    /// The rows for the tables and columns that each schema added.
    private static let rows: [Int: String] = [
        1: """
        INSERT INTO account VALUES (1, 'demo', 'streamchat', 'e', 1);
        INSERT INTO room VALUES (1, '', 'server', 2);
        INSERT INTO room_name VALUES (1, 10, 20, 'hall'), (1, 20, NULL, 'lobby');
        INSERT INTO user VALUES (1, 'alice', 0), (2, '민수', 0), (3, 'me', 1);
        INSERT INTO user_name VALUES (1, 10, NULL, 'alice'), (2, 10, NULL, '민수'), (3, 10, NULL, 'me');
        INSERT INTO membership VALUES (1, 1, 10, NULL);
        INSERT INTO session VALUES (1, 10, 90, 90, 'stopped', NULL, 30, 30);
        INSERT INTO message (id, room_id, kind, sender_id, session_id, flags, remote_id, body)
          VALUES (50, 1, 0, 1, 1, 0, '1:0', 'hi'), (60, 1, 0, 2, 1, 4, '1:10', '안녕');
        INSERT INTO id_run VALUES (70, 75);
        INSERT INTO chunk VALUES (1, 0, 50, x'616c6963653a3a6869');
        INSERT INTO coverage VALUES (1, 1, 10, 90, 1);
        INSERT INTO gap_note VALUES (1, 90, 'stopped', 2, NULL);
        INSERT INTO failure VALUES (1, 1, 1, NULL, x'ff', 'why', 80, 80, 1);
        INSERT INTO change VALUES (1, 0, 50), (2, 0, 60), (3, 1, 1);
        """,
        2: "INSERT INTO read_marker VALUES (1, 50, 1, 80); INSERT INTO late VALUES (1, 2, 60);",
        4: """
        INSERT INTO message_version VALUES (50, 50, 'h');
        UPDATE message SET edited_at_us = 55 WHERE id = 50;
        UPDATE message SET deleted_at_us = 65 WHERE id = 60;
        INSERT INTO change VALUES (4, 3, 50), (5, 4, 60);
        """,
        5: """
        INSERT INTO workspace VALUES (1, 'w');
        INSERT INTO workspace_name VALUES (1, 10, NULL, 'work');
        UPDATE room SET workspace_id = 1, partner_id = 2, left_at_us = 90, gone_at_us = 91;
        INSERT INTO user_picture VALUES (1, 10, NULL, '/a.png');
        INSERT INTO message_raw VALUES (50, 55, x'7b7d');
        INSERT INTO attachment VALUES (1, 60, '/f.pdf', 'ab', 3, 1, NULL, NULL);
        """,
        6: "UPDATE attachment SET asked = 1, tried_at_us = 70, limit_bytes = 5, part_bytes = 2, part_tag = 't';",
        7: """
        UPDATE gap_note SET unfilled = 'refused', detail = 'no';
        INSERT INTO room_trouble VALUES (1, 0, 'banned', NULL, 90, NULL);
        UPDATE message SET reply_to = '1:0' WHERE id = 60;
        INSERT INTO reaction VALUES (1, '1:0', 2, '👍', 70, NULL);
        INSERT INTO change VALUES (6, 5, 50);
        """,
        8: "UPDATE session SET clock_lead_us = 3; UPDATE room SET asked_back_to_us = 5;",
        9: """
        INSERT INTO retraction VALUES (1, '1:10', 1, 70, 'spam', 0);
        UPDATE reaction SET own_id = 'r';
        """,
        10: "INSERT INTO imported_span VALUES (1, 30, 40);",
        12: "UPDATE session SET ahead_us = 3, booted_at_us = 4, boot = 'b';",
        18: "INSERT INTO change VALUES (7, 6, 60);",
    ]
}

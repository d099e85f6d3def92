import ChatModel
import TestSupport
import Testing

@testable import Checks
@testable import Writing

/// Wrong rows that another program or a mistake of ours could leave.
@Suite(.disabled(if: QuickCheck.isRunning))
struct CheckedRowsTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private static let day = ArchiveFixture.day.microseconds

    /// A change of the file, the check that finds it, and a part of the sentence that the check reports.
    struct Damage: Sendable, CustomTestStringConvertible {
        var check: String
        var sql: String
        var sentence: String
        var testDescription: String { sql }

        init(_ check: String, _ sql: String, _ sentence: String) {
            self.check = check
            self.sql = sql
            self.sentence = sentence
        }
    }

    /// The rowid in the search index of a message that is not the first of its slot.
    private static func row(_ offset: Int64) -> Int64 { day + offset + (1 << 36) }

    private static func index(_ offset: Int64, text: String, facets: String) -> String {
        """
        INSERT INTO message_search (rowid, text, chars, facets) VALUES (\(row(offset)), '\(text)', '', '\(facets)');
        """
    }

    /// Removes other words than the message has, like a mistaken program.
    static func unindex(_ offset: Int64, text: String, facets: String) -> String {
        """
        INSERT INTO message_search (message_search, rowid, text, chars, facets)
          VALUES ('delete', \(row(offset)), '\(text)', '', '\(facets)');
        """
            + (text == "tie 0" && facets.contains("u1")
                ? "" : index(offset, text: "tie 0", facets: "all r1 u1"))
    }

    static func id(_ offset: Int64) -> String {
        ArchiveFixture.after(offset).description
    }

    @Test(arguments: [
        Damage("schema", "DROP TRIGGER message_gone", "trigger message_gone is missing"),
        Damage(
            "schema", "CREATE TRIGGER loud AFTER INSERT ON message BEGIN SELECT 1; END",
            "trigger loud is not Scrollback's"),
        Damage("schema", "DROP INDEX message_room", "index message_room is missing"),
        Damage("schema", "DROP TABLE id_run", "table id_run is missing"),
        Damage("file", "DROP TABLE account", "no such table: account"),
        Damage("file", "DELETE FROM account", "has no account name"),
        Damage("references", "DELETE FROM user WHERE id = 1", "3 rows of table message refer to a missing user"),
        Damage(
            "references", "INSERT INTO membership (room_id, user_id) VALUES (1, 99)",
            "1 row of table membership refers to a missing user"),
        Damage(
            "room_counts", "UPDATE room SET messages = 7 WHERE id = 1", "room 1: its message count is 7, but it has 23"),
        Damage(
            "room_counts", "DROP TRIGGER message_gone; DELETE FROM message WHERE room_id = 2",
            "room 2: its message count is 1, but it has 0"),
        Damage(
            "sender_counts", "UPDATE sender_count SET messages = 7 WHERE room_id = 2",
            "user 2 in room 2: the message count is 7, but there are 1"),
        Damage(
            "sender_counts", "DELETE FROM sender_count WHERE room_id = 2",
            "user 2 in room 2: the message count is 0, but there are 1"),
        Damage(
            "change_feed", "DELETE FROM change WHERE what = 0 AND subject_id = \(day + 20)",
            "message \(id(20)) is not in the change feed"),
        Damage(
            "change_feed", "INSERT INTO change (what, subject_id) VALUES (0, \(day + 20))",
            "message \(id(20)) is in the change feed 2 times"),
        Damage(
            "feed_subjects", "INSERT INTO change (what, subject_id) VALUES (0, \(day + 5))",
            "refers to message \(id(5)), which is missing"),
        Damage(
            "feed_subjects", "INSERT INTO change (what, subject_id) VALUES (4, \(day + 5))",
            "refers to message \(id(5)), which is missing"),
        Damage(
            "versions", "UPDATE message SET edited_at_us = \(day + 19) WHERE id = \(day + 20)",
            "message \(id(20)) has an edit that is not later than the message"),
        Damage(
            "versions",
            """
            UPDATE message SET edited_at_us = \(day + 50) WHERE id = \(day + 20);
            INSERT INTO message_version VALUES (\(day + 20), \(day + 50), 'x')
            """, "message \(id(20)) has an earlier text from \(id(50)), which is not between"),
        Damage(
            "versions", "INSERT INTO message_version VALUES (\(day + 20), \(day + 20), 'x')",
            "message \(id(20)) has an earlier text from \(id(20)), which is not between"),
        Damage(
            "reactions", "UPDATE message SET flags = flags | 8192 WHERE id = \(day + 20)",
            "message \(id(20)) is marked as having a reaction, but has none"),
        Damage(
            "wiped", "UPDATE message SET flags = 64 WHERE id = \(day + 20)",
            "message \(id(20)) is marked as wiped, but its text"),
        Damage(
            "references", "PRAGMA foreign_keys = OFF; INSERT INTO attachment VALUES (1, \(day + 20), 7, NULL)",
            "1 row of table attachment refers to a missing file"),
        Damage(
            "references",
            """
            PRAGMA foreign_keys = OFF; INSERT INTO file (id, path, sha256, state) VALUES (7, '/a', 'ab', 1);
            INSERT INTO attachment VALUES (1, \(day + 20), 7, NULL)
            """, "1 row of table file refers to a missing content"),
        Damage("attachments", "INSERT INTO file (id, path) VALUES (7, '/a')", "file 7 belongs to no message"),
        Damage("attachments", "INSERT INTO content VALUES ('ab', 3)", "the content ab belongs to no file"),
        Damage(
            "attachments",
            """
            INSERT INTO content VALUES ('ab', NULL); INSERT INTO file (id, path, sha256, state) VALUES (7, '/a', 'ab', 1);
            INSERT INTO attachment VALUES (1, \(day + 20), 7, NULL)
            """, "a file of message \(id(20)) is marked as stored, but its hash or size is missing"),
        Damage(
            "attachments",
            """
            INSERT INTO content VALUES ('ab', 3);
            INSERT INTO file (id, path, sha256, state) VALUES (7, '/a', 'ab', 1), (8, '/a', NULL, 0);
            INSERT INTO attachment VALUES (1, \(day + 20), 7, NULL), (2, \(day + 20), 8, NULL)
            """, "message \(id(20)) has the file /a twice"),
        Damage("feed_subjects", "INSERT INTO change (what, subject_id) VALUES (1, 99)", "refers to room 99, which"),
        Damage("feed_subjects", "INSERT INTO change (what, subject_id) VALUES (2, 98)", "refers to user 98, which"),
        Damage("feed_subjects", "INSERT INTO change (what, subject_id) VALUES (2, -97)", "refers to room 97, which"),
        Damage(
            "used_ids", "INSERT INTO id_run VALUES (\(day + 5), \(day + 31))",
            "the run of used ids from \(id(5)) overlaps the next run"),
        Damage(
            "used_ids", "INSERT INTO id_run VALUES (\(day + 9), \(day + 5))",
            "the run of used ids from \(id(9)) ends before it begins"),
        Damage(
            "kinds", "UPDATE message SET kind = 11 WHERE id = \(day + 20)",
            "message \(id(20)) has the unknown kind 11"),
        Damage(
            "used_ids", "INSERT INTO id_run VALUES (\(day + 5000), \(day + 9000))",
            "the last run of used ids ends at \(id(9000)), later than any message"),
        Damage(
            "user_names", "UPDATE user_name SET last_seen_us = first_seen_us WHERE name = 'alice' AND user_id = 1",
            "user 1 has 0 current names"),
        Damage(
            "forgotten", "INSERT INTO forgotten_key (id, key, digests) VALUES (1, x'00', 3)",
            "3 digests of what is forgotten are counted, but there are 0"),
        Damage(
            "forgotten", "INSERT INTO forgotten (digest) VALUES (x'00')",
            "there are digests of what is forgotten without their key"),
        Damage(
            "merges",
            """
            INSERT INTO merge (what, from_id, chosen_id, into_id, at_us, is_done)
              VALUES (1, 8, 9, 9, 1, 1), (1, 9, 1, 1, 1, 1)
            """, "merge 1 leads to 9, which was itself merged"),
        Damage(
            "room_names", "INSERT INTO room_name (room_id, first_seen_us, name) VALUES (1, 1, 'x')",
            "room 1 has 2 current names"),
        Damage(
            "user_name_order", "UPDATE user_name SET last_seen_us = last_seen_us + 1 WHERE name = 'al'",
            "user 1: the name from \(id(10)) overlaps the next name"),
        Damage(
            "room_name_order",
            "INSERT INTO room_name (room_id, first_seen_us, last_seen_us, name) VALUES (1, 20, 10, 'x')",
            "room 1: the name from 1970-01-01T00:00:00.000020Z overlaps"),
        Damage(
            "sessions", "UPDATE session SET reason = NULL WHERE id = 1", "session 1 has an end without a reason"),
        Damage("sessions", "UPDATE session SET ended_at_us = 5 WHERE id = 2", "session 2 ends before it begins"),
        Damage(
            "spans",
            "INSERT INTO coverage (room_id, from_us, to_us, session_id) VALUES (1, \(day + 50), \(day + 60), 1)",
            "room 1: the coverage span from \(id(50)) overlaps an earlier one"),
        Damage(
            "spans", "UPDATE coverage SET to_us = from_us - 1 WHERE session_id = 2",
            "room 1: the coverage span from \(id(1000)) ends before it begins"),
        Damage(
            "live_spans", "UPDATE coverage SET to_us = NULL WHERE session_id = 2",
            "room 1: an open coverage span belongs to session 2, which has ended"),
        Damage(
            "live_spans",
            """
            UPDATE session SET ended_at_us = NULL, reason = NULL WHERE id = 2;
            UPDATE coverage SET to_us = NULL WHERE session_id = 2;
            INSERT INTO coverage (room_id, from_us, session_id) VALUES (1, \(day + 2000), 2)
            """, "session 2 has 2 open coverage spans of room 1"),
        Damage(
            "gap_notes", "UPDATE gap_note SET from_us = from_us + 1 WHERE from_us = \(day + 100)",
            "room 1: the gap noted at \(id(101)) does not begin at the end of a coverage span"),
        Damage(
            "imported_spans",
            "INSERT INTO imported_span VALUES (1, \(day), \(day + 10)), (1, \(day + 11), \(day + 12))",
            "room 1: the imported span from \(id(11)) overlaps or touches an earlier one"),
        Damage(
            "imported_spans",
            """
            PRAGMA ignore_check_constraints = ON; INSERT INTO imported_span VALUES (1, \(day + 10), \(day + 9));
            PRAGMA ignore_check_constraints = OFF
            """, "room 1: the imported span from \(id(10)) ends before it begins"),
        Damage(
            "journal", "UPDATE chunk SET bytes = x'00' WHERE session_id = 1 AND offset = 0",
            "session 1: byte 0 of the journal is followed by byte 9"),
        Damage(
            "journal_ends", "UPDATE session SET bytes = 20 WHERE id = 1",
            "session 1 received 20 bytes and 0 of them were deleted, but its journal has bytes 0 to 17"),
        Damage(
            "journal_ends", "DELETE FROM chunk WHERE session_id = 2",
            "session 2 received 9 bytes and 0 of them were deleted, but its journal has none"),
        Damage(
            "positions",
            "UPDATE session SET position = 3, aged = 9 WHERE id = 2; DELETE FROM chunk WHERE session_id = 2",
            "session 2: bytes up to 9 were deleted, but only bytes up to 3 were parsed"),
        Damage(
            "late_messages", "INSERT INTO late VALUES (1, 1, \(day + 500))",
            "message \(id(500)) is listed as late with change 1, which is another change"),
        Damage(
            "late_messages",
            "INSERT INTO late SELECT 2, seq, subject_id FROM change WHERE what = 0 AND subject_id = \(day + 20)",
            "message \(id(20)) is listed as late in room 2, but is in room 1"),
        Damage("search_index", "DELETE FROM message_search_idx", "the search index finds 0 of its "),
        Damage("search_rows", "DELETE FROM search_index", "the search index is not registered"),
        Damage(
            "search_rows",
            """
            INSERT INTO message_search (message_search, rowid, text, chars, facets)
              SELECT 'delete', (SELECT number FROM message_search_text AS t WHERE t.id = message.id), body, '', 'all r' || room_id || ' u' || sender_id FROM message WHERE id = \(day + 20)
            """,
            "message \(id(20)) is not in the search index"),
        Damage(
            "search_rows",
            "INSERT INTO message_search (rowid, text, chars, facets) VALUES (\(row(77)), 'x', '', 'all')",
            "the search index has an entry for \(id(77)), which is not a searchable"),
        Damage(
            "search_words", unindex(30, text: "tie x", facets: "all r1 u1"),
            "message \(id(30)) has wrong words in the search index"),
        Damage(
            "search_words", unindex(30, text: "tie 0", facets: "all r1"),
            "message \(id(30)) has wrong words in the search index"),
        Damage(
            "search_words",
            unindex(30, text: "tie 0", facets: "all r1 u1")
                + index(30, text: "tie", facets: "all r1 u1"),
            "message \(id(30)) has wrong words in the search index"),
        Damage(
            "search_words",
            unindex(30, text: "tie 0", facets: "all r1 u1")
                + index(30, text: "0 tie", facets: "all r1 u1"),
            "message \(id(30)) has wrong words in the search index"),
        Damage(
            "search_words",
            unindex(30, text: "tie 0", facets: "all r1 u1")
                + index(30, text: "tie 1", facets: "all r1 u1"),
            "message \(id(30)) has wrong words in the search index"),
        Damage(
            "search_words",
            """
            \(index(29, text: "ghost x", facets: "all"))
            INSERT INTO message_search (message_search, rowid, text, chars, facets)
              VALUES ('delete', \(row(29)), 'ghost', '', 'all');
            """, "the search index has words of message \(id(29)), which does not exist"),
        Damage(
            "read_markers", "INSERT INTO read_marker VALUES (1, 5, 1000, 5)",
            "room 1 is marked as read up to change 1000, but the change feed ends before it"),
        Damage(
            "positions", "UPDATE session SET position = 10 WHERE id = 2",
            "session 2 was parsed up to byte 10, but received only 9 bytes"),
        Damage(
            "places", "UPDATE message SET remote_id = '2:9' WHERE remote_id = '2:0'",
            "message \(id(1010)) has the place 2:9, but session 2 received only 9 bytes"),
    ])
    func `check finds each wrong row, and gives advice`(damage: Damage) async throws {
        let writer = try await fixture.openWriter()
        try await fixture.fill(writer)
        try await writer.close()
        try fixture.tamper(damage.sql)
        let check = try #require(try fixture.archive.check().first)
        #expect(check.state == .wrong)
        let found = check.problems.filter { $0.check == damage.check }
        #expect(found.contains { $0.detail.contains(damage.sentence) }, "\(check.problems)")
        #expect(check.problems.allSatisfy { !$0.advice.isEmpty })
    }
}

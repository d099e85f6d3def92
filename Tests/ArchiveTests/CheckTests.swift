import ChatModel
import Foundation
import GRDB
import Migrations
import SearchText
import TestSupport
import Testing

@testable import Archive

@Suite struct CheckTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private static let day = ArchiveFixture.day.microseconds

    private func at(_ offset: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: offset)
    }

    /// Two sessions with a journal, two rooms, a rename, ties, a deleted message, and a gap.
    private func fill(_ writer: AccountWriter) async throws {
        let first = try await writer.openSession(at: at(0))
        let bytes = Array("al::0123\0".utf8)
        let other = RoomReference(key: "#x", name: "#x", kind: .channel)
        _ = try await writer.append([
            .chunk(JournalChunk(session: first, offset: 0, receivedAt: at(10), bytes: bytes)),
            .chunk(JournalChunk(session: first, offset: 9, receivedAt: at(20), bytes: bytes)),
            .said("0123", at: 10, by: "al", in: first, remoteID: "1:0"),
            .said("0123", at: 20, by: "al", in: first, remoteID: "1:9"), .parsed(session: first, upTo: 18),
            .said("elsewhere", at: 25, in: first, room: other),
        ])
        _ = try await writer.append(
            (0..<20).map { .said("tie \($0)", at: 30, in: first) } + [
                .userRenamed(
                    session: first, fromKey: "al", to: UserReference(key: "alice", name: "alice"), at: at(60)),
                .sessionEnded(session: first, at: at(100), reason: .lost, detail: nil),
            ])
        let second = try await writer.openSession(at: at(1000))
        _ = try await writer.append([
            .chunk(JournalChunk(session: second, offset: 0, receivedAt: at(1010), bytes: bytes)),
            .said("0123", at: 1010, by: "alice", in: second, remoteID: "2:0"), .parsed(session: second, upTo: 9),
            .sessionEnded(session: second, at: at(1100), reason: .stopped, detail: nil),
        ])
    }

    private func problems(_ names: [String] = []) async throws -> [AccountCheck.Problem] {
        try await fixture.archive.check(accounts: names).flatMap(\.problems)
    }

    @Test func `an archive that is written as it should be is fine, while it is and afterwards`() async throws {
        let writer = try await fixture.openWriter()
        try await fill(writer)
        let live = try await writer.openSession(at: .now())
        for round in 0..<3 {
            let check = try #require(try await fixture.archive.check().first)
            #expect(check.problems == [])
            #expect(check.state == .fine)
            #expect(check.account == "demo")
            #expect(check.messages == 24 + Int64(round))
            let now = Timestamp.now().microseconds - Self.day
            _ = try await writer.append([.said("\(round)", at: now, in: live)])
        }
        try await writer.close()
        let gone = "id = \(Self.day + 10) OR body = 'tie 3'"
        try fixture.execute(
            """
            INSERT INTO message_search (message_search, rowid, text, chars, facets)
              SELECT 'delete', (SELECT number FROM message_search_text AS t WHERE t.id = message.id), body, '', 'all r' || room_id || ' u' || sender_id FROM message WHERE \(gone);
            DELETE FROM message WHERE \(gone);
            DELETE FROM message_digest;
            UPDATE digest_reach SET from_block = (SELECT (max(id) >> 32) + 1 FROM message)
            """)
        #expect(try await problems() == [])
        try await fixture.openWriter().close()
        #expect(try await problems() == [], "a session that was left open is closed")
    }

    @Test func `journals may be aged away`() async throws {
        let writer = try await fixture.openWriter()
        try await fill(writer)
        for instant in [at(15), at(2000)] {
            try await writer.ageJournal(before: instant)
            #expect(try await problems() == [])
        }
        #expect(try fixture.value("SELECT count(*) FROM chunk") == 0)
        try await writer.close()
    }

    @Test func `markers and late messages are as they should be`() async throws {
        let writer = try await fixture.openWriter()
        try await fill(writer)
        try await writer.markRead(rooms: [1], through: nil, at: at(0))
        let session = try await writer.openSession(at: at(2000))
        _ = try await writer.append([.said("late", at: 2010, in: session, sourceTime: at(40))])
        #expect(try fixture.value("SELECT count(*) FROM late") == 1)
        #expect(try await problems() == [])
        try await writer.close()
    }

    @Test func `a read that the store refused is a failure, and no hole in the journal`() async throws {
        let writer = try await fixture.openWriter()
        try await fill(writer)
        try await writer.close()
        let failed =
            "INSERT INTO failure (room_id, session_id, remote_id, payload, reason, first_at_us, last_at_us) VALUES"
        try fixture.execute(
            "UPDATE session SET bytes = 27 WHERE id = 1; UPDATE chunk SET offset = 18 WHERE session_id = 1 AND offset = 9"
        )
        #expect(try await problems().map(\.check) == ["journal"])
        try fixture.execute("\(failed) (NULL, 2, '2:9', x'00', 'why', 1, 1)")
        #expect(try await problems().map(\.check) == ["journal"], "it is another session's")
        try fixture.execute("\(failed) (NULL, 1, '1:9', x'01', 'why', 1, 1)")
        #expect(try await problems() == [])
    }

    /// What is done to the file, which check finds it, and what it says.
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

    /// As a program does that is wrong about what a message said.
    private static func unindex(_ offset: Int64, text: String, facets: String) -> String {
        """
        INSERT INTO message_search (message_search, rowid, text, chars, facets)
          VALUES ('delete', \(row(offset)), '\(text)', '', '\(facets)');
        """
            + (text == "tie 0" && facets.contains("u1")
                ? "" : index(offset, text: "tie 0", facets: "all r1 u1"))
    }

    private static func id(_ offset: Int64) -> String {
        ArchiveFixture.day.advanced(byMicroseconds: offset).description
    }

    @Test(arguments: [
        Damage("schema", "DROP TRIGGER message_gone", "trigger message_gone is missing"),
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
    func `what is wrong is found, and said with what to do`(damage: Damage) async throws {
        let writer = try await fixture.openWriter()
        try await fill(writer)
        try await writer.close()
        try tamper(damage.sql)
        let check = try #require(try await fixture.archive.check().first)
        #expect(check.state == .wrong)
        let found = check.problems.filter { $0.check == damage.check }
        #expect(found.contains { $0.detail.contains(damage.sentence) }, "\(check.problems)")
        #expect(check.problems.allSatisfy { !$0.advice.isEmpty })
    }

    /// As a mistaken program would.
    private func tamper(_ sql: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: try fixture.file(), configuration: configuration)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA ignore_check_constraints = ON; " + sql)
        }
        try queue.close()
    }

    @Test func `a word that was taken out wrongly passes SQLite's checks, and is told`() async throws {
        let writer = try await fixture.openWriter()
        try await fill(writer)
        try await writer.close()
        try tamper(
            Self.unindex(30, text: "tie x", facets: "all r1 u1")
                + "INSERT INTO message_search (message_search) VALUES ('integrity-check')")
        #expect(try fixture.value("PRAGMA integrity_check") == "ok")
        #expect(try await problems().map(\.check) == ["search_words"])
        let again = try await fixture.openWriter()
        while try await again.indexStep(rebuild: true).from != nil {}
        try await again.close()
        #expect(try await problems() == [])
    }

    @Test func `what is stored, edited and indexed while words are compared is not taken for wrong, what is wrong is`()
        async throws
    {
        let writer = try await fixture.openWriter()
        try await fill(writer)
        let session = try await writer.openSession(at: at(2000))
        _ = try await writer.append((0..<50).map { .said("서버 \($0)", id: "m\($0)", at: 2000 + $0 * 2, in: session) })
        try await writer.close()
        try tamper(Self.unindex(30, text: "tie x", facets: "all r1 u1"))
        let (found, steps) = try check { step, ingest, db in
            _ = try ingest.apply(
                [
                    .said("edited \(step)", id: "m7", at: 2014, edit: 3000 + step, in: session, isLive: true),
                    .said("late", id: "l\(step)", at: 2001 + step * 2, in: session),
                    .said("new", id: "n\(step)", at: 9000 + step, in: session),
                ], db)
        }
        #expect(steps > 1)
        #expect(found.map(\.detail) == ["message \(Self.id(30)) has wrong words in the search index"])
    }

    @Test func `an index that another takes the place of while words are compared is not taken for wrong`() async throws
    {
        let writer = try await fixture.openWriter()
        try await fill(writer)
        try await writer.close()
        let (found, steps) = try check { step, _, db in
            if step == 1 { try SearchFilling.begin(analyser: Analyser.version, db) }
            if step == 2 { _ = try SearchFilling.step(db) }
        }
        #expect(steps == 2)
        #expect(found == [])
        #expect(try fixture.value("SELECT group_concat(name) FROM search_index") == "message_search")
        let abandoned = try check { _, _, db in try SearchFilling.abandon(SearchIndex.name, db) }
        #expect(abandoned.0 == [])
    }

    /// Checks, and writes whenever something is told of comparing words.
    private func check(
        _ write: @escaping (_ step: Int64, inout Ingest, Database) throws -> Void
    ) throws -> ([AccountCheck.Problem], steps: Int64) {
        let connection = try SQLiteConnection.writing(path: try fixture.file())
        var ingest: Ingest?
        var steps: Int64 = 0
        let checkers = try fixture.archive.checkers { progress in
            guard progress.check == "search_words" else { return }
            steps += 1
            do {
                try connection.writeWithoutTransaction { db in
                    try db.inTransaction {
                        var current = try ingest ?? Ingest(db)
                        try write(steps, &current, db)
                        ingest = current
                        return .commit
                    }
                }
            } catch {
                Issue.record(error)
            }
        }
        let problems = checkers.flatMap { $0.run().problems }
        connection.writeWithoutTransaction { _ in ingest = nil }
        try connection.close()
        return (problems, steps)
    }

    @Test func `of many alike ten are named and the rest is counted`() async throws {
        let writer = try await fixture.openWriter()
        try await fill(writer)
        try await writer.close()
        try tamper("DELETE FROM change WHERE what = 0")
        let found = try await problems().filter { $0.check == "change_feed" }.map(\.detail)
        #expect(found.count == 11)
        #expect(found.last == "and 14 more")
    }

    @Test func `bytes that were turned over in a page are found`() async throws {
        let writer = try await fixture.openWriter()
        try await fill(writer)
        try await writer.close()
        let pages: Int64 = try #require(
            try fixture.value("SELECT rootpage FROM sqlite_schema WHERE name = 'message_room'"))
        try overwrite(Data(repeating: 0x5A, count: 64), at: UInt64((pages - 1) * 4096))
        let check = try #require(try await fixture.archive.check().first)
        #expect(check.state == .wrong)
        #expect(check.account == "demo")
        #expect(check.problems.contains { $0.check == "integrity" }, "\(check.problems)")
        #expect(check.problems[0].advice.contains("copy the account's folder to another place"))
    }

    @Test(arguments: [0, 100, 5000])
    func `a file that was cut off is found, and the other accounts are checked`(length: UInt64) async throws {
        for name in ["broken", "demo"] {
            let writer = try await fixture.openWriter(name)
            try await fill(writer)
            try await writer.close()
        }
        let handle = try FileHandle(forWritingTo: URL(filePath: try fixture.file(of: "broken")))
        try handle.truncate(atOffset: length)
        try handle.close()
        let checks = try await fixture.archive.check()
        #expect(checks.map(\.state) == [.wrong, .fine])
        #expect(checks[0].folder.contains("/broken-"))
        #expect(checks[0].problems.isEmpty == false)
        #expect(try await fixture.archive.check(accounts: ["broken"]).map(\.state) == [.wrong])
        #expect(try await fixture.archive.check(accounts: ["demo"]).map(\.state) == [.fine])
    }

    @Test func `what is no database, and what is gone, are found`() async throws {
        for name in ["gone", "text"] { try await fixture.openWriter(name).close() }
        try FileManager.default.removeItem(atPath: try fixture.file(of: "gone"))
        try String(repeating: "not a database ", count: 1000).write(
            toFile: try fixture.file(of: "text"), atomically: false, encoding: .utf8)
        let checks = try await fixture.archive.check()
        #expect(checks.map(\.state) == [.wrong, .wrong])
        #expect(checks.flatMap(\.problems).contains { $0.detail.hasSuffix("/1.sqlite is missing") })
        #expect(checks.flatMap(\.problems).contains { $0.detail.contains("is damaged or not a database") })
    }

    @Test func `a newer file is a finding, an older one can't be checked in full`() async throws {
        try await fixture.openWriter("newer").close()
        try fixture.execute("PRAGMA user_version = 99", account: "newer")
        let newer = try #require(try await fixture.archive.check().first)
        #expect(newer.state == .wrong)
        #expect(newer.problems.map(\.advice) == ["use the newer scrollback that wrote it"])
        try fixture.execute("PRAGMA user_version = 0", account: "newer")
        #expect(try await problems().map(\.detail).contains { $0.contains("is not a Scrollback account file") })
    }

    @Test func `an older file is left as it is, and is not checked in full`() async throws {
        try await fixture.openWriter().close()
        try remake(schema: 1)
        let check = try #require(try await fixture.archive.check().first)
        #expect(check.state == .unchecked)
        #expect(check.account == "demo")
        #expect(check.problems.map(\.detail).first?.contains("has schema 1, older than schema") == true)
        #expect(try fixture.value("PRAGMA user_version") == 1)
        _ = try await fixture.archive.reading().accountSummaries()
        #expect(try await fixture.archive.check().map(\.state) == [.fine], "once it was brought to today's")
    }

    @Test func `a journal that a kill left is told, and put in order by the next who reads`() async throws {
        try await fixture.openWriter().close()
        let journal = try fixture.file() + "-journal"
        try Data("half a journal".utf8).write(to: URL(filePath: journal))
        chmod(journal, 0o600)
        let check = try #require(try await fixture.archive.check().first)
        #expect(check.state == .unchecked)
        #expect(check.problems.map(\.advice) == ["run \"scrollback rooms\" to recover the file, then check again"])
        _ = try await fixture.archive.reading().rooms()
        #expect(try await fixture.archive.check().map(\.state) == [.fine])
    }

    @Test func `a file or folder that others can read is found`() async throws {
        try await fixture.openWriter().close()
        let file = try fixture.file()
        let folder = (file as NSString).deletingLastPathComponent
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: folder)
        #expect(
            try await problems() == [
                AccountCheck.Problem(
                    check: "modes", detail: "other users may access \(folder): its mode is 750",
                    advice: "chmod 700 '\(folder)'"
                ),
                AccountCheck.Problem(
                    check: "modes", detail: "other users may access \(file): its mode is 644",
                    advice: "chmod 600 '\(file)'"),
            ])
    }

    @Test func `an account that is not there is an error`() async throws {
        try await fixture.openWriter().close()
        let error = await #expect(throws: ArchiveError.self) {
            try await fixture.archive.check(accounts: ["demo", "nobody"])
        }
        #expect(error?.code == .unknownAccount)
        #expect(error?.detail.hasSuffix("it has demo") == true)
        #expect(try await Archive(folder: fixture.folder.path + "/empty").check() == [])
    }

    @Test func `each check is told before it begins`() async throws {
        try await fixture.openWriter().close()
        var names: [String] = []
        let checkers = try fixture.archive.checkers { progress in
            guard progress.share == nil else { return }
            #expect(progress.account == "demo")
            #expect(progress.number == names.count + 1)
            names.append(progress.check)
        }
        let checks = checkers.map { $0.run() }
        #expect(Set(names).count == names.count)
        #expect(checks[0].checks == names.count + 3, "modes, the file and its schema")
    }

    @Test func `every check is in docs/check.md, and no other`() async throws {
        try await fixture.openWriter().close()
        var names = ["modes", "file", "schema"]
        _ = try fixture.archive.checkers { if $0.share == nil { names.append($0.check) } }.map { $0.run() }
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/check.md")
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
        let documented = rows.flatMap { row in
            row.split(separator: "|").first.map { $0.matches(of: /`(\w+)`/).map { String($0.1) } } ?? []
        }
        #expect(Set(documented) == Set(names))
        #expect(documented.count == names.count)
    }

    @Test(arguments: 0..<20)
    func `a file with random bytes anywhere is fine or wrong, and nothing traps`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let writer = try await fixture.openWriter()
        try await fill(writer)
        try await writer.close()
        let size = try #require(
            try FileManager.default.attributesOfItem(atPath: try fixture.file())[.size] as? UInt64)
        for _ in 0..<3 {
            let bytes = Data(
                (0..<Int.random(in: 1...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
            try overwrite(bytes, at: UInt64.random(in: 0..<size - 40, using: &random))
        }
        let check = try #require(try await fixture.archive.check().first)
        #expect((check.state == .fine) == check.problems.isEmpty)
    }

    /// The account's file, as the program with that schema made it.
    private func remake(schema: Int) throws {
        let file = try fixture.file()
        try FileManager.default.removeItem(atPath: file)
        let queue = try DatabaseQueue(path: file)
        try queue.writeWithoutTransaction { db in
            for migration in Migrations.all.prefix(schema) { try db.execute(sql: migration.sql) }
            try db.execute(
                sql: """
                    PRAGMA application_id = \(Migrations.applicationID); PRAGMA user_version = \(schema);
                    INSERT INTO account VALUES (1, 'demo', 'streamchat', 'e', 0)
                    """)
        }
        try queue.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }

    private func overwrite(_ bytes: Data, at offset: UInt64) throws {
        let handle = try FileHandle(forUpdating: URL(filePath: try fixture.file()))
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: bytes)
        try handle.close()
    }
}

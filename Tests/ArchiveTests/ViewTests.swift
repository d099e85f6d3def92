import ChatModel
import Foundation
import SQLite
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Files
@testable import Reading
@testable import Schema
@testable import Writing

/// The views of an account's file, for people who use SQL.
@Suite struct ViewTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    /// Rows as other programs read them, as words.
    private func rows(_ sql: String) throws -> [[String]] {
        let queue = try DatabaseQueue(path: try fixture.file(), isReadOnly: true)
        defer { try? queue.close() }
        return try queue.read { db in
            try db.all(sql: sql) { row in
                row.values.map(\.description)
            }
        }
    }

    private func words(_ values: [(any DatabaseValueConvertible)?]) -> [String] {
        values.map { ($0?.databaseValue ?? .null).description }
    }

    /// An archive with backfilled rooms, renames, answers, files and messages that are edited, deleted and pinned.
    private func fill(_ seed: UInt64) async throws {
        let writer = try await fixture.openWriter()
        var random = RandomArchive(seed: seed)
        try await random.write(to: writer)
        try await writer.backfill(seed: seed)
        try await writer.close()
        try fixture.execute(
            """
            UPDATE message SET flags = flags | 512 WHERE id % 3 = 0;
            UPDATE message SET reply_to = (SELECT remote_id FROM message AS other
              WHERE other.room_id = message.room_id AND other.remote_id IS NOT NULL LIMIT 1) WHERE id % 5 = 0;
            INSERT INTO file (id, path) VALUES (999, 'a.png');
            INSERT OR IGNORE INTO attachment (message_id, file_id) SELECT id, 999 FROM message WHERE id % 4 = 0;
            """)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<8)
    func `the views of messages and events have what the program reads`(seed: UInt64) async throws {
        try await fill(seed)
        let then = try await fixture.walk(.oldest, limit: 1000, query: fixture.query(room: nil))
        let now = try await fixture.walk(.oldest, limit: 1000, query: fixture.query(room: nil, names: .now))
        let expected = zip(then, now).filter { !$0.0.kind.isNoise }.map { message, today in
            words([
                message.id.microseconds, message.id.time.description, message.room, message.sender?.name,
                message.kind.rawValue, message.body, message.sender.map(\.isSelf),
                message.editedAt?.description, message.deletedAt?.description, message.reply?.id?.microseconds,
                message.attachments.count, message.flags.contains(.pinned), message.receivedAt.description,
                message.remoteID, today.room, today.sender?.name, message.roomID, message.sender?.id,
            ])
        }
        let columns = """
            id, at, room, sender, kind, body, is_self, edited_at, deleted_at, reply_to, files, is_pinned, received_at,
              remote_id, room_now, sender_now, room_id, sender_id
            """
        #expect(try rows("SELECT \(columns) FROM messages ORDER BY id") == expected)
        #expect(Set(expected.map { $0[9] }).count > 1 && Set(expected.map { $0[10] }).count > 1)
        #expect(expected.contains { $0[2] != $0[14] } && expected.contains { $0[3] != $0[15] }, "names changed")
        let events = then.filter(\.kind.isNoise).map { message in
            words([
                message.id.microseconds, message.id.time.description, message.room, message.sender?.name,
                message.kind.rawValue, message.body, message.roomID, message.sender?.id,
            ])
        }
        #expect(try rows("SELECT * FROM events ORDER BY id") == events)
        #expect(!events.isEmpty)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<8)
    func `the views of rooms and people have what the program reads`(seed: UInt64) async throws {
        try await fill(seed)
        try fixture.execute(
            "UPDATE room SET left_at_us = 5 WHERE id % 2 = 0; UPDATE room SET gone_at_us = 6 WHERE id = 3")
        let rooms = try fixture.archive.reading().rooms().sorted { $0.id < $1.id }.map { room in
            words([
                room.id, room.name, room.kind.rawValue, room.workspace, room.messages,
                room.firstMessage?.time.description, room.lastMessage?.time.description,
                room.coveredFrom?.description, room.leftAt?.description, room.goneAt?.description,
            ])
        }
        #expect(
            try rows(
                """
                SELECT id, name, kind, workspace, messages, first_at, last_at, complete_since, left_at, gone_at
                FROM rooms ORDER BY id
                """) == rooms)
        let users = try fixture.archive.reading().users(scope: .accounts(["demo"]), countsMessages: true)
        let people = users.sorted { $0.id < $1.id }.map { user in
            words([
                user.id, user.name, user.isSelf, user.messages ?? 0, user.names.count,
                user.names.first?.firstSeen.description,
            ])
        }
        #expect(try rows("SELECT * FROM people ORDER BY id") == people)
    }

    @Test func `the views of people and rooms exclude merged ones and undone bridges`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("<carol> hello", at: 10, by: "relay", in: session), .said("mine", at: 20, by: "alice", in: session),
            .said("mine, too", at: 30, by: "alice_", in: session),
        ])
        try await writer.close()
        try fixture.execute(
            """
            INSERT INTO room (id, key, kind) VALUES (90, '#old', 'channel');
            INSERT INTO room_name (room_id, first_seen_us, name) VALUES (90, 1, '#old')
            """)
        let again = try await fixture.openWriter()
        try await fixture.bridge(fixture.bridging(), by: again)
        #expect(try rows("SELECT name FROM people ORDER BY name") == [["alice"], ["alice_"], ["carol"], ["relay"]])
        try await fixture.bridge(fixture.bridging(undoes: true), by: again)
        let into: Int64 = try #require(try fixture.value("SELECT id FROM room WHERE id <> 90"))
        for request in [
            Merging(.people, from: try fixture.user("alice_"), into: try fixture.user("alice")),
            Merging(.rooms, from: 90, into: into),
        ] {
            var place: MergingPlace?
            repeat {
                place = try await again.merge(request, from: place, at: ArchiveFixture.at(1)).next
            } while place != nil
        }
        try await again.close()
        #expect(try rows("SELECT name, names FROM people ORDER BY name") == [["alice", "2"], ["relay", "1"]])
        #expect(try rows("SELECT id FROM rooms") == [["\(into)"]])
    }

    /// Rooms that were left or are gone at times in and outside their spans, and clocks that were ahead.
    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<16)
    func `the view gaps has what the program lists`(seed: UInt64) async throws {
        try await fill(seed)
        let end = ArchiveFixture.day.advanced(by: .seconds(Int64(seed) * 1500)).microseconds
        try fixture.execute(
            """
            UPDATE session SET ahead_us = id * 7, clock_lead_us = (id % 2) * 1000 WHERE \(seed) % 2 = 1;
            UPDATE room SET left_at_us = \(end) WHERE id % 4 = \(seed % 4);
            UPDATE room SET gone_at_us = \(end + 1) WHERE id % 3 = \(seed % 3);
            UPDATE gap_note SET next_try_us = from_us + 9 WHERE from_us % 2 = 0;
            UPDATE gap_note SET unfilled = 'refused', detail = 'no' WHERE from_us % 3 = 0;
            """)
        // As if a listener ran: without one, nobody tries again, which the file does not say.
        let writer = try fixture.file().parentFolder + "/writer"
        let lock = try #require(try FileLock(path: writer, mode: .exclusive))
        let gaps = try fixture.archive.reading().gaps(scope: .accounts(["demo"])).filter { $0.state != .imported }
        withExtendedLifetime(lock) {}
        let expected = gaps.map { gap in
            words([
                gap.room, gap.shownFrom.description, gap.shownTo?.description, gap.state.rawValue,
                // No file says whether a listener runs.
                gap.reason == EndReason.crashed.rawValue ? Gap.quiet : gap.reason, gap.missing?.unfilled,
                gap.missing?.detail,
                gap.missing?.nextTry?.description, gap.from.microseconds, gap.to?.microseconds,
                gap.to.map { $0.since(gap.from).components.seconds },
            ]).joined(separator: " ")
        }
        let found = try rows(
            """
            SELECT room, from_at, to_at, state, iif(reason = 'crashed', 'quiet', reason), unfilled, detail, next_try_at,
              from_us, to_us, iif(to_us IS NULL, NULL, seconds) FROM gaps
            """
        ).map { $0.joined(separator: " ") }
        #expect(found.sorted() == expected.sorted())
        #expect(found.count > 2)
    }

    @Test func `a connection is a gap after a minute of silence, and not before`() async throws {
        let writer = try await fixture.openWriter()
        let now = Timestamp.now()
        let session = try await writer.openSession(at: now.advanced(by: .seconds(-50)))
        #expect(try rows("SELECT * FROM gaps") == [])
        try await writer.close()
        try fixture.execute(
            "UPDATE session SET last_sign_of_life_us = last_sign_of_life_us - 20000000 WHERE id = \(session.rawValue)")
        #expect(try rows("SELECT state, reason FROM gaps") == [["current", "quiet"]])
    }

    @Test func `views write times like the program, even before 1970`() async throws {
        try await fixture.openWriter().close()
        try fixture.execute("INSERT INTO room (id, key, kind) VALUES (1, '', 'server')")
        let times: [Int64] = [
            -62_167_219_200_000_000, -1_000_001, -1_000_000, -999_999, -1, 0, 1, 999_999, 1_000_000,
            ArchiveFixture.day.microseconds + 123, 253_402_300_799_999_999,
        ]
        for time in times { try fixture.execute("INSERT INTO message (id, room_id, kind) VALUES (\(time), 1, 3)") }
        #expect(
            try rows("SELECT at, room, sender FROM messages ORDER BY id")
                == times.map { [Timestamp(microseconds: $0).description, "NULL", "NULL"] }, "and without any name")
    }

    @Test func `the views of pages and days use an index`() async throws {
        try await fixture.openWriter().close()
        func plan(_ sql: String) throws -> String {
            try rows("EXPLAIN QUERY PLAN " + sql).map { $0[3] }.joined(separator: "\n")
        }
        for view in ["messages", "events"] {
            let byName = try plan("SELECT * FROM \(view) WHERE room = 'x' ORDER BY id DESC LIMIT 50")
            #expect(byName.contains("SEARCH n USING COVERING INDEX room_name_any (name=?)"))
            #expect(
                byName.contains("SEARCH m USING INDEX message_room (room_id=? AND noise=? AND rowid>? AND rowid<?)"))
            let byRoom = try plan("SELECT * FROM \(view) WHERE room_id = 1 ORDER BY id DESC LIMIT 50")
            #expect(byRoom.contains("SEARCH m USING INDEX message_room (room_id=? AND noise=?)"))
            let byDay = try plan("SELECT * FROM \(view) WHERE id >= unixepoch('2026-11-21') * 1000000 AND id < 5")
            #expect(byDay.contains("SEARCH m USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"))
            for plan in [byName, byRoom, byDay] { #expect(!plan.contains("SCAN")) }
            let latest = try plan("SELECT * FROM \(view) ORDER BY id DESC LIMIT 50")
            #expect(!latest.contains("TEMP B-TREE"))
        }
        #expect(try !plan("SELECT * FROM rooms").contains("SCAN message"))
        #expect(try !plan("SELECT * FROM people").contains("SCAN message"))
    }

    @Test(arguments: ["busy", "quiet"])
    func `the last messages of a busy and a quiet room cost the same`(
        room: String
    ) async throws {
        try await fixture.openWriter().close()
        try fixture.execute(
            """
            INSERT INTO room (id, key, kind) VALUES (1, 'b', 'channel'), (2, 'q', 'channel');
            INSERT INTO room_name VALUES (1, 500, NULL, 'busy'), (2, 500, NULL, 'quiet');
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
            INSERT INTO message (id, room_id, kind, body) SELECT i, iif(i <= 60, 2, 1), 0, 'x' FROM n;
            """)
        let queue = try DatabaseQueue(path: try fixture.file(), isReadOnly: true)
        defer { try? queue.close() }
        try queue.read { db in
            let counter = StepCounter()
            let sql = "SELECT * FROM messages WHERE room = ? ORDER BY id DESC LIMIT 50"
            let statement = try db.makeStatement(sql: sql)
            counter.count(of: db)
            #expect(try statement.all(arguments: [room]) { $0.values }.count == 50)
            #expect(counter.steps < 50 * 400)
        }
    }
}

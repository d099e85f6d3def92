import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Files
@testable import Writing

@Suite struct CheckTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `check finds no problem in a sound archive, while it is written and afterwards`() async throws {
        let writer = try await fixture.openWriter()
        try await fixture.fill(writer)
        let live = try await writer.openSession(at: .now())
        for round in 0..<3 {
            let check = try #require(try fixture.archive.check().first)
            #expect(check.problems == [])
            #expect(check.state == .fine)
            #expect(check.account == "demo")
            #expect(check.messages == 24 + Int64(round))
            let now = Timestamp.now().microseconds - ArchiveFixture.day.microseconds
            _ = try await writer.append([.said("\(round)", at: now, in: live)])
        }
        try await writer.close()
        let gone = "id = \(ArchiveFixture.day.microseconds + 10) OR body = 'tie 3'"
        try fixture.execute(
            """
            INSERT INTO message_search (message_search, rowid, text, chars, facets)
              SELECT 'delete', (SELECT number FROM message_search_text AS t WHERE t.id = message.id), body, '', 'all r' || room_id || ' u' || sender_id FROM message WHERE \(gone);
            DELETE FROM message WHERE \(gone);
            DELETE FROM message_digest;
            UPDATE digest_reach SET from_block = (SELECT (max(id) >> 32) + 1 FROM message);
            DELETE FROM message_count;
            UPDATE count_reach SET from_quarter = (SELECT max(id) / 900000000 + 1 FROM message);
            DELETE FROM room_span;
            INSERT INTO room_span SELECT room_id, min(id), max(id) FROM message GROUP BY room_id
            """)
        #expect(try await fixture.problems() == [])
        try await fixture.openWriter().close()
        #expect(try await fixture.problems() == [], "a session that was left open is closed")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `check accepts a journal that was aged away`() async throws {
        let writer = try await fixture.openWriter()
        try await fixture.fill(writer)
        for instant in [ArchiveFixture.after(15), ArchiveFixture.after(2000)] {
            try await writer.ageJournal(before: instant)
            #expect(try await fixture.problems() == [])
        }
        #expect(try fixture.value("SELECT count(*) FROM chunk") == 0)
        try await writer.close()
    }

    @Test func `check accepts markers and late messages`() async throws {
        let writer = try await fixture.openWriter()
        try await fixture.fill(writer)
        try await writer.markRead(rooms: [1], through: nil, at: ArchiveFixture.after(0))
        let session = try await writer.openSession(at: ArchiveFixture.after(2000))
        _ = try await writer.append([.said("late", at: 2010, in: session, sourceTime: ArchiveFixture.after(40))])
        #expect(try fixture.value("SELECT count(*) FROM late") == 1)
        #expect(try await fixture.problems() == [])
        try await writer.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `check accepts a read that was stored as a failure instead of in the journal`() async throws {
        let writer = try await fixture.openWriter()
        try await fixture.fill(writer)
        try await writer.close()
        let failed =
            "INSERT INTO failure (room_id, session_id, remote_id, payload, reason, first_at_us, last_at_us) VALUES"
        try fixture.execute(
            "UPDATE session SET bytes = 27 WHERE id = 1; UPDATE chunk SET offset = 18 WHERE session_id = 1 AND offset = 9"
        )
        #expect(try await fixture.problems().map(\.check) == ["journal"])
        try fixture.execute("\(failed) (NULL, 2, '2:9', x'00', 'why', 1, 1)")
        #expect(try await fixture.problems().map(\.check) == ["journal"], "it is another session's")
        try fixture.execute("\(failed) (NULL, 1, '1:9', x'01', 'why', 1, 1)")
        #expect(try await fixture.problems() == [])
    }

    @Test func `check names ten problems of a kind and counts the rest`() async throws {
        let writer = try await fixture.openWriter()
        try await fixture.fill(writer)
        try await writer.close()
        try fixture.tamper("DELETE FROM change WHERE what = 0")
        let found = try await fixture.problems().filter { $0.check == "change_feed" }.map(\.detail)
        #expect(found.count == 11)
        #expect(found.last == "and 14 more")
    }

    @Test func `checking an unknown account is an error`() async throws {
        try await fixture.openWriter().close()
        let error = #expect(throws: ArchiveError.self) {
            try fixture.archive.check(accounts: ["demo", "nobody"])
        }
        #expect(error?.code == .unknownAccount && error?.missing?.known == ["demo"])
        #expect(error?.detail.hasPrefix("no account \"nobody\" in ") == true)
        #expect(try Archive(folder: fixture.folder.path + "/empty").check() == [])
    }

    @Test func `check reports each check before it begins`() async throws {
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

    @Test func `docs/check.md lists every check and no other`() async throws {
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
}

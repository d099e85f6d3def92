import ChatModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Records
@testable import Schema
@testable import Writing

/// Times at the edges of what an import takes, and bytes that are not UTF-8.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct ImportedEdgesTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func said(_ body: String, at time: Timestamp, place: Timestamp? = nil) -> ImportedMessage {
        ImportedMessage(
            room: "#example", kind: .message, sender: "alice", body: body, time: time, resolution: .microsecond,
            place: place)
    }

    @Test func `a time that steps back into another minute matches again`() async throws {
        let minute = ArchiveFixture.at(660)
        for back in [1, 200_000, 999_999, 1_000_000, 90_000_000] as [Int64] {
            let earlier = minute.advanced(byMicroseconds: -back)
            let lines = fixture.source([
                said("a", at: minute), said("b", at: earlier, place: minute), said("b", at: earlier, place: minute),
                said("c", at: earlier, place: minute),
            ])
            let log = AccountIdentity(name: "back\(back)", network: "log")
            #expect(try await fixture.store(lines, into: log).new == 4)
            for _ in 0..<3 { #expect(try await fixture.store(lines, into: log) == ImportTally(known: 4)) }
        }
    }

    @Test func `messages of consecutive microseconds are not taken for moved ones`() async throws {
        let time = ArchiveFixture.at(600)
        let lines = fixture.source([
            said("a", at: time), said("hi", at: time), said("hi", at: time.advanced(byMicroseconds: 1)),
        ])
        #expect(try await fixture.store(lines).new == 3)
        #expect(try await fixture.store(lines) == ImportTally(known: 3))
    }

    @Test func `an index finds the messages that moved to another minute`() async throws {
        try await fixture.openWriter().close()
        let plan = try DatabaseQueue(path: fixture.file()).read { db in
            try db.all(
                sql: """
                    EXPLAIN QUERY PLAN SELECT id FROM message
                    WHERE source_time_us >= 0 AND source_time_us < 60000000 AND \(StoredOccurrences.isMoved)
                    """
            ) { try $0.value(3) as String }
        }
        #expect(plan.contains { $0.contains("message_moved") })
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [[0], [0, 0], [0, 0, 5], [50, 20], [-10, 0, 3]])
    func `earlier texts without a time of the last edit leave the archive sound`(times: [Int64]) async throws {
        let id = ArchiveFixture.at(600)
        var message = said("now", at: id, place: id)
        message.remoteID = "1:1"
        message.exact = ExactMessage(
            sourceTime: nil, roomKey: "#example", roomKind: .channel, sender: .key("alice"), senderIsSelf: false,
            versions: times.map { .init(at: id.advanced(byMicroseconds: $0), body: "before \($0)") })
        try await fixture.store(message, is: ImportTally(new: 1))
        #expect(try fixture.value("SELECT count(*) FROM message_version", account: "old") == times.count)
    }

    @Test func `gaps whose total length overflows microseconds don't break status`() async throws {
        try await fixture.openWriter().close()
        let year: Int64 = 366 * 86_400_000_000
        try fixture.execute(
            """
            INSERT INTO session (id, started_at_us, last_sign_of_life_us, ended_at_us, reason)
            VALUES (1, 1, 1, 1, 'stopped')
            """)
        for room in 1...60 {
            try fixture.execute("INSERT INTO room (id, key, kind) VALUES (\(room), 'r\(room)', 'channel')")
            try fixture.execute(
                """
                INSERT INTO coverage (room_id, from_us, to_us, session_id)
                VALUES (\(room), \(-1900 * year), \(-1900 * year), 1), (\(room), \(7000 * year), \(7000 * year), 1)
                """)
        }
        #expect(try fixture.archive.reading().status().count == 1)
    }

    @Test func `bytes that are not UTF-8 stay with the message when the journal ages`() async throws {
        var message = said("\u{FFFD}\u{FFFD}", at: ArchiveFixture.at(600))
        message.raw = [0xB0, 0xA1]
        message.flags = .invalidUTF8
        try await fixture.store(message, is: ImportTally(new: 1))
        #expect(try fixture.value("SELECT hex(bytes) FROM message_raw", account: "old") == "B0A1")
        let queue = try DatabaseQueue(path: fixture.file(of: "old"))
        let rest = try queue.write { db in
            try Journal.ageMessages(
                before: ArchiveFixture.importTime, after: (message: 0, at: 0), limit: 10, db
            ).next
        }
        try queue.close()
        #expect(rest != nil)
        #expect(try fixture.value("SELECT count(*) FROM message_raw", account: "old") == 1)
    }
}

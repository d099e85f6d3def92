import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Checks
@testable import Writing

/// Messages that another program or the disk changed, and `archive check`.
@Suite struct DigestTests {
    private let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    private func problems() async throws -> [String] {
        try fixture.archive.check().flatMap(\.problems).filter { $0.check == "digests" }.map(\.detail)
    }

    private func fill() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append(
            (0..<50).map { .said("Hello, \($0).", at: Int64($0) * 600_000_000, in: session, remoteID: "m\($0)") })
        try await writer.close()
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            "body = replace(body, ',', ';')", "body = replace(body, 'H', 'h')", "body = body || ' '", "body = NULL",
            "sender_id = NULL", "kind = 2", "deleted_at_us = id + 1", "edited_at_us = id + 1",
        ])
    func `check finds a message that another program changed, with its time`(change: String) async throws {
        try await fill()
        #expect(try await problems() == [])
        try fixture.execute("UPDATE message SET \(change) WHERE remote_id = 'm20'")
        let found = try await problems()
        #expect(found.count == 1, "\(found)")
        let time = MessageID(ArchiveFixture.day.advanced(byMicroseconds: 20 * 600_000_000))
        let words = try #require(found.first).split(separator: " ").map(String.init)
        #expect(words[3] <= time.description && time.description <= words[5], "\(found)")
    }

    @Test func `check finds one flipped bit of a text`() async throws {
        try await fill()
        try fixture.vacuum("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = URL(fileURLWithPath: try fixture.file())
        var bytes = try Data(contentsOf: file)
        // A comma: no word changes.
        let place = try #require(bytes.range(of: Data("Hello, 20.".utf8))).lowerBound + 5
        bytes[place] ^= 1
        try bytes.write(to: file)
        let checks = try fixture.archive.check().flatMap(\.problems).map(\.check)
        #expect(checks == ["digests"])
    }

    @Test func `check finds removed and invented messages`() async throws {
        try await fill()
        try fixture.execute(
            """
            DELETE FROM message WHERE remote_id = 'm0';
            INSERT INTO message (id, room_id, kind, body) SELECT max(id) + 86400000000, 1, 0, 'never said' FROM message
            """)
        #expect(try await problems().count == 2)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: UInt64(1)...6)
    func `digests follow every change that listeners store`(seed: UInt64) async throws {
        let writer = try await fixture.openWriter()
        var random = RandomArchive(seed: seed)
        try await random.write(to: writer)
        #expect(try await problems() == [])
        try await writer.close()
    }

    @Test func `check finds digests that are marked as missing, where it would find no change`() async throws {
        try await fill()
        try fixture.execute("UPDATE digest_reach SET from_block = (SELECT max(block) FROM message_digest)")
        #expect(try await problems().count == 1)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an earlier file gets digests, and a rebuilt index accepts messages unchanged`() async throws {
        try await fill()
        try fixture.execute(
            """
            DELETE FROM message_digest;
            UPDATE digest_reach SET from_block = (SELECT (max(id) >> 32) + 1 FROM message);
            UPDATE message SET body = 'changed before' WHERE remote_id = 'm3'
            """)
        #expect(try await problems() == [], "nothing is known of earlier messages")
        var writer = try await fixture.openWriter()
        while try await writer.indexStep().from != nil {}
        try await writer.close()
        #expect(try fixture.value("SELECT count(*) FROM message_digest") ?? 0 > 5)
        #expect(try await problems() == [])
        try fixture.execute("UPDATE message SET body = 'changed later' WHERE remote_id = 'm4'")
        #expect(try await problems().count == 1)
        writer = try await fixture.openWriter()
        _ = try await writer.indexStep(rebuild: true)
        while try await writer.indexStep().from != nil {}
        try await writer.close()
        #expect(try await problems() == [])
    }
}

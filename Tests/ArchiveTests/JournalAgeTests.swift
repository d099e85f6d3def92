import ChatModel
import TestSupport
import Testing

@testable import Checks
@testable import Writing

@Suite struct JournalAgeTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func at(_ offset: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: offset)
    }

    /// A session with chunks of 10 bytes, received a microsecond apart.
    private func record(_ count: Int64, from start: Int64, parsed: Int64, by writer: AccountWriter) async throws {
        let session = try await writer.openSession(at: at(start))
        let chunks = (0..<count).map { index -> ChatEvent in
            .chunk(
                JournalChunk(
                    session: session, offset: index * 10, receivedAt: at(start + index),
                    bytes: Array("0123456789".utf8)))
        }
        _ = try await writer.append(chunks + [.parsed(session: session, upTo: parsed)])
    }

    private func kept() throws -> String {
        try fixture.value(
            """
            SELECT group_concat(id || ':' || aged || '/' || bytes
              || '=' || (SELECT ifnull(sum(length(chunk.bytes)), 0) FROM chunk WHERE session_id = session.id), ' ') FROM session
            """) ?? ""
    }

    @Test func `older chunks are removed in steps, and the session counts their bytes`() async throws {
        let writer = try await fixture.openWriter()
        try await record(500, from: 1000, parsed: 5000, by: writer)
        try await record(3, from: 2000, parsed: 30, by: writer)
        try await writer.ageJournal(before: at(1000))
        #expect(try kept() == "1:0/5000=5000 2:0/30=30")
        try await writer.ageJournal(before: at(1450))
        #expect(try kept() == "1:4500/5000=500 2:0/30=30")
        try await writer.ageJournal(before: at(2002))
        #expect(try kept() == "1:5000/5000=0 2:20/30=10")
        #expect(try await writer.unparsedChunks(limit: 10).isEmpty)
        try await writer.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `payloads of single messages are removed, except those of later edits`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        func said(_ number: Int64, edit: Int64? = nil) -> ChatEvent {
            let message = IncomingMessage(
                session: session, room: ArchiveFixture.lobby, kind: .message, sender: nil, body: "\(edit ?? number)",
                remoteID: "\(number)", sourceTime: at(number), receivedAt: at(9000), editedAt: edit.map(at),
                raw: Array("\(edit ?? number)".utf8))
            return edit == nil ? .message(message) : .message(message, .edit)
        }
        _ = try await writer.append((0..<2500).map { said($0) } + [said(3, edit: 3000), said(4, edit: 200)])
        #expect(try fixture.value("SELECT count(*) FROM message_raw") == 2502)
        try await writer.ageJournal(before: at(0))
        #expect(try fixture.value("SELECT count(*) FROM message_raw") == 2502)
        try await writer.ageJournal(before: at(2400))
        #expect(try fixture.value("SELECT count(*) FROM message_raw") == 101)
        #expect(try fixture.value("SELECT CAST(bytes AS TEXT) FROM message_raw LIMIT 1") == "3000")
        #expect(try fixture.value("SELECT count(*) FROM message") == 2500)
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `unparsed chunks stay, however old`() async throws {
        let writer = try await fixture.openWriter()
        try await record(3, from: 1000, parsed: 15, by: writer)
        try await writer.ageJournal(before: at(9000))
        #expect(try kept() == "1:10/30=20")
        #expect(try await writer.unparsedChunks(limit: 10).map(\.offset) == [15, 20])
        try await writer.close()
    }
}

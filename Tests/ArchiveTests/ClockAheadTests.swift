import Archive
import ChatModel
import TestSupport
import Testing

@testable import Checks
@testable import Reading
@testable import Writing

/// Archives of a machine whose wall clock was ahead by a day, and is right again.
@Suite struct ClockAheadTests {
    private static let day: Int64 = 86_400_000_000

    private func at(_ offset: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: offset)
    }

    private func open(_ writer: AccountWriter, at time: Timestamp, ahead: Int64) async throws -> SessionID {
        let offset = ReceiptOffset(ahead: ahead, bootedAt: at(-1000), boot: "b")
        guard case .new(let id)? = try await writer.append([.sessionOpened(at: time, offset: offset)]).first else {
            throw TestFailure()
        }
        let session = SessionID(rawValue: id)
        _ = try await writer.append([.roomLive(session: session, room: ArchiveFixture.lobby, at: time)])
        return session
    }

    @Test func `a message has its true time of receipt, and its id continues from the last one`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let first = try await open(writer, at: at(Self.day), ahead: 0)
        _ = try await writer.append([
            .said("while it was ahead", at: Self.day + 5, in: first),
            .sessionEnded(session: first, at: at(Self.day + 5), reason: .clockStep, detail: nil),
        ])
        let second = try await open(writer, at: at(Self.day + 12_000_005), ahead: Self.day)
        _ = try await writer.append([
            .said("once it was right", at: Self.day + 12_000_010, in: second),
            .said("of the network", at: Self.day + 12_000_020, in: second, remoteID: "1", sourceTime: at(12_000_030)),
            .receiptOffset(session: second, ReceiptOffset(ahead: 7, bootedAt: at(0), boot: "b")),
            .said("nearly caught up", at: Self.day + 12_000_040, in: second),
        ])
        let messages = try await fixture.walk(.oldest, limit: 10, query: try fixture.query())
        #expect(
            messages.map(\.body) == ["of the network", "while it was ahead", "once it was right", "nearly caught up"])
        #expect(
            messages.map(\.receivedAt) == [12_000_020, Self.day + 5, 12_000_010, Self.day + 12_000_033].map(at))
        #expect(messages.map { $0.flags.contains(.clockAhead) } == [false, false, true, true])
        #expect(messages.map(\.time) == [12_000_030, Self.day + 5, 12_000_010, Self.day + 12_000_033].map(at))
        let gap = try #require(try fixture.archive.reading().gaps(scope: .accounts(["demo"])).first)
        #expect(gap.length(at: at(0)) == .seconds(12))
        #expect(gap.shownFrom == at(Self.day + 5))
        #expect(
            try await writer.lastReceipt()
                == StoredReceipt(
                    at(Self.day + 12_000_040), offset: ReceiptOffset(ahead: 7, bootedAt: at(0), boot: "b")))
        try await writer.close()
        #expect(try fixture.archive.check().allSatisfy { $0.state == .fine })
    }

    @Test func `status shows the server's last sign of life by the right clock, or none`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let first = try await open(writer, at: at(Self.day), ahead: Self.day)
        #expect(try fixture.archive.reading().status().first?.lastSignOfLife == nil, "nothing was received yet")
        _ = try await writer.append([
            .said("a", at: Self.day + 10, in: first),
            .sessionEnded(session: first, at: at(Self.day + 20), reason: .closed, detail: nil),
        ])
        _ = try await open(writer, at: at(Self.day + 100), ahead: Self.day)
        let status = try #require(try fixture.archive.reading().status().first)
        #expect(status.lastSignOfLife == at(20))
        #expect(status.lastByte == at(20))
        #expect(status.lastEvent == at(10))
        try await writer.close()
    }

    @Test func `a message shows the times of its session by the right clock`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await open(writer, at: at(Self.day), ahead: Self.day)
        _ = try await writer.append([
            .said("a", at: Self.day + 10, in: session),
            .sessionEnded(session: session, at: at(Self.day + 20), reason: .closed, detail: nil),
        ])
        try await writer.close()
        let found = try fixture.archive.reading().message(MessageID(at(Self.day + 10)))
        guard case .found(let detail) = found else { throw TestFailure() }
        #expect(detail.session?.startedAt == at(0))
        #expect(detail.session?.lastSignOfLife == at(20))
        #expect(detail.session?.endedAt == at(20))
    }
}

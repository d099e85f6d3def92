import ChatModel
import Testing

@testable import Archive
@testable import Reading
@testable import Writing

/// From where a listener asks its network for what is missing.
@Suite struct StoredPointTests {
    private let fixture: ArchiveFixture
    private let room = ArchiveFixture.lobby

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func at(_ offset: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: offset)
    }

    private func anchor(_ writer: AccountWriter) async throws -> StoredPoint? {
        try await writer.historyStart(room: room, retriesLost: false)?.anchors.first
    }

    @Test func `history continues after the last covered message with an id`() async throws {
        let writer = try await fixture.openWriter()
        #expect(try await self.anchor(writer) == nil)
        let first = try await writer.openSession(at: at(100))
        _ = try await writer.append([
            .said("안녕", at: 120, in: first, remoteID: "m1", sourceTime: at(110)),
            .said("", at: 130, by: "bob", in: first, kind: .join),
            .signOfLife(session: first, at: at(200)),
            .sessionEnded(session: first, at: at(200), reason: .lost, detail: nil),
        ])
        let second = try await writer.openSession(at: at(500))
        _ = try await writer.append([.said("later", at: 510, in: second, remoteID: "m2", sourceTime: at(505))])
        let anchor = StoredPoint(
            id: MessageID(at(110)), kind: .message, remoteID: "m1", sourceTime: at(110), sender: "alice", body: "안녕")
        #expect(try await self.anchor(writer) == anchor)
        _ = try await writer.append([.covered(session: second, room: room, from: at(200), to: at(500))])
        #expect(try await self.anchor(writer)?.remoteID == "m2")
        try await writer.close()
    }

    @Test func `without ids, history continues after the last live message`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: at(100))
        _ = try await writer.append([
            .said("imported", at: 150, in: session, remoteID: "old", sourceTime: at(-5000)),
            .signOfLife(session: session, at: at(160)),
        ])
        #expect(try await self.anchor(writer) == nil)
        _ = try await writer.append([.said("hi", at: 170, in: session)])
        let anchor = try #require(try await self.anchor(writer))
        #expect((anchor.body, anchor.sourceTime) == ("hi", nil))
        try await writer.close()
    }

    @Test func `history that the network lacks is requested again only by a person`() async throws {
        let writer = try await fixture.openWriter()
        let first = try await writer.openSession(at: at(100))
        _ = try await writer.append([
            .said("one", at: 120, in: first, remoteID: "m1", sourceTime: at(110)),
            .sessionEnded(session: first, at: at(200), reason: .lost, detail: nil),
        ])
        let second = try await writer.openSession(at: at(500))
        func unfilled(_ reason: UnfilledReason, nextTry: Timestamp?) -> ChatEvent {
            .unfilled(
                UnfilledHistory(room: room, from: at(200), to: at(500), reason: reason, nextTry: nextTry), at: at(510))
        }
        _ = try await writer.append([
            .said("two", at: 520, in: second, remoteID: "m2", sourceTime: at(510)),
            .said("", at: 530, in: second, kind: .join), .signOfLife(session: second, at: at(550)),
            unfilled(.pending, nextTry: at(510)),
        ])
        #expect(try await self.anchor(writer)?.remoteID == "m1")
        #expect(try fixture.archive.reading().gaps(scope: .room(account: "demo", id: 1)).first?.state == .open)
        #expect(try fixture.archive.reading().rooms().first?.trouble == nil)
        _ = try await writer.append([unfilled(.refused, nextTry: at(900))])
        #expect(try await self.anchor(writer)?.remoteID == "m1")
        _ = try await writer.append([unfilled(.limit, nextTry: nil)])
        #expect(try await self.anchor(writer)?.remoteID == "m2")
        #expect(try await writer.historyStart(room: room, retriesLost: false)?.lastLimit == at(200))
        let again = try await writer.historyStart(room: room, retriesLost: true)
        #expect(again?.completeUntil == at(200) && again?.anchors.first?.remoteID == "m1" && again?.lastLimit == nil)
        try await writer.close()
    }

    @Test func `joins and leaves anchor history only by their ids in a room without messages`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: at(100))
        _ = try await writer.append([
            .said("", at: 110, in: session, kind: .join), .signOfLife(session: session, at: at(150)),
        ])
        #expect(try await self.anchor(writer) == nil)
        _ = try await writer.append([.said("", at: 120, in: session, kind: .join, remoteID: "j1")])
        #expect(try await self.anchor(writer)?.remoteID == "j1")
        _ = try await writer.append([.said("one", at: 115, in: session)])
        #expect(try await self.anchor(writer)?.body == "one")
        try await writer.close()
    }

    @Test func `a message belongs to its session's span, even with a time after its end`() async throws {
        let writer = try await fixture.openWriter()
        let first = try await writer.openSession(at: at(100))
        _ = try await writer.append([
            .said("stamped late", at: 120, in: first, remoteID: "m1", sourceTime: at(2_000_000)),
            .sessionEnded(session: first, at: at(200), reason: .lost, detail: nil),
        ])
        let second = try await writer.openSession(at: at(3_000_000))
        _ = try await writer.append([
            .said("missed before", at: 3_000_100, in: second, remoteID: "m2", sourceTime: at(1_000_000))
        ])
        #expect(try await self.anchor(writer)?.remoteID == "m1")
        try await writer.close()
    }

    @Test func `the last message is found behind thousands of joins`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: at(0))
        _ = try await writer.append([.said("hi", at: 10, in: session, remoteID: "m1", sourceTime: at(5))])
        _ = try await writer.append((0..<3000).map { .said("", at: 20 + $0, in: session, kind: .join) })
        #expect(try await self.anchor(writer)?.remoteID == "m1")
        try await writer.close()
    }

    @Test func `the message before a retracted one is the anchor`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: at(100))
        _ = try await writer.append(
            (1...20).map { .said("m\($0)", at: 100 + $0, in: session, remoteID: "m\($0)", sourceTime: at(100 + $0)) })
        _ = try await writer.append([
            .gone(id: "m20", at: 150, in: session), .gone(id: "m18", at: 151, in: session),
            .signOfLife(session: session, at: at(160)),
        ])
        let start = try #require(try await writer.historyStart(room: room, retriesLost: false))
        #expect(start.anchors.map(\.remoteID) == ["m19"] + (3...17).reversed().map { "m\($0)" })
        #expect(start.latest?.remoteID == "m20")
        _ = try await writer.append((1...20).map { .gone(id: "m\($0)", at: 155, in: session) })
        #expect(try await self.anchor(writer)?.remoteID == "m20", "nothing else is left to ask by")
        try await writer.close()
    }

    @Test func `an anchor has the sender's name at the time of the message`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: at(100))
        let robert = UserReference(key: "robert", name: "robert")
        _ = try await writer.append([
            .said("hi", at: 120, by: "bob", in: session),
            .userRenamed(session: session, fromKey: "bob", to: robert, at: at(130)),
            .signOfLife(session: session, at: at(160)),
        ])
        #expect(try await self.anchor(writer)?.sender == "bob")
        try await writer.close()
    }
}

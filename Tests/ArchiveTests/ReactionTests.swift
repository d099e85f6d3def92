import ChatModel
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Writing

/// Answers to messages, and reactions.
@Suite struct ReactionTests {
    private let fixture: ArchiveFixture
    private let room = ArchiveFixture.lobby

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func at(_ offset: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: offset)
    }

    private func reacted(
        _ text: String, to target: String, at offset: Int64, by name: String = "bob", isRemoved: Bool = false
    ) -> ChatEvent {
        .reaction(
            IncomingReaction(
                session: nil, room: room, target: target, sender: UserReference(key: name, name: name), text: text,
                receivedAt: at(offset), isRemoved: isRemoved))
    }

    private func page() async throws -> [Message] {
        try fixture.archive.reading().page(fixture.query()).messages
    }

    private func reactions() async throws -> [Message.Reaction] {
        try await page().first?.reactions ?? []
    }

    @Test func `reactions list who gave them, in the order of arrival`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("hi", at: 1, in: session, remoteID: "m1"), reacted("👍", to: "m1", at: 2),
            reacted("🎉", to: "m1", at: 3, by: "민수"), reacted("👍", to: "m1", at: 4, by: "민수"),
        ])
        #expect(
            try await reactions() == [
                Message.Reaction(text: "👍", by: ["bob", "민수"]), Message.Reaction(text: "🎉", by: ["민수"]),
            ])
        let before = try fixture.rows()
        let id = at(1).microseconds
        #expect(
            try await writer.append([reacted("👍", to: "m1", at: 2), reacted("👍", to: "m1", at: 4, by: "민수")]) == [
                .known(id), .known(id),
            ])
        #expect(try fixture.rows() == before)
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `a reaction that arrives before its message waits for it`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        #expect(try await writer.append([reacted("👍", to: "m1", at: 2)]) == [.done])
        _ = try await writer.append([.said("hi", at: 1, in: session, remoteID: "m1")])
        #expect(try await reactions().map(\.text) == ["👍"])
        try await writer.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `giving and removing a reaction end the same in any order of arrival`() async throws {
        let told: [(Int64, Bool)] = [(10, false), (20, true), (30, false), (40, true)]
        var random = SeededGenerator(seed: 3)
        for round in 0..<30 {
            let writer = try await fixture.openWriter("a\(round)")
            let session = try await writer.openSession()
            _ = try await writer.append([.said("hi", at: 1, in: session, remoteID: "m1")])
            let count = round % 4 + 1
            for (time, isRemoved) in told.prefix(count).shuffled(using: &random) {
                _ = try await writer.append([reacted("👍", to: "m1", at: time, isRemoved: isRemoved)])
            }
            let found = try fixture.archive.reading().page(fixture.query(accounts: ["a\(round)"])).messages[0]
                .reactions
            #expect(found.isEmpty == (count % 2 == 0), "round \(round)")
            try await writer.close()
        }
    }

    @Test func `followers get a message again with its reactions`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("hi", at: 1, in: session, remoteID: "m1")])
        var follower = fixture.archive.reading().feeds.follow(try fixture.query()).makeAsyncIterator()
        guard case .history(let messages, _)? = try await follower.next() else { throw TestFailure() }
        #expect(messages.map(\.reactions) == [[]])
        _ = try await writer.append([reacted("👍", to: "m1", at: 5)])
        guard case .messages(let again)? = try await follower.next() else { throw TestFailure() }
        #expect(again.bodies == ["hi"] && again[0].reactions.map(\.text) == ["👍"])
        try await writer.close()
    }

    @Test func `a reply names its message when that arrives`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let answer = IncomingMessage(
            session: session, room: room, kind: .message, sender: UserReference(key: "bob", name: "bob"), body: "yes",
            remoteID: "m2", receivedAt: at(20), replyTo: "m1")
        _ = try await writer.append([.message(answer)])
        #expect(try await page().map(\.reply) == [Message.Reply(remoteID: "m1")])
        _ = try await writer.append([
            .said(String(repeating: "밥?", count: 1000), at: 1, in: session, remoteID: "m1")
        ])
        let reply = try #require(try await page().last?.reply)
        #expect((reply.remoteID, reply.id, reply.sender) == ("m1", MessageID(at(1)), "alice"))
        #expect(reply.body?.unicodeScalars.count == Message.Reply.excerpt)
        #expect(try await page().first?.reply == nil)
        try await writer.close()
    }
}

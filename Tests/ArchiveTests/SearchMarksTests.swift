import ChatModel
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Writing

/// Messages found by what came with them: files of a kind, reactions, answers and pins.
@Suite struct SearchMarksTests: SearchSuite {
    let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    private func at(_ offset: Int64) -> Timestamp { ArchiveFixture.day.advanced(byMicroseconds: offset) }

    private func said(
        _ body: String, _ offset: Int64, in session: SessionID, files: [String] = [], replyTo: String? = nil
    ) -> ChatEvent {
        .message(
            IncomingMessage(
                session: session, room: ArchiveFixture.lobby, kind: .message,
                sender: UserReference(key: "alice", name: "alice"), body: body, remoteID: "m\(offset)",
                sourceTime: at(offset), receivedAt: at(offset), replyTo: replyTo, attachments: files))
    }

    private func reacted(
        to target: Int64, _ offset: Int64, by name: String = "bob", text: String = "👍", isRemoved: Bool = false,
        room: RoomReference = ArchiveFixture.lobby
    ) -> ChatEvent {
        .reaction(
            IncomingReaction(
                session: nil, room: room, target: "m\(target)", sender: UserReference(key: name, name: name),
                text: text, receivedAt: at(offset), isRemoved: isRemoved))
    }

    private func bodies(_ text: String) async throws -> [String] { try await found(text).bodies }

    private func isSound() async throws -> Bool {
        let problems = try fixture.archive.check().flatMap(\.problems)
        if !problems.isEmpty { Issue.record("\(problems)") }
        return problems.isEmpty
    }

    @Test func `each condition finds its messages, with words and negated, old and new`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            said("사진 a", 1, in: session, files: ["/files/바다.JPG"]), said("사진 b", 2, in: session),
            said("영상", 3, in: session, files: ["https://example.org/a.mp4?size=3", "/note.m4a"]),
            said("문서", 4, in: session, files: ["/a.pdf"], replyTo: "m1"),
            said("답장", 5, in: session, replyTo: "m2"), reacted(to: 2, 6), reacted(to: 3, 7, by: "민수"),
        ])
        let expected: KeyValuePairs = [
            "has:image": ["사진 a"], "has:video": ["영상"], "has:audio": ["영상"], "has:sound": ["영상"],
            "has:file": ["사진 a", "영상", "문서"], "has:reaction": ["사진 b", "영상"], "is:reply": ["문서", "답장"],
            "사진 -has:image": ["사진 b"], "has:file -has:image -is:reply": ["영상"],
            "has:reaction OR is:reply": ["사진 b", "영상", "문서", "답장"], "is:pinned": [], "has:image has:reaction": [],
            "NOT (has:file OR is:reply) from:alice in:lobby": ["사진 b"],
        ]
        for (text, bodies) in expected { #expect(try await self.bodies(text) == bodies, "\(text)") }
        while try await writer.indexStep(rebuild: true).from != nil {}
        for (text, bodies) in expected { #expect(try await self.bodies(text) == bodies, "\(text), rebuilt") }
        #expect(try await found("has:reaction", room: 2).bodies == [])
        try await writer.close()
        #expect(try await isSound())
    }

    @Test func `has:reaction finds a message while it has a reaction, in any order of arrival`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([reacted(to: 1, 2)])
        _ = try await writer.append([said("early", 1, in: session)])
        #expect(try await bodies("has:reaction") == ["early"])
        _ = try await writer.append([reacted(to: 1, 3, by: "eve", text: "🎉"), reacted(to: 1, 4, isRemoved: true)])
        #expect(try await bodies("has:reaction early") == ["early"])
        _ = try await writer.append([reacted(to: 1, 5, by: "eve", text: "🎉", isRemoved: true)])
        #expect(try await bodies("has:reaction") == [])
        #expect(try await bodies("early -has:reaction") == ["early"])
        _ = try await writer.append([
            reacted(to: 1, 6), .said("edited", id: "m1", at: 1, receivedAt: 7, in: session, isLive: true),
        ])
        #expect(try await bodies("has:reaction edited") == ["edited"])
        try await writer.close()
        #expect(try await isSound())
    }

    @Test func `an import adds pins, replies, files and reactions to stored messages, and removes pins`() async throws {
        func message(_ number: Int, _ change: (inout ImportedMessage) -> Void = { _ in }) -> ImportedMessage {
            var message = ImportedMessage(
                room: "general", roomKey: "C1", kind: .message, sender: "alice", senderKey: "U1",
                body: "text \(number)",
                time: ArchiveFixture.at(number), resolution: .microsecond, remoteID: "m\(number)")
            change(&message)
            return message
        }
        func hits(_ text: String) async throws -> [String] { try await found(text, accounts: ["old"]).bodies }
        let pinned = message(1) { ($0.flags, $0.pinsAt) = (.pinned, ArchiveFixture.at(5)) }
        try await fixture.store(
            pinned, message(2) { $0.files = [ImportedMessage.File(path: "a.txt", size: 3)] },
            message(3) { $0.reactions = [ImportedMessage.Reaction(text: "👋", user: "bob", userKey: "U2")] },
            is: ImportTally(new: 3))
        #expect(try await hits("is:pinned") == ["text 1"])
        #expect(try await hits("has:reaction") == ["text 3"])
        try await fixture.store(
            message(1) {
                $0.pinsAt = ArchiveFixture.at(9)
                $0.reactions = [ImportedMessage.Reaction(text: "👋", user: "bob", userKey: "U2")]
            },
            message(2) {
                $0.files = ["a.txt", "b.png"].map { ImportedMessage.File(path: $0, size: 3) }
                ($0.flags, $0.pinsAt) = (.pinned, ArchiveFixture.at(9))
            }, message(3) { $0.replyTo = "m1" }, is: ImportTally(changed: 3))
        #expect(try await hits("is:pinned") == ["text 2"])
        #expect(try await hits("has:reaction") == ["text 1", "text 3"])
        #expect(try await hits("is:reply") == ["text 3"])
        #expect(try await hits("has:image") == ["text 2"])
        #expect(try await hits("-is:pinned -is:reply text") == ["text 1"])
    }

    @Test func `forgetting a person removes their reactions from searches`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            said("one", 1, in: session), said("two", 2, in: session), reacted(to: 1, 3), reacted(to: 2, 4),
            reacted(to: 2, 5, by: "eve"),
        ])
        let bob: Int64 = try #require(try fixture.value("SELECT user_id FROM user_name WHERE name = 'bob'"))
        var place: ForgettingPlace?
        repeat {
            place = try await writer.retention.forget(
                Forgetting(.user(bob), redacts: true, alsoNew: false), from: place, at: at(9)
            )
            .next
        } while place != nil
        #expect(try await bodies("has:reaction") == ["two"])
        try await writer.close()
        #expect(try await isSound())
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [Merging.Kind.people, .rooms])
    func `merging people and rooms keeps their reactions, and undoing separates them`(kind: Merging.Kind)
        async throws
    {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let other = RoomReference(key: "#other", name: "#other", kind: .channel)
        func there(_ number: Int64) -> ChatEvent {
            .message(
                IncomingMessage(
                    session: session, room: other, kind: .message, sender: UserReference(key: "eve", name: "eve"),
                    body: "there \(number)", remoteID: "m\(number)", receivedAt: at(number)))
        }
        _ = try await writer.append([
            said("one", 1, in: session), said("two", 2, in: session), there(12), there(1),
            reacted(to: 1, 20), reacted(to: 1, 21, by: "bob_", isRemoved: true), reacted(to: 2, 22, by: "bob_"),
            reacted(to: 12, 23, room: other), reacted(to: 1, 24, by: "eve", room: other),
        ])
        let before = try await bodies("has:reaction")
        func id(_ sql: String) throws -> Int64 { try #require(try fixture.value(sql)) }
        let request =
            kind == .people
            ? Merging(
                .people, from: try id("SELECT user_id FROM user_name WHERE name = 'bob_'"),
                into: try id("SELECT user_id FROM user_name WHERE name = 'bob'"))
            : Merging(.rooms, from: try id("SELECT id FROM room WHERE key = '#other'"), into: 1)
        for undoes in [false, true] {
            var place: MergingPlace?
            repeat {
                place = try await writer.merge(
                    Merging(kind, from: request.from, into: request.into, undoes: undoes), from: place, at: at(90)
                ).next
            } while place != nil
            #expect(try fixture.archive.check().flatMap(\.problems) == [], "undone: \(undoes)")
        }
        #expect(try await bodies("has:reaction") == before)
        try await writer.close()
    }
}

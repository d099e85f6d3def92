import ChatModel
import SearchText
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Writing

/// A message of which only the ciphertext is known is counted, and gets its text from an import.
@Suite struct EncryptedMessageTests {
    private let fixture: ArchiveFixture
    private let room = RoomReference(key: "!r:x", name: "secret room", kind: .channel)
    private let alice = UserReference(key: "@alice:x", name: "alice", isSelf: false)

    init() throws { fixture = try ArchiveFixture() }

    private func time(_ seconds: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: seconds * 1_000_000)
    }

    private func encrypted(_ id: String, at seconds: Int64, in session: SessionID) -> ChatEvent {
        .message(
            IncomingMessage(
                session: session, room: room, kind: .message, sender: alice, body: nil, remoteID: id,
                sourceTime: time(seconds), receivedAt: time(seconds), flags: .encrypted, raw: Array("{}".utf8)))
    }

    private func exported(_ id: String, _ body: String, at seconds: Int64, kind: MessageKind = .message) -> ImportedLine
    {
        .message(
            ImportedMessage(
                room: room.name, roomKey: room.key, kind: kind, sender: alice.name, senderKey: alice.key, body: body,
                time: time(seconds), resolution: .microsecond, remoteID: id))
    }

    private func encrypted() async throws -> Int64? {
        try fixture.archive.reading().roomList().first { $0.name == room.name }?.encrypted
    }

    private func gaps() async throws -> [Gap] {
        try fixture.archive.reading().gaps(scope: .accounts(["demo"])).filter { $0.state == .encrypted }
    }

    @Test func `rooms and gaps count an encrypted message until its text arrives`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            encrypted("$1", at: 10, in: session), encrypted("$2", at: 20, in: session),
            encrypted("$3", at: 30, in: session),
        ])
        #expect(try await encrypted() == 3)
        let before = try #require(try await gaps().first)
        #expect(before.from == time(10) && before.to == time(30) && before.kind == .encrypted(messages: 3))
        let lines = [exported("$1", "만나서 반가워요", at: 10), exported("$2", "waves", at: 20, kind: .action)]
        let first = try await writer.importLines(lines, marksRead: true, at: time(100))
        #expect(first.changed == 2 && first.new == 0, "\(first)")
        let again = try await writer.importLines(lines, marksRead: true, at: time(101))
        #expect(again.known == 2 && again.changed == 0, "\(again)")
        try await writer.close()
        #expect(try await encrypted() == 1)
        #expect(try await gaps().map(\.kind) == [.encrypted(messages: 1)])
        let messages = try fixture.archive.reading().page(
            try MessageQuery(scope: .accounts(["demo"]), anchor: .oldest)
        ).messages
        #expect(messages.map(\.body) == ["만나서 반가워요", "waves", nil])
        #expect(messages.map(\.kind) == [.message, .action, .message])
        #expect(messages.allSatisfy { $0.editedAt == nil })
        let hits = try fixture.archive.reading().page(
            try fixture.query(room: nil), matching: SearchScope(query: SearchQuery(parsing: "반가워")))
        #expect(hits.messages.map(\.remoteID) == ["$1"])
        #expect(try fixture.archive.check().map(\.state) == [.fine])
    }

    @Test func `a removed encrypted message is not counted and gets no text`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let deletion = MessageDeletion(
            session: session, room: room, remoteID: "$1", receivedAt: time(50),
            retraction: MessageDeletion.Retraction(by: alice, reason: nil, wipes: true))
        _ = try await writer.append([encrypted("$1", at: 10, in: session), .deleted(deletion)])
        _ = try await writer.importLines([exported("$1", "canary", at: 10)], marksRead: true, at: time(100))
        try await writer.close()
        #expect(try await encrypted() == 0)
        #expect(try await gaps() == [])
        let count: Int? = try fixture.value("SELECT count(*) FROM message WHERE body = 'canary'")
        #expect(count == 0)
    }

    /// A message as the listener has it with its key.
    private func decrypted(
        _ id: String, _ body: String, at seconds: Int64, in session: SessionID, _ hearing: ChatEvent.Hearing,
        replyTo: String? = nil
    ) -> ChatEvent {
        .message(
            IncomingMessage(
                session: session, room: room, kind: .message, sender: alice, body: body, remoteID: id,
                sourceTime: time(seconds), receivedAt: time(seconds + 60), flags: .encrypted, replyTo: replyTo,
                attachments: ["mxc://x/photo"], raw: Array("{}".utf8)),
            hearing)
    }

    private func messages() throws -> [Message] {
        try fixture.archive.reading().page(try MessageQuery(scope: .accounts(["demo"]), anchor: .oldest)).messages
    }

    @Test(arguments: [ChatEvent.Hearing.live, .replay(Occurrence(), .microsecond)])
    func `a message that is heard again with its text is the same as one that never was without it`(
        hearing: ChatEvent.Hearing
    ) async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            encrypted("$1", at: 10, in: session),
            decrypted("$2", "second words", at: 20, in: session, hearing, replyTo: "$1"),
            encrypted("$3", at: 30, in: session),
        ])
        let outcomes = try await writer.append([
            decrypted("$3", "third words", at: 30, in: session, hearing, replyTo: "$1"),
            decrypted("$3", "third words", at: 30, in: session, hearing, replyTo: "$1"),
        ])
        try await writer.close()
        #expect(outcomes.count == 2 && outcomes.first?.isVersion == true && outcomes.last?.isVersion == false)
        let messages = try messages()
        #expect(messages.map(\.body) == [nil, "second words", "third words"])
        #expect(messages.map { $0.reply != nil } == [false, true, true])
        #expect(messages.allSatisfy { $0.editedAt == nil && $0.flags.contains(.encrypted) })
        #expect(messages.map { $0.attachments.map(\.path) } == [[], ["mxc://x/photo"], ["mxc://x/photo"]])
        let versions: Int? = try fixture.value("SELECT count(*) FROM message_version")
        #expect(versions == 0, "the text is not an edit")
        for words in ["second", "third"] {
            let hits = try fixture.archive.reading().page(
                try fixture.query(room: nil), matching: SearchScope(query: SearchQuery(parsing: words)))
            #expect(hits.messages.count == 1, "\(words)")
        }
        #expect(try await encrypted() == 1)
        #expect(try fixture.archive.check().map(\.state) == [.fine])
    }

    @Test func `a listener reads the messages that wait for their keys, by room`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        #expect(try await writer.encryptedRooms() == [])
        _ = try await writer.append([
            encrypted("$1", at: 10, in: session), encrypted("$2", at: 20, in: session),
            encrypted("$3", at: 30, in: session), decrypted("$3", "words", at: 30, in: session, .live),
        ])
        #expect(try await writer.encryptedRooms() == [room])
        func ids(after: MessageID? = nil, limit: Int = 10, areDecrypted: Bool = false) async throws -> [String] {
            try await writer.encryptedMessages(room: room, after: after, limit: limit, areDecrypted: areDecrypted)
                .map(\.remoteID)
        }
        #expect(try await ids() == ["$1", "$2"])
        #expect(try await ids(after: MessageID(time(10))) == ["$2"])
        #expect(try await ids(limit: 1) == ["$1"])
        #expect(try await ids(areDecrypted: true) == ["$3"])
        let other = RoomReference(key: "!o:x", name: "other", kind: .channel)
        #expect(try await writer.encryptedMessages(room: other, after: nil, limit: 9, areDecrypted: false) == [])
        try await writer.close()
    }
}

extension EventOutcome {
    fileprivate var isVersion: Bool { if case .version = self { true } else { false } }
}

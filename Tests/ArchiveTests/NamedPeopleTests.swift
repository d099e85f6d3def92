import Archive
import ChatModel
import TestSupport
import Testing

@testable import Reading
@testable import Writing

/// People of one name are told apart by their ids, on networks that have ids.
@Suite struct NamedPeopleTests {
    private let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    private func at(_ seconds: Int64) -> Timestamp { ArchiveFixture.day.advanced(byMicroseconds: seconds * 1_000_000) }

    private func said(_ seconds: Int64, _ key: String, _ name: String, room: String = "!r:x") -> IncomingMessage {
        IncomingMessage(
            session: nil, room: RoomReference(key: room, name: room, kind: .channel), kind: .message,
            sender: UserReference(key: key, name: name), body: "\(seconds)", remoteID: "$\(seconds)",
            sourceTime: at(seconds), receivedAt: at(seconds))
    }

    private func store(_ messages: [IncomingMessage], network: String = "matrix") async throws {
        let writer = try await fixture.archive.openWriter(AccountIdentity(name: "demo", network: network))
        let session = try await writer.openSession()
        for var message in messages {
            message.session = session
            _ = try await writer.append([.message(message, .live)])
        }
        try await writer.close()
    }

    /// Returns the messages' senders, a page each of `limit` messages.
    private func senders(limit: Int = 50, names: MessageQuery.Names = .then) async throws -> [Message.Sender?] {
        try await fixture.walk(.oldest, limit: limit, query: fixture.query(room: nil, names: names)).map(\.sender)
    }

    @Test(arguments: [1, 2, 50])
    func `two people with one name are ambiguous, and everybody has a key`(limit: Int)
        async throws
    {
        try await store([said(1, "@pia:x", "Pia"), said(2, "@eve:y", "Pia"), said(3, "@bob:x", "Bob")])
        let senders = try await senders(limit: limit)
        #expect(senders.map { $0?.key } == ["@pia:x", "@eve:y", "@bob:x"])
        // When the first message was sent, nobody else had the name.
        #expect(senders.map { $0?.isAmbiguous } == [false, true, false])
        #expect(try await self.senders(limit: limit, names: .now).map { $0?.isAmbiguous } == [true, true, false])
    }

    @Test(arguments: ["PIA", "Pia\u{200B}", " Pia", "Pi\u{AD}a", "pia  "])
    func `a name that only looks the same is ambiguous`(name: String) async throws {
        try await store([said(1, "@pia:x", "Pia"), said(2, "@eve:y", name)])
        // On each page, whoever else is on it.
        for limit in [1, 50] {
            #expect(try await senders(limit: limit).map { $0?.isAmbiguous } == [false, true])
            #expect(try await senders(limit: limit, names: .now).map { $0?.isAmbiguous } == [true, true])
        }
    }

    @Test func `a part of an export has the names of the whole room`() async throws {
        try await store([said(1, "@pia:x", "Pia"), said(2, "@eve:y", "Pi\u{AD}a"), said(3, "@pia:x", "Pia")])
        let all = try await fixture.walk(.oldest, limit: 50, query: fixture.query(room: nil))
        let export = try AccountExport(of: "demo", in: fixture.archive.reading())
        let end = MessageID(all[2].id.time.advanced(byMicroseconds: 1))
        let part = try export.messages(room: all[1].roomID, after: all[1].id, before: end, count: 5)
        #expect(part.map(\.sender?.isAmbiguous) == [true])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `equal names are found in a room with many people, too`() async throws {
        let crowd = (1...600).map { said(Int64($0), "@\($0):x", "p\($0)") }
        let writer = try await fixture.archive.openWriter(AccountIdentity(name: "demo", network: "matrix"))
        let session = try await writer.openSession()
        let all = crowd + [said(700, "@pia:x", "Pia"), said(701, "@eve:y", "PIA")]
        _ = try await writer.append(
            all.map { message in
                var message = message
                message.session = session
                return .message(message, .live)
            })
        try await writer.close()
        #expect(try await senders().suffix(3).map { $0?.isAmbiguous } == [false, false, true])
    }

    @Test(arguments: [("Élan", "Élan"), ("가족", "가족")])
    func `names in every script are compared`(one: String, other: String) async throws {
        try await store([said(1, "@pia:x", one), said(2, "@eve:y", other)])
        #expect(try await senders(limit: 1).last??.isAmbiguous == true)
    }

    @Test func `a person of another room has another name's right`() async throws {
        try await store([said(1, "@pia:x", "Pia"), said(2, "@eve:y", "Pia", room: "!other:x")])
        for limit in [1, 50] { #expect(try await senders(limit: limit).map { $0?.isAmbiguous } == [false, false]) }
    }

    @Test func `an earlier name of another person is not ambiguous later`() async throws {
        try await store([
            said(1, "@eve:y", "Pia"), said(2, "@eve:y", "Eve"), said(3, "@pia:x", "Pia"),
        ])
        #expect(try await senders(limit: 1).map { $0?.isAmbiguous } == [false, false, false])
    }

    @Test(arguments: [("xmpp", "@pia:x"), ("slp", "@pia:x"), ("streamchat", nil), ("irc", nil)])
    func `only networks whose ids people see have keys`(network: String, key: String?) async throws {
        try await store([said(1, "@pia:x", "Pia")], network: network)
        #expect(try await senders().map { $0?.key } == [key])
    }
}

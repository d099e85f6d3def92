import ChatModel
import TestSupport
import Testing

@testable import Archive
@testable import Writing

/// The ids of imported messages.
extension ImportedExtrasTests {
    /// Of a full export, whose messages have every key.
    private func exported(_ body: String, id: String?, later microseconds: Int64 = 0) -> ImportedMessage {
        var message = said(body, id: id)
        message.time = message.time.advanced(byMicroseconds: microseconds)
        message.place = message.time
        message.exact = ExactMessage(
            sourceTime: nil, roomKey: "C1", roomKind: .channel, sender: .key("U1"), senderIsSelf: false)
        return message
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `without people's ids, a message id matches by sender or text`()
        async throws
    {
        let first = [said("a", key: nil), said("b", at: 1, id: "m2", by: "bob", key: nil)]
        try await fixture.store(first[0], first[1], is: ImportTally(new: 2))
        try await fixture.store(said("a", by: "Alice A", key: nil), is: ImportTally(known: 1))
        try await fixture.store(said("edited", key: nil), is: ImportTally(known: 1))
        try await fixture.store(said("other", by: "carol", key: nil), is: ImportTally(new: 1))
        try await fixture.store(said("a", at: 60, by: "Alice A", key: nil), is: ImportTally(new: 1))
        #expect(try fixture.strings("SELECT body AS text FROM message ORDER BY id") == "a other b a")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a network id in a full export identifies a message, and a stream place does not`() async throws {
        try await fixture.store(
            exported("hi @al", id: "m1"), exported("x", id: "1:1", later: 3), is: ImportTally(new: 2))
        try await fixture.store(
            exported("hi @ally", id: "m1"), exported("y", id: "1:1", later: 5), is: ImportTally(new: 1, known: 1))
        #expect(try versions() == "hi @al[] x[] y[]")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a message of a full export matches again after its place was taken`() async throws {
        try await fixture.store(said("a"), is: ImportTally(new: 1))
        try await fixture.store(exported("b", id: nil), exported("b", id: "m2"), is: ImportTally(new: 2))
        #expect(try versions() == "a[] b[] b[]")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an id that another sender or time already has stays with its message`() async throws {
        try await fixture.store(said("a"), is: ImportTally(new: 1))
        try await fixture.store(said("b", key: "U2"), said("c", at: 5), is: ImportTally(new: 2))
        #expect(
            try fixture.value("SELECT group_concat(body) FROM message WHERE remote_id = 'm1'", account: "old") == "a")
    }

    @Test func `messages that were imported without ids get the ids of a later export`() async throws {
        try await fixture.store(
            said("a", id: nil), said("a", id: nil), said(nil, at: 1, id: nil), is: ImportTally(new: 3))
        try await fixture.store(
            said("a"), said("a", id: "m2", replyTo: "m1"), said(nil, at: 1, id: "m3", files: ["x"]),
            is: ImportTally(changed: 3))
        #expect(try fixture.strings("SELECT remote_id AS text FROM message ORDER BY id") == "m1 m2 m3")
        #expect(try fixture.value("SELECT reply_to FROM message WHERE remote_id = 'm2'", account: "old") == "m1")
        #expect(try fixture.value("SELECT count(*) FROM attachment", account: "old") == 1)
    }

    @Test(arguments: [("b", 0, "U1"), ("a", 1, "U1"), ("a", 0, "U2")])
    func `a message with another text, time or sender does not get an id`(body: String, seconds: Int, key: String)
        async throws
    {
        try await fixture.store(said("a", id: nil), is: ImportTally(new: 1))
        try await fixture.store(said(body, at: seconds, key: key), is: ImportTally(new: 1))
    }

    @Test func `a received message does not get an id`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("hi", at: 0, by: "al", in: session)])
        try await writer.close()
        #expect(try fixture.value("SELECT remote_id IS NULL FROM message") == 1)
        let lines = fixture.source([
            said("hi", id: "m1", by: "al", key: nil, in: "lobby", roomKey: nil)
        ])
        #expect(try await fixture.store(lines, into: ArchiveFixture.account).new == 1)
    }
}

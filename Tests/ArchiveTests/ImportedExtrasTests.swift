import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Writing

/// What exports tell of messages besides their texts: who and where by key, earlier texts, files, reactions.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct ImportedExtrasTests {
    let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    func said(
        _ body: String?, at seconds: Int = 0, id: String? = "m1", by sender: String = "alice", key: String? = "U1",
        in room: String = "general", roomKey: String? = "C1", roomKind: RoomReference.Kind = .channel, edit: Int? = nil,
        deleted: Int? = nil, replyTo: String? = nil, versions: [(Int, String?)] = [], files: [String] = [],
        reactions: [ImportedMessage.Reaction] = []
    ) -> ImportedMessage {
        let at = ArchiveFixture.at
        return ImportedMessage(
            room: room, roomKey: roomKey, roomKind: roomKind, kind: .message, sender: sender, senderKey: key,
            body: body,
            time: at(seconds), resolution: .microsecond, remoteID: id, editedAt: edit.map(at),
            deletedAt: deleted.map(at), replyTo: replyTo,
            versions: versions.map { ImportedMessage.Version(at: at($0.0), body: $0.1) },
            files: files.map { ImportedMessage.File(path: $0, size: 3) }, reactions: reactions)
    }

    private func names(_ table: String) throws -> String? {
        try fixture.strings(
            """
            SELECT key || ':' || group_concat(name, ',') AS text FROM (SELECT * FROM \(table)_name ORDER BY first_seen_us)
            JOIN \(table) ON id = \(table)_id GROUP BY id ORDER BY id
            """)
    }

    @Test func `the key identifies people, whatever their names`() async throws {
        try await fixture.store(
            said("a"), said("b", at: 1, id: "m2", key: "U2"), said("c", at: 2, id: "m3", by: "ally", key: "U1"),
            is: ImportTally(new: 3))
        #expect(try names("user") == "U1:alice,ally U2:alice")
        try await fixture.store(
            said("d", at: -9, id: "m0", by: "al", key: "U1"), said("e", at: -5, id: "m01", by: "no", key: "U1"),
            is: ImportTally(new: 2))
        #expect(try names("user") == "U1:al,alice,ally U2:alice", "in between, what was known counts")
    }

    @Test func `the key identifies a room, and its names are kept over time`() async throws {
        try await fixture.store(
            said("a"), said("b", at: 5, id: "m2", in: "talk"),
            said("c", at: 6, id: "m3", in: "bob", roomKey: "D1", roomKind: .direct), is: ImportTally(new: 3))
        try await fixture.store(
            said("0", at: -5, id: "m0", in: "first"), said("x", at: 1, id: "m4", in: "else"), is: ImportTally(new: 2))
        #expect(try names("room") == "C1:first,general,talk D1:bob")
        #expect(try fixture.value("SELECT group_concat(kind) FROM room", account: "old") == "channel,direct")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a log without keys finds rooms and people by their names at that time`() async throws {
        try await fixture.store(
            said("a"), said("b", at: 60, id: "m2", by: "ally"), said("c", at: 120, id: "m3", by: "bob", key: "U2"),
            is: ImportTally(new: 3))
        try await fixture.store(
            said("a", id: nil, key: nil, roomKey: nil), said("b", at: 60, id: nil, by: "ALLY", key: nil, roomKey: nil),
            said("new", at: 61, id: nil, by: "ally", key: nil, roomKey: nil),
            said("old", at: -60, id: nil, by: "alice", key: nil, roomKey: nil),
            is: ImportTally(new: 2, known: 2))
        #expect(try names("user") == "U1:alice,ally U2:bob")
    }

    @Test func `a log finds a person by an earlier name of that time`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("hi", at: 0, by: "al", in: session)])
        _ = try await writer.append([
            .userRenamed(
                session: session, fromKey: "al", to: UserReference(key: "alice", name: "alice"),
                at: ArchiveFixture.at(5))
        ])
        let log = fixture.source([said("hi", id: nil, by: "al", key: nil, in: "lobby", roomKey: nil)])
        #expect(try await writer.importLines(log, at: ArchiveFixture.importTime) == ImportTally(known: 1))
        try await writer.close()
    }

    @Test func `each file is one row with the state elsewhere, and search finds it`() async throws {
        try await fixture.store(
            said("a", files: ["a.png", "b.png"]), said("b", at: 1, id: "m2"), is: ImportTally(new: 2))
        try await fixture.store(
            said("a", files: ["a.png", "b.png", "c.png"]), said("b", at: 1, id: "m2", files: ["a.png"]),
            is: ImportTally(changed: 2))
        #expect(
            try fixture.strings(
                """
                SELECT path || state || attachment.bytes AS text FROM attachment JOIN file ON file.id = file_id
                ORDER BY attachment.id
                """)
                == "a.png43 b.png43 c.png43 a.png43")
        let found: Int? = try fixture.value(
            "SELECT count(*) FROM message_search WHERE message_search MATCH 'facets : hfile'", account: "old")
        #expect(found == 2)
    }

    @Test func `files of a message without id belong to the matching one of equal messages`() async throws {
        try await fixture.store(said("a", id: nil), said("a", id: nil), is: ImportTally(new: 2))
        try await fixture.store(
            said("a", id: nil), said("a", id: nil, files: ["x"]), is: ImportTally(changed: 1, known: 1))
        #expect(try fixture.strings("SELECT (message_id % 10) || path AS text FROM files") == "1x")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `reactions are stored once, by key or name, at their time or the message's`() async throws {
        let wave = ImportedMessage.Reaction(text: "👋", user: "bob", userKey: "U2")
        let named = ImportedMessage.Reaction(text: "🎉", user: "민수", at: ArchiveFixture.at(9))
        try await fixture.store(said("a", at: 3, reactions: [wave]), is: ImportTally(new: 1))
        try await fixture.store(said("a", at: 3, reactions: [wave, named]), is: ImportTally(changed: 1))
        #expect(
            try fixture.strings(
                """
                SELECT reaction.text || key || (at_us / 1000000 % 86400) AS text
                FROM reaction JOIN user ON user.id = user_id ORDER BY at_us
                """) == "👋U23 🎉민수9")
        #expect(
            try fixture.archive.reading().page(fixture.query(accounts: ["old"])).messages[0].reactions.count == 2)
    }

    func versions() throws -> String? {
        try fixture.strings(
            """
            SELECT ifnull(body, '-') || ifnull('@' || (edited_at_us / 1000000 % 86400), '') || '['
              || (SELECT ifnull(group_concat(body || '@' || (at_us / 1000000 % 86400)), '') FROM message_version
                WHERE message_id = id) || ']' AS text FROM message ORDER BY id
            """)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `earlier texts are stored with a new message and added to a known one`() async throws {
        try await fixture.store(
            said("c", edit: 30, versions: [(0, "a"), (20, "b")]), said("x", at: 1, id: "m2"), is: ImportTally(new: 2))
        #expect(try versions() == "c@30[a@0,b@20] x[]")
        try await fixture.store(
            said("d", edit: 40, versions: [(0, "a"), (20, "b"), (30, "c")]),
            said("z", at: 1, id: "m2", edit: 9, versions: [(1, "x"), (5, "y")]), is: ImportTally(changed: 2))
        #expect(try versions() == "d@40[a@0,b@20,c@30] z@9[x@1,y@5]")
        try await fixture.store(said("c", edit: 30, versions: [(0, "a"), (20, "b")]), is: ImportTally(known: 1))
    }

    @Test func `a text without a time follows the texts before it`() async throws {
        try await fixture.store(said("b", versions: [(0, "a"), (0, "aa")]), is: ImportTally(new: 1))
        #expect(try versions() == "b@0[a@0,aa@0]")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an unknown deleted message is stored without text, and a later line adds its reply`()
        async throws
    {
        try await fixture.store(said(nil, deleted: 9), said("a", at: 1, id: "m2"), is: ImportTally(new: 2))
        #expect(try versions() == "-[] a[]")
        try await fixture.store(said("a", at: 1, id: "m2", replyTo: "m1"), is: ImportTally(changed: 1))
        #expect(try fixture.value("SELECT reply_to FROM message WHERE remote_id = 'm2'", account: "old") == "m1")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a later export with another rendering of a text matches the same message`() async throws {
        try await fixture.store(said("hi @al"), said("b2 @al", at: 1, id: "m2", edit: 9), is: ImportTally(new: 2))
        try await fixture.store(said("hi @ally"), said("b2 @ally", at: 1, id: "m2", edit: 9), is: ImportTally(known: 2))
        #expect(try versions() == "hi @al[] b2 @al@9[]")
        try await fixture.store(
            said("hi @alice", edit: 20), said("b3", at: 1, id: "m2", edit: 30), is: ImportTally(changed: 2))
        #expect(try versions() == "hi @alice@20[hi @al@0] b3@30[b2 @al@9]")
        try await fixture.store(said("hi @bob", edit: 20, deleted: 40), is: ImportTally(changed: 1))
        #expect(try versions() == "hi @alice@20[hi @al@0] b3@30[b2 @al@9]")
        #expect(try fixture.value("SELECT count(deleted_at_us) FROM message", account: "old") == 1)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a deletion without details deletes the message with its id`() async throws {
        func deleted(_ id: String, at seconds: Int) -> ImportedMessage {
            ImportedMessage(
                room: "general", roomKey: "C1", kind: .system, sender: nil, body: nil, time: ArchiveFixture.at(seconds),
                resolution: .microsecond, remoteID: id, deletedAt: ArchiveFixture.at(seconds))
        }
        try await fixture.store(said("a"), said("b", at: 1, id: "m2"), is: ImportTally(new: 2))
        try await fixture.store(deleted("m1", at: 0), is: ImportTally(changed: 1))
        try await fixture.store(deleted("m3", at: 2), is: ImportTally(new: 1))
        try await fixture.store(deleted("m2", at: 90), is: ImportTally(new: 1))
        let rows = "SELECT kind || ifnull(body, '-') || (deleted_at_us IS NOT NULL) AS text FROM message ORDER BY id"
        #expect(try fixture.strings(rows)?.hasPrefix("0a1 0b0 ") == true)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a room without a key gets the key of another export, whichever comes first`() async throws {
        let (keyed, plain) = (said("a"), said("a", key: nil, roomKey: nil))
        try await fixture.store(plain, is: ImportTally(new: 1))
        try await fixture.store(keyed, is: ImportTally(known: 1))
        try await fixture.store(plain, keyed, is: ImportTally(known: 2))
        try await fixture.store(said("b", at: 1, id: "m2", roomKey: "C2"), is: ImportTally(new: 1))
        #expect(try names("room") == "C1:general C2:general")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an export without keys matches messages whose text is rendered differently`()
        async throws
    {
        let (keyed, plain) = (said("👋", files: ["a.webp"]), said(nil, key: nil, roomKey: nil, files: ["a.webp"]))
        try await fixture.store(keyed, is: ImportTally(new: 1))
        try await fixture.store(plain, is: ImportTally(known: 1))
        try await fixture.store(said("hi", at: 1, id: "m2", key: nil, roomKey: nil), is: ImportTally(new: 1))
        try await fixture.store(said("ho", at: 1, id: "m2"), is: ImportTally(known: 1))
        try await fixture.store(said("other", at: 90, key: nil, roomKey: nil), is: ImportTally(new: 1))
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `two people with one name and the same text in a minute are two, even when repeated`() async throws {
        let (one, other) = (said("hi", id: nil), said("hi", at: 1, id: nil, key: "U2"))
        try await fixture.store(one, other, said("hi", at: 2, id: nil), is: ImportTally(new: 3))
        try await fixture.store(said("hi", at: 2, id: nil, roomKey: "C2"), is: ImportTally(new: 1))
    }

    @Test func `a rehearsal counts repeated messages of one source correctly`() async throws {
        let wave = ImportedMessage.Reaction(text: "👋", user: "bob", userKey: "U2")
        try await fixture.store(
            said("a"), said("a", files: ["x"]), said("a", reactions: [wave]),
            said("a", files: ["x"], reactions: [wave]),
            is: ImportTally(new: 1, changed: 2, known: 1))
    }
}

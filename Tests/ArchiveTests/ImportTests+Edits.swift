import ChatModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Writing

/// Edits and deletions in imported exports.
extension ImportTests {
    /// A line as an archive has it whose network gives ids.
    func exported(
        _ body: String?, at seconds: Int = 0, edit: Int? = nil, deleted: Int? = nil, by sender: String? = "alice",
        id: String? = "m1"
    ) -> ImportedMessage {
        func at(_ seconds: Int) -> Timestamp { ArchiveFixture.day.advanced(by: .seconds(seconds)) }
        return ImportedMessage(
            room: "#example", kind: .message, sender: sender, body: body, time: at(seconds), resolution: .microsecond,
            place: at(seconds), remoteID: id, receivedAt: at(seconds), editedAt: edit.map(at),
            deletedAt: deleted.map(at))
    }

    private func versions() throws -> String? {
        try fixture.value(
            """
            SELECT group_concat(body || ifnull('@' || (edited_at_us / 1000000 % 86400), '')
              || ifnull('#' || (deleted_at_us / 1000000 % 86400), '')
              || ' [' || (SELECT ifnull(group_concat(body), '') FROM message_version WHERE message_id = id) || ']')
            FROM message
            """, account: "old")
    }

    /// Imports and rehearses; the same again has to add nothing.
    func store(_ messages: ImportedMessage..., is expected: ImportTally) async throws {
        let known = try fixture.archive.reading().accounts().contains { $0.name == "old" }
        let before = known ? try rows() : []
        let rehearsed = try await fixture.archive.rehearseImport(into: "old").add(source(messages))
        if known { #expect(try rows() == before) }
        #expect(rehearsed == expected)
        #expect(try await store(messages) == expected)
        let rows = try rows()
        let again = try await store(messages)
        #expect(again == ImportTally(known: messages.count))
        #expect(try self.rows() == rows)
        #expect(try fixture.archive.check(accounts: ["old"]).flatMap(\.problems) == [])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a later edit is one more version, in whatever order the lines come`() async throws {
        try await store(exported("second", edit: 20), is: ImportTally(new: 1))
        try await store(exported("first"), is: ImportTally(changed: 1))
        try await store(exported("fourth", edit: 40), exported("third", edit: 30), is: ImportTally(changed: 2))
        #expect(try versions() == "fourth@40 [first,second,third]")
        try await store(exported("second", edit: 50), is: ImportTally(known: 1))
    }

    @Test func `a rehearsal counts repeated lines of one file correctly`() async throws {
        try await store(
            exported("first"), exported("second", edit: 20), exported("second", edit: 20, deleted: 30),
            exported("second", edit: 20), is: ImportTally(new: 1, changed: 2, known: 1))
        #expect(try versions() == "second@20#30 [first]")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a deleted line marks the message, with or without text, and keeps the text`()
        async throws
    {
        try await store(exported("hi"), exported("ho", at: 1, id: "m2"), is: ImportTally(new: 2))
        try await store(
            exported(nil, deleted: 30), exported("ho", at: 1, deleted: 40, id: "m2"), is: ImportTally(changed: 2))
        #expect(try versions() == "hi#30 [],ho#40 []")
        try await store(exported("gone", at: 2, edit: 3, deleted: 9, id: "m3"), is: ImportTally(new: 1))
        try await store(exported("hi"), exported("ho", at: 1, id: "m2"), is: ImportTally(known: 2))
    }

    @Test func `an edit from the archive's own export finds its message, whose time was made unique`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append((0..<3).map { .said("hi \($0)", id: "m\($0)", at: 10, in: session) })
        let time = ArchiveFixture.day.advanced(byMicroseconds: 12)
        let line = ImportedMessage(
            room: "lobby", kind: .message, sender: "alice", body: "ho", time: time, resolution: .microsecond,
            place: time,
            remoteID: "m2", receivedAt: time, editedAt: time.advanced(by: .seconds(5)))
        #expect(try await writer.importLines(source([line]), at: Self.now) == ImportTally(changed: 1))
        #expect(try fixture.value("SELECT count(*) FROM message") == 3)
        try await writer.close()
    }

    @Test func `a text without the spaces at its ends is the message with the same id`() async throws {
        try await store(exported("  three leading spaces"), exported("trailing\n", id: "m2"), is: ImportTally(new: 2))
        try await store(exported("three leading spaces"), exported("trailing", id: "m2"), is: ImportTally(known: 2))
        try await store(
            exported("three  leading spaces"), exported("trailing", by: "bob", id: "m2"), is: ImportTally(new: 2))
        #expect(try fixture.value("SELECT count(*) FROM message_version", account: "old") == 0)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `another message with the same id is kept, and is not a version`() async throws {
        try await store(exported("hi"), is: ImportTally(new: 1))
        try await store(
            exported("later", at: 60, edit: 70), exported("other text"), exported("else", edit: 9, by: "bob"),
            is: ImportTally(new: 3))
        #expect(try fixture.value("SELECT count(*) FROM message_version", account: "old") == 0)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an edit finds a sender who was renamed, and a log finds earlier messages`()
        async throws
    {
        let writer = try await fixture.archive.openWriter(Self.log)
        _ = try await writer.importLines(source([exported("hi", by: "al")]), at: Self.now)
        _ = try await writer.append([
            .userRenamed(
                session: SessionID(rawValue: 1), fromKey: "al", to: UserReference(key: "alice", name: "alice"),
                at: ArchiveFixture.day.advanced(by: .seconds(5)))
        ])
        try await writer.close()
        try await store(exported("ho", edit: 9, by: "al"), is: ImportTally(changed: 1))
        try await store(exported("hey", edit: 10), is: ImportTally(changed: 1))
        for body in ["hi", "ho", "hey"] {
            try await store(said(body, at: 3), is: ImportTally(known: 1))
        }
        try await store(said("hi", at: 3), said("hi", at: 4), is: ImportTally(new: 1, known: 1))
    }
}

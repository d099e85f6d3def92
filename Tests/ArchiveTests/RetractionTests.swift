import ChatModel
import Foundation
import SQLite
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Writing

/// What is retracted by somebody, and kept or wiped.
@Suite struct RetractionTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func at(_ offset: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: offset)
    }

    private func retracted(
        _ remoteID: String, at offset: Int64, wipes: Bool = true, reason: String? = "spam", session: SessionID? = nil
    ) -> ChatEvent {
        .deleted(
            MessageDeletion(
                session: session, room: ArchiveFixture.lobby, remoteID: remoteID, receivedAt: at(offset),
                retraction: MessageDeletion.Retraction(
                    by: UserReference(key: "carol", name: "carol"), reason: reason, wipes: wipes)))
    }

    private func said(
        _ body: String, id remoteID: String, at offset: Int64, edit: Int64? = nil, session: SessionID?
    ) -> IncomingMessage {
        IncomingMessage(
            session: session, room: ArchiveFixture.lobby, kind: .message,
            sender: UserReference(key: "alice", name: "alice"), body: body, remoteID: remoteID, sourceTime: at(offset),
            receivedAt: at(edit ?? offset), editedAt: edit.map(at), raw: Array(":alice PRIVMSG # :\(body)".utf8))
    }

    private func detail(_ offset: Int64) async throws -> MessageDetail {
        guard case .found(let detail) = try fixture.archive.reading().message(MessageID(at(offset)), account: nil)
        else {
            throw TestFailure()
        }
        return detail
    }

    private func found(_ text: String) async throws -> Int {
        let scope = SearchScope(query: SearchQuery(parsing: text))
        return try fixture.archive.reading().page(fixture.query(room: nil), matching: scope).messages.count
    }

    /// Whether any of the account's files has the bytes.
    private func filesHave(_ text: String) throws -> Bool {
        let path = try fixture.file()
        return try [path, path + "-wal"].filter(FileManager.default.fileExists).contains {
            try Data(contentsOf: URL(filePath: $0)).range(of: Data(text.utf8)) != nil
        }
    }

    @Test func `wiping a message removes every text, and keeps the sender and time`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let long = String(repeating: "Overflowing ", count: 2000)
        _ = try await writer.append([
            .message(said("FirstSecret", id: "a", at: 10, session: session)),
            .message(
                said("SecondSecret https://example.org/\(long)", id: "a", at: 10, edit: 20, session: session), .edit),
            .message(said("innocent", id: "b", at: 30, session: session)),
        ])
        #expect(try await found("secondsecret") == 1)
        #expect(try await writer.append([retracted("a", at: 40, session: session)]) == [.version(at(10).microseconds)])
        let detail = try await detail(10)
        #expect(detail.message.sender?.name == "alice" && detail.message.deletedAt == at(40))
        #expect(detail.message.body == nil && detail.versions.map(\.body) == [nil])
        #expect(detail.message.flags.names == ["wiped"] && detail.raw == .missing(.notKept))
        #expect(detail.retraction == MessageDetail.Retraction(by: "carol", reason: "spam"))
        for text in ["firstsecret", "secondsecret", "overflowing", "has:link"] { #expect(try await found(text) == 0) }
        #expect(try await found("is:deleted") == 1)
        #expect(try await found("innocent") == 1)
        let rows = try fixture.rows()
        #expect(try await writer.append([retracted("a", at: 41)]) == [.known(at(10).microseconds)])
        #expect(try fixture.rows() == rows)
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
        for text in ["FirstSecret", "SecondSecret", "Overflowing"] { #expect(try !filesHave(text), "\(text)") }
        #expect(try filesHave("innocent"))
        let queue = try DatabaseQueue(path: try fixture.file())
        try queue.sync { db in
            try db.execute(
                sql: """
                    INSERT INTO message_search (message_search) VALUES ('optimize'); VACUUM;
                    PRAGMA wal_checkpoint(TRUNCATE)
                    """)
        }
        try queue.close()
        for text in ["firstsecret", "secondsecret", "overflowing"] { #expect(try !filesHave(text), "\(text)") }
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `no repeated event restores a wiped text`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let message = said("secret", id: "a", at: 10, session: session)
        _ = try await writer.append([.message(message), retracted("a", at: 40)])
        let rows = try fixture.rows()
        let edit = said("other secret", id: "a", at: 10, edit: 50, session: nil)
        let told: [ChatEvent] = [
            .message(message), .message(edit, .snapshot), .message(edit, .edit), .message(edit),
            .message(message, .replay(Occurrence(), .second)),
        ]
        for event in told {
            #expect(try await writer.append([event]) == [.known(at(10).microseconds)])
        }
        #expect(try fixture.rows() == rows)
        let line = ImportedMessage(
            room: "lobby", kind: .message, sender: "alice", body: "secret", time: at(10), resolution: .microsecond,
            remoteID: "a")
        #expect(try await writer.importLines([.message(line)], at: at(100)).known == 1)
        #expect(try fixture.rows() == rows)
        try await writer.close()
    }

    @Test(arguments: [true, false])
    func `a message that arrives after its retraction is deleted, without text if wiped`(wipes: Bool) async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        #expect(try await writer.append([retracted("a", at: 40, wipes: wipes, session: session)]) == [.done])
        #expect(try fixture.value("SELECT count(*) FROM message") == 0)
        let message = said("Secret", id: "a", at: 10, session: nil)
        #expect(try await writer.append([.message(message)]) == [.new(at(10).microseconds)])
        #expect(try await writer.append([.message(message)]) == [.known(at(10).microseconds)])
        let detail = try await detail(10)
        #expect(detail.message.deletedAt == at(40) && detail.message.body == (wipes ? nil : "Secret"))
        #expect(detail.message.flags.contains(.wiped) == wipes && detail.retraction?.by == "carol")
        #expect(try await found("secret") == (wipes ? 0 : 1))
        try await writer.close()
        #expect(try filesHave("Secret") == !wipes)
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `a repeated retraction that wipes removes a kept text`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let message = said("secret", id: "a", at: 10, session: session)
        _ = try await writer.append([.message(message), retracted("a", at: 40, wipes: false)])
        #expect(try await detail(10).message.body == "secret")
        #expect(try await writer.append([retracted("a", at: 90)]) == [.version(at(10).microseconds)])
        #expect(try await writer.append([retracted("a", at: 95, wipes: false)]) == [.known(at(10).microseconds)])
        let detail = try await detail(10)
        #expect(detail.message.body == nil && detail.message.deletedAt == at(40))
        #expect(try await found("secret") == 0)
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `wiping covers a message that could not be stored`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        for (room, id) in [(ArchiveFixture.lobby, "a"), (ArchiveFixture.lobby, "b"), (nil, "a")] {
            let event = UnreadableEvent(
                session: session, room: room, remoteID: id, receivedAt: at(10), payload: Array("Secret".utf8),
                reason: "why")
            _ = try await writer.append([.unreadable(event)])
        }
        _ = try await writer.append([retracted("a", at: 20), retracted("a", at: 20)])
        #expect(try fixture.value("SELECT group_concat(length(payload)) FROM failure") == "0,6,6")
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test(arguments: [true, false])
    func `a reaction is removed by its id, in either order of arrival`(isFirst: Bool) async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let given = ChatEvent.reaction(
            IncomingReaction(
                session: session, room: ArchiveFixture.lobby, target: "m",
                sender: UserReference(key: "bob", name: "bob"),
                text: "👍", receivedAt: at(20), ownID: "r"))
        _ = try await writer.append([.message(said("hi", id: "m", at: 10, session: session))])
        let events = isFirst ? [given, retracted("r", at: 30)] : [retracted("r", at: 30), given]
        for event in events + [given] { _ = try await writer.append([event]) }
        #expect(try await detail(10).message.reactions.isEmpty)
        let rows = try fixture.rows()
        _ = try await writer.append([retracted("r", at: 30), given])
        #expect(try fixture.rows() == rows)
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `a retraction accepts any id, name and reason, and ignores one of another room`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.message(said("hi", id: "a", at: 10, session: session))])
        var deletion = MessageDeletion(
            session: session, room: RoomReference(key: "#b", name: "#b", kind: .channel), remoteID: "a",
            receivedAt: at(30),
            retraction: MessageDeletion.Retraction(
                by: nil, reason: String(repeating: "\0가", count: 5000), wipes: true))
        #expect(try await writer.append([.deleted(deletion)]) == [.done])
        deletion.remoteID = "\0"
        #expect(try await writer.append([.deleted(deletion)]) == [.done])
        #expect(try await detail(10).message.deletedAt == nil)
        #expect(try fixture.value("SELECT max(length(CAST(reason AS BLOB))) FROM retraction") == 999)
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }
}

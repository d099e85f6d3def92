import ChatModel
import Foundation
import SearchText
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Writing

/// An edit that is removed alone gives its message the text before it.
@Suite struct EditRemovalTests {
    private let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    private func at(_ seconds: Int64) -> Timestamp { ArchiveFixture.day.advanced(byMicroseconds: seconds * 1_000_000) }

    private func said(_ body: String, in session: SessionID, files: [String] = []) -> IncomingMessage {
        IncomingMessage(
            session: session, room: ArchiveFixture.lobby, kind: .message,
            sender: UserReference(key: "alice", name: "alice"), body: body, remoteID: "m", sourceTime: at(10),
            receivedAt: at(10), attachments: files, raw: Array("raw \(body)".utf8))
    }

    private func edit(
        _ body: String, id: String, at seconds: Int64, in session: SessionID, files: [String] = [],
        isBundled: Bool = false
    ) -> ChatEvent {
        var message = said(body, in: session, files: files)
        (message.editID, message.editedAt, message.receivedAt) = (id, at(seconds), at(seconds))
        (message.isBundledEdit, message.sourceTime) = (isBundled, isBundled ? at(10) : at(seconds))
        return .message(message, .edit)
    }

    private func removed(_ id: String, at seconds: Int64 = 90) -> ChatEvent {
        .deleted(
            MessageDeletion(
                session: nil, room: ArchiveFixture.lobby, remoteID: id, receivedAt: at(seconds),
                retraction: .init(by: nil, reason: nil, wipes: true)))
    }

    private func gone(_ id: String, in session: SessionID) -> ChatEvent {
        var message = said("", in: session)
        (message.remoteID, message.body, message.raw, message.deletedAt) = (id, nil, nil, at(90))
        return .message(message, .replay(Occurrence(), .microsecond))
    }

    /// Stores events in one batch each, and checks the file.
    private func store(_ events: (SessionID) -> [ChatEvent]) async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        for event in events(session) { _ = try await writer.append([event]) }
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    private func messages() throws -> [Message] {
        try fixture.archive.reading().page(try MessageQuery(scope: .accounts(["demo"]), anchor: .oldest)).messages
    }

    private func found(_ text: String) throws -> Int {
        let scope = SearchScope(query: SearchQuery(parsing: text))
        return try fixture.archive.reading().page(fixture.query(room: nil), matching: scope).messages.count
    }

    private func fileHas(_ text: String) throws -> Bool {
        let path = try fixture.file()
        return try [path, path + "-wal"].filter(FileManager.default.fileExists).contains {
            try Data(contentsOf: URL(filePath: $0)).range(of: Data(text.utf8)) != nil
        }
    }

    @Test func `the text before a removed edit is the message's text again, and the removed text is gone`() async throws
    {
        try await store { session in
            [
                .message(said("first", in: session), .live), edit("CanarySecret", id: "e1", at: 20, in: session),
                removed("e1"),
            ]
        }
        let message = try #require(try messages().first)
        #expect(message.body == "first" && message.editedAt == nil && message.deletedAt == nil)
        #expect(try (found("canarysecret"), found("first"), found("is:edited")) == (0, 1, 0))
        for table in ["message_version", "message_raw"] {
            let count: Int? = try fixture.value("SELECT count(*) FROM \(table) WHERE at_us > message_id")
            #expect(count == 0, "\(table)")
        }
        #expect(try !fileHas("CanarySecret"))
    }

    @Test(arguments: [("e1", "third", ["first"]), ("e2", "second", ["first"])])
    func `of two edits only the removed one goes`(id: String, body: String, earlier: [String]) async throws {
        try await store { session in
            [
                .message(said("first", in: session), .live), edit("second", id: "e1", at: 20, in: session),
                edit("third", id: "e2", at: 30, in: session), removed(id),
            ]
        }
        let message = try #require(try messages().first)
        #expect(message.body == body && message.editedAt != nil)
        guard case .found(let detail) = try fixture.archive.reading().message(message.id, account: nil) else {
            Issue.record("no detail")
            return
        }
        #expect(detail.versions.dropLast().map(\.body) == earlier)
    }

    @Test func `a text that two edits have stays until both are removed`() async throws {
        func texts(_ ids: [String]) async throws -> String? {
            let other = try EditRemovalTests()
            try await other.store { session in
                [
                    .message(other.said("first", in: session), .live),
                    other.edit("same", id: "e1", at: 20, in: session),
                    other.edit("same", id: "e2", at: 30, in: session),
                ] + ids.map { other.removed($0) }
            }
            return try other.messages().first?.body
        }
        #expect(try await texts(["e1"]) == "same")
        #expect(try await texts(["e2"]) == "same")
        #expect(try await texts(["e2", "e1"]) == "first")
    }

    @Test func `an edit that was removed before it comes changes nothing`() async throws {
        try await store { session in
            [
                .message(said("first", in: session), .live), removed("e1"),
                edit("second", id: "e1", at: 20, in: session),
                edit("second", id: "e1", at: 20, in: session, isBundled: true),
            ]
        }
        #expect(try messages().map(\.body) == ["first"])
    }

    @Test func `a removed edit that comes again does not come back`() async throws {
        try await store { session in
            [
                .message(said("first", in: session), .live), edit("second", id: "e1", at: 20, in: session),
                removed("e1"), removed("e1"), edit("second", id: "e1", at: 20, in: session),
                gone("e1", in: session), removed("e1"),
            ]
        }
        #expect(try messages().map(\.body) == ["first"])
    }

    @Test func `a removed edit that history has without content is removed from its message`() async throws {
        try await store { session in
            [
                .message(said("first", in: session), .live), edit("second", id: "e1", at: 20, in: session),
                gone("e1", in: session), removed("e1"),
            ]
        }
        #expect(try messages().map(\.body) == ["first"])
    }

    @Test func `an edit that came before its message is removed from both places`() async throws {
        try await store { session in
            [
                edit("second", id: "e1", at: 20, in: session), .message(said("first", in: session), .live),
                edit("second", id: "e1", at: 20, in: session, isBundled: true), removed("e1"),
            ]
        }
        #expect(try messages().map(\.body) == ["first", nil])
        #expect(try messages().map(\.editedAt) == [nil, nil])
    }

    @Test func `the files of a removed edit go with it, and the message keeps its own`() async throws {
        try await store { session in
            [
                .message(said("first", in: session, files: ["mxc://x/1"]), .live),
                edit("second", id: "e1", at: 20, in: session, files: ["mxc://x/1", "mxc://x/2", "mxc://x/3"]),
                edit("third", id: "e2", at: 30, in: session, files: ["mxc://x/3"]), removed("e1"),
            ]
        }
        let message = try #require(try messages().first)
        #expect(message.body == "third" && message.attachments.map(\.path) == ["mxc://x/1", "mxc://x/3"])
    }

    @Test func `a removed message takes its edits with it`() async throws {
        try await store { session in
            [
                .message(said("first", in: session), .live), edit("second", id: "e1", at: 20, in: session),
                removed("m"), removed("e1"),
            ]
        }
        #expect(try messages().map(\.body) == [nil])
        let rest: Int? = try fixture.value("SELECT count(*) FROM edit WHERE at_us IS NOT NULL OR files IS NOT NULL")
        #expect(rest == 0)
    }
}

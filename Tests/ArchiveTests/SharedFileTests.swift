import ChatModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Files
@testable import Reading
@testable import Records
@testable import Writing

/// Files that several messages have, and contents that several files have.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SharedFileTests {
    private let fixture: ArchiveFixture
    private let hashes = ["a", "b", "c"].map { String(repeating: $0, count: 64) }

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func at(_ offset: Int64) -> Timestamp { ArchiveFixture.day.advanced(byMicroseconds: offset) }

    /// Stores a message with these files at each offset from the day's start, in microseconds.
    private func say(_ paths: [String], at offsets: Int64..., to writer: AccountWriter) async throws {
        let session = try await writer.openSession(at: at(offsets[0]))
        _ = try await writer.append(
            offsets.map { offset in
                .message(
                    IncomingMessage(
                        session: session, room: ArchiveFixture.lobby, kind: .message,
                        sender: UserReference(key: "alice", name: "alice"), body: "see", remoteID: "m\(offset)",
                        sourceTime: at(offset), receivedAt: at(offset), attachments: paths), .snapshot)
            })
    }

    /// Stores a file of a message as an import does, with or without its content.
    private func bring(_ path: String, _ hash: String?, to offset: Int64, _ writer: AccountWriter) async throws -> Bool
    {
        let file = NewAttachment(path: path, size: 5, sha256: hash, state: AttachmentBook.Code.otherServer)
        let message = at(offset).microseconds
        return try await writer.write { db in try file.store(as: message, db) }
    }

    private func wanted(_ writer: AccountWriter) async throws -> [String] {
        try await writer.wantedAttachments(isRequestedOnly: false, at: at(5000), limit: 9).map(\.path)
    }

    private func files() throws -> [String] {
        let queue = try DatabaseQueue(path: try fixture.file())
        defer { try? queue.close() }
        return try queue.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT (message_id % 1000000) || path || ' ' || state || ' ' || ifnull(substr(sha256, 1, 1), '-')
                    FROM files ORDER BY message_id, id
                    """)
        }
    }

    private func counts() throws -> String? {
        try fixture.value("SELECT (SELECT count(*) FROM file) || ' ' || (SELECT count(*) FROM content)")
    }

    private func problems() async throws -> [String] {
        try fixture.archive.check().flatMap(\.problems).map(\.check).filter {
            $0 == "attachments" || $0 == "references"
        }
    }

    @Test func `a file of several messages is requested, fetched and counted once`() async throws {
        let writer = try await fixture.openWriter()
        try await say(["/a"], at: 1, 2, 3, to: writer)
        #expect(try await writer.requestAttachments(room: nil, after: nil, before: nil, limit: nil) == 1)
        #expect(try await wanted(writer) == ["/a"])
        let receipt = try await writer.receiveAttachment("/a")
        try await receipt.begin(at: 0, tag: nil, total: 1)
        try await receipt.write([7])
        try await receipt.finish(at: at(9))
        let tally = try fixture.archive.reading().files.attachmentTally(account: "demo", since: at(9))
        #expect(tally.fetched == 1 && tally.bytes == 1 && tally.waiting == 0 && tally.failed == 0)
        try await writer.close()
        #expect(try files().map { $0.dropLast(2) } == ["1/a here", "2/a here", "3/a here"])
        #expect(try counts() == "1 1")
        #expect(try await problems().isEmpty)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [AttachmentFailure.Kind.gone, .failed])
    func `another message with a given-up file retries it`(kind: AttachmentFailure.Kind) async throws {
        let writer = try await fixture.openWriter()
        try await say(["/a"], at: 1, to: writer)
        try await writer.noteAttachment("/a", AttachmentFailure(kind, detail: "no"), at: at(9))
        #expect(try await wanted(writer) == [])
        let changes: Int64? = try fixture.value("SELECT count(*) FROM change WHERE what = 6")
        try await say(["/a"], at: 20, to: writer)
        #expect(try await wanted(writer) == ["/a"])
        try await writer.close()
        #expect(try files() == ["1/a failed -", "20/a failed -"])
        let isNews = kind == .gone ? 1 : 0
        #expect(try fixture.value("SELECT count(*) FROM change WHERE what = 6") == (changes ?? 0) + Int64(isNews))
        #expect(try await problems().isEmpty)
    }

    @Test(arguments: [AttachmentFailure.Kind.tooLarge(limit: 3, bytes: 5), .otherServer])
    func `another message with an unfetchable file does not retry it`(
        kind: AttachmentFailure.Kind
    ) async throws {
        let writer = try await fixture.openWriter()
        try await say(["/a"], at: 1, to: writer)
        try await writer.noteAttachment("/a", AttachmentFailure(kind, detail: "no"), at: at(9))
        try await say(["/a"], at: 20, to: writer)
        #expect(try await wanted(writer) == [])
        try await writer.close()
    }

    @Test func `a planned retry stays planned when another message has the file`() async throws {
        let writer = try await fixture.openWriter()
        try await say(["/a"], at: 1, to: writer)
        let failure = AttachmentFailure(.failed, detail: "no", nextTry: at(9000))
        try await writer.noteAttachment("/a", failure, at: at(9))
        try await say(["/a"], at: 20, to: writer)
        #expect(try await wanted(writer) == [])
        #expect(try await writer.nextAttachmentTry() == at(9000))
        try await writer.close()
    }

    @Test func `an imported file without content is fetched when the network sends its path`() async throws {
        let writer = try await fixture.openWriter()
        try await say([], at: 1, to: writer)
        #expect(try await bring("/a", nil, to: 1, writer))
        #expect(try await wanted(writer) == [])
        try await say(["/a"], at: 20, to: writer)
        #expect(try await wanted(writer) == ["/a"])
        try await writer.close()
        #expect(try await problems().isEmpty)
    }

    @Test func `imported contents with one name stay separate, and a later one fills only its message`()
        async throws
    {
        let writer = try await fixture.openWriter()
        try await say([], at: 1, 2, 3, 4, to: writer)
        for (offset, hash) in [(1, hashes[0]), (2, hashes[1]), (3, nil), (4, nil)] {
            #expect(try await bring("IMG.jpg", hash, to: Int64(offset), writer))
        }
        #expect(try counts() == "3 2")
        #expect(try await bring("IMG.jpg", hashes[0], to: 3, writer))
        #expect(try await !bring("IMG.jpg", hashes[1], to: 3, writer), "it has its content")
        #expect(try await !bring("IMG.jpg", nil, to: 4, writer))
        #expect(try files() == ["1IMG.jpg here a", "2IMG.jpg here b", "3IMG.jpg here a", "4IMG.jpg elsewhere -"])
        #expect(try await bring("IMG.jpg", hashes[2], to: 4, writer))
        #expect(try counts() == "3 3", "no message has it without content")
        try await writer.close()
        #expect(try await problems().isEmpty)
    }

    @Test func `a fetched content and an imported one with the same path are one file`() async throws {
        let writer = try await fixture.openWriter()
        try await say([], at: 1, to: writer)
        try await say(["/a"], at: 2, 3, to: writer)
        #expect(try await bring("/a", hashes[0], to: 1, writer))
        let digest = FileDigest(sha256: hashes[0], size: 5)
        try await writer.write { [now = at(9)] db in try AttachmentBook.store("/a", digest, at: now.microseconds, db) }
        try await writer.close()
        #expect(try files() == ["1/a here a", "2/a here a", "3/a here a"])
        #expect(try counts() == "1 1")
        #expect(try fixture.value("SELECT attempts FROM file") == 1)
        #expect(try await problems().isEmpty)
    }

    @Test func `a lost content and the missing file of its path are wanted again, with the known size`()
        async throws
    {
        let writer = try await fixture.openWriter()
        try await say(["/a"], at: 1, to: writer)
        try await say([], at: 2, 3, to: writer)
        #expect(try await bring("/a", hashes[0], to: 2, writer))
        #expect(try await bring("/b", hashes[0], to: 3, writer))
        try await writer.noteAttachment("/a", AttachmentFailure(.gone, detail: "no"), at: at(9))
        #expect(try await writer.requestAttachments(room: nil, after: nil, before: nil, limit: nil) == 2)
        #expect(try await Set(wanted(writer)) == ["/a", "/b"])
        try await writer.close()
        #expect(try files() == ["1/a failed -", "2/a failed -", "3/b missing -"])
        #expect(try fixture.value("SELECT group_concat(bytes) FROM files") == "5,5,5")
        #expect(try counts() == "2 0")
        #expect(try await problems().isEmpty)
    }

    @Test func `the view files lists what attachments lists`() async throws {
        let writer = try await fixture.openWriter()
        try await say(["/missing", "/failed", "/large", "/gone", "/other"], at: 1, 2, to: writer)
        try await say([], at: 30, to: writer)
        #expect(try await bring("x", hashes[0], to: 30, writer))
        #expect(try await bring("y", nil, to: 30, writer))
        let kinds: [(String, AttachmentFailure.Kind)] = [
            ("/failed", .failed), ("/large", .tooLarge(limit: 3, bytes: 9)), ("/gone", .gone), ("/other", .otherServer),
        ]
        for (path, kind) in kinds {
            try await writer.noteAttachment(path, AttachmentFailure(kind, detail: "no"), at: at(9))
        }
        try await writer.close()
        let query = AttachmentQuery(scope: .accounts(["demo"]), limit: 100)
        let listed = try fixture.archive.reading().files.attachments(query).attachments.map { file in
            [
                "\(file.message.microseconds)", file.attachment.path, file.attachment.state.rawValue,
                file.attachment.size.map(String.init) ?? "-", file.attachment.sha256 ?? "-", file.error ?? "-",
                file.triedAt?.description ?? "-",
            ].joined(separator: " ")
        }
        #expect(Set(listed.map { $0.split(separator: " ")[2] }).count == 6)
        let queue = try DatabaseQueue(path: try fixture.file())
        defer { try? queue.close() }
        let shown = try queue.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT message_id || ' ' || path || ' ' || state || ' ' || ifnull(bytes, '-') || ' ' || ifnull(sha256, '-')
                      || ' ' || ifnull(error, '-') || ' ' || ifnull(tried_at, '-') FROM files ORDER BY message_id, id
                    """)
        }
        #expect(shown == listed)
    }

    @Test func `a file is removed with its last message, and a content with its last file`() async throws {
        let writer = try await fixture.openWriter()
        try await say([], at: 1, 2, 3, to: writer)
        for (offset, path) in [(1, "x"), (2, "x"), (3, "y")] {
            #expect(try await bring(path, hashes[0], to: Int64(offset), writer))
        }
        try await writer.close()
        for (offset, left) in [(1, "2 1"), (2, "1 1"), (3, "0 0")] {
            try fixture.execute("DELETE FROM message WHERE id = \(at(Int64(offset)).microseconds)")
            #expect(try counts() == left)
        }
    }
}

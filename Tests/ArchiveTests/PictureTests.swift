import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Writing

/// Pictures of people, rooms and workspaces, and what else a network's list says of a room.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct PictureTests {
    let fixture: ArchiveFixture
    let alice = UserReference(key: "alice", name: "alice")
    let bob = UserReference(key: "bob", name: "bob")
    let hall = RoomReference(key: "#hall", name: "hall", kind: .channel)
    /// The signature of PNG (ISO/IEC 15948, 5.2), and the byte after it.
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]

    init() throws { fixture = try ArchiveFixture() }

    func at(_ offset: Int64) -> Timestamp { ArchiveFixture.day.advanced(byMicroseconds: offset) }

    func pictured(_ user: UserReference, _ path: String?, at offset: Int64) -> ChatEvent {
        .userListed(UserListing(user: user, picture: path), at: at(offset))
    }

    /// Receives a picture whose content ends with a byte of its own.
    private func receive(_ path: String, _ last: UInt8, by writer: AccountWriter) async throws {
        let receipt = try await writer.receiveAttachment(path)
        try await receipt.begin(at: 0, tag: nil, total: nil)
        try await receipt.write(Self.png + [last])
        try await receipt.finish(at: at(1000))
    }

    func wanted(_ writer: AccountWriter) async throws -> [String] {
        try await writer.wantedAttachments(isRequestedOnly: false, at: at(0), limit: 99).map(\.path).sorted()
    }

    /// The number of stored contents.
    private func contents() throws -> Int {
        let folder = (try fixture.file() as NSString).deletingLastPathComponent + "/attachments"
        return try FileManager.default.subpathsOfDirectory(atPath: folder)
            .count { $0.contains("/") && !$0.hasPrefix("unfinished/") }
    }

    func isSound() async throws {
        #expect(try fixture.archive.check().flatMap(\.problems) == [])
    }

    private func user(_ name: String) async throws -> User? {
        try fixture.archive.reading().users(scope: .accounts(["demo"])).first { $0.name == name }
    }

    @Test func `a picture is fetched like a file, and equal contents are stored once`() async throws {
        let writer = try await fixture.openWriter()
        _ = try await writer.append([pictured(alice, "/a.png", at: 1), pictured(bob, "/b.png", at: 1)])
        #expect(try await wanted(writer) == ["/a.png", "/b.png"])
        #expect(try await user("alice")?.picture?.file.state == .missing)
        for path in ["/a.png", "/b.png"] { try await receive(path, 1, by: writer) }
        #expect(try await wanted(writer) == [])
        #expect(try await user("alice")?.picture?.file.sha256 == user("bob")?.picture?.file.sha256)
        #expect(try contents() == 1)
        try await writer.close()
        try await isSound()
    }

    @Test func `a picture that the network lacks is given up like a file`() async throws {
        let writer = try await fixture.openWriter()
        _ = try await writer.append([pictured(alice, "/a.png", at: 1)])
        try await writer.noteAttachment("/a.png", AttachmentFailure(.gone, detail: "no such file"), at: at(5))
        #expect(try await wanted(writer) == [])
        let failed = try fixture.archive.reading().files.failedPictures(account: "demo", since: at(0), limit: 9)
        #expect(failed.map(\.picture.file.path) == ["/a.png"] && failed.map(\.error) == ["no such file"])
        try await writer.close()
    }

    @Test func `a message has the sender's picture of its time, and a person the current one`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("before any", at: 10, in: session), pictured(alice, "/a.png", at: 20),
            .said("first", at: 30, in: session), pictured(alice, "/b.png", at: 40),
            .said("second", at: 50, in: session), pictured(alice, nil, at: 60), .said("none", at: 70, in: session),
            pictured(alice, "/b.png", at: 80),
        ])
        try await receive("/b.png", 2, by: writer)
        let page = try fixture.archive.reading().page(fixture.query())
        #expect(
            page.messages.map { $0.sender?.picture?.file.path } == ["/a.png", "/a.png", "/b.png", nil],
            "the first picture counts before it was seen")
        #expect(page.messages.map { $0.sender?.picture?.format } == [nil, nil, .png, nil])
        #expect(try await user("alice")?.picture?.file.path == "/b.png")
        let id = page.messages[1].id
        guard case .found(let detail) = try fixture.archive.reading().message(id, account: "demo") else {
            Issue.record("the message is not found")
            return
        }
        #expect(detail.message.sender?.picture?.file.path == "/a.png" && detail.pictureNow?.file.path == "/b.png")
        try await writer.close()
        try await isSound()
    }

    @Test func `a file that a message and a picture share is removed with the last of both`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let message = IncomingMessage(
            session: session, room: ArchiveFixture.lobby, kind: .message, sender: alice, body: "look", remoteID: "m1",
            receivedAt: at(10), attachments: ["/a.png"])
        _ = try await writer.append([.message(message), pictured(alice, "/a.png", at: 20)])
        try await receive("/a.png", 1, by: writer)
        try await writer.close()
        try fixture.execute("DELETE FROM attachment")
        #expect(try fixture.value("SELECT count(*) FROM file") == 1)
        try fixture.execute("DELETE FROM user_picture")
        #expect(try fixture.value("SELECT count(*) FROM file") == 0)
        #expect(try fixture.value("SELECT count(*) FROM content_gone") == 1)
    }

    @Test func `a rule for files keeps pictures, even those in a message`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let message = IncomingMessage(
            session: session, room: ArchiveFixture.lobby, kind: .message, sender: alice, body: "look", remoteID: "m1",
            receivedAt: at(10), attachments: ["/a.png", "/x.png"])
        _ = try await writer.append([.message(message), pictured(alice, "/a.png", at: 20)])
        for (index, path) in ["/a.png", "/x.png"].enumerated() { try await receive(path, UInt8(index), by: writer) }
        let removed = try await writer.apply(.keeping([.files: .seconds(50)]), at: at(100_000_000))
        #expect(removed[.files] == 1)
        #expect(
            try fixture.value("SELECT group_concat(path || state) FROM (SELECT path, state FROM file ORDER BY path)")
                == "/a.png1,/x.png5")
        #expect(try await user("alice")?.picture?.file.state == .fetched)
        try await writer.close()
    }

    @Test func `a reader of one room gets the pictures of its people that the room has seen`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            pictured(alice, "/a.png", at: 1), pictured(bob, "/bob.png", at: 1),
            .said("here", at: 10, in: session, room: hall), .said("there", at: 20, by: "bob", in: session),
            pictured(alice, "/later.png", at: 30), .said("elsewhere", at: 40, in: session),
        ])
        for (index, path) in ["/a.png", "/bob.png", "/later.png"].enumerated() {
            try await receive(path, UInt8(index), by: writer)
        }
        try await writer.close()
        let room: Int64 = try #require(try fixture.value("SELECT id FROM room WHERE key = '#hall'"))
        let reading = fixture.archive.reading().restricted(to: ReadAccess(["demo": .rooms([room])]))
        let users = try reading.users(scope: .accounts(["demo"]))
        #expect(users.map(\.name) == ["alice"] && users.map { $0.picture?.file.path } == ["/a.png"])
        let page = try reading.page(fixture.query(room: nil))
        #expect(page.messages.map { $0.sender?.picture?.file.path } == ["/a.png"])
        for (path, isShown) in [("/a.png", true), ("/bob.png", false), ("/later.png", false)] {
            let hash: String = try #require(try fixture.value("SELECT sha256 FROM file WHERE path = '\(path)'"))
            #expect(try (reading.files.file(hash) != nil) == isShown, "\(path)")
            #expect(try fixture.archive.reading().files.file(hash)?.format == .png, "\(path)")
        }
    }

    @Test func `a forgotten person's picture is forgotten with its bytes`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            pictured(alice, "/a.png", at: 1), pictured(bob, "/b.png", at: 1), .said("hi", at: 10, in: session),
            .said("ho", at: 20, by: "bob", in: session),
        ])
        for (index, path) in ["/a.png", "/b.png"].enumerated() { try await receive(path, UInt8(index), by: writer) }
        #expect(try contents() == 2)
        let id: Int64 = try #require(try fixture.value("SELECT id FROM user WHERE key = 'alice'"))
        var place: ForgettingPlace?
        repeat {
            place = try await writer.retention.forget(
                Forgetting(.user(id), redacts: false, alsoNew: false), from: place, at: at(10_000)
            ).next
        } while place != nil
        try await writer.close()
        try await fixture.openWriter().close()
        #expect(try contents() == 1)
        #expect(try fixture.value("SELECT group_concat(path) FROM file") == "/b.png")
        try await isSound()
    }

    @Test func `a merge moves a person's earlier pictures, and undoing moves them back`()
        async throws
    {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            pictured(bob, "/old.png", at: 1), .said("one", at: 10, by: "bob", in: session),
            pictured(alice, "/new.png", at: 20), .said("two", at: 30, in: session),
            pictured(bob, "/later.png", at: 40),
        ])
        try await receive("/old.png", 1, by: writer)
        let before = try fixture.rows().sorted()
        let (from, into): (Int64, Int64) = (
            try #require(try fixture.value("SELECT id FROM user WHERE key = 'bob'")),
            try #require(try fixture.value("SELECT id FROM user WHERE key = 'alice'"))
        )
        func merge(undoes: Bool) async throws {
            var place: MergingPlace?
            repeat {
                let request = Merging(.people, from: from, into: into, undoes: undoes)
                place = try await writer.merge(request, from: place, at: at(100)).next
            } while place != nil
        }
        try await merge(undoes: false)
        let page = try fixture.archive.reading().page(fixture.query())
        #expect(page.messages.map { $0.sender?.picture?.file.path } == ["/old.png", "/new.png"])
        #expect(page.messages.first?.sender?.picture?.format == .png, "its bytes are still there")
        try await merge(undoes: true)
        let pictures = { (rows: [String]) in rows.filter { $0.contains(".png") } }
        #expect(try pictures(fixture.rows().sorted()) == pictures(before))
        try await writer.close()
        try await isSound()
    }

    @Test(arguments: [
        ("89504e470d0a1a0a00", Picture.Format.png), ("ffd8ffe0", .jpeg), ("474946383961", .gif),
        ("524946460000000057454250", .webp), ("3c737667", nil), ("", nil), ("5249464600000000", nil), ("89504e47", nil),
    ])
    func `the first bytes show the type of a picture`(bytes: String, format: Picture.Format?) throws {
        let pairs = stride(from: 0, to: bytes.utf8.count, by: 2).map { Array(bytes.utf8)[$0..<$0 + 2] }
        #expect(Picture.Format(pairs.compactMap { UInt8(String(decoding: $0, as: UTF8.self), radix: 16) }) == format)
    }
}

import Archive
import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Checks
@testable import Reading
@testable import Writing

/// What a network lists, and what comes with its messages.
@Suite struct DirectoryTests {
    private let fixture: ArchiveFixture
    private let general = RoomReference(key: "c1", name: "general", kind: .channel)
    private let minsu = UserReference(key: "u2", name: "민수")

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func at(_ offset: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: offset)
    }

    @Test func `rooms are listed by workspace, direct rooms last, and keep their history when left`()
        async throws
    {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let direct = RoomReference(key: "d1", name: "민수", kind: .direct)
        let work = WorkspaceReference(key: "w1", name: "work")
        _ = try await writer.append([
            .roomListed(RoomListing(room: direct, workspace: work, partner: minsu), at: at(1)),
            .roomListed(RoomListing(room: general, workspace: work), at: at(1)),
            .said("hi", at: 10, in: session, room: general),
            .roomUnlisted(general, isGone: true, at: at(20)),
            .roomUnlisted(direct, isGone: false, at: at(30)), .roomUnlisted(direct, isGone: false, at: at(40)),
        ])
        var rooms = try fixture.archive.reading().rooms().filter { $0.workspace != nil }
        #expect(rooms.map(\.name) == ["general", "민수"] && rooms.map(\.workspace) == ["work", "work"])
        #expect(rooms.map(\.goneAt) == [at(20), nil] && rooms.map(\.leftAt) == [nil, at(30)])
        let page = try fixture.archive.reading().page(fixture.query(room: rooms[0].id))
        #expect(page.bodies == ["hi"] && page.messages.map(\.workspace) == ["work"])

        let renamed = WorkspaceReference(key: "w1", name: "labour")
        _ = try await writer.append([.roomListed(RoomListing(room: general, workspace: renamed), at: at(50))])
        try await writer.close()
        rooms = try fixture.archive.reading().rooms()
        #expect(rooms.first { $0.name == "general" }?.goneAt == nil, "it is back")
        #expect(rooms.compactMap(\.workspace) == ["labour", "labour"])
        #expect(try fixture.value("SELECT count(*) FROM workspace_name") == 2)
        #expect(
            try fixture.value("SELECT key FROM user WHERE id = (SELECT partner_id FROM room WHERE key = 'd1')") == "u2")
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `a room is empty until it has a message`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.roomListed(RoomListing(room: general), at: at(1))])
        func isEmpty() async throws -> Bool? {
            try fixture.archive.reading().namedRooms().first { $0.name == general.name }?.isEmpty
        }
        #expect(try await isEmpty() == true)
        _ = try await writer.append([.said("hi", at: 10, in: session, room: general)])
        #expect(try await isEmpty() == false)
        try await writer.close()
    }

    @Test func `a direct room keeps its partner when another person takes the partner's key`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let (first, second) = (UserReference(key: "r1", name: "r1"), UserReference(key: "r1_", name: "r1_"))
        let rooms = [first, second].map { RoomReference(key: $0.key, name: $0.name, kind: .direct) }
        _ = try await writer.append([
            .roomListed(RoomListing(room: rooms[0], partner: first), at: at(1)),
            .roomListed(RoomListing(room: rooms[1], partner: second), at: at(2)),
            .userRenamed(session: session, fromKey: "r1", to: second, at: at(3)),
        ])
        #expect(try await writer.partners() == ["r1": second, "r1_": second])
        try await writer.close()
    }

    @Test func `pictures keep their history, and only listed people are members`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let other = UserReference(key: "u3", name: "bob")
        for (offset, picture) in [(1, "/a.png"), (2, "/a.png"), (3, nil), (4, nil), (5, "/b.png")] as [(Int64, String?)]
        {
            _ = try await writer.append([.userListed(UserListing(user: minsu, picture: picture), at: at(offset))])
        }
        _ = try await writer.append([
            .said("hi", at: 10, by: "gone", in: session),
            .membersListed(ArchiveFixture.lobby, [minsu, other], at: at(20)),
            .membersListed(ArchiveFixture.lobby, [minsu, other], at: at(30)),
            .membersListed(ArchiveFixture.lobby, [other], at: at(40)),
        ])
        try await writer.close()
        let day = ArchiveFixture.day.microseconds
        #expect(
            try fixture.value(
                """
                SELECT group_concat(path || (first_seen_us - \(day)) || '-' || ifnull(last_seen_us - \(day), ''), ' ')
                FROM (SELECT * FROM user_picture ORDER BY first_seen_us)
                """) == "/a.png1-3 /b.png5-")
        let users = try fixture.archive.reading().users(scope: .room(account: "demo", id: 1))
        #expect(
            users.map { "\($0.name) \($0.membership?.leftAt == nil ? "here" : "left")" } == [
                "bob here", "gone left", "민수 left",
            ])
    }

    @Test func `a message keeps its files and payloads, and shows those of its newest version`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        func snapshot(_ body: String?, raw: String, files: [String], receivedAt offset: Int64) -> ChatEvent {
            .message(
                IncomingMessage(
                    session: session, room: general, kind: .message, sender: minsu, body: body, remoteID: "m1",
                    sourceTime: at(10), receivedAt: at(offset), attachments: files, raw: Array(raw.utf8)), .snapshot)
        }
        let photo = "/static/%EC%82%AC%EC%A7%84.PNG"
        _ = try await writer.append([
            snapshot(nil, raw: "{1}", files: [photo], receivedAt: 20),
            snapshot(nil, raw: "{1}", files: [photo], receivedAt: 30),
            snapshot("보세요", raw: "{2}", files: [photo, "/static/a.b/c?d.png"], receivedAt: 40),
        ])
        try await writer.close()
        guard case .found(let detail) = try fixture.archive.reading().message(MessageID(at(10))) else {
            throw TestFailure()
        }
        #expect(detail.raw == .bytes(Array("{2}".utf8), length: 3))
        #expect(detail.message.attachments.map(\.name) == ["사진.PNG", "c"])
        #expect(detail.message.attachments.map(\.kind) == [.image, .file])
        #expect(try fixture.value("SELECT count(*) FROM message_raw") == 2)
        try fixture.execute("PRAGMA foreign_keys = ON; DELETE FROM message")
        #expect(try fixture.value("SELECT (SELECT count(*) FROM message_raw) + (SELECT count(*) FROM attachment)") == 0)
    }

    @Test func `the feed has each change of a room, and no repeated listing`() async throws {
        let writer = try await fixture.openWriter()
        _ = try await writer.openSession()
        let listing = RoomListing(room: general, workspace: WorkspaceReference(key: "w1", name: "work"))
        let before: Int64? = try fixture.value("SELECT count(*) FROM change")
        for offset in 1...3 { _ = try await writer.append([.roomListed(listing, at: at(Int64(offset)))]) }
        _ = try await writer.append([.roomUnlisted(general, isGone: false, at: at(9))])
        try await writer.close()
        // It is new, it is in a workspace, and it was left.
        let expected = try #require(before) + 3
        #expect(try fixture.value("SELECT count(*) FROM change") == expected)
    }
}

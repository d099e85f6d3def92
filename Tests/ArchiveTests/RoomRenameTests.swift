import ChatModel
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Writing

/// Rooms whose key changes with their name.
@Suite struct RoomRenameTests {
    private let fixture: ArchiveFixture
    private let old = RoomReference(key: "#old", name: "#old", kind: .channel)
    private let new = RoomReference(key: "#new", name: "#New", kind: .channel)

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func at(_ offset: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: offset)
    }

    @Test func `a renamed room is one room with coverage under both names`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .roomLive(session: session, room: old, at: at(10)), .said("1", at: 20, in: session, room: old),
            .roomRenamed(session: session, fromKey: "#old", to: new, at: at(30)),
            .said("2", at: 40, in: session, room: new), .roomLive(session: session, room: new, at: at(45)),
            .sessionEnded(session: session, at: at(50), reason: .lost, detail: nil),
        ])
        let room = try #require(try fixture.archive.reading().rooms().first { $0.name == "#New" })
        let page = try fixture.archive.reading().page(try fixture.query(room: room.id))
        #expect(page.bodies == ["1", "2"] && page.messages.map(\.room) == ["#old", "#New"])
        #expect(try fixture.value("SELECT count(*) FROM coverage WHERE room_id = \(room.id)") == 1)
        #expect(
            try fixture.archive.reading().gaps(scope: .room(account: "demo", id: room.id)).map(\.state) == [
                .current
            ])
        #expect(try !fixture.archive.reading().rooms().contains { $0.name == "#old" })
        let known = try await writer.channels()
        #expect(known == [KnownChannel(room: new, formerNames: ["#old": at(30)])])

        let again = try await writer.openSession(at: at(100))
        _ = try await writer.append([.said("3", at: 110, in: again, room: old)])
        #expect(try fixture.archive.reading().rooms().count == 3, "whoever takes the old name is another room")
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `a rename to the name of another room leaves two rooms`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .roomLive(session: session, room: old, at: at(10)), .said("1", at: 20, in: session, room: old),
            .said("0", at: 15, in: session, room: new), .roomUnlisted(new, isGone: false, at: at(16)),
            .roomRenamed(session: session, fromKey: "#old", to: new, at: at(30)),
            .said("2", at: 40, in: session, room: new),
            .sessionEnded(session: session, at: at(50), reason: .stopped, detail: nil),
        ])
        let rooms = try fixture.archive.reading().rooms().filter { $0.kind == .channel }.sorted { $0.id < $1.id }
        #expect(rooms.map(\.name) == ["#old", "#New"])
        #expect(rooms.map(\.goneAt) == [at(30), nil] && rooms.map(\.leftAt) == [nil, nil])
        #expect(rooms.map(\.coveredFrom) == [at(10), at(30)])
        let page = try fixture.archive.reading().page(try fixture.query(room: rooms[1].id))
        #expect(page.bodies == ["0", "2"])
        #expect(try await writer.expectedRooms(kind: .channel).map(\.name) == ["#New"])
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `another spelling is a rename, and an unknown room is a new one`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let loud = RoomReference(key: "#old", name: "#OLD", kind: .channel)
        _ = try await writer.append([
            .roomLive(session: session, room: old, at: at(10)),
            .roomRenamed(session: session, fromKey: "#old", to: loud, at: at(30)),
            .roomRenamed(session: session, fromKey: "#unknown", to: new, at: at(40)),
        ])
        #expect(
            try fixture.archive.reading().rooms().filter { $0.kind == .channel }.map(\.name) == ["#New", "#OLD"])
        try await writer.close()
    }
}

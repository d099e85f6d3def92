import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Files
@testable import Moves
@testable import Reading
@testable import Writing

/// Merges of rooms.
extension MergeTests {
    // MARK: Rooms

    func rooms() async throws -> (AccountWriter, SessionID, Merging) {
        let writer = try await fixture.openWriter()
        let first = try await writer.openSession()
        _ = try await writer.append([
            .roomLive(session: first, room: old, at: at(10)), .said("one", at: 20, in: first, room: old),
            .said("joined", at: 25, in: first, kind: .join, room: old),
            .said("two", at: 30, in: first, room: old, remoteID: "m2"),
            .sessionEnded(session: first, at: at(40), reason: .lost, detail: nil),
        ])
        let session = try await writer.openSession(at: at(100))
        _ = try await writer.append([
            .roomLive(session: session, room: new, at: at(110)), .said("three", at: 120, in: session, room: new),
        ])
        return (writer, session, Merging(.rooms, from: try room("#dev{eu}"), into: try room("#dev[eu]")))
    }

    @Test func `a merged room has the messages and coverage of both, and later messages`() async throws {
        let (writer, session, request) = try await rooms()
        #expect(try await merge(request, by: writer).messages == 3)
        _ = try await writer.append([.said("four", at: 130, in: session, room: old)])
        let page = try fixture.archive.reading().page(try fixture.query(room: request.into))
        #expect(page.bodies == ["one", "joined", "two", "three", "four"])
        #expect(page.messages.map(\.room) == ["#dev[eu]", "#dev[eu]", "#dev[eu]", "#Dev[eu]", "#dev[eu]"])
        let gaps = try fixture.archive.reading().gaps(scope: .room(account: "demo", id: request.into))
        #expect(gaps.first?.from == at(40) && gaps.first?.to == at(110))
        let names = try fixture.archive.reading().rooms().map(\.name)
        #expect(names.sorted() == ["#dev[eu]", "lobby"])
        try await writer.close()
        #expect(try await isSound())
    }

    @Test func `undoing separates both rooms as before`() async throws {
        let (writer, _, request) = try await rooms()
        try await writer.markRead(rooms: [request.from], through: nil, at: at(200))
        let state = """
            SELECT group_concat(what, char(10)) FROM (
              SELECT 'message ' || id || ' ' || room_id || ' ' || flags AS what FROM message UNION ALL
              SELECT 'span ' || room_id || ' ' || from_us || ' ' || ifnull(to_us, 'live') FROM coverage UNION ALL
              SELECT 'note ' || room_id || ' ' || from_us || ' ' || reason FROM gap_note UNION ALL
              SELECT 'member ' || room_id || ' ' || user_id FROM membership UNION ALL
              SELECT 'mark ' || room_id || ' ' || through_us FROM read_marker UNION ALL
              SELECT 'late ' || room_id || ' ' || message_id FROM late UNION ALL
              SELECT 'count ' || room_id || ' ' || sender_id || ' ' || messages FROM sender_count WHERE messages > 0
              UNION ALL SELECT 'room ' || id || ' ' || messages FROM room UNION ALL
              SELECT 'name ' || room_id || ' ' || first_seen_us || ' ' || name FROM room_name ORDER BY 1)
            """
        let before: String? = try fixture.value(state)
        try await merge(request, by: writer)
        #expect(try fixture.value(state) != before)
        try await merge(undone(request), by: writer)
        #expect(try fixture.value(state) == before)
        try await writer.close()
        #expect(try await isSound())
    }

    @Test(arguments: [nil, 25, 1000] as [Int64?], [nil, 15, 1000] as [Int64?])
    func `a merge keeps what is unread and what is read`(older: Int64?, newer: Int64?) async throws {
        let (writer, _, request) = try await rooms()
        for (room, mark) in [(request.from, older), (request.into, newer)] {
            guard let mark else { continue }
            try await writer.markRead(rooms: [room], through: MessageID(at(mark)), at: at(200))
        }
        let unread = try fixture.archive.reading().unread().filter { $0.room != "lobby" }
        let before = unread.map(\.unread).reduce(0, +)
        try await merge(request, by: writer)
        let after = try fixture.archive.reading().unread().filter { $0.room != "lobby" }
        #expect(after.map(\.unread) == [before])
        try await merge(undone(request), by: writer)
        #expect(try fixture.archive.reading().unread().filter { $0.room != "lobby" } == unread)
        try await writer.close()
    }

    @Test func `a merged room has the imported spans of both, and undoing separates them`() async throws {
        let (writer, _, request) = try await rooms()
        for (room, span) in [(old, (100, 200)), (new, (150, 300)), (new, (900, 950))] {
            let (from, to) = (at(Int64(span.0) * 1_000_000), at(Int64(span.1) * 1_000_000))
            let line = ImportedLine.imported(ImportedSpan(room: room.name, roomKey: room.key, from: from, to: to))
            _ = try await writer.importLines([line], at: at(1_000_000_000_000))
        }
        let spans = """
            SELECT group_concat(room_id || ':' || (from_us / 1000000 % 86400) || '-' || (to_us / 1000000 % 86400), ' ')
            FROM (SELECT * FROM imported_span ORDER BY room_id, from_us)
            """
        let before: String? = try fixture.value(spans)
        try await merge(request, by: writer)
        #expect(try fixture.value(spans) == "\(request.into):100-300 \(request.into):900-950")
        try await merge(undone(request), by: writer)
        #expect(try fixture.value(spans) == before)
        try await writer.close()
    }

    @Test func `a message whose id the other room has stays in its own room`() async throws {
        let (writer, session, request) = try await rooms()
        _ = try await writer.append([.said("two", at: 140, in: session, room: new, remoteID: "m2")])
        let progress = try await merge(request, by: writer)
        #expect((progress.messages, progress.left) == (2, 1))
        let names = try fixture.archive.reading().rooms().map(\.name)
        #expect(names.sorted() == ["#Dev[eu]", "#dev[eu]", "lobby"])
        try await writer.close()
        #expect(try await isSound())
    }

    @Test func `two direct rooms that are both live are merged and stay merged`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let names = [("alice{m}", Int64(20)), ("alice[m]", 30)]
        let rooms = names.map { RoomReference(key: $0.0, name: "alice[m]", kind: .direct) }
        for (room, name) in zip(rooms, names) {
            _ = try await writer.append([
                .roomLive(session: session, room: room, at: at(10)), .said("hi", at: name.1, in: session, room: room),
            ])
        }
        try await merge(Merging(.rooms, from: room("alice{m}"), into: room("alice[m]")), by: writer)
        _ = try await writer.append([
            .sessionEnded(session: session, at: at(50), reason: .lost, detail: nil)
        ])
        let again = try await writer.openSession(at: at(100))
        _ = try await writer.append(rooms.map { .roomLive(session: again, room: $0, at: at(110)) })
        #expect(try await writer.partners().isEmpty)
        let gaps = try fixture.archive.reading().gaps(
            scope: .room(account: "demo", id: room("alice[m]")))
        #expect(gaps.first?.from == at(50) && gaps.first?.to == at(110))
        try await writer.close()
        #expect(try await isSound())
    }

    @Test func `two channels that are both live are not merged`() async throws {
        let (writer, session, request) = try await rooms()
        _ = try await writer.append([.roomLive(session: session, room: old, at: at(150))])
        let error = try await #require(throws: ArchiveError.self) { try await merge(request, by: writer) }
        #expect(error.detail.contains("listened to"))
        try await writer.close()
    }
}

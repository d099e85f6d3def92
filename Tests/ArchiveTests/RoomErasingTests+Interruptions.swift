import ChatModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Files
@testable import Moves
@testable import Reading
@testable import Writing

/// Holds, merges and interruptions of erasing a room.
extension RoomErasingTests {
    // MARK: Holds, merges, interruptions

    @Test(arguments: [true, false])
    func `a hold of the room or its time prevents erasing`(isOfRoom: Bool) async throws {
        let (writer, _) = try await fill()
        let room = try number(of: Self.secret)
        let hold =
            isOfRoom
            ? Hold(name: "case", room: room, setAt: at(9000))
            : Hold(name: "case", start: at(100), end: at(200), setAt: at(9000))
        try await writer.retention.setHold(hold)
        let error = await #expect(throws: ArchiveError.self) { try await erase(room, by: writer) }
        #expect(error?.code == .held && error?.detail.contains("\"case\"") == true)
        #expect(try fixture.value("SELECT count(*) FROM message") == 951)
        _ = try await writer.retention.removeHold(named: "case")
        try await writer.retention.setHold(Hold(name: "later", start: at(7000), setAt: at(9000)))
        #expect(try await erase(room, by: writer).messages == 901)
        try await writer.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `erasing a merged room removes the keys of both rooms`() async throws {
        let (writer, session) = try await fill()
        let other = RoomReference(key: "C3-canarykey", name: "#canaryroom-old", kind: .channel)
        _ = try await writer.append([said("old canarywort", 8000, by: "mallory", in: other, session)])
        let merging = Merging(.rooms, from: try number(of: other), into: try number(of: Self.secret))
        var place: MergingPlace?
        repeat { place = try await writer.merge(merging, from: place, at: at(9000)).next } while place != nil
        #expect(try await erase(number(of: Self.secret), by: writer).messages == 902)
        #expect(try traces() == [])
        _ = try await writer.append([said("old canarywort", 8000, by: "mallory", in: other, session)])
        try await writer.close()
        #expect(try fixture.value("SELECT count(*) FROM message") == 50)
        #expect(try fixture.value("SELECT count(*) FROM merge") == 0)
        try await expectSound("merged")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an interruption after any step leaves a sound archive, and the next run completes it`() async throws {
        var steps = 1
        while true {
            let one = try RoomErasingTests()
            let (writer, _) = try await one.fill()
            let room = try one.number(of: Self.secret)
            let next = try await one.erase(room, steps: steps, by: writer).next
            try await writer.close()
            try await one.expectSound("after \(steps) steps")
            guard next != nil else { break }
            let again = try await one.fixture.archive.openWriter(account)
            if try await one.names().contains("#canaryroom") { try await one.erase(room, by: again) }
            try await again.close()
            #expect(try one.traces() == [], "after \(steps) steps")
            steps += 1
        }
        #expect(steps > 4)
    }

    @Test func `a room that does not exist is an error`() async throws {
        let (writer, _) = try await fill()
        let error = await #expect(throws: ArchiveError.self) { try await erase(99, by: writer) }
        #expect(error?.code == .unknownRoom)
        try await writer.close()
    }

    @Test func `the journal of a network with one room is erased with it`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let bytes = Array("mallory::canarywort\n".utf8)
        _ = try await writer.append([
            .chunk(JournalChunk(session: session, offset: 0, receivedAt: at(1), bytes: bytes)),
            .message(
                IncomingMessage(
                    session: session, room: ArchiveFixture.lobby, kind: .message,
                    sender: UserReference(key: "mallory", name: "mallory"), body: "canarywort",
                    remoteID: "\(session.rawValue):0", sourceTime: nil, receivedAt: at(1))),
            .parsed(session: session, upTo: Int64(bytes.count)),
        ])
        try await erase(1, by: writer)
        try await writer.close()
        #expect(try fixture.value("SELECT count(*) FROM chunk") == 0)
        #expect(try traces() == [])
        try await expectSound("journal")
    }

    @Test func `followers learn that the messages and the room are gone`() async throws {
        let (writer, _) = try await fill()
        let before = try fixture.archive.reading().feeds.end(of: "demo")
        try await erase(number(of: Self.secret), by: writer)
        try await writer.close()
        var changes: [FeedChange] = []
        var feed = fixture.archive.reading().feeds.changes(of: ["demo"], after: before)
        while let some = try feed.next() { changes += some }
        #expect(changes.count { $0.kind == .forgotten } == 901)
        let gone = changes.contains { if case .room(_, nil, gaps: _) = $0.subject { true } else { false } }
        #expect(gone)
    }
}

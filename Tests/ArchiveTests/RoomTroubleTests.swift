import ChatModel
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Writing

/// Why history is missing, and why rooms are not heard, as a listener tells it.
@Suite struct RoomTroubleTests {
    private let fixture: ArchiveFixture
    private let room = ArchiveFixture.lobby

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func at(_ offset: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: offset)
    }

    private func unfilled(
        _ from: Int64, _ to: Int64, _ reason: UnfilledReason = .refused, detail: String? = nil, nextTry: Int64? = nil
    ) -> ChatEvent {
        .unfilled(
            UnfilledHistory(
                room: room, from: at(from), to: at(to), reason: reason, detail: detail, nextTry: nextTry.map(at)),
            at: at(to))
    }

    private func gaps() async throws -> [Gap] {
        try fixture.archive.reading().gaps(scope: .accounts(["demo"])).filter { $0.state != .current }
    }

    /// Heard from 100 to 200, and from 500 on.
    private func heardTwice(_ writer: AccountWriter) async throws -> SessionID {
        let first = try await writer.openSession(at: at(100))
        _ = try await writer.append([.sessionEnded(session: first, at: at(200), reason: .lost, detail: nil)])
        return try await writer.openSession(at: at(500))
    }

    @Test func `rooms that were live or requested are expected until they are left`()
        async throws
    {
        func room(_ name: String) -> RoomReference { RoomReference(key: name, name: name, kind: .channel) }
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: at(100))
        let trouble = RoomTrouble(.banned, since: at(110))
        _ = try await writer.append([
            .roomLive(session: session, room: room("heard"), at: at(110)), .roomTroubled(room("banned"), trouble),
            .roomListed(RoomListing(room: room("listed")), at: at(110)),
            .roomLive(session: session, room: room("left"), at: at(110)),
            .roomUnlisted(room("left"), isGone: false, at: at(120)),
            .roomUnlisted(room("never there"), isGone: false, at: at(120)),
        ])
        #expect(try await writer.expectedRooms(kind: .channel).map(\.name) == ["heard", "banned"])
        let rooms = try fixture.archive.reading().rooms().map(\.name)
        #expect(Set(rooms).isSuperset(of: ["heard", "banned", "listed", "left"]) && !rooms.contains("never there"))
        try await writer.close()
    }

    @Test func `a gap has the server's reason why it can't be filled, and the time of the next try`()
        async throws
    {
        let writer = try await fixture.openWriter()
        let session = try await heardTwice(writer)
        _ = try await writer.append([unfilled(200, 500, detail: "later\u{1B}[2J", nextTry: 900)])
        var gap = try #require(try await gaps().first)
        #expect((gap.reason, gap.missing?.unfilled, gap.missing?.detail) == ("lost", "refused", "later\u{1B}[2J"))
        #expect((gap.state, gap.missing?.nextTry) == (.open, at(900)))
        #expect(try fixture.archive.reading().page(fixture.query()).gaps.contains(gap))
        _ = try await writer.append([unfilled(200, 500, .limit)])
        gap = try #require(try await gaps().first)
        #expect((gap.missing?.unfilled, gap.missing?.detail, gap.state) == ("limit", nil, .lost))
        _ = try await writer.append([.covered(session: session, room: room, from: at(150), to: at(300))])
        gap = try #require(try await gaps().first)
        #expect((gap.reason, gap.missing?.unfilled) == ("lost", nil), "what came shows that it can be had")
        _ = try await writer.append([.covered(session: session, room: room, from: at(300), to: at(500))])
        #expect(try await gaps().isEmpty)
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `a gap has no next try while no listener runs`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await heardTwice(writer)
        _ = try await writer.append([
            unfilled(200, 500, nextTry: 900),
            .sessionEnded(session: session, at: at(600), reason: .closed, detail: nil),
            .waiting(attempts: 1, nextTry: at(900)),
        ])
        func all() async throws -> [Gap] { try fixture.archive.reading().gaps(scope: .accounts(["demo"])) }
        #expect(try await all().map(\.missing?.nextTry) == [at(900), at(900)])
        try await writer.close()
        #expect(try await all().map(\.missing?.nextTry) == [nil, nil])
        #expect(try await all().map(\.state) == [.open, .current])
        #expect(
            try fixture.archive.reading().page(fixture.query()).gaps.allSatisfy { $0.missing?.nextTry == nil })
    }

    @Test func `only gaps within the time get the reason, including a hole between two fetched parts`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await heardTwice(writer)
        _ = try await writer.append([
            .covered(session: session, room: room, from: at(300), to: at(350)),
            .covered(session: session, room: room, from: at(400), to: at(500)), unfilled(351, 399, .burst),
        ])
        #expect(try await gaps().map(\.missing?.unfilled) == [nil, "burst"])
        #expect(try await gaps().map(\.reason) == ["lost", "burst"])
        #expect(try await writer.append([unfilled(100, 200), unfilled(600, 700)]) == [.done, .done])
        #expect(try await gaps().map(\.missing?.unfilled) == [nil, "burst"])
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `a repeated reason sends followers nothing`() async throws {
        let writer = try await fixture.openWriter()
        _ = try await heardTwice(writer)
        _ = try await writer.append([unfilled(200, 500, nextTry: 900)])
        let changes: Int64? = try fixture.value("SELECT count(*) FROM change")
        _ = try await writer.append([unfilled(200, 500, nextTry: 1800)])
        #expect(try fixture.value("SELECT count(*) FROM change") == changes)
        #expect(try await gaps().map(\.missing?.nextTry) == [at(1800)])
        #expect(try fixture.value("SELECT attempts FROM gap_note") == 2)
        try await writer.close()
    }

    @Test func `a room that can't be joined gives its reason until it is live`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let secret = RoomReference(key: "#secret", name: "#secret", kind: .channel)
        func trouble() async throws -> RoomTrouble? {
            try fixture.archive.reading().rooms().first { $0.name == "#secret" }?.trouble
        }
        let invite = RoomTrouble(
            .inviteOnly, detail: "Cannot join channel (+i)", since: at(10), nextTry: at(900_000_000))
        _ = try await writer.append([.roomTroubled(secret, invite)])
        #expect(try await trouble() == invite)
        let status = try #require(try fixture.archive.reading().status().first)
        #expect(status.troubledRooms == 1)
        #expect(status.lastError == "#secret is not joined: Cannot join channel (+i)")
        _ = try await writer.append([.roomTroubled(secret, RoomTrouble(.banned, since: at(20)))])
        #expect(try await trouble() == RoomTrouble(.banned, since: at(10)), "it has been amiss since then")
        _ = try await writer.append([.roomLive(session: session, room: secret, at: at(30))])
        #expect(try await trouble() == nil)
        #expect(try fixture.archive.reading().status().first?.troubledRooms == 0)
        _ = try await writer.append([
            .roomTroubled(secret, invite), .roomUnlisted(secret, isGone: false, at: at(40)),
        ])
        #expect(try await trouble() == nil, "a room that was left is none to worry about")
        try await writer.close()
    }

    @Test func `while connected, a room and its gap have the time of the next join`()
        async throws
    {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: at(100))
        let kicked = RoomTrouble(.notJoined, detail: "kicked by alice", since: at(200), nextTry: at(900))
        _ = try await writer.append([.roomTroubled(room, kicked)])
        let current: Int64? = try fixture.value("SELECT count(*) FROM gap_note")
        #expect(current == 0, "it is live yet")
        _ = try await writer.append([
            .roomSilent(session: session, room: room, at: at(200), reason: .left), .roomTroubled(room, kicked),
        ])
        let gap = try #require(try fixture.archive.reading().gaps(scope: .accounts(["demo"])).first)
        #expect((gap.state, gap.reason, gap.missing?.nextTry) == (.current, "left", at(900)))
        #expect((gap.missing?.unfilled, gap.missing?.detail) == (nil, "kicked by alice"))
        _ = try await writer.append([.sessionEnded(session: session, at: at(300), reason: .lost, detail: nil)])
        #expect(try fixture.archive.reading().rooms().first?.trouble?.detail == "kicked by alice")
        #expect(try fixture.archive.reading().rooms().first?.trouble?.nextTry == nil)
        try await writer.close()
    }

    @Test func `a room without first history gives the reason until some is fetched`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: at(100))
        _ = try await writer.append([unfilled(0, 100, detail: "no", nextTry: 900)])
        let room = try #require(try fixture.archive.reading().rooms().first)
        #expect(room.trouble == RoomTrouble(.noHistory, detail: "no", since: at(100), nextTry: at(900)))
        #expect(try fixture.value("SELECT count(*) FROM gap_note") == 0)
        _ = try await writer.append([.covered(session: session, room: self.room, from: at(50), to: at(100))])
        #expect(try fixture.archive.reading().rooms().first?.trouble == nil)
        _ = try await writer.append([unfilled(0, 50, detail: "no", nextTry: 900)])
        _ = try await writer.append([.fetchedBack(self.room, to: at(0))])
        #expect(try fixture.archive.reading().rooms().first?.trouble == nil, "there was no trouble earlier")
        try await writer.close()
    }

    @Test(arguments: ["가", "a"])
    func `at most 1000 bytes of a server's words are kept`(letter: String) async throws {
        let writer = try await fixture.openWriter()
        let long = String(repeating: letter, count: 100_000)
        _ = try await writer.append([.roomTroubled(room, RoomTrouble(.notJoined, detail: long + "\0", since: at(0)))])
        let kept = try fixture.archive.reading().rooms().first?.trouble?.detail ?? ""
        #expect((998...1000).contains(kept.utf8.count) && long.hasPrefix(kept))
        try await writer.close()
    }
}

import ChatModel
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Writing

/// Every message shows the names under which it was told, whatever was said in the same instant and however late it comes.
@Suite struct RenamePlaceTests {
    private let fixture: ArchiveFixture
    private let room = RoomReference(key: "#a", name: "#a", kind: .channel)

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func at(_ offset: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: offset)
    }

    /// Heard a little after the network's time.
    private func said(
        _ body: String, at offset: Int64, by name: String, key: String? = nil, kind: MessageKind = .message,
        in room: RoomReference? = nil, id: String? = nil, _ session: SessionID
    ) -> IncomingMessage {
        IncomingMessage(
            session: session, room: room ?? self.room, kind: kind,
            sender: kind == .system ? nil : UserReference(key: key ?? name, name: name), body: body, remoteID: id,
            sourceTime: at(offset), receivedAt: at(offset + 70_000))
    }

    private func shown(_ names: MessageQuery.Names = .then) async throws -> [String] {
        let page = try fixture.archive.reading().page(fixture.query(limit: 1000, room: nil, names: names))
        return page.messages.map { "\($0.room) \($0.sender?.name ?? "-"): \($0.body ?? "")" }
    }

    /// The names of a user or room over time follow each other.
    private func isSound() async throws {
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [1, 2, 3, 4])
    func `a message in the millisecond of a rename shows the sender's name at that moment`(rooms: Int) async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let others = (0..<rooms).map { RoomReference(key: "#\($0)", name: "#\($0)", kind: .channel) }
        _ = try await writer.append(
            ["one", "two", "three"].map { .message(said($0, at: 0, by: "bob", in: others[0], session)) })
        _ = try await writer.append(
            others.map { .message(said("robert", at: 0, by: "bob", kind: .rename, in: $0, session)) } + [
                .userRenamed(
                    session: session, fromKey: "bob", to: UserReference(key: "robert", name: "robert"), at: at(0))
            ])
        _ = try await writer.append([.message(said("four", at: 0, by: "robert", in: others[0], session))])
        let renames = others.map { "\($0.name) bob: robert" }
        #expect(
            try await shown() == ["#0 bob: one", "#0 bob: two", "#0 bob: three"] + renames + ["#0 robert: four"])
        #expect(try fixture.value("SELECT count(*) FROM user") == 1)
        try await writer.close()
        try await isSound()
    }

    @Test func `a message in the millisecond of a room's rename shows the room's name at that moment`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let new = RoomReference(key: "#b", name: "#b", kind: .channel)
        _ = try await writer.append(
            ["one", "two"].map { .message(said($0, at: 0, by: "bob", session)) } + [
                .message(said("#b", at: 0, by: "", kind: .system, session)),
                // By our clock, which is when it was heard.
                .roomRenamed(session: session, fromKey: "#a", to: new, at: at(70_001)),
                .message(said("three", at: 0, by: "bob", in: new, session)),
                .message(said("four", at: 50_000, by: "bob", in: new, session)),
            ])
        #expect(try await shown() == ["#a bob: one", "#a bob: two", "#a -: #b", "#b bob: three", "#b bob: four"])
        try await writer.close()
        try await isSound()
    }

    @Test func `a rename with a network clock behind ours counts`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let bob = UserReference(key: "bob", name: "bob")
        _ = try await writer.append([
            .roomListed(RoomListing(room: room), at: at(5_000_000)), .membersListed(room, [bob], at: at(5_000_000)),
        ])
        _ = try await writer.append([.message(said("one", at: 1_000_000, by: "bob", session))])
        _ = try await writer.append([
            .message(said("robert", at: 1_000_000, by: "bob", kind: .rename, session)),
            .userRenamed(
                session: session, fromKey: "bob", to: UserReference(key: "robert", name: "robert"), at: at(1_000_000)),
            .message(said("two", at: 1_000_000, by: "robert", session)),
        ])
        #expect(try await shown() == ["#a bob: one", "#a bob: robert", "#a robert: two"])
        _ = try await writer.append([
            .userRenamed(session: session, fromKey: "robert", to: UserReference(key: "rob", name: "rob"), at: at(1))
        ])
        #expect(try fixture.archive.reading().users(scope: .accounts(["demo"])).map(\.name) == ["rob"])
        try await writer.close()
        try await isSound()
    }

    @Test func `a rename whose row came from history begins after that row`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let page = [
            said("one", at: 0, by: "bob", session), said("two", at: 0, by: "bob", session),
            said("robert", at: 0, by: "bob", kind: .rename, session), said("three", at: 0, by: "robert", session),
        ]
        _ = try await writer.append(page.map { .message($0, .replay(Occurrence(), .microsecond)) })
        _ = try await writer.append([
            .userRenamed(session: session, fromKey: "bob", to: UserReference(key: "robert", name: "robert"), at: at(0)),
            .message(said("four", at: 1000, by: "robert", session)),
        ])
        #expect(
            try await shown() == [
                "#a bob: one", "#a bob: two", "#a bob: robert", "#a robert: three", "#a robert: four",
            ])
        try await writer.close()
        try await isSound()
    }

    /// Of a network whose rooms may each have another name of one person.
    @Test(arguments: ["m3", nil])
    func `history to the second shows the name that each room has of a person`(id: String?) async throws {
        let writer = try await fixture.archive.openWriter(AccountIdentity(name: "demo", network: "xmpp"))
        let session = try await writer.openSession()
        let other = RoomReference(key: "#b", name: "#b", kind: .channel)
        let history = [
            said("1", at: 0, by: "bob", key: "u1", id: "m1", session),
            said("2", at: 1_000_000, by: "bob", key: "u1", id: "m2", session),
            said("3", at: 1_000_000, by: "robert", key: "u1", in: other, id: id, session),
            said("4", at: 1_000_000, by: "bob", key: "u1", id: "m4", session),
        ]
        _ = try await writer.append(history.map { .message($0, .replay(Occurrence(), .second)) })
        #expect(try await shown() == ["#a bob: 1", "#a bob: 2", "#b robert: 3", "#a bob: 4"])
        try await writer.close()
        try await isSound()
    }

    /// Of a network that tells names with each message, and lists people and rooms beside that.
    @Test(arguments: [true, false])
    func `backfilled messages show their new name, in any order`(isInOrder: Bool) async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let new = RoomReference(key: "#a", name: "#new", kind: .channel)
        _ = try await writer.append([
            .message(said("1", at: 1_000_000, by: "bob", key: "u1", id: "m1", session), .snapshot),
            .message(said("2", at: 2_000_000, by: "bob", key: "u1", id: "m2", session), .snapshot),
            .sessionEnded(session: session, at: at(3_000_000), reason: .lost, detail: nil),
        ])
        let again = try await writer.openSession(at: at(90_000_000))
        _ = try await writer.append([
            .roomListed(RoomListing(room: new), at: at(90_000_001)),
            .userListed(UserListing(user: UserReference(key: "u1", name: "robert"), picture: nil), at: at(90_000_002)),
        ])
        let missed = (3...9).map {
            ChatEvent.message(
                said("\($0)", at: Int64($0) * 1_000_000, by: "robert", key: "u1", in: new, id: "m\($0)", again),
                .snapshot)
        }
        // The history that is asked for again has what is stored already, under the name of now.
        let known = ChatEvent.message(
            said("2", at: 2_000_000, by: "robert", key: "u1", in: new, id: "m2", again), .snapshot)
        for event in [known] + (isInOrder ? missed : missed.reversed()) { _ = try await writer.append([event]) }
        #expect(
            try await shown() == ["#a bob: 1", "#a bob: 2"] + (3...9).map { "#new robert: \($0)" })
        _ = try await writer.append([
            .message(said("late", at: 1_500_000, by: "robert", key: "u1", in: new, id: "m0", again), .snapshot),
            .message(said("old", at: -5_000_000, by: "robert", key: "u1", in: new, id: "m-", again), .snapshot),
        ])
        #expect(
            try await shown() == ["#a bob: old", "#a bob: 1", "#a bob: late", "#a bob: 2"]
                + (3...9).map { "#new robert: \($0)" }, "between two messages under the old name it is the old one")
        try await writer.close()
        try await isSound()
    }

    @Test func `the first message under a new name shows it, even if a listing came later`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        for (index, name) in ["bob", "bob", "robert", "robert", "bobby"].enumerated() {
            let message = said("\(index)", at: Int64(index) * 1_000_000, by: name, key: "u1", id: "m\(index)", session)
            let user = UserReference(key: "u1", name: name)
            _ = try await writer.append([
                .userListed(UserListing(user: user, picture: nil), at: message.receivedAt),
                .message(message, .snapshot),
            ])
        }
        #expect(
            try await shown() == ["#a bob: 0", "#a bob: 1", "#a robert: 2", "#a robert: 3", "#a bobby: 4"])
        #expect(try fixture.value("SELECT count(*) FROM user_name") == 3)
        try await writer.close()
        try await isSound()
    }

    @Test func `a name from a listing begins after the messages stored under the earlier name`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        // The network's clock is ahead.
        _ = try await writer.append([
            .message(said("ahead", at: 9_000_000, by: "bob", key: "u1", id: "m1", session), .snapshot),
            .userListed(UserListing(user: UserReference(key: "u1", name: "robert"), picture: nil), at: at(5_000_000)),
            .message(said("next", at: 9_000_001, by: "robert", key: "u1", id: "m2", session), .snapshot),
        ])
        #expect(try await shown() == ["#a bob: ahead", "#a robert: next"])
        try await writer.close()
        try await isSound()
    }

    @Test func `an imported log with renames within a second shows each line's name`() async throws {
        let lines = [
            ("one", "bob", "general"), ("two", "bob", "general"), ("three", "bob", "general"),
            ("four", "robert", "talk"), ("five", "robert", "talk"), ("six", "bob", "general"),
        ]
        let messages = lines.enumerated().map { index, line in
            ImportedMessage(
                room: line.2, roomKey: "C1", kind: .message, sender: line.1, senderKey: "U1", body: line.0,
                time: ArchiveFixture.at(60), resolution: .second, remoteID: "m\(index)")
        }
        let names = ImportedMessage(
            room: "#log", kind: .rename, sender: "bob", body: "robert", time: ArchiveFixture.at(90), resolution: .second
        )
        var log: [ImportedMessage] = []
        for (body, name) in [("1", "bob"), ("2", "bob"), ("", ""), ("3", "robert")] {
            log.append(
                name.isEmpty
                    ? names
                    : ImportedMessage(
                        room: "#log", kind: .message, sender: name, body: body, time: ArchiveFixture.at(90),
                        resolution: .second))
        }
        _ = try await fixture.store(fixture.source(messages))
        _ = try await fixture.store(fixture.source(log))
        let page = try fixture.archive.reading().page(fixture.query(limit: 1000, room: nil, accounts: ["old"]))
        #expect(
            page.messages.map { "\($0.room) \($0.sender?.name ?? "-"): \($0.body ?? "")" }
                == lines.map { "\($0.2) \($0.1): \($0.0)" }
                + ["#log bob: 1", "#log bob: 2", "#log bob: robert", "#log robert: 3"])
        try await isSound()
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<12)
    func `many messages with renamed people and rooms each show the names of their moment`(
        seed: UInt64
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        var (people, rooms, time) = (["a0", "b0", "c0"], ["#0", "#1"], Int64(0))
        var expected: [String] = []
        for number in 0..<200 {
            time += [0, 0, 0, 1, 1000, 1_000_000][Int.random(in: 0..<6, using: &random)]
            let (who, where_) = (Int.random(in: 0..<3, using: &random), Int.random(in: 0..<2, using: &random))
            let (nick, name) = (people[who], rooms[where_])
            let room = RoomReference(key: name, name: name, kind: .channel)
            var events: [ChatEvent]
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                people[who] = "\(nick.prefix(1))\(number)"
                let user = UserReference(key: people[who], name: people[who])
                events = [
                    .message(said(people[who], at: time, by: nick, kind: .rename, in: room, session)),
                    .userRenamed(session: session, fromKey: nick, to: user, at: at(time)),
                ]
                expected.append("\(name) \(nick): \(people[who])")
            case 1:
                rooms[where_] = "#\(where_)x\(number)"
                let new = RoomReference(key: rooms[where_], name: rooms[where_], kind: .channel)
                events = [
                    .message(said(new.name, at: time, by: "", kind: .system, in: room, session)),
                    .roomRenamed(session: session, fromKey: name, to: new, at: at(time + 70_001)),
                ]
                expected.append("\(name) -: \(new.name)")
            default:
                events = [.message(said("\(number)", at: time, by: nick, in: room, session))]
                expected.append("\(name) \(nick): \(number)")
            }
            _ = try await writer.append(events)
        }
        #expect(try await shown() == expected)
        try await writer.close()
        try await isSound()
    }
}

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

/// A room that is erased leaves no trace, and its history does not come back unasked.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct RoomErasingTests {
    let fixture: ArchiveFixture
    let account = AccountIdentity(name: "demo", network: "slp")

    private static let open = RoomReference(key: "C1", name: "#open", kind: .channel)
    static let secret = RoomReference(key: "C2-canarykey", name: "#canaryroom", kind: .channel)
    private static let direct = RoomReference(key: "D-canarykey", name: "mallorydirect", kind: .direct)
    /// Texts that stand only in the room that is erased, and names of people who are only in it.
    private static let canaries = [
        "canarykey", "canaryroom", "canarywort", "카나리아새", "canaryfile", "canaryface", "mallory", "canaryreactor",
        "canaryjoiner", "canarygarbled", "canarytrouble",
    ]

    init() throws { fixture = try ArchiveFixture() }

    func at(_ second: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: second * 1_000_000)
    }

    func said(
        _ body: String, _ second: Int64, by name: String, in room: RoomReference, _ session: SessionID,
        as hearing: ChatEvent.Hearing = .snapshot, kind: MessageKind = .message, files: [String] = []
    ) -> ChatEvent {
        .message(
            IncomingMessage(
                session: session, room: room, kind: kind, sender: UserReference(key: "U-\(name)", name: name),
                body: body, remoteID: "m\(second)", sourceTime: at(second), receivedAt: at(second), attachments: files,
                raw: Array("RAW \(name) \(body)".utf8)), hearing)
    }

    private func reaction(_ text: String, to second: Int64, by name: String, in room: RoomReference) -> ChatEvent {
        .reaction(
            IncomingReaction(
                session: nil, room: room, target: "m\(second)", sender: UserReference(key: "U-\(name)", name: name),
                text: text, sourceTime: at(second + 1), receivedAt: at(second + 1)))
    }

    /// Returns the network's history of the room that is erased.
    private func history(_ session: SessionID, _ room: RoomReference) -> [ChatEvent] {
        (Int64(0)..<300).flatMap { number -> [ChatEvent] in
            let second = number * 10 + 1
            return [
                said("canarywort \(number) 카나리아새", second, by: "mallory", in: room, session),
                said("words of alice \(number)", second + 1, by: "alice", in: room, session),
                said(
                    "", second + 2, by: "canaryjoiner", in: room, session, as: .replay(Occurrence(), .microsecond),
                    kind: .join),
                reaction("👍", to: second, by: "canaryreactor", in: room),
            ]
        } + [
            said(
                "canarywort with files", 5000, by: "mallory", in: room, session,
                files: ["/files/canaryfile.txt", "/files/shared.txt"]),
            .unreadable(
                UnreadableEvent(
                    session: session, room: room, remoteID: "broken", receivedAt: at(5001), instant: at(5001),
                    payload: Array("canarygarbled".utf8), reason: "garbled")),
        ]
    }

    /// Stores a room that stays and one to erase, which nobody listens to.
    func fill(
        _ room: RoomReference = secret, isLive: Bool = false
    ) async throws -> (writer: AccountWriter, session: SessionID) {
        let writer = try await fixture.archive.openWriter(account)
        guard case .new(let id)? = try await writer.append([.sessionOpened(at: at(0))]).first else {
            throw TestFailure()
        }
        let session = SessionID(rawValue: id)
        let mallory = UserReference(key: "U-mallory", name: "mallory")
        _ = try await writer.append(
            [
                .roomLive(session: session, room: Self.open, at: at(0)),
                .roomLive(session: session, room: room, at: at(0)),
                .userListed(UserListing(user: mallory, picture: "/face/canaryface.png"), at: at(0)),
                .roomTroubled(room, RoomTrouble(.notJoined, detail: "canarytrouble", since: at(0))),
            ] + history(session, room)
                + (Int64(0)..<50).map { number in
                    said(
                        "other words \(number)", number * 10 + 5, by: "alice", in: Self.open, session,
                        files: number == 7 ? ["/files/shared.txt"] : [])
                })
        if !isLive {
            _ = try await writer.append([.roomSilent(session: session, room: room, at: at(6000), reason: .left)])
        }
        try await writer.markRead(rooms: [number(of: room)], through: nil, at: at(6000))
        return (writer, session)
    }

    func number(of room: RoomReference) throws -> Int64 {
        try #require(try fixture.value("SELECT id FROM room WHERE key = '\(room.key)'"))
    }

    @discardableResult
    func erase(_ room: Int64, steps: Int = .max, by writer: AccountWriter) async throws -> ErasingProgress {
        var (sum, place, count) = (ErasingProgress(), ErasingPlace?.none, 0)
        repeat {
            let step = try await writer.retention.erase(room: room, from: place, at: at(10_000))
            sum.messages += step.messages
            sum.isClean = step.isClean
            (place, count) = (step.next, count + 1)
        } while place != nil && count < steps
        sum.next = place
        return sum
    }

    func names() async throws -> [String] {
        try fixture.archive.reading().rooms(account: "demo").map(\.name)
    }

    func expectSound(_ comment: Comment) async throws {
        let problems = try fixture.archive.check().flatMap(\.problems)
        #expect(problems.isEmpty, "\(comment): \(problems)")
    }

    func traces() throws -> [String] { try fixture.traces(of: Self.canaries, ends: false) }

    // MARK: What goes, and what stays

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an erased room leaves no trace, and everything else stays`() async throws {
        let (writer, _) = try await fill()
        #expect(try !traces().isEmpty)
        let room = try number(of: Self.secret)
        let plan = try fixture.archive.reading().retention.erasingPlan(of: RoomKey(account: "demo", id: room))
        #expect(plan.name == "#canaryroom" && plan.messages == 901 && plan.files == 1 && plan.holds == [])
        let progress = try await erase(room, by: writer)
        #expect(progress.messages == 901 && progress.isClean)
        #expect(try traces() == [], "while the writer has the file open")
        try await writer.close()
        #expect(try traces() == [])
        #expect(try await names() == ["#open"])
        #expect(try fixture.value("SELECT count(*) FROM message") == 50)
        #expect(try fixture.value("SELECT group_concat(path) FROM file") == "/files/shared.txt")
        for table in [
            "room_name", "membership", "coverage", "gap_note", "reaction", "retraction", "late", "sender_count",
            "read_marker", "failure", "room_trouble", "imported_span", "history_place",
        ] {
            #expect(try fixture.value("SELECT count(*) FROM \(table) WHERE room_id = \(room)") == 0, "\(table)")
        }
        try await expectSound("erased")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `people with no other messages are removed with the room`() async throws {
        let (writer, session) = try await fill()
        _ = try await writer.append([
            said("hello", 700, by: "bob", in: Self.secret, session),
            // A replayed join makes nobody a member, so only the message itself shows that bob was there.
            said("", 701, by: "bob", in: Self.open, session, as: .replay(Occurrence(), .microsecond), kind: .join),
            said("hello", 702, by: "carol", in: Self.secret, session),
            reaction("👍", to: 5, by: "carol", in: Self.open),
        ])
        try await erase(number(of: Self.secret), by: writer)
        try await writer.close()
        #expect(
            try fixture.value("SELECT group_concat(name) FROM (SELECT name FROM user_name ORDER BY name)")
                == "alice,bob,carol")
        try await expectSound("people")
    }

    @Test func `the ledger counts what was erased, without names`() async throws {
        let (writer, _) = try await fill()
        try await erase(number(of: Self.secret), by: writer)
        try await writer.close()
        let log = try fixture.archive.reading().retention.log()
        #expect(log.map(\.room) == [nil, nil] && log.allSatisfy { $0.rule == .erase })
        #expect(log.map(\.count).sorted() == [300, 601])
    }

    @Test func `an erased room's number is never reused`() async throws {
        let (writer, session) = try await fill()
        let erased = try number(of: Self.secret)
        try await erase(erased, by: writer)
        _ = try await writer.append([said("anew", 20_000, by: "alice", in: Self.secret, session, as: .live)])
        try await writer.close()
        #expect(try number(of: Self.secret) > erased)
    }

    @Test func `a joined channel stays listed, empty and complete from then on`() async throws {
        let (writer, session) = try await fill(isLive: true)
        let room = try number(of: Self.secret)
        _ = try await writer.append([.signOfLife(session: session, at: at(11_000))])
        try await erase(room, by: writer)
        _ = try await writer.append([said("new words", 12_000, by: "alice", in: Self.secret, session, as: .live)])
        try await writer.close()
        #expect(try await names() == ["#canaryroom", "#open"])
        #expect(try number(of: Self.secret) == room)
        #expect(try fixture.value("SELECT group_concat(body) FROM message WHERE room_id = \(room)") == "new words")
        #expect(
            try fixture.value("SELECT min(from_us) FROM coverage WHERE room_id = \(room)") == at(10_000).microseconds)
        try await expectSound("joined")
    }

    @Test func `a direct room is erased while connected, and its next message creates another`() async throws {
        let (writer, session) = try await fill(Self.direct, isLive: true)
        try await erase(number(of: Self.direct), by: writer)
        #expect(try await names() == ["#open"])
        #expect(try traces() == [])
        _ = try await writer.append([said("new words", 12_000, by: "alice", in: Self.direct, session, as: .live)])
        try await writer.close()
        #expect(try await names() == ["#open", "mallorydirect"])
        try await expectSound("direct")
    }

    // MARK: What does not come back

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [false, true])
    func `earlier history is not stored again, and later messages are`(isReopened: Bool) async throws {
        var (writer, session) = try await fill()
        try await erase(number(of: Self.secret), by: writer)
        if isReopened {
            try await writer.close()
            writer = try await fixture.archive.openWriter(account)
            guard case .new(let id)? = try await writer.append([.sessionOpened(at: at(11_000))]).first else {
                throw TestFailure()
            }
            session = SessionID(rawValue: id)
        }
        _ = try await writer.append(
            history(session, Self.secret) + [
                said("canarywort, edited", 1, by: "mallory", in: Self.secret, session, as: .edit),
                .covered(session: session, room: Self.secret, from: at(0), to: at(12_000)),
                said("between", 10_500, by: "alice", in: Self.secret, session),
                said("live", 12_001, by: "alice", in: Self.secret, session, as: .live),
            ])
        try await writer.close()
        #expect(try fixture.traces(of: ["canarywort", "카나리아새", "canarygarbled"], ends: false) == [])
        let room = try number(of: Self.secret)
        #expect(
            try fixture.value("SELECT group_concat(body) FROM message WHERE room_id = \(room)") == "between,live")
        #expect(
            try fixture.value("SELECT min(from_us) FROM coverage WHERE room_id = \(room)")
                == at(10_000).microseconds + 1)
        #expect(try fixture.value("SELECT count(*) FROM reaction WHERE room_id = \(room)") == 0)
        try await expectSound("history")
    }

    @Test func `an import restores the room, because its owner asks for it`() async throws {
        let (writer, _) = try await fill()
        try await erase(number(of: Self.secret), by: writer)
        try await writer.close()
        let tally = try await fixture.store(
            fixture.source([
                ImportedMessage(
                    room: "#canaryroom", kind: .message, sender: "mallory", body: "canarywort", time: at(1),
                    resolution: .second)
            ]), into: account)
        #expect(tally.new == 1)
        #expect(try await names() == ["#canaryroom", "#open"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an earlier backup still has the room`() async throws {
        let backup = fixture.folder.path + "/backup"
        let (writer, _) = try await fill()
        try fixture.archive.backup(in: backup, isNew: true).add(account: "demo")
        try await erase(number(of: Self.secret), by: writer)
        try await writer.close()
        _ = try fixture.archive.erase(account: "demo")
        _ = try fixture.archive.backup(in: backup).restore(account: "demo")
        #expect(try await names() == ["#canaryroom", "#open"])
        #expect(try fixture.value("SELECT count(*) FROM message") == 951)
        try await expectSound("restored")
    }
}

import ChatModel
import TestSupport

@testable import Writing

/// Events of every kind, as a listener tells them, one random thing after the other.
struct RandomArchive {
    private var random: SeededGenerator
    /// Microseconds of the day.
    private var clock: Int64 = 1_000_000
    private var session: SessionID?
    private var nicks = ["alice", "bob", "민수", "carol", "dave"]
    private var ids: [[String]] = [[], [], []]
    private var rooms = [
        RoomReference(key: "", name: "lobby", kind: .server), RoomReference(key: "#a", name: "#a", kind: .channel),
        RoomReference(key: "d1", name: "bob", kind: .direct),
    ]
    private var renames = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    private func at(_ offset: Int64) -> Timestamp { ArchiveFixture.day.advanced(byMicroseconds: offset) }

    private mutating func now() -> Timestamp {
        clock += Int64(number(40_000_000))
        return at(clock)
    }

    private mutating func user() -> UserReference {
        let nick = nicks[number(nicks.count)]
        return UserReference(key: nick, name: nick, isSelf: nick == "dave")
    }

    mutating func write(to writer: AccountWriter, rounds: Int = 120) async throws {
        for _ in 0..<rounds {
            if session == nil {
                let time = now()
                guard case .new(let id)? = try await writer.append([.sessionOpened(at: time)]).first else { return }
                session = SessionID(rawValue: id)
                let live = rooms.prefix(2).map {
                    ChatEvent.roomLive(session: SessionID(rawValue: id), room: $0, at: time)
                }
                _ = try await writer.append(Array(live))
            }
            guard let session else { return }
            if number(15) == 0 {
                try await writer.markRead(rooms: [1], through: nil, at: now())
            }
            _ = try await writer.append(events(in: session))
        }
        guard let session else { return }
        if number(2) == 0 {
            _ = try await writer.append([.signOfLife(session: session, at: now())])
        }
    }

    private mutating func message(in session: SessionID, room index: Int, isEdit: Bool = false) -> IncomingMessage {
        let received = now()
        let kinds: [MessageKind] = [.message, .message, .message, .action, .notice, .join, .leave, .topic, .system]
        let kind = isEdit ? .message : kinds[number(kinds.count)]
        let isKnown = isEdit && !ids[index].isEmpty && number(4) > 0
        var remoteID: String? = isKnown ? ids[index][number(ids[index].count)] : nil
        if remoteID == nil, isEdit || number(4) > 0 {
            let fresh = "m\(clock)x\(number(1000))"
            ids[index].append(fresh)
            remoteID = fresh
        }
        // Now and then late, and now and then several of one time.
        let age = number(3) == 0 ? Int64(number(300_000_000)) : 0
        let source = [nil, received, at(max(1, clock - age)), at(clock / 60_000_000 * 60_000_000)][number(4)]
        var message = IncomingMessage(
            session: session, room: rooms[index], kind: kind, sender: kind == .system ? nil : user(),
            body: number(9) == 0 ? nil : "text \(number(6)) 안녕", remoteID: remoteID, sourceTime: source,
            receivedAt: received)
        if number(4) == 0, !ids[index].isEmpty { message.replyTo = ids[index][number(ids[index].count)] }
        if number(4) == 0 { message.attachments = ["/f\(number(9)).png"] }
        if number(9) == 0 { message.flags = [.invalidUTF8, .oversize] }
        if isEdit, number(2) == 0 { message.editedAt = received }
        return message
    }

    private mutating func events(in session: SessionID) -> [ChatEvent] {
        let room = number(3)
        switch number(22) {
        case 0...8:
            return (0...number(3)).map { _ in .message(message(in: session, room: room)) }
        case 9, 10:
            return [.message(message(in: session, room: room, isEdit: true), .edit)]
        case 11:
            return [.message(message(in: session, room: room, isEdit: true), .snapshot)]
        case 12:
            let resolution = TimeResolution.allCases[number(3)]
            var told = message(in: session, room: room)
            if number(2) == 0 { told.remoteID = nil }
            return [.message(told, .replay(Occurrence(), resolution))]
        case 13:
            return [deletion(in: session, room: room)]
        case 14, 15:
            return [
                .reaction(
                    IncomingReaction(
                        session: session, room: rooms[room],
                        target: ids[room].isEmpty || number(6) == 0 ? "later" : ids[room][number(ids[room].count)],
                        sender: user(), text: ["👍", "🎉"][number(2)], sourceTime: number(2) == 0 ? now() : nil,
                        receivedAt: now(), isRemoved: number(3) == 0, ownID: number(2) == 0 ? "r\(number(30))" : nil))
            ]
        case 16:
            return [renaming(in: session)]
        case 17:
            defer { self.session = nil }
            return [.sessionEnded(session: session, at: now(), reason: .lost, detail: "why")]
        case 18:
            return listing()
        case 19:
            return [
                .unreadable(
                    UnreadableEvent(
                        session: session, room: number(2) == 0 ? rooms[room] : nil,
                        remoteID: number(2) == 0 ? "u\(number(5))" : nil, receivedAt: now(), payload: [0xFF, 0x00],
                        reason: "no text"))
            ]
        case 20:
            let from = at(Int64(number(Int(clock))))
            let end = min(from.advanced(byMicroseconds: 5_000_000), at(clock))
            return [.covered(session: session, room: rooms[room], from: from, to: end)]
        default:
            renames += 1
            rooms[1].name = "#a\(renames)"
            return [.message(message(in: session, room: 1))]
        }
    }

    private mutating func deletion(in session: SessionID, room: Int) -> ChatEvent {
        let target = ids[room].isEmpty || number(5) == 0 ? "r\(number(30))" : ids[room][number(ids[room].count)]
        let retraction = MessageDeletion.Retraction(
            by: number(2) == 0 ? user() : nil, reason: number(2) == 0 ? "spam" : nil, wipes: number(3) == 0)
        return .deleted(
            MessageDeletion(
                session: session, room: rooms[room], remoteID: target, receivedAt: now(),
                retraction: number(3) > 0 ? retraction : nil))
    }

    /// Somebody takes another name, which may be one that somebody had.
    private mutating func renaming(in session: SessionID) -> ChatEvent {
        let index = number(nicks.count - 1)
        let old = nicks[index]
        let taken = nicks[(index + 1) % (nicks.count - 1)]
        renames += 1
        let new = number(2) == 0 ? taken : "nick\(renames)"
        nicks[index] = new
        return .userRenamed(
            session: session, fromKey: old, to: UserReference(key: new, name: new), at: now())
    }

    private mutating func listing() -> [ChatEvent] {
        let time = now()
        let workspace = WorkspaceReference(
            key: "w", name: "work \(number(3))",
            picture: [.unknown, .known(nil), .known("/p1"), .known("/w")][number(4)])
        var listing = RoomListing(room: rooms[2], workspace: workspace, partner: user())
        listing.description = [.unknown, .known(nil), .known("words"), .known("말")][number(4)]
        listing.picture = [.unknown, .known(nil), .known("/p2"), .known("/r")][number(4)]
        listing.owner = number(3) == 0 ? .unknown : .known(number(4) == 0 ? nil : user().key)
        return [
            .roomListed(listing, at: time),
            .userListed(UserListing(user: user(), picture: number(3) == 0 ? nil : "/p\(number(4))"), at: time),
            .membersListed(rooms[number(3)], [user(), user()], at: time),
            number(3) == 0 ? .roomUnlisted(rooms[2], isGone: false, at: time) : .fetchedBack(rooms[1], to: at(0)),
        ]
    }
}

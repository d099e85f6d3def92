import ChatModel
import Sessions
import XMPPWire

/// Takes presence, and follows who is in a room.
extension XMPPSession {
    mutating func take(presence element: XMPPElement, raw: [UInt8], at: Timestamp) {
        guard let from = element.from, rooms[from.bare] != nil, !isLeaving else { return }
        if element["type"] == "error" { return joinRefused(from.bare, element) }
        guard let presence = RoomPresence(element), let room = rooms[presence.room] else { return }
        let isOwn = presence.codes.contains(110) || (room.phase != .outside && presence.nick == room.nick)
        if presence.isAvailable {
            arrived(presence, isOwn: isOwn, raw: raw, at: at)
        } else if isOwn {
            leftOurselves(presence, at: at)
        } else {
            departed(presence, raw: raw, at: at)
        }
    }

    private mutating func arrived(_ presence: RoomPresence, isOwn: Bool, raw: [UInt8], at: Timestamp) {
        guard var room = rooms[presence.room], room.phase != .outside else { return }
        let isKnown = room.occupants[presence.nick] != nil
        let isNoted = room.note(
            presence.nick, .init(address: presence.address, occupantID: presence.occupantID))
        let wasInside = room.isInside
        // The own presence comes last (XEP-0045 §7.2.2). It may have another nick.
        if presence.codes.contains(110), !wasInside {
            (room.phase, room.nick, room.topicIsDue, room.liveSince) = (.history, presence.nick, true, at)
            room.removal = nil
            (room.due, room.joinedAt, room.trouble) = (elapsed + configuration.selfPing, elapsed, nil)
        }
        rooms[presence.room] = room
        if presence.codes.contains(201) { return createdByMistake(presence.room, at: at) }
        if room.isInside, !wasInside { return joined(room, at: at) }
        guard wasInside, !isKnown, isNoted, !isOwn else { return }
        row(.join, by: room.user(present: presence.nick, account: account), nil, room, raw: raw, at: at)
    }

    /// Notes that everything that is said in the room comes from now on.
    private mutating func joined(_ room: XMPPRoom, at: Timestamp) {
        step.events += [
            .roomListed(room.listing, at: at), .roomLive(session: id, room: room.reference, at: at),
            .membersListed(room.reference, room.members(account: account), at: at),
        ]
        step.settled.append(room.address)
    }

    /// Leaves a room that our own attempt to join has made, and which is gone after that.
    private mutating func createdByMistake(_ address: JID, at: Timestamp) {
        guard let room = rooms[address] else { return }
        step.send.append(
            XMPPElement("presence", ["to": "\(address.with(resource: room.nick))", "type": "unavailable"]))
        refuse(address, .noSuchRoom, "there is no such room")
    }

    private mutating func departed(_ presence: RoomPresence, raw: [UInt8], at: Timestamp) {
        guard var room = rooms[presence.room], room.isInside, room.occupants[presence.nick] != nil else { return }
        let person = room.user(present: presence.nick, account: account)
        let occupant = room.forget(presence.nick)
        if let nick = presence.newNick, let occupant {
            _ = room.note(nick, occupant)
            rooms[presence.room] = room
            return renamed(person, to: nick, room, raw: raw, at: at)
        }
        rooms[presence.room] = room
        left(person, presence, room, raw: raw, at: at)
    }

    private mutating func renamed(
        _ person: UserReference, to nick: String, _ room: XMPPRoom, raw: [UInt8], at: Timestamp
    ) {
        row(.rename, by: person, nick, room, raw: raw, at: at)
        let user = room.user(present: nick, account: account)
        guard user.key != person.key || person.isSelf else { return }
        step.events.append(.userRenamed(session: id, fromKey: person.key, to: user, at: at))
    }

    private mutating func left(
        _ person: UserReference, _ presence: RoomPresence, _ room: XMPPRoom, raw: [UInt8], at: Timestamp
    ) {
        let isRemoved = !presence.codes.isDisjoint(with: [301, 307])
        guard isRemoved, let actor = presence.actor else {
            return row(.leave, by: person, presence.reason, room, raw: raw, at: at)
        }
        let why = presence.reason.map { ": \($0)" } ?? ""
        let moderator = room.user(present: actor, account: account)
        row(.kick, by: moderator, person.name + why, room, raw: raw, at: at)
        row(.leave, by: person, nil, room, raw: [], at: receipts.next())
    }

    private mutating func leftOurselves(_ presence: RoomPresence, at: Timestamp) {
        guard var room = rooms[presence.room], room.isInside else { return }
        if let nick = presence.newNick {
            let occupant = room.forget(presence.nick)
            let before = room.user(present: presence.nick, account: account)
            room.nick = nick
            if let occupant { _ = room.note(nick, occupant) }
            rooms[presence.room] = room
            return renamed(before, to: nick, room, raw: [], at: at)
        }
        lost(room.address, XMPPRoomEnd(presence))
    }

    /// Notes that we are no longer in a room.
    mutating func lost(_ address: JID, _ end: XMPPRoomEnd) {
        guard let room = rooms[address], room.isInside else { return }
        step.events.append(
            .roomSilent(session: id, room: room.reference, at: heartbeat.lastSignOfLife, reason: end.reason))
        if end.trouble != .notJoined { rooms[address]?.removal = (end.trouble, end.detail) }
        refuse(address, end.trouble, end.detail, afterUptime: room.joinedAt.map { elapsed - $0 })
    }

    private mutating func joinRefused(_ address: JID, _ element: XMPPElement) {
        guard let room = rooms[address], room.phase == .joining else { return }
        let words = element.roomErrorWords
        switch element.errorCondition {
        case "conflict":
            rooms[address]?.conflicts += 1
            rooms[address]?.nick = room.wish.nick + String(repeating: "_", count: (room.conflicts % 5) + 1)
            refuse(address, .notJoined, "another person has the nick \(room.nick)")
        case "not-authorized": refuse(address, .badKey, words)
        case "registration-required": refuse(address, .inviteOnly, words)
        case "forbidden": refuse(address, .banned, words)
        case "service-unavailable", "resource-constraint": refuse(address, .full, words)
        case "item-not-found", "gone": refuse(address, .noSuchRoom, words)
        default: refuse(address, .notJoined, words)
        }
    }

    /// Notes why we are not in a room, and when to try again.
    ///
    /// - Parameter uptime: How long the account was in the room; nil if it did not get in.
    mutating func refuse(
        _ address: JID, _ reason: RoomTrouble.Reason, _ detail: String, afterUptime uptime: Duration? = nil
    ) {
        guard var room = rooms[address] else { return }
        let detail = room.removal.flatMap { $0.reason == reason ? $0.detail : nil } ?? detail
        var random = SystemRandomNumberGenerator()
        let wait = room.backoff.next(afterUptime: uptime, using: &random)
        if room.trouble != detail { step.troubles.append("\(address): \(detail)") }
        room.leave()
        (room.due, room.trouble) = (elapsed + wait, detail)
        rooms[address] = room
        let at = receipts.next()
        let trouble = RoomTrouble(reason, detail: detail, since: at, nextTry: at.advanced(by: wait))
        step.events.append(.roomTroubled(room.reference, trouble))
        step.settled.append(address)
    }

    private mutating func row(
        _ kind: MessageKind, by sender: UserReference, _ body: String?, _ room: XMPPRoom, raw: [UInt8], at: Timestamp
    ) {
        let row = IncomingMessage(
            session: id, room: room.reference, kind: kind, sender: sender, body: body, receivedAt: at,
            raw: raw.isEmpty ? nil : raw)
        step.events.append(.message(row, .live))
    }
}

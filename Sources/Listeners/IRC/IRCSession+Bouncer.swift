import ChatModel
import IRCWire

/// A bouncer's outages: times in which it was not connected to the network, though we were connected to it.
///
/// A PONG is the bouncer's, and its history holds what it heard. So an outage ends what is known to be complete at the last
/// line that the network said before the mark, wherever that line is stored.
extension IRCSession {
    /// Outages that are remembered: claims of conversations, whose history has no marks, stop at them.
    private static let maximumOutages = 1000

    /// soju says so of itself (`BOUNCER_NETID`). The history of a server, other than that of a bouncer, goes on while we are out of
    /// the room.
    var isBouncer: Bool { registration.support["BOUNCER_NETID"] != nil }

    /// Notices whether a line of now tells of the bouncer's connection.
    mutating func noteBouncer(_ message: IRCMessage) {
        switch BouncerMark(message, support: registration.support) {
        case .lost: lostNetwork()
        case .connected:
            lostNetwork()
            regainedNetwork()
        case nil: break
        }
    }

    /// Ends what is heard of every room.
    ///
    /// - Parameter time: When the bouncer was connected again, by the network's clock; nil where it is not yet.
    mutating func lostNetwork(until time: Timestamp? = nil) {
        guard !isNetworkLost else { return }
        isNetworkLost = true
        let mark = time ?? networkTime(now.at)
        spend(on: membership.roomCount + directs.keys.count, for: "of the bouncer's outages")
        (history.targets, history.lookups) = (nil, [])
        for room in membership.joined.map(names.channel) + conversations where !unheard.contains(room.key) {
            unheard.insert(room.key)
            forgetHistory(of: room)
            step.events.append(.roomSilent(session: id, room: room, at: now.at, reason: .bouncer))
            step.events.append(unproven(room, until: mark))
        }
    }

    /// What is said to us is heard again. Channels are when we are in them again.
    mutating func regainedNetwork() {
        guard isNetworkLost else { return }
        isNetworkLost = false
        heardSince = now.at
        note(outage: networkTime(now.at))
        if hasOwnNick { hearConversations() }
    }

    /// Conversations are heard from here on. What was said in them until then is asked for.
    mutating func hearConversations() {
        let rooms = conversations
        for room in rooms {
            unheard.remove(room.key)
            hears(room, since: nil)
        }
        step.lookups.append(.directs(rooms))
    }

    /// A line of now was said in the room by somebody else, so that the room is heard from there on.
    mutating func hearsAgain(_ room: RoomReference, _ heard: IRCHeard) {
        regainedNetwork()
        guard unheard.remove(room.key) != nil else { return }
        hears(room, since: heard.sourceTime)
        lookUp(room)
    }

    /// A bouncer has a dozen modules that speak to us.
    private static let maximumBouncerRooms = 1000

    mutating func noteBouncerRoom(_ key: String) {
        if bouncerRooms.count < Self.maximumBouncerRooms, directs.contains(key) || key.utf8.count < 64 {
            bouncerRooms.insert(key)
        }
    }

    /// Whether the conversation that an archive has is with the bouncer.
    func isOfBouncer(_ room: RoomReference) -> Bool {
        room.name.hasPrefix("*") || isBouncer && room.key == names.key(Array("BouncerServ".utf8))
    }

    /// Conversations with others than the bouncer.
    private var conversations: [RoomReference] {
        directs.keys.subtracting(bouncerRooms).sorted().map { names.direct(Array($0.utf8)) }
    }

    private func unproven(_ room: RoomReference, until time: Timestamp) -> ChatEvent {
        .unproven(UnprovenTime(room: room, from: nil, to: time, bouncerRooms: bouncerRooms.sorted()))
    }

    /// As history shows it, so that it won't have it either.
    private func unproven(_ room: RoomReference, _ interruption: IRCInterruptions.Interruption) -> ChatEvent {
        .unproven(
            UnprovenTime(
                room: room, from: interruption.from, to: interruption.to, bouncerRooms: bouncerRooms.sorted(),
                isLost: true))
    }

    private mutating func note(outage time: Timestamp) {
        if outages.count >= Self.maximumOutages { outages.removeFirst() }
        outages.append(time)
    }

    /// Looks for where a page of a channel's history shows that the bouncer was not there, and takes back what was claimed
    /// of that time.
    mutating func noteInterruptions(in page: [IRCMessage], of key: String) {
        guard let room = history.rooms[key], room.reference.kind == .channel else { return }
        let found = history.interruptions(of: key, ownMoves(in: page)).filter { isBouncer || isOutage($0, in: key) }
        for interruption in found {
            step.events.append(unproven(room.reference, interruption))
            // Who was in the room and did not leave it comes in again with the bouncer.
            guard interruption.from == nil, room.missingSince != nil, !outages.contains(interruption.to) else {
                continue
            }
            note(outage: interruption.to)
            for direct in conversations { step.events.append(unproven(direct, interruption)) }
        }
    }

    /// Whether a server that does not say that it is a bouncer was one: not where we left, or came in just now.
    private func isOutage(_ interruption: IRCInterruptions.Interruption, in key: String) -> Bool {
        let joined = joinedAt[key].flatMap(\.self).map { $0 / 1000 }
        return interruption.from == nil && interruption.to.milliseconds != joined
    }

    /// In order of time. Nicks that became ours later in the page are ours.
    private func ownMoves(in page: [IRCMessage]) -> [IRCInterruptions.Move] {
        var own = Set(([configuration.nick] + configuration.alternatives).map { names.key(Array($0.utf8)) })
        own.insert(names.key(membership.nick))
        let timed = page.compactMap { line in
            line.tag("time").flatMap(ServerTime.microseconds).map { (line, Timestamp(microseconds: $0)) }
        }
        var moves: [IRCInterruptions.Move] = []
        for (line, time) in timed.enumerated().sorted(by: { ($0.1.1, $0.0) > ($1.1.1, $1.0) }).map(\.1) {
            guard let nick = line.source?.nick else { continue }
            switch line.verb {
            case "NICK" where own.contains(names.key(line.param(0))): own.insert(names.key(nick))
            case "JOIN" where own.contains(names.key(nick)): moves.append(.init(time: time, isJoin: true))
            case "PART" where own.contains(names.key(nick)), "QUIT" where own.contains(names.key(nick)),
                "KICK" where own.contains(names.key(line.param(1))):
                moves.append(.init(time: time, isJoin: false))
            default: break
            }
        }
        return moves.reversed()
    }

    /// Says that all of the room between two instants is stored, other than what the interruptions leave out.
    ///
    /// Where the room is heard from the second instant on, the unit of time in which that began is claimed when it is over: until
    /// then history may get more messages of it.
    mutating func claim(
        _ room: RoomReference, from: Timestamp, to: Timestamp,
        without interruptions: [IRCInterruptions.Interruption] = []
    ) {
        var end = to
        if to == liveSince[room.key], networkTime(now.at) <= to, to.beginningOfUnit < to {
            end = to.beginningOfUnit.advanced(byMicroseconds: -1)
            unsettled[room.key] = room
        }
        guard from <= end else { return }
        step.events.append(.covered(session: id, room: room, from: from, to: end))
        let outages = room.kind == .direct ? outages.map { IRCInterruptions.Interruption(from: nil, to: $0) } : []
        for interruption in interruptions + outages where interruption.to > from && interruption.to <= end {
            step.events.append(unproven(room, interruption))
        }
    }

    /// Claims the units of time that are over by what was just read.
    mutating func settle() {
        for (key, room) in unsettled {
            guard let since = liveSince[key], networkTime(now.at) > since else { continue }
            unsettled[key] = nil
            let start = since.beginningOfUnit.advanced(byMicroseconds: -1)
            step.events.append(.covered(session: id, room: room, from: start, to: since))
        }
    }

    /// The room is heard from the end of the unit of time on in which the network stamped that: what it said before in the
    /// same unit has the same stamp.
    ///
    /// - Parameter stamp: nil where it told no time.
    mutating func hears(_ room: RoomReference, since stamp: Timestamp?) {
        let isToldNow = stamp.map { $0.microseconds >= welcomedAt ?? .max } ?? false
        let since = isToldNow ? stamp.map(\.endOfUnit) : nil
        step.events.append(
            .roomLive(session: id, room: room, at: since?.advanced(byMicroseconds: -clockLead) ?? now.at))
        liveSince[room.key] = since ?? networkTime(now.at)
        unsettled[room.key] = nil
    }
}

extension Timestamp {
    /// The last microsecond that has the same stamp: of a second where the stamp has no fraction, else of a millisecond, unless
    /// the stamp is finer.
    var endOfUnit: Timestamp {
        if microseconds % 1_000_000 == 0 { return advanced(byMicroseconds: 999_999) }
        return microseconds % 1000 == 0 ? advanced(byMicroseconds: 999) : self
    }

    /// The stamp of which this is the ``endOfUnit``.
    var beginningOfUnit: Timestamp {
        let next = microseconds &+ 1
        if next % 1_000_000 == 0 { return advanced(byMicroseconds: -999_999) }
        return next % 1000 == 0 ? advanced(byMicroseconds: -999) : self
    }
}

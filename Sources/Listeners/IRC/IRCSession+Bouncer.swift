import ChatModel
import IRCWire

/// A bouncer's outages: times in which it was not connected to the network, while we were connected to it.
///
/// A PONG comes from the bouncer, and its history holds what it received. So an outage ends what is known to be
/// complete at the last line that the network sent before the mark, wherever that line is stored.
extension IRCSession {
    /// The most outages that are kept: claims about conversations, whose history has no marks, stop at them.
    private static let maximumOutages = 1000

    /// True when the peer announces itself as a bouncer (soju's `BOUNCER_NETID`). The history of a server, unlike a
    /// bouncer's, continues while we are out of the room.
    var isBouncer: Bool { registration.support["BOUNCER_NETID"] != nil }

    /// Reads the state of the bouncer's connection from a live line.
    mutating func noteBouncer(_ message: IRCMessage) {
        switch BouncerMark(message, support: registration.support) {
        case .lost: lostNetwork()
        case .connected:
            lostNetwork()
            regainedNetwork()
        case nil: break
        }
    }

    /// Ends the live receiving of every room.
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

    /// Resumes the conversations. Channels resume when we are in them again.
    mutating func regainedNetwork() {
        guard isNetworkLost else { return }
        isNetworkLost = false
        heardSince = now.at
        note(outage: networkTime(now.at))
        if hasOwnNick { hearConversations() }
    }

    /// Begins to receive conversations live, and requests their history up to now.
    mutating func hearConversations() {
        let rooms = conversations
        for room in rooms {
            unheard.remove(room.key)
            hears(room, since: nil)
        }
        step.lookups.append(.directs(rooms))
    }

    /// Notes a live line that somebody else sent in the room, which is therefore heard again from there on.
    mutating func hearsAgain(_ room: RoomReference, _ heard: IRCHeard) {
        regainedNetwork()
        guard unheard.remove(room.key) != nil else { return }
        hears(room, since: heard.sourceTime)
        lookUp(room)
    }

    /// The most rooms of the bouncer itself, which has a dozen modules that write to us.
    private static let maximumBouncerRooms = 1000

    mutating func noteBouncerRoom(_ key: String) {
        if bouncerRooms.count < Self.maximumBouncerRooms, directs.contains(key) || key.utf8.count < 64 {
            bouncerRooms.insert(key)
        }
    }

    /// Returns whether a conversation in the archive is with the bouncer.
    func isOfBouncer(_ room: RoomReference) -> Bool {
        room.name.hasPrefix("*") || isBouncer && room.key == names.key(Array("BouncerServ".utf8))
    }

    /// Conversations with people, without those with the bouncer.
    private var conversations: [RoomReference] {
        directs.keys.subtracting(bouncerRooms).sorted().map { names.direct(Array($0.utf8)) }
    }

    private func unproven(_ room: RoomReference, until time: Timestamp) -> ChatEvent {
        .unproven(UnprovenTime(room: room, from: nil, to: time, bouncerRooms: bouncerRooms.sorted()))
    }

    /// The event for an interruption that the room's history shows, so that the history can't fill it either.
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

    /// Finds the times in a page of a channel's history at which the bouncer was not there, and withdraws what was
    /// claimed about them.
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

    /// Returns whether a server that does not announce itself as a bouncer was one: not where we left, or have just
    /// joined.
    private func isOutage(_ interruption: IRCInterruptions.Interruption, in key: String) -> Bool {
        let joined = joinedAt[key].flatMap(\.self).map { $0 / 1000 }
        return interruption.from == nil && interruption.to.milliseconds != joined
    }

    /// Our own joins and departures in the page, in order of time. Nicks that became ours later in the page count as
    /// ours.
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

    /// Claims that all messages of the room between two instants are stored, except in the interruptions.
    ///
    /// Where the room is heard live from the second instant on, the unit of time of that instant is claimed once it is
    /// over: until then its history may grow.
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

    /// Claims the units of time that are over according to the last read.
    mutating func settle() {
        for (key, room) in unsettled {
            guard let since = liveSince[key], networkTime(now.at) > since else { continue }
            unsettled[key] = nil
            let start = since.beginningOfUnit.advanced(byMicroseconds: -1)
            step.events.append(.covered(session: id, room: room, from: start, to: since))
        }
    }

    /// Begins to receive a room live, from the end of the unit of time in which the network stamped this: earlier
    /// messages of the same unit have the same stamp.
    ///
    /// - Parameter stamp: nil where the network gave no time.
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
    /// The last microsecond with the same stamp: the last of a second where the stamp has no fraction, else of a
    /// millisecond, unless the stamp is finer.
    var endOfUnit: Timestamp {
        if microseconds % 1_000_000 == 0 { return advanced(byMicroseconds: 999_999) }
        return microseconds % 1000 == 0 ? advanced(byMicroseconds: 999) : self
    }

    /// The stamp whose ``endOfUnit`` this is.
    var beginningOfUnit: Timestamp {
        let next = microseconds &+ 1
        if next % 1_000_000 == 0 { return advanced(byMicroseconds: -999_999) }
        return next % 1000 == 0 ? advanced(byMicroseconds: -999) : self
    }
}

import ChatModel
import IRCWire

/// Who comes and goes, ourselves first.
extension IRCSession {
    /// Asks for the rooms that are wanted and not there.
    mutating func join() {
        for name in joining.unanswered(at: now.elapsed) {
            step.troubles.append("\(names.text(name)) can't be joined: the server does not answer")
        }
        let lines = JoinLines(joining.due(at: now.elapsed), support: registration.support)
        step.send += lines.lines
        for channel in lines.refused {
            joining.isImpossible(channel.name)
            step.troubles.append("\(names.text(channel.name)) can't be joined: it is no channel's name on this server")
        }
    }

    /// Joins the rooms that are new in the configuration, and leaves those that are not in it any more.
    mutating func want(_ rooms: [String]) {
        let heard = rooms.map { Array($0.utf8) }.filter { !joining.isWanted($0) && membership.isJoined($0) }
        for (name, isAsked) in joining.want(rooms, at: now.elapsed) where !configuration.isInRoomsOfItsOwn {
            // The answer to it ends the room, also where that to our JOIN is still to come.
            if isAsked || membership.isJoined(name) { step.send.append(IRCMessage("PART", [name])) }
            if !membership.isJoined(name) {
                step.events.append(.roomUnlisted(names.channel(name), isGone: false, at: now.at))
            }
        }
        for name in heard { joining.joined(name, at: now.elapsed) }
        join()
    }

    /// What the archive expects to be heard and is not in the configuration any more is no gap from here on.
    mutating func unlistRoomsOfOnce() {
        guard !configuration.isInRoomsOfItsOwn else { return }
        let wanted = Set(configuration.rooms.map { names.key(Array($0.utf8)) })
        step.events += past.rooms.filter { !wanted.contains($0.key) }.map {
            .roomUnlisted($0, isGone: false, at: openedAt)
        }
    }

    /// JOIN, PART, KICK, QUIT, NICK, RENAME: of now, or of then.
    mutating func moved(_ heard: IRCHeard) {
        if isReplayedMove(heard) { return replayMove(heard) }
        let before = heard.message.source.map { names.user($0.nick, isSelf: membership.isOwn($0.nick)) }
        guard let effect = membership.receive(heard.message, support: registration.support) else {
            // Of somebody in none of our rooms we are not told; but for ourselves, before the first join.
            if heard.message.verb == "NICK", let before, before.isSelf { renamed(before, heard, rows: 0) }
            return
        }
        for name in effect.rooms {
            if heard.message.verb == "JOIN", effect.isOwn { joined(name, heard) }
            keep(move: heard, in: name, isSelf: before?.isSelf)
            let mayHaveLeft = effect.isOwn || heard.message.verb == "RENAME"
            if mayHaveLeft, !membership.isJoined(name) { left(name, heard) }
        }
        if heard.message.verb == "NICK", let before {
            renamed(before, heard, rows: effect.rooms.count)
        }
    }

    /// The row of one room.
    private mutating func keep(move heard: IRCHeard, in name: [UInt8], isSelf: Bool? = nil) {
        let (message, room) = (heard.message, names.channel(name))
        switch message.verb {
        case "JOIN": keep(heard, .join, in: room, body: nil, isSelf: isSelf)
        case "PART": keep(heard, .leave, in: room, body: reason(message, 1), isSelf: isSelf)
        case "QUIT": keep(heard, .leave, in: room, body: reason(message, 0), isSelf: isSelf)
        case "KICK":
            let why = reason(message, 2).map { Array(": ".utf8) + $0 } ?? []
            keep(heard, .kick, in: room, body: message.param(1) + why, isSelf: isSelf)
        case "NICK": keep(heard, .rename, in: room, body: message.param(0), isSelf: isSelf)
        // RENAME.
        default: keep(heard, .system, in: room, body: message.param(1))
        }
    }

    private func reason(_ message: IRCMessage, _ index: Int) -> [UInt8]? {
        message.param(index).isEmpty ? nil : message.param(index)
    }

    /// The server sends us all that is said in it after this line.
    private mutating func joined(_ name: [UInt8], _ heard: IRCHeard) {
        names.note(name)
        let room = names.channel(name)
        joinedAt[room.key] = .some(heard.message.tag("time").flatMap(ServerTime.microseconds) ?? welcomedAt)
        joining.joined(name, at: now.elapsed)
        step.events.append(.roomListed(RoomListing(room: room), at: now.at))
        step.events.append(.roomLive(session: id, room: room, at: now.at))
    }

    /// A room that we want is missing from here on; another one is left.
    private mutating func left(_ name: [UInt8], _ heard: IRCHeard) {
        let room = names.channel(name)
        joinedAt[room.key] = nil
        step.events.append(.roomSilent(session: id, room: room, at: now.at, reason: .left))
        if heard.message.verb == "RENAME" { return moved(room, to: heard.message.param(1)) }
        guard joining.isWanted(name) else {
            step.events.append(.roomUnlisted(room, isGone: false, at: now.at))
            return
        }
        joining.left(name, at: now.elapsed)
        if heard.message.verb == "KICK" {
            let who = names.text(heard.message.source?.nick ?? serverName)
            let why = reason(heard.message, 2).map { ": \(names.text($0))" } ?? ""
            step.troubles.append("kicked from \(room.name) by \(who)\(why)")
        }
    }

    /// The channel has another name (IRCv3 draft/channel-rename), and so is another room to the archive.
    private mutating func moved(_ old: RoomReference, to name: [UInt8]) {
        names.note(name)
        let room = names.channel(name)
        joinedAt[room.key] = .some(welcomedAt)
        joining.joined(name, at: now.elapsed)
        step.events += [
            .roomUnlisted(old, isGone: true, at: now.at), .roomListed(RoomListing(room: room), at: now.at),
            .roomLive(session: id, room: room, at: now.at),
        ]
    }

    /// - Parameter rows: That tell of it, under the old name.
    private mutating func renamed(_ before: UserReference, _ heard: IRCHeard, rows: Int) {
        let time = (heard.sourceTime ?? now.at).advanced(byMicroseconds: Int64(rows))
        let user = names.user(heard.message.param(0), isSelf: before.isSelf)
        step.events.append(.userRenamed(session: id, fromKey: before.key, to: user, at: time))
    }

    /// The end of NAMES: who is in the room.
    mutating func listed(_ message: IRCMessage) {
        _ = membership.receive(message, support: registration.support)
        let name = message.param(1)
        guard membership.isJoined(name), !membership.isPartial else { return }
        let users = membership.members(of: name).map { names.user($0, isSelf: membership.isOwn($0)) }
        step.events.append(.membersListed(names.channel(name), users, at: now.at))
    }

    /// 403, 405, 437, 471, 473, 474, 475, 477, … `me #room :why`, and `FAIL JOIN CODE #room :why`: whatever the number, an
    /// error about a room that was asked for is the answer.
    mutating func refusedJoin(_ message: IRCMessage) {
        let isError = message.verb.count == 3 && (message.verb.first == "4" || message.verb.first == "5")
        guard isError || message.verb == "FAIL", let name = message.params.first(where: joining.isAsked) else { return }
        joining.refused(name, at: now.elapsed)
        let words = names.text(message.params.last ?? [])
        let code = message.verb == "FAIL" ? names.text(message.param(1)) : message.verb
        step.troubles.append("\(names.text(name)) can't be joined (\(code): \(words))")
    }

    /// Only in a batch, or by its time in a room that we are in.
    private func isReplayedMove(_ heard: IRCHeard) -> Bool {
        if heard.replayOf != nil { return true }
        // Who quits or takes another name says it once, of all rooms.
        guard ["JOIN", "PART", "KICK"].contains(heard.message.verb) else { return false }
        let room = names.channel(heard.message.param(0))
        // Our own join of now is later than itself.
        guard let since = joinedAt[room.key], let since, let time = heard.sourceTime else { return false }
        return time.microseconds / 1_000_000 < since / 1_000_000
    }

    /// Of a QUIT or NICK the batch tells whose history it is.
    private mutating func replayMove(_ heard: IRCHeard) {
        let named = heard.message.param(0)
        let name = registration.support.isChannel(named) ? named : heard.replayOf ?? []
        guard registration.support.isChannel(name) else { return }
        keep(move: heard, in: name)
    }
}

import ChatModel
import IRCWire

/// Tracks who joins and leaves, ourselves included.
extension IRCSession {
    /// Finds the rooms to ask for, the first time or again.
    mutating func join() {
        for name in joining.unanswered(at: now.elapsed) {
            isNotJoined(name, .notJoined, "the server does not answer", "can't be joined: the server does not answer")
        }
        for name in joining.ripen(at: now.elapsed, support: registration.support) {
            let why = "it is no channel's name on this server"
            isNotJoined(name, .noSuchRoom, why, "can't be joined: \(why)")
        }
    }

    /// Returns the next question for the server: rooms that are due first, then history; nil where there is none. It
    /// has to be sent now.
    mutating func ask(at elapsed: Duration) -> IRCMessage? {
        joining.ask(at: elapsed, support: registration.support) ?? askForHistory(at: elapsed)
    }

    /// True when ``ask(at:)`` would return a line.
    var hasQuestion: Bool { joining.hasDue || history.hasRequest }

    /// - Parameters:
    /// - detail: The reason, in the server's words if it gave any.
    /// - sentence: The same for the log, without the room's name.
    private mutating func isNotJoined(
        _ name: [UInt8], _ reason: RoomTrouble.Reason, _ detail: String?, _ sentence: String
    ) {
        let (detail, sentence) = (detail.map(configuration.secrets.mask), configuration.secrets.mask(sentence))
        let room = names.channel(name)
        let nextTry = joining.nextTry(name).map { now.at.advanced(by: $0 - now.elapsed) }
        step.events.append(
            .roomTroubled(room, RoomTrouble(reason, detail: detail, since: now.at, nextTry: nextTry)))
        if joining.isNews(sentence, of: name) { step.troubles.append("\(room.name) \(sentence)") }
    }

    /// Joins the rooms that are new in the configuration, and leaves those that are no longer in it.
    mutating func want(_ rooms: [String]) {
        for (name, isAsked) in joining.want(rooms, at: now.elapsed) where !configuration.isInRoomsOfItsOwn {
            // The answer to it ends the room, also where that to our JOIN is still to come.
            if isAsked || membership.isJoined(name) { step.send.append(IRCMessage("PART", [name])) }
            if !membership.isJoined(name) {
                step.events.append(.roomUnlisted(names.channel(name), isGone: false, at: now.at))
            }
        }
        // Some are heard already though nobody wanted them.
        for name in membership.joined where joining.nextTry(name) != nil { joining.joined(name, at: now.elapsed) }
        join()
    }

    /// Ends the gaps of rooms that the archive expects but the configuration no longer has.
    mutating func unlistRoomsOfOnce() {
        guard !configuration.isInRoomsOfItsOwn else { return }
        step.events += past.rooms.filter { !joining.isWanted(Array($0.key.utf8)) }.map {
            .roomUnlisted($0, isGone: false, at: openedAt)
        }
    }

    /// Takes a live or replayed JOIN, PART, KICK, QUIT, NICK or RENAME.
    mutating func moved(_ heard: IRCHeard) {
        if isReplayedMove(heard) { return replayMove(heard) }
        noteNick(heard.message)
        let before = heard.message.source.map { names.user($0.nick, isSelf: membership.isOwn($0.nick)) }
        let isOwnJoin = heard.message.verb == "JOIN" && before?.isSelf == true
        let joined = isOwnJoin ? Set(heard.message.roomNames.filter(membership.isJoined).map(names.key)) : []
        guard let effect = membership.receive(heard.message, support: registration.support) else {
            // Of somebody in none of our rooms we are not told; but for ourselves, before the first join.
            if heard.message.verb == "NICK", let before, before.isSelf { renamed(before, heard) }
            return
        }
        for name in effect.rooms {
            if isOwnJoin { self.joined(name, heard, again: joined.contains(names.key(name))) }
            keep(move: heard, in: name, isSelf: before?.isSelf)
            if heard.message.verb == "RENAME" {
                renamed(name, to: heard.message.param(1))
            } else if effect.isOwn, !membership.isJoined(name) {
                left(name, heard)
            }
        }
        if heard.message.verb == "NICK", let before {
            renamed(before, heard)
        }
    }

    /// Adds the row for one room.
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
        // RENAME, under the old name.
        default: keep(heard, .system, in: room, body: message.param(1))
        }
    }

    private func reason(_ message: IRCMessage, _ index: Int) -> [UInt8]? {
        message.param(index).isEmpty ? nil : message.param(index)
    }

    /// Notes that we are in the room, whose messages the server sends after this line.
    ///
    /// - Parameter isAgain: True where we were in it already, which only a bouncer reports: it was not connected to the
    ///   network.
    private mutating func joined(_ name: [UInt8], _ heard: IRCHeard, again isAgain: Bool) {
        names.note(name)
        let room = names.channel(name)
        joinedAt[room.key] = .some(heard.message.tag("time").flatMap(ServerTime.microseconds) ?? welcomedAt)
        joining.joined(name, at: now.elapsed)
        if let time = heard.sourceTime?.microseconds, time >= welcomedAt ?? .max { tellClock(time, at: now.at) }
        if isAgain, !unheard.contains(room.key) { lostNetwork(until: heard.sourceTime) }
        regainedNetwork()
        unheard.remove(room.key)
        step.events.append(.roomListed(RoomListing(room: room), at: now.at))
        hears(room, since: heard.sourceTime)
        lookUp(room)
    }

    /// Notes that we are out of a room; a wanted one is missing from here on.
    private mutating func left(_ name: [UInt8], _ heard: IRCHeard) {
        let room = names.channel(name)
        joinedAt[room.key] = nil
        unheard.remove(room.key)
        forgetHistory(of: room)
        step.events.append(.roomSilent(session: id, room: room, at: now.at, reason: .left))
        guard joining.isWanted(name) else {
            step.events.append(.roomUnlisted(room, isGone: false, at: now.at))
            return
        }
        joining.left(name, at: now.elapsed)
        // The connection ends with it.
        if heard.message.verb == "QUIT" { return }
        let who = names.text(heard.message.source?.nick ?? serverName)
        let isKicked = heard.message.verb == "KICK"
        let why = reason(heard.message, isKicked ? 2 : 1).map { ": \(names.text($0))" } ?? ""
        let what = isKicked ? "kicked by \(who)\(why)" : "left\(why)"
        isNotJoined(name, .notJoined, what, "is not heard: \(what)")
    }

    /// Gives a channel its new name (IRCv3 draft/channel-rename); it remains the same room.
    private mutating func renamed(_ name: [UInt8], to new: [UInt8]) {
        let old = names.channel(name)
        names.note(new)
        let room = names.channel(new)
        let since = joinedAt.removeValue(forKey: old.key) ?? welcomedAt
        joinedAt[room.key] = .some(since)
        joining.renamed(name, to: new, at: now.elapsed)
        endBareReplay(of: old)
        let at = now.at.advanced(byMicroseconds: 1)
        step.events.append(.roomRenamed(session: id, fromKey: old.key, to: room, at: at))
        // What is still to come of its history would be stored under the old name: it is asked for by the next connection.
        let wasLive = liveSince[old.key]
        unheard.remove(old.key)
        forgetHistory(of: old)
        liveSince[room.key] = wasLive
    }

    /// Notes a new nick, after the rows about it, which are under the old one.
    private mutating func renamed(_ before: UserReference, _ heard: IRCHeard) {
        let time = heard.sourceTime ?? now.at
        let user = names.user(heard.message.param(0), isSelf: before.isSelf)
        step.events.append(.userRenamed(session: id, fromKey: before.key, to: user, at: time))
    }

    /// Takes the end of NAMES, which completes the list of the room's members.
    mutating func listed(_ message: IRCMessage) {
        let name = message.param(1)
        // Once a join, so that a server can't have us write the whole list with each line.
        let isFirst = membership.isListed(name) == false
        _ = membership.receive(message, support: registration.support)
        guard isFirst, !membership.isPartial else { return }
        let users = membership.members(of: name).map { names.user($0, isSelf: membership.isOwn($0)) }
        step.events.append(.membersListed(names.channel(name), users, at: now.at))
    }

    /// Takes 403, 405, 437, 471, 473, 474, 475, 477, … `me #room :why`, and `FAIL JOIN CODE #room :why`: an error about
    /// a room that was asked for is its answer, whatever the number.
    ///
    /// After a 470 (`me #room #other :why`) comes a JOIN of the other room, which is archived besides the wanted ones.
    mutating func refusedJoin(_ message: IRCMessage) {
        let isError = message.verb.count == 3 && (message.verb.first == "4" || message.verb.first == "5")
        let isFailure = message.verb == "FAIL" && message.param(0) == Array("JOIN".utf8)
        guard isError || isFailure, let name = message.params.first(where: joining.isAsked) else { return }
        joining.refused(name, forItsKey: message.verb == "475", at: now.elapsed)
        let code = message.verb == "FAIL" ? names.text(message.param(1)) : message.verb
        let words = names.text(message.params.last ?? [])
        let support = registration.support
        let target = message.params.dropLast().last { support.isChannel($0) && names.key($0) != names.key(name) }
        let isForwarded = message.verb == "470"
        let forward = isForwarded ? target.map { "forwarded to \(names.text($0)): " } ?? "" : ""
        isNotJoined(name, .init(joinError: code), forward + words, "can't be joined (\(code): \(forward)\(words))")
    }

    /// Only a batch, or an early time in a room that we are in, shows that a move is replayed.
    private func isReplayedMove(_ heard: IRCHeard) -> Bool {
        if heard.replayOf != nil { return true }
        // Who quits or takes another name says it once, of all rooms.
        guard ["JOIN", "PART", "KICK"].contains(heard.message.verb) else { return false }
        let room = names.channel(heard.message.param(0))
        // Our own join of now is later than itself.
        guard let since = joinedAt[room.key], let since, let time = heard.sourceTime else { return false }
        return time.microseconds / 1_000_000 < since / 1_000_000
    }

    /// Adds the row of a replayed move. For a QUIT or NICK the batch names the room.
    private mutating func replayMove(_ heard: IRCHeard) {
        let named = heard.message.param(0)
        let isNamed = registration.support.isChannel(named) && heard.message.verb != "RENAME"
        let name = isNamed ? named : heard.replayOf ?? []
        guard registration.support.isChannel(name) else { return }
        keep(move: heard, in: name)
    }
}

extension IRCMessage {
    /// The rooms of a JOIN, which may have several.
    fileprivate var roomNames: [[UInt8]] {
        param(0).split(separator: UInt8(ascii: ",")).map { Array($0) }
    }
}

extension RoomTrouble.Reason {
    /// Reads the number of an answer to JOIN (RFC 2812 §5.2 and Modern IRC); other numbers differ between servers.
    fileprivate init(joinError code: String) {
        self =
            switch code {
            case "403", "476", "479": .noSuchRoom
            case "471": .full
            case "473": .inviteOnly
            case "474": .banned
            case "475": .badKey
            default: .notJoined
            }
    }
}

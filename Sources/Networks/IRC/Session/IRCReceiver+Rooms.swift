import ChatModel
import IRCWire

/// Tracks the users who join and leave rooms, ourselves included.
extension IRCReceiver {
    /// Finds the rooms to join, for the first time or again.
    mutating func join() {
        for name in joining.unanswered(at: step.elapsed) {
            reportNotJoined(
                name, .notJoined, "the server does not answer", "can't be joined: the server does not answer")
        }
        for name in joining.markDue(at: step.elapsed, support: presence.support) {
            let why = "this server allows no channel of that name"
            reportNotJoined(name, .noSuchRoom, why, "can't be joined: \(why)")
        }
    }

    /// Returns the next request to the server: rooms that are due first, history after them; nil if there is none. The
    /// caller must send it now.
    mutating func nextQuestion(at elapsed: Duration) -> IRCMessage? {
        joining.nextJoin(at: elapsed, support: presence.support) ?? backfill.nextRequest(at: elapsed, &presence, &step)
    }

    /// - Parameters:
    ///   - detail: The reason, in the server's words if it gave any.
    ///   - sentence: The reason for the log, without the room's name.
    private mutating func reportNotJoined(
        _ name: [UInt8], _ reason: RoomTrouble.Reason, _ detail: String?, _ sentence: String
    ) {
        let (detail, sentence) = (
            detail.map(presence.configuration.secrets.mask), presence.configuration.secrets.mask(sentence)
        )
        let room = presence.names.channel(name)
        let nextTry = joining.nextTry(name).map { step.at.advanced(by: $0 - step.elapsed) }
        step.events.append(
            .roomTroubled(room, RoomTrouble(reason, detail: detail, since: step.at, nextTry: nextTry)))
        if joining.isNewTrouble(sentence, of: name) { step.troubles.append("\(room.name) \(sentence)") }
    }

    /// Joins the rooms that are new in the configuration, and leaves those that are no longer in it.
    mutating func setWantedRooms(_ rooms: [String]) {
        for (name, isRequested) in joining.setWantedRooms(rooms, at: step.elapsed)
        where !presence.configuration.staysInAllRooms {
            // The answer to the PART ends the room, also if the answer to our JOIN comes later.
            if isRequested || presence.membership.isJoined(name) { step.send.append(IRCMessage("PART", [name])) }
            if !presence.membership.isJoined(name) {
                step.events.append(.roomUnlisted(presence.names.channel(name), isGone: false, at: step.at))
            }
        }
        // The account may be in some already.
        for name in presence.membership.joined where joining.nextTry(name) != nil {
            joining.joined(name, at: step.elapsed)
        }
        join()
    }

    /// Ends the gaps of rooms that the archive expects and the configuration no longer has.
    mutating func unlistRemovedRooms() {
        guard !presence.configuration.staysInAllRooms else { return }
        step.events += stored.rooms.filter { !joining.isWanted(Array($0.key.utf8)) }.map {
            .roomUnlisted($0, isGone: false, at: presence.openedAt)
        }
    }

    /// The word of the PING whose answer ends a bouncer's list of rooms.
    private static let endOfRooms = "scrollback-rooms"

    /// Sends a PING. A bouncer sends a JOIN for each room of the account with its welcome, so the answer comes after all
    /// of them (znc 1.8, bip 0.9.3, soju 0.9).
    mutating func requestEndOfRooms(_ login: IRCLogin) {
        guard presence.configuration.staysInAllRooms, !stored.rooms.isEmpty, !login.isBouncerOffline else { return }
        isListingRooms = true
        step.urgent.append(IRCMessage("PING", Self.endOfRooms))
    }

    /// Handles the answer to ``requestEndOfRooms(_:)``: the account is no longer in the rooms that the archive expects
    /// and the bouncer did not list. A room that comes later is listed again by its JOIN.
    mutating func receiveEndOfRooms(_ message: IRCMessage) {
        guard isListingRooms, message.params.contains(Array(Self.endOfRooms.utf8)) else { return }
        isListingRooms = false
        guard !presence.isNetworkLost else { return }
        let joined = Set(presence.membership.joined.map(presence.names.key))
        for room in stored.rooms where !joined.contains(room.key) {
            // The server's rules for names may have changed since the room was stored.
            let name = Array(room.key.utf8)
            guard !presence.membership.isJoined(name), !joining.isWanted(name) else { continue }
            step.events.append(.roomUnlisted(room, isGone: false, at: step.at))
            step.troubles.append("\(room.name) is not archived: the account left it while the listener was away")
        }
    }

    /// Handles a live or replayed JOIN, PART, KICK, QUIT, NICK or RENAME.
    mutating func receiveMove(_ event: IRCEvent) {
        if isReplayedMove(event) { return replayMove(event) }
        noteNick(event.message)
        let before = event.message.source.map {
            presence.names.user($0.nick, isSelf: presence.membership.isOwn($0.nick))
        }
        let isOwnJoin = event.message.verb == "JOIN" && before?.isSelf == true
        let joined =
            isOwnJoin ? Set(event.message.roomNames.filter(presence.membership.isJoined).map(presence.names.key)) : []
        guard let effect = presence.membership.receive(event.message, support: presence.support) else {
            // The server does not report users in none of our rooms, except ourselves before the first join.
            if event.message.verb == "NICK", let before, before.isSelf { renamed(before, event) }
            return
        }
        for name in effect.rooms {
            if isOwnJoin { self.joined(name, event, again: joined.contains(presence.names.key(name))) }
            keep(move: event, in: name, isSelf: before?.isSelf)
            if event.message.verb == "RENAME" {
                renamed(name, to: event.message.param(1))
            } else if effect.isOwn, !presence.membership.isJoined(name) {
                left(name, event)
            }
        }
        if event.message.verb == "NICK", let before {
            renamed(before, event)
        }
    }

    /// Adds the row for one room.
    private mutating func keep(move event: IRCEvent, in name: [UInt8], isSelf: Bool? = nil) {
        let (message, room) = (event.message, presence.names.channel(name))
        switch message.verb {
        case "JOIN": keep(event, .join, in: room, body: nil, isSelf: isSelf)
        case "PART": keep(event, .leave, in: room, body: reason(message, 1), isSelf: isSelf)
        case "QUIT": keep(event, .leave, in: room, body: reason(message, 0), isSelf: isSelf)
        case "KICK":
            let why = reason(message, 2).map { Array(": ".utf8) + $0 } ?? []
            keep(event, .kick, in: room, body: message.param(1) + why, isSelf: isSelf)
        case "NICK": keep(event, .rename, in: room, body: message.param(0), isSelf: isSelf)
        // A RENAME is stored under the old name.
        default: keep(event, .system, in: room, body: message.param(1))
        }
    }

    private func reason(_ message: IRCMessage, _ index: Int) -> [UInt8]? {
        message.param(index).isEmpty ? nil : message.param(index)
    }

    /// Notes that we are in the room. The server sends its messages after this line.
    ///
    /// - Parameter isAgain: True if we were already in the room. Only a bouncer that was not connected to its network
    ///   reports that.
    private mutating func joined(_ name: [UInt8], _ event: IRCEvent, again isAgain: Bool) {
        presence.names.keepSpelling(name)
        let room = presence.names.channel(name)
        joining.joined(name, at: step.elapsed)
        topics.joined(room.key)
        presence.joined(room, at: event.sourceTime?.microseconds, &step)
        if isAgain, !presence.isSilent(room) { lostNetwork(until: event.sourceTime) }
        presence.regainedNetwork(&step)
        _ = presence.endOutage(of: room)
        step.events.append(.roomListed(RoomListing(room: room), at: step.at))
        presence.beginLive(room, since: event.sourceTime, &step)
        backfill.lookUp(room, &step)
    }

    /// Notes that we have left a room. A wanted room has a gap from here on.
    private mutating func left(_ name: [UInt8], _ event: IRCEvent) {
        let room = presence.names.channel(name)
        presence.left(room)
        topics.left(room.key)
        backfill.forget(room)
        step.events.append(.roomSilent(session: presence.id, room: room, at: step.at, reason: .left))
        guard joining.isWanted(name) else {
            step.events.append(.roomUnlisted(room, isGone: false, at: step.at))
            return
        }
        joining.left(name, at: step.elapsed)
        // A QUIT of ours ends the connection.
        if event.message.verb == "QUIT" { return }
        let who = presence.names.text(event.message.source?.nick ?? presence.serverName)
        let isKicked = event.message.verb == "KICK"
        let why = reason(event.message, isKicked ? 2 : 1).map { ": \(presence.names.text($0))" } ?? ""
        let what = isKicked ? "kicked by \(who)\(why)" : "left\(why)"
        reportNotJoined(name, .notJoined, what, "is not archived: \(what)")
    }

    /// Handles a channel's new name (IRCv3 draft/channel-rename). It remains the same room.
    private mutating func renamed(_ name: [UInt8], to new: [UInt8]) {
        let old = presence.names.channel(name)
        presence.names.keepSpelling(new)
        let room = presence.names.channel(new)
        joining.renamed(name, to: new, at: step.elapsed)
        replays.end(of: old)
        topics.left(old.key)
        let at = step.at.advanced(byMicroseconds: 1)
        step.events.append(.roomRenamed(session: presence.id, fromKey: old.key, to: room, at: at))
        // The rest of the history would be stored under the old name, so the next connection fetches it.
        backfill.forget(old)
        presence.renamed(old, to: room)
    }

    /// Notes a new nick, after the rows about it, which have the old nick.
    private mutating func renamed(_ before: UserReference, _ event: IRCEvent) {
        let time = event.sourceTime ?? step.at
        let user = presence.names.user(event.message.param(0), isSelf: before.isSelf)
        step.events.append(.userRenamed(session: presence.id, fromKey: before.key, to: user, at: time))
    }

    /// Handles the end of NAMES, which completes the list of the room's members.
    mutating func receiveEndOfNames(_ message: IRCMessage) {
        let name = message.param(1)
        // Writes the list once for each join, so that a server can't make us write it with each line.
        let isFirst = presence.membership.isListed(name) == false
        _ = presence.membership.receive(message, support: presence.support)
        guard isFirst, !presence.membership.isPartial else { return }
        let users = presence.membership.members(of: name).map {
            presence.names.user($0, isSelf: presence.membership.isOwn($0))
        }
        step.events.append(.membersListed(presence.names.channel(name), users, at: step.at))
    }

    /// Handles an error about a room that was requested, with any number: 403, 405, 437, 471, 473, 474, 475, 477, … `me
    /// #room :why`, and `FAIL JOIN CODE #room :why`.
    ///
    /// After a 470 (`me #room #other :why`) comes a JOIN of the other room, which is archived as well.
    mutating func receiveJoinRefusal(_ message: IRCMessage) {
        let isError = message.verb.count == 3 && (message.verb.first == "4" || message.verb.first == "5")
        let isFailure = message.verb == "FAIL" && message.param(0) == Array("JOIN".utf8)
        guard isError || isFailure else { return }
        guard let name = message.params.first(where: joining.isRequested) else { return receiveRejoinRefusal(message) }
        joining.refused(name, forItsKey: message.verb == "475", at: step.elapsed)
        let code = message.verb == "FAIL" ? presence.names.text(message.param(1)) : message.verb
        let words = presence.names.text(message.params.last ?? [])
        let support = presence.support
        let target = message.params.dropLast().last {
            support.isChannel($0) && presence.names.key($0) != presence.names.key(name)
        }
        let isForwarded = message.verb == "470"
        let forward = isForwarded ? target.map { "forwarded to \(presence.names.text($0)): " } ?? "" : ""
        reportNotJoined(name, .init(joinError: code), forward + words, "can't be joined (\(code): \(forward)\(words))")
    }

    /// Handles the error of a room that a bouncer could not join again after an outage: the account has left it.
    private mutating func receiveRejoinRefusal(_ message: IRCMessage) {
        let numbers = ["403", "405", "471", "473", "474", "475", "476", "477", "489"]
        let name = message.params.first {
            presence.membership.isJoined($0) && presence.isSilent(presence.names.channel($0))
        }
        guard let name, numbers.contains(message.verb), !presence.isNetworkLost, !joining.isWanted(name) else { return }
        let room = presence.names.channel(name)
        presence.membership.leave(name)
        presence.left(room)
        backfill.forget(room)
        step.events.append(.roomUnlisted(room, isGone: false, at: step.at))
        let words = presence.names.text(message.params.last ?? [])
        step.troubles.append("\(room.name) is not archived: the bouncer can't join it (\(message.verb): \(words))")
    }

    /// The time in microseconds by which a live move may be earlier than our join. znc gives our JOIN the time of its
    /// own clock, and other lines the network's time, so this is history's tolerance for different clocks.
    private static let moveTolerance = HistoryFill.overlap * 1000

    /// Returns true if a move is replayed: it is in a batch of history, or much earlier than our join of the room.
    ///
    /// A move that is only a little earlier changes the room's members like a live one. Its row is still stored like a
    /// replayed one, so that a replay does not store it again.
    private func isReplayedMove(_ event: IRCEvent) -> Bool {
        if event.replayOf != nil { return true }
        // A QUIT or NICK comes once for all rooms.
        guard ["JOIN", "PART", "KICK"].contains(event.message.verb) else { return false }
        let room = presence.names.channel(event.message.param(0))
        // Our own live join has the time of the join itself.
        guard let since = presence.joinTime(room.key), let time = event.sourceTime else { return false }
        return time < Timestamp(microseconds: since).advanced(byMicroseconds: -Self.moveTolerance)
    }

    /// Adds the row of a replayed move. For a QUIT or NICK, the batch has the room.
    private mutating func replayMove(_ event: IRCEvent) {
        let named = event.message.param(0)
        let isNamed = presence.support.isChannel(named) && event.message.verb != "RENAME"
        let name = isNamed ? named : event.replayOf ?? []
        guard presence.support.isChannel(name) else { return }
        keep(move: event, in: name)
    }
}

extension IRCMessage {
    /// The rooms of a JOIN; there may be several.
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

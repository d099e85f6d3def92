import ChatModel
import IRCWire

/// Tracks the users who join and leave rooms, ourselves included.
extension IRCReceiver {
    /// Finds the rooms to join, for the first time or again.
    mutating func join() { joining.prepare(presence, &step) }

    /// Returns the next request to the server: rooms that are due first, history after them; nil if there is none. The
    /// caller must send it now.
    mutating func nextQuestion(at elapsed: Duration) -> IRCMessage? {
        joining.nextJoin(at: elapsed, support: presence.support) ?? backfill.nextRequest(at: elapsed, &presence, &step)
    }

    /// Handles a live or replayed JOIN, PART, KICK, QUIT, NICK or RENAME.
    mutating func receiveMove(_ event: IRCEvent) {
        if presence.isReplayedMove(event) { return replayMove(event) }
        presence.noteNick(event.message, &step)
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
        let move = event.message.move
        keep(event, move.kind, in: presence.names.channel(name), body: move.body, isSelf: isSelf)
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
        let why = event.message.text(isKicked ? 2 : 1).map { ": \(presence.names.text($0))" } ?? ""
        let what = isKicked ? "kicked by \(who)\(why)" : "left\(why)"
        joining.reportNotJoined(name, .notJoined, what, "is not archived: \(what)", presence, &step)
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

    /// Handles the error of a room that a bouncer could not join again after an outage: the account has left it.
    mutating func receiveRejoinRefusal(_ message: IRCMessage) {
        let numbers = ["403", "405", "471", "473", "474", "475", "476", "477", "489"]
        guard numbers.contains(message.verb), !presence.isNetworkLost else { return }
        let name = message.params.first {
            presence.membership.isJoined($0) && presence.isSilent(presence.names.channel($0))
        }
        guard let name, !joining.isWanted(name) else { return }
        let room = presence.names.channel(name)
        presence.membership.leave(name)
        presence.left(room)
        backfill.forget(room)
        step.events.append(.roomUnlisted(room, isGone: false, at: step.at))
        let words = presence.names.text(message.params.last ?? [])
        step.troubles.append("\(room.name) is not archived: the bouncer can't join it (\(message.verb): \(words))")
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

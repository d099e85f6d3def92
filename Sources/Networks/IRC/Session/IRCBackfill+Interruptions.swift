import ChatModel
import IRCWire
import Sessions

/// Finds times in which a bouncer was not in a room, by the pages of history.
extension IRCBackfill {
    /// Finds the times in which a bouncer was not in a channel, by a page of its history, and withdraws the coverage of
    /// those times.
    mutating func noteInterruptions(
        in page: [IRCMessage], of key: String, _ presence: inout IRCPresence, _ step: inout IRCStep
    ) {
        guard let room = history.rooms[key], room.reference.kind == .channel else { return }
        // A direct server keeps the room's history while the account is away. Its pages may have the account's own
        // moves (Ergo, with draft/event-playback).
        guard presence.isBouncer || presence.configuration.staysInAllRooms else { return }
        let found = history.interruptions(of: key, presence.ownMoves(in: page)).filter {
            presence.isBouncer || isOutage($0, in: key, presence)
        }
        for interruption in found {
            presence.withdraw(interruption, of: room.reference, &step)
            // The account joins again without having left, so the bouncer reconnected.
            guard interruption.from == nil, room.missingSince != nil, !presence.outages.contains(interruption.to)
            else { continue }
            presence.noteOutage(until: interruption.to)
            for direct in presence.conversations { presence.withdraw(interruption, of: direct, &step) }
        }
    }

    /// Returns true if the server is a bouncer that does not announce itself, because the account neither left the room
    /// nor joined it just now.
    private func isOutage(
        _ interruption: IRCInterruptions.Interruption, in key: String, _ presence: IRCPresence
    ) -> Bool {
        interruption.from == nil && interruption.to.milliseconds != presence.joinTime(key).map { $0 / 1000 }
    }
}

extension IRCPresence {
    /// Returns the account's own joins and departures, in order of time. Nicks that the page later shows as ours count
    /// as ours.
    fileprivate func ownMoves(in page: [IRCMessage]) -> [IRCInterruptions.Move] {
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
}

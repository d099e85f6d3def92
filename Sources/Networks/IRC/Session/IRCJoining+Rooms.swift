import ChatModel
import IRCWire

/// Reports which wanted rooms are not archived, and which rooms are no longer wanted.
extension IRCJoining {
    /// Finds the rooms to join, for the first time or again.
    mutating func prepare(_ presence: IRCPresence, _ step: inout IRCStep) {
        for name in unanswered(at: step.elapsed) {
            reportNotJoined(
                name, .notJoined, "the server does not answer", "can't be joined: the server does not answer", presence,
                &step)
        }
        for name in markDue(at: step.elapsed, support: presence.support) {
            let why = "this server allows no channel of that name"
            reportNotJoined(name, .noSuchRoom, why, "can't be joined: \(why)", presence, &step)
        }
    }

    /// - Parameters:
    ///   - detail: The reason, in the server's words if it gave any.
    ///   - sentence: The reason for the log, without the room's name.
    mutating func reportNotJoined(
        _ name: [UInt8], _ reason: RoomTrouble.Reason, _ detail: String?, _ sentence: String, _ presence: IRCPresence,
        _ step: inout IRCStep
    ) {
        let secrets = presence.configuration.secrets
        let (detail, sentence) = (detail.map(secrets.mask), secrets.mask(sentence))
        let room = presence.names.channel(name)
        let nextTry = nextTry(name).map { step.at.advanced(by: $0 - step.elapsed) }
        step.events.append(
            .roomTroubled(room, RoomTrouble(reason, detail: detail, since: step.at, nextTry: nextTry)))
        if isNewTrouble(sentence, of: name) { step.troubles.append("\(room.name) \(sentence)") }
    }

    /// Joins the rooms that are new in the configuration, and leaves those that are no longer in it.
    mutating func configure(_ rooms: [String], _ presence: IRCPresence, _ step: inout IRCStep) {
        for (name, isRequested) in setWantedRooms(rooms, at: step.elapsed)
        where !presence.configuration.staysInAllRooms {
            // The answer to the PART ends the room, also if the answer to our JOIN comes later.
            if isRequested || presence.membership.isJoined(name) { step.send.append(IRCMessage("PART", [name])) }
            if !presence.membership.isJoined(name) {
                step.events.append(.roomUnlisted(presence.names.channel(name), isGone: false, at: step.at))
            }
        }
        // The account may be in some already.
        for name in presence.membership.joined where nextTry(name) != nil {
            joined(name, at: step.elapsed)
        }
        prepare(presence, &step)
    }

    /// Handles an error about a room that was requested, with any number: 403, 405, 437, 471, 473, 474, 475, 477, … `me
    /// #room :why`, and `FAIL JOIN CODE #room :why`.
    ///
    /// After a 470 (`me #room #other :why`) comes a JOIN of the other room, which is archived as well.
    ///
    /// - Returns: False for other messages.
    mutating func receiveRefusal(_ message: IRCMessage, _ presence: IRCPresence, _ step: inout IRCStep) -> Bool {
        let isError = message.verb.count == 3 && (message.verb.first == "4" || message.verb.first == "5")
        let isFailure = message.verb == "FAIL" && message.param(0) == Array("JOIN".utf8)
        guard isError || isFailure, let name = message.params.first(where: isRequested) else { return false }
        refused(name, forItsKey: message.verb == "475", at: step.elapsed)
        let code = message.verb == "FAIL" ? presence.names.text(message.param(1)) : message.verb
        let words = presence.names.text(message.params.last ?? [])
        let target = message.params.dropLast().last {
            presence.support.isChannel($0) && presence.names.key($0) != presence.names.key(name)
        }
        let isForwarded = message.verb == "470"
        let forward = isForwarded ? target.map { "forwarded to \(presence.names.text($0)): " } ?? "" : ""
        reportNotJoined(
            name, .init(joinError: code), forward + words, "can't be joined (\(code): \(forward)\(words))", presence,
            &step)
        return true
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

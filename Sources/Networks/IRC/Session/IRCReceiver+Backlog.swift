import ChatModel
import IRCWire

/// Stores each message of bip's backlog once.
extension IRCReceiver {
    /// Handles a line of bip's backlog. Returns false for any other line.
    mutating func receiveBacklog(_ event: IRCEvent) -> Bool {
        let target = event.message.param(0)
        guard let line = BipLine(event.message, isConversation: !presence.support.isChannel(target)) else {
            return false
        }
        let room = room(of: event)
        guard case .end = line else { return backlogs.add((event, line, step.at), to: room.key, at: step.elapsed) }
        guard let count = backlogs.end(room.key) else { return event.message.source.map(BouncerMark.isBip) == true }
        // As many as the lines, and others that bip does not keep.
        step.lookups.append(.lastMessages(room, limit: 2 * count + 200))
        return true
    }

    /// Stores lines that look like a backlog without an end.
    mutating func storeOverdueBacklogs() {
        for line in backlogs.takeOverdue(at: step.elapsed) { receiveMessage(line.event) }
    }

    /// Handles the archive's newest messages of a room with a backlog.
    mutating func receiveStored(_ stored: [StoredPoint], of room: RoomReference) {
        let names = presence.names
        let backlog = IRCBacklog(lines: lines(of: backlogs.take(room.key), in: room))
        step.events += backlog.newMessages(
            after: stored, key: { names.key(Array($0.utf8)) }, now: presence.networkTime(step.at))
    }

    /// Returns the lines with their times, if each message begins with one.
    private func lines(of backlog: [IRCBacklogs.Line], in room: RoomReference) -> [IRCBacklog.Line] {
        let hasTimes = backlog.allSatisfy {
            if case .message(let message) = $0.line { message.timed != nil } else { true }
        }
        return backlog.compactMap { received in
            switch received.line {
            case .message(let said):
                let timed = hasTimes ? said.timed : nil
                let message = message(said, timed?.text ?? said.text, received, in: room)
                return IRCBacklog.Line(message: message, time: timed?.time)
            case .event(let time): return hasTimes ? IRCBacklog.Line(message: nil, time: time) : nil
            case .end: return nil
            }
        }
    }

    private func message(
        _ said: BipMessage, _ body: [UInt8], _ line: IRCBacklogs.Line, in room: RoomReference
    ) -> IncomingMessage {
        let nick = said.isOwn ? presence.membership.nick : line.event.message.source?.nick ?? []
        let isUTF8 = presence.names.isUTF8(nick) && presence.names.isUTF8(body)
        return IncomingMessage(
            session: presence.id, room: room, kind: said.isAction ? .action : .message,
            sender: presence.names.user(nick, isSelf: presence.membership.isOwn(nick)),
            body: presence.names.text(body), receivedAt: line.receivedAt,
            flags: isUTF8 ? [] : .invalidUTF8, raw: line.event.raw)
    }
}

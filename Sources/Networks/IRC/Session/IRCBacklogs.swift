import ChatModel
import IRCWire

/// Stores each message of bip's backlogs once. Keeps the backlogs that were not compared with the archive yet, by the
/// room's key.
struct IRCBacklogs: Sendable {
    typealias Line = (event: IRCEvent, line: BipLine, receivedAt: Timestamp)

    /// The limit of lines in one room. bip sends 10 by default.
    private static let maximumLines = 5000
    /// The limit of bytes in all rooms together.
    private static let maximumBytes = 8 * 1024 * 1024
    private static let lineBytes = 400
    /// The silence after which a room's lines are no backlog: bip sends a whole backlog at once, but any user may have
    /// got the address of bip's lines from the network's services.
    private static let longestPause: Duration = .seconds(10)

    /// The lines without an end, with the time of the last one.
    private var open: [String: (lines: [Line], last: Duration)] = [:]
    private var ended: [String: [Line]] = [:]
    private var bytes = 0

    /// - Returns: False if there are too many lines, which are messages like any others.
    private mutating func add(_ line: Line, to room: String, at now: Duration) -> Bool {
        let size = Self.size(line)
        guard open[room]?.lines.count ?? 0 < Self.maximumLines, bytes + size <= Self.maximumBytes else { return false }
        bytes += size
        open[room, default: ([], now)].lines.append(line)
        open[room]?.last = now
        return true
    }

    /// Ends a room's backlog.
    ///
    /// - Returns: The number of its lines; nil if the room has none.
    private mutating func end(_ room: String) -> Int? {
        guard let lines = open.removeValue(forKey: room)?.lines else { return nil }
        ended[room, default: []] += lines
        return ended[room]?.count
    }

    /// Returns and forgets the lines whose backlog did not end in time.
    mutating func takeOverdue(at now: Duration) -> [Line] {
        let rooms = open.filter { now - $0.value.last >= Self.longestPause }.keys.sorted()
        return released(rooms.flatMap { open.removeValue(forKey: $0)?.lines ?? [] })
    }

    private mutating func released(_ lines: [Line]) -> [Line] {
        bytes -= lines.map(Self.size).reduce(0, +)
        return lines
    }

    private static func size(_ line: Line) -> Int { line.event.message.param(1).count + lineBytes }

    /// Handles a line of bip's backlog. Returns false for any other line.
    mutating func receive(_ event: IRCEvent, _ presence: inout IRCPresence, _ step: inout IRCStep) -> Bool {
        let target = event.message.param(0)
        guard let line = BipLine(event.message, isConversation: !presence.support.isChannel(target)) else {
            return false
        }
        let room = presence.room(of: event, &step)
        guard case .end = line else { return add((event, line, step.at), to: room.key, at: step.elapsed) }
        guard let count = end(room.key) else { return event.message.source.map(BouncerMark.isBip) == true }
        // As many as the lines, and others that bip does not keep.
        step.lookups.append(.lastMessages(room, limit: 2 * count + 200))
        return true
    }

    /// Handles the archive's newest messages of a room whose backlog has ended.
    mutating func receiveStored(
        _ stored: [StoredPoint], of room: RoomReference, _ presence: IRCPresence, _ step: inout IRCStep
    ) {
        let names = presence.names
        let received = released(ended.removeValue(forKey: room.key) ?? [])
        let backlog = IRCBacklog(lines: lines(of: received, in: room, presence))
        step.events += backlog.newMessages(
            after: stored, key: { names.key(Array($0.utf8)) }, now: presence.networkTime(step.at))
    }

    /// Returns the lines with their times, if each message begins with one.
    private func lines(of backlog: [Line], in room: RoomReference, _ presence: IRCPresence) -> [IRCBacklog.Line] {
        let hasTimes = backlog.allSatisfy {
            if case .message(let message) = $0.line { message.timed != nil } else { true }
        }
        return backlog.compactMap { received in
            switch received.line {
            case .message(let said):
                let timed = hasTimes ? said.timed : nil
                let message = message(said, timed?.text ?? said.text, received, in: room, presence)
                return IRCBacklog.Line(message: message, time: timed?.time)
            case .event(let time): return hasTimes ? IRCBacklog.Line(message: nil, time: time) : nil
            case .end: return nil
            }
        }
    }

    private func message(
        _ said: BipMessage, _ body: [UInt8], _ line: Line, in room: RoomReference, _ presence: IRCPresence
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

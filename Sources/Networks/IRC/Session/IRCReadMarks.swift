import ChatModel
import IRCWire
import Sessions

/// Follows what the account's owner reads in another client.
struct IRCReadMarks: Sendable {
    /// The times up to which live rooms are read, by the room's key.
    private var times: [String: Timestamp] = [:]

    /// Handles `MARKREAD target timestamp=…` (IRCv3 draft/read-marker). A room without a marker has `*`.
    mutating func receive(_ message: IRCMessage, _ presence: IRCPresence, _ step: inout IRCStep) {
        let (target, mark) = (message.param(0), message.param(1))
        let room = presence.support.isChannel(target) ? presence.names.channel(target) : presence.names.direct(target)
        let prefix = Array("timestamp=".utf8)
        guard mark.starts(with: prefix), presence.liveRoom(room.key) != nil,
            let time = ServerTime.microseconds(Array(mark.dropFirst(prefix.count)))
        else { return }
        // The marker has milliseconds, and several messages may have the same one.
        times[room.key] = Timestamp(microseconds: time).endOfMillisecond
        moveMarker(of: room, &step)
    }

    /// Moves the room's read marker forward to what was read elsewhere, as far as it is stored by now.
    func moveMarker(of room: RoomReference, _ step: inout IRCStep) {
        guard let time = times[room.key] else { return }
        // Without a message id, the time decides.
        step.events.append(.read(room, upTo: "", at: time))
    }
}

extension Timestamp {
    /// The last microsecond of the millisecond.
    fileprivate var endOfMillisecond: Timestamp { Timestamp(milliseconds: milliseconds).advanced(byMicroseconds: 999) }
}

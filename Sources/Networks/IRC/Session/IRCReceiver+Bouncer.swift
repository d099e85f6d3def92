import ChatModel
import IRCWire
import Sessions

/// Asks ZNC for what was missed.
extension IRCReceiver {
    /// The seconds before the last receipt from which ZNC repeats messages: its clock may differ, and a short connection
    /// before this one may have ended before the answer came.
    private static let playbackOverlap: Int64 = 600

    private var hasPlayback: Bool { presence.registration.capabilities.contains("znc.in/playback") }

    /// Requests what ZNC kept since the last receipt, because with the capability `znc.in/playback` ZNC sends nothing by
    /// itself (README of jpnurmi/znc-playback). Times are in seconds since 1970.
    mutating func requestPlayback() {
        guard hasPlayback else { return }
        let since = stored.lastReceipt.map { max(0, $0.microseconds / 1_000_000 - Self.playbackOverlap) } ?? 0
        step.send.append(IRCMessage("PRIVMSG", "*playback", "PLAY * \(since)"))
    }

    /// Requests all that ZNC kept of a channel that was never archived, unless ``requestPlayback()`` did.
    mutating func requestPlayback(of known: IRCBackfill.KnownRoom) {
        guard hasPlayback, stored.lastReceipt != nil, known.start == nil, known.room.kind == .channel else { return }
        step.send.append(IRCMessage("PRIVMSG", "*playback", "PLAY \(known.room.name) 0"))
    }
}

/// Follows what the account's owner reads in another client.
extension IRCReceiver {
    /// Handles `MARKREAD target timestamp=…` (IRCv3 draft/read-marker). A room without a marker has `*`.
    mutating func receiveReadMarker(_ message: IRCMessage) {
        let (target, mark) = (message.param(0), message.param(1))
        let room = presence.support.isChannel(target) ? presence.names.channel(target) : presence.names.direct(target)
        let prefix = Array("timestamp=".utf8)
        guard mark.starts(with: prefix), presence.liveRoom(room.key) != nil,
            let time = ServerTime.microseconds(Array(mark.dropFirst(prefix.count)))
        else { return }
        // The marker has milliseconds, and several messages may have the same one.
        readMarks[room.key] = Timestamp(microseconds: time).endOfMillisecond
        noteRead(room)
    }

    /// Moves the room's read marker forward to what was read elsewhere, as far as it is stored by now.
    mutating func noteRead(_ room: RoomReference) {
        guard let time = readMarks[room.key] else { return }
        // Without a message id, the time decides.
        step.events.append(.read(room, upTo: "", at: time))
    }
}

extension Timestamp {
    /// The last microsecond of the millisecond.
    fileprivate var endOfMillisecond: Timestamp { Timestamp(milliseconds: milliseconds).advanced(byMicroseconds: 999) }
}

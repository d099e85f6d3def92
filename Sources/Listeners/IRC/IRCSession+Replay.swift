import ChatModel
import IRCWire

/// Takes earlier messages that servers and bouncers send again.
extension IRCSession {
    /// Servers may cut a replay's times to whole seconds, so times are compared in seconds.
    private static let second: Int64 = 1_000_000
    /// How far the server's clock may be behind ours where a join has no time.
    private static let clockTolerance: Duration = .seconds(60)

    /// Returns whether the line is about the past: it is in a batch of history, or older than our presence.
    ///
    /// Bouncers replay lines without a batch, right after a join, marked only by their time, which is exact to the
    /// microsecond where it has a fraction of a second, as znc's have. A line that another server of the network
    /// stamped with a late clock counts as a replay, too; it is kept all the same.
    func isReplay(_ heard: IRCHeard, in room: RoomReference) -> Bool {
        if heard.replayOf != nil { return true }
        guard let time = heard.sourceTime else { return false }
        let since = room.kind == .channel ? joinedAt[room.key] ?? nil : welcomedAt
        guard let since else { return time < openedAt.advanced(by: .zero - Self.clockTolerance) }
        let isCut = time.microseconds % Self.second == 0
        return isCut ? time.microseconds / Self.second < since / Self.second : time.microseconds < since
    }

    /// The most messages of one replay without a batch: ten times what znc keeps of a room by default (500), rounded
    /// up. Beyond it, equal messages of one second are counted from the first again.
    private static let maximumBareReplay = 10_000

    /// Keeps a replayed message once: by its msgid, or one to one where there is none. It changes nothing about the
    /// present, and proves no time complete.
    mutating func keep(replayed message: IncomingMessage) {
        if batchReplay != nil {
            step.events += [batchReplay?.event(message)].compactMap(\.self)
            return
        }
        // Bouncers play one room after the other; only what is alike in one second of one room is told apart by this.
        let isFull = bareReplay.map { $0.replay.count >= Self.maximumBareReplay } ?? false
        if isFull || bareReplay?.room != message.room.key { bareReplay = (message.room.key, IRCReplay()) }
        step.events += [bareReplay?.replay.event(message)].compactMap(\.self)
    }

    /// Ends a replay without a batch at a live line: if more is replayed, it is another replay.
    mutating func endBareReplay(of room: RoomReference) {
        if bareReplay?.room == room.key { bareReplay = nil }
    }
}

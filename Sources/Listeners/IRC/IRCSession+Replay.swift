import ChatModel
import IRCWire

/// What servers and bouncers play again of what was said before.
extension IRCSession {
    /// Servers may cut a replay's times to whole seconds, so that it is compared in seconds.
    private static let second: Int64 = 1_000_000
    /// Where a join has no time by the server's clock, how far that may be behind ours.
    private static let clockTolerance: Duration = .seconds(60)

    /// Whether it says what was: it is in a batch of history, or older than our being there.
    ///
    /// Bouncers play lines again without a batch, right after a join, told by their time alone: to the microsecond where it
    /// has a fraction of a second, as znc's have. A line that another server of the network stamped with a late clock is taken for
    /// one of these: it is kept all the same.
    func isReplay(_ heard: IRCHeard, in room: RoomReference) -> Bool {
        if heard.replayOf != nil { return true }
        guard let time = heard.sourceTime else { return false }
        let since = room.kind == .channel ? joinedAt[room.key] ?? nil : welcomedAt
        guard let since else { return time < openedAt.advanced(by: .zero - Self.clockTolerance) }
        let isCut = time.microseconds % Self.second == 0
        return isCut ? time.microseconds / Self.second < since / Self.second : time.microseconds < since
    }

    /// Messages of one replay without a batch, ten times what znc keeps of a room by default (500), rounded up. Past it like
    /// messages of one second are counted again from the first.
    private static let maximumBareReplay = 10_000

    /// Keeps what is played again, once: by its msgid, or one to one where there is none. Nothing of now is learned from it,
    /// and it proves no time complete.
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

    /// What is of now ends what is played again without a batch: if more comes, that is a replay of its own.
    mutating func endBareReplay(of room: RoomReference) {
        if bareReplay?.room == room.key { bareReplay = nil }
    }
}

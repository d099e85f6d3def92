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
    /// Bouncers play lines again without a batch, right after a join, told by their time alone. A line that another server of
    /// the network stamped with a late clock, in our first second there, is taken for one of these: it is kept all the same.
    func isReplay(_ heard: IRCHeard, in room: RoomReference) -> Bool {
        if heard.replayOf != nil { return true }
        guard let time = heard.sourceTime else { return false }
        let since = room.kind == .channel ? joinedAt[room.key] ?? nil : welcomedAt
        guard let since else { return time < openedAt.advanced(by: .zero - Self.clockTolerance) }
        return time.microseconds / Self.second < since / Self.second
    }

    /// Keeps what is played again; nothing of now is learned from it, and it proves no time complete.
    ///
    /// With a msgid it is merged by that. Without one, it can be a line that was heard when it was said, and is kept only where
    /// it can't be: it is later than all that was ever received. What is left out by that stays a gap, or was before the
    /// archive began. It has no session, as nothing was heard by this one: so the store does not take a JOIN or a QUIT of
    /// then for one of now.
    mutating func keep(replayed message: IncomingMessage) {
        var message = message
        message.session = nil
        guard message.remoteID != nil || isUnheard(message.sourceTime) else { return }
        step.events.append(.message(message))
    }

    private func isUnheard(_ time: Timestamp?) -> Bool {
        guard let time else { return false }
        return past.heardUntil.map { time > $0 } ?? true
    }
}

import ChatModel
import IRCWire

/// Counts the messages of one replay: earlier messages that the server sends again, in a batch such as a page of
/// history, or as lines without one.
///
/// It needs all messages in their order, as it counts those that are equal. A second replay needs a value of its own:
/// pages that follow each other share their last and first messages.
struct IRCReplay: Sendable {
    private var counter = OccurrenceCounter(folding: .exact)
    /// The number of messages so far.
    private(set) var count = 0
    /// True when any time has a fraction. Servers that cut times to whole seconds (inspircd 3.15 does in a replay, with
    /// times of milliseconds in live lines) cut all of them; where all are whole by chance, seconds are right as well.
    private(set) var hasFractions = false

    /// - Parameter messages: The part that is known beforehand, so that a whole time at its beginning is not mistaken
    ///   for a cut one.
    init(of messages: [IRCMessage] = []) {
        for message in messages {
            if let time = message.tag("time").flatMap(ServerTime.microseconds) { look(at: time) }
        }
    }

    /// - Returns: nil for a message with neither id nor time: nothing shows whether it was received live, and every
    ///   replay would store it again.
    mutating func event(_ message: IncomingMessage) -> ChatEvent? {
        count += 1
        guard message.remoteID != nil || message.sourceTime != nil else { return nil }
        if let time = message.sourceTime { look(at: time.microseconds) }
        let resolution = hasFractions ? TimeResolution.microsecond : .second
        return .message(message, .replay(counter.count(message, resolution: resolution), resolution))
    }

    private mutating func look(at time: Int64) {
        if time % TimeResolution.second.microseconds != 0 { hasFractions = true }
    }
}

/// The replays that are being received: a batch's, and one of lines without a batch.
struct IRCReplays: Sendable {
    /// The most messages of one replay without a batch: ten times what znc keeps of a room by default (500), rounded
    /// up. Beyond it, equal messages of one second are counted from the first again.
    private static let maximumBareReplay = 10_000

    private(set) var batch: IRCReplay?
    /// The room's key, and the replay as far as it came.
    private(set) var bare: (room: String, replay: IRCReplay)?

    /// Begins the replay of a batch.
    ///
    /// - Returns: False within another batch's replay, to which the messages belong.
    mutating func begin(_ messages: [IRCMessage]) -> Bool {
        guard batch == nil else { return false }
        batch = IRCReplay(of: messages)
        return true
    }

    mutating func endBatch() { batch = nil }

    /// Returns the event for a replayed message, which is stored once: by its msgid, or one to one where there is none. It
    /// changes no state, and proves no time complete.
    ///
    /// - Returns: nil for a message that can't be distinguished from a repetition.
    mutating func event(_ message: IncomingMessage) -> ChatEvent? {
        if batch != nil { return batch?.event(message) }
        // Bouncers replay one room after the other; this distinguishes only equal messages in one second of one room.
        let isFull = bare.map { $0.replay.count >= Self.maximumBareReplay } ?? false
        if isFull || bare?.room != message.room.key { bare = (message.room.key, IRCReplay()) }
        return bare?.replay.event(message)
    }

    /// Ends a room's replay without a batch, as a line of now does: if more comes, that is a replay of its own.
    mutating func end(of room: RoomReference) {
        if bare?.room == room.key { bare = nil }
    }
}

extension IRCPresence {
    /// Servers may cut a replay's times to whole seconds, so times are compared in seconds.
    private static let second: Int64 = 1_000_000
    /// The time by which the server's clock may be behind ours where a join has no time.
    private static let clockTolerance: Duration = .seconds(60)

    /// True when the line says what was: it is in a batch of history, or older than the account's being there.
    ///
    /// Bouncers replay lines without a batch, right after a join, recognised by their time alone: to the microsecond where it
    /// has a fraction of a second, as znc's have. A line that another server of the network stamped with a late clock is taken for
    /// one of these: it is kept all the same.
    func isReplay(_ event: IRCEvent, in room: RoomReference) -> Bool {
        if event.replayOf != nil { return true }
        guard let time = event.sourceTime else { return false }
        let since = room.kind == .channel ? joinTime(room.key) : welcomedAt
        guard let since else { return time < openedAt.advanced(by: .zero - Self.clockTolerance) }
        let isCut = time.microseconds % Self.second == 0
        return isCut ? time.microseconds / Self.second < since / Self.second : time.microseconds < since
    }
}

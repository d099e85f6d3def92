import ChatModel
import IRCWire

/// Counts the messages of one replay: earlier messages that the server sends again, in a batch such as a page of
/// history, or as lines without a batch.
///
/// Counts equal messages, so it needs all messages in their order. Each replay needs a new value, because consecutive
/// pages share their last and first messages.
struct IRCReplay: Sendable {
    private var counter = OccurrenceCounter(folding: .exact)
    /// The number of messages so far.
    private(set) var count = 0
    /// True if any time has a fraction. Servers that cut times to whole seconds cut all of them (inspircd 3.15 does so
    /// in a replay, and sends milliseconds in live lines). If all times are whole by chance, seconds are correct as
    /// well.
    private(set) var hasFractions = false

    /// - Parameter messages: The messages that are already known, so that a whole time at the beginning is not mistaken
    ///   for a cut one.
    init(of messages: [IRCMessage] = []) {
        for message in messages {
            if let time = message.tag("time").flatMap(ServerTime.microseconds) { look(at: time) }
        }
    }

    /// - Returns: Nil for a message with neither id nor time, because it may have been received live, and every replay
    ///   would store it again.
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

/// The present replays: one of a batch, and one of lines without a batch.
struct IRCReplays: Sendable {
    /// The limit of messages in one replay without a batch: ten times the 500 that znc keeps of a room by default,
    /// rounded up. Above it, equal messages of one second are counted from the first again.
    private static let maximumBareReplay = 10_000

    private(set) var batch: IRCReplay?
    /// The room's key, and the replay so far.
    private(set) var bare: (room: String, replay: IRCReplay)?

    /// Begins the replay of a batch.
    ///
    /// - Returns: False within the replay of another batch, to which the messages belong.
    mutating func begin(_ messages: [IRCMessage]) -> Bool {
        guard batch == nil else { return false }
        batch = IRCReplay(of: messages)
        return true
    }

    mutating func endBatch() { batch = nil }

    /// Returns the event for a replayed message, which is stored once: by its msgid, or by counting if it has none. The
    /// event changes no present state, and covers no time.
    ///
    /// - Returns: Nil for a message that can't be distinguished from a repetition.
    mutating func event(_ message: IncomingMessage) -> ChatEvent? {
        if batch != nil { return batch?.event(message) }
        // Bouncers replay one room after the other; this distinguishes only equal messages in one second of one room.
        let isFull = bare.map { $0.replay.count >= Self.maximumBareReplay } ?? false
        if isFull || bare?.room != message.room.key { bare = (message.room.key, IRCReplay()) }
        return bare?.replay.event(message)
    }

    /// Ends a room's replay without a batch, after a live line. Further replayed lines begin a new replay.
    mutating func end(of room: RoomReference) {
        if bare?.room == room.key { bare = nil }
    }
}

extension IRCPresence {
    /// The time by which the server's clock may be behind ours, for a join without a time.
    private static let clockTolerance: Duration = .seconds(60)

    /// Returns true if the line is about the past: it is in a batch of history, or older than the account's join.
    ///
    /// Bouncers replay lines without a batch directly after a join, and only their time distinguishes them. A whole
    /// second is compared like any other time: servers that cut only a replay's times cut them downwards, and those that
    /// cut all times cut the join's too. A line from another server with a late clock is taken for a replayed one, and
    /// is kept as well.
    func isReplay(_ event: IRCEvent, in room: RoomReference) -> Bool {
        if event.replayOf != nil { return true }
        guard let time = event.sourceTime else { return false }
        let since = room.kind == .channel ? joinTime(room.key) : welcomedAt
        guard let since else { return time < openedAt.advanced(by: .zero - Self.clockTolerance) }
        return time.microseconds < since
    }

    /// The time in microseconds by which a live move may be earlier than our join. znc gives our JOIN the time of its
    /// own clock, and other lines the network's time, so this is history's tolerance for different clocks.
    private static let moveTolerance = HistoryFill.overlap * 1000

    /// Returns true if a move is replayed: it is in a batch of history, or much earlier than our join of the room.
    ///
    /// A move that is only a little earlier changes the room's members like a live one. Its row is still stored like a
    /// replayed one, so that a replay does not store it again.
    func isReplayedMove(_ event: IRCEvent) -> Bool {
        if event.replayOf != nil { return true }
        // A QUIT or NICK comes once for all rooms.
        guard ["JOIN", "PART", "KICK"].contains(event.message.verb) else { return false }
        let room = names.channel(event.message.param(0))
        // Our own live join has the time of the join itself.
        guard let since = joinTime(room.key), let time = event.sourceTime else { return false }
        return time < Timestamp(microseconds: since).advanced(byMicroseconds: -Self.moveTolerance)
    }
}

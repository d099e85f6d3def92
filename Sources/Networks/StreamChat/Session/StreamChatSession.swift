import ChatModel
import Sessions

/// One connection as a value: each input returns the events to append and, at the end, the reason of the end. The bytes
/// come first (the journal), and after them the messages that `StreamChatParser` finds in them.
///
/// Times of receipt are by the account's clock; `elapsed` is a monotonic time since a fixed instant.
struct StreamChatSession: MailboxSession {
    struct Step: Sendable {
        var events: [ChatEvent] = []
        var end: SessionEnd?
    }

    let id: SessionID
    private(set) var receipts: ReceiptClock
    /// The time of the last received byte; nil before the first. Acknowledgements don't count, because the kernel sends
    /// them even if the program has stopped.
    private(set) var lastByte: Timestamp?
    /// The time of the next call of ``wake(readsTaken:elapsed:)``; nil if none is due.
    private(set) var wakeAt: Duration?
    /// True after the server sent us an action of a user in the room, which shows that we are in it. The room is live
    /// from there on.
    private(set) var isLive = false
    /// The number of reads that the session has received.
    private(set) var reads = 0

    private let openedAt: Timestamp
    private let room: RoomReference
    private let silenceLimit: Duration
    private var decoder: StreamChatDecoder
    private var offset: Int64 = 0
    private var writtenSignOfLife: Timestamp?
    private var peerSeenAt: Duration
    /// The time at which the join was sent; nil before it. Messages from before that prove nothing.
    private var joinSentAt: Timestamp?

    /// - Parameter openedAt: A time from `receipts`.
    init(
        id: SessionID, openedAt: Timestamp, elapsed: Duration, receipts: ReceiptClock, decoder: StreamChatDecoder,
        room: RoomReference, silenceLimit: Duration
    ) {
        (self.id, self.openedAt, self.receipts, self.room) = (id, openedAt, receipts, room)
        (self.silenceLimit, self.decoder) = (silenceLimit, decoder)
        peerSeenAt = elapsed
    }

    /// Notes that the join is being sent. Actions of users after that show that it has arrived.
    mutating func sendingJoin() {
        joinSentAt = receipts.last
    }

    /// Handles a read. The events have its bytes first, and the messages in them after that.
    ///
    /// Bytes come in order, so each read proves that nothing is missing since the one before.
    mutating func received(_ read: Received, elapsed: Duration) -> Step {
        let clockStep = clockStep(read.at)
        let at = receipts.stamp(read.at, catchesUp: isLive)
        reads += 1
        lastByte = at
        peerSeenAt = max(peerSeenAt, elapsed)
        var events = receipts.offsetChange(of: id)
        events.append(.chunk(JournalChunk(session: id, offset: offset, receivedAt: at, bytes: read.bytes)))
        offset += Int64(read.bytes.count)
        events += addingRoomLive(to: decoder.decode(read.bytes, at: at, filledBuffer: read.filledBuffer))
        wakeAt = decoder.deadline.map { elapsed + $0.since(at) }
        return Step(events: events, end: clockStep)
    }

    /// Ends the last message when no read can continue it.
    ///
    /// Does nothing if a read is on its way to the session. That read may have come in time, and sets the next deadline
    /// itself.
    mutating func wake(readsTaken: Int, elapsed: Duration) -> Step {
        guard let due = wakeAt, elapsed >= due else { return Step() }
        wakeAt = nil
        return readsTaken == reads ? Step(events: addingRoomLive(to: decoder.deadlinePassed())) : Step()
    }

    /// Handles the state of the peer's kernel, and the clock at that moment. It can end a connection to a vanished
    /// peer, and proves nothing else.
    mutating func sampled(_ acknowledgement: Acknowledgement?, clock: ClockReading, elapsed: Duration) -> Step {
        if let end = clockStep(clock) { return Step(end: end) }
        if let acknowledgement { peerSeenAt = max(peerSeenAt, elapsed - acknowledgement.age) }
        var step = Step(events: signOfLife())
        if elapsed - peerSeenAt > silenceLimit {
            step.end = SessionEnd(
                reason: .silent, detail: "the server sent nothing for \(elapsed - peerSeenAt)")
        }
        return step
    }

    /// Ends the session, and returns its last events.
    mutating func ended(_ end: SessionEnd) -> [ChatEvent] {
        wakeAt = nil
        return addingRoomLive(to: decoder.finish()) + [end.event(of: id, at: lastByte ?? openedAt)]
    }

    /// Returns the events. If they have the first action of a user, the event that the room is live comes before them.
    private mutating func addingRoomLive(to events: [ChatEvent]) -> [ChatEvent] {
        guard !isLive, let joinSentAt else { return events }
        for case .message(let message, _) in events where message.kind != .system && message.receivedAt > joinSentAt {
            isLive = true
            return [.roomLive(session: id, room: room, at: message.receivedAt)] + events
        }
        return events
    }

    private mutating func signOfLife() -> [ChatEvent] {
        guard let lastByte, lastByte != writtenSignOfLife else { return [] }
        writtenSignOfLife = lastByte
        return [.signOfLife(session: id, at: lastByte)]
    }

    private func clockStep(_ clock: ClockReading) -> SessionEnd? {
        guard receipts.isBehind(clock) else { return nil }
        return SessionEnd(reason: .clockStep, detail: receipts.stepDetail(clock))
    }
}

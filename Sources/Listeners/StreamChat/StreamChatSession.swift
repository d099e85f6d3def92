import ChatModel

/// One connection as a value: each input gives the events to append and, when it is over, why. It does nothing by itself.
///
/// Times of receipt are by the account's clock; `elapsed` is time on a clock that is never set, since any one instant.
struct StreamChatSession: Sendable {
    struct Step: Sendable {
        var events: [ChatEvent] = []
        var end: SessionEnd?
    }

    let id: SessionID
    private(set) var receipts: ReceiptClock
    /// The later of the last byte received and the last acknowledgement, as far as they vouch for what was heard.
    private(set) var lastSignOfLife: Timestamp
    /// When ``wake(readsTaken:)`` is due; nil when it isn't.
    private(set) var wakeAt: Duration?
    /// The join has arrived: from here on the room is heard.
    private(set) var isLive = false
    /// How many reads were handed in.
    private(set) var reads = 0

    private enum Join { case waiting, sending, sent }
    private var join = Join.waiting

    private let room: RoomReference
    private let silenceLimit: Duration
    private var decoder: StreamChatDecoder
    private var offset: Int64 = 0
    private var writtenSignOfLife: Timestamp
    private var heardAt: Duration

    /// - Parameter openedAt: Given out by `receipts`.
    init(
        id: SessionID, openedAt: Timestamp, elapsed: Duration, receipts: ReceiptClock, decoder: StreamChatDecoder,
        room: RoomReference, silenceLimit: Duration
    ) {
        self.id = id
        self.receipts = receipts
        self.room = room
        self.silenceLimit = silenceLimit
        self.decoder = decoder
        lastSignOfLife = openedAt
        writtenSignOfLife = openedAt
        heardAt = elapsed
    }

    /// From here on any byte that comes shows that the join has arrived.
    mutating func sendingJoin() {
        join = .sending
    }

    /// From here on an acknowledgement of everything sent shows that the join has arrived.
    mutating func sentJoin() {
        join = .sent
    }

    /// A read: its bytes first, then what they mean.
    mutating func received(_ read: Received, elapsed: Duration) -> Step {
        let clockStep = clockStep(read.at)
        let at = receipts.stamp(read.at)
        reads += 1
        heard(at: at, elapsed)
        var step = Step(events: join == .waiting ? [] : live(at: at), end: clockStep)
        step.events.append(
            .chunk(JournalChunk(session: id, offset: offset, receivedAt: at, bytes: read.bytes)))
        offset += Int64(read.bytes.count)
        step.events += decoder.read(read.bytes, at: at, filledBuffer: read.filledBuffer)
        wakeAt = decoder.deadline.map { elapsed + $0.since(at) }
        return step
    }

    /// The time in which another read would have continued the last message is over.
    ///
    /// Not so when a read is on its way here: it may have come in that time, and will tell by itself.
    mutating func wake(readsTaken: Int, elapsed: Duration) -> Step {
        guard let due = wakeAt, elapsed >= due else { return Step() }
        wakeAt = nil
        return readsTaken == reads ? Step(events: decoder.deadlinePassed()) : Step()
    }

    /// What the peer's kernel says, and the clock at that moment; to be asked for before `readsTaken` is.
    ///
    /// An acknowledgement vouches for the time before it only when everything read by now was handed in.
    mutating func sampled(
        _ acknowledgement: Acknowledgement?, readsTaken: Int, clock: Timestamp, elapsed: Duration
    ) -> Step {
        if let end = clockStep(clock) { return Step(end: end) }
        var step = Step()
        if let acknowledgement {
            heardAt = max(heardAt, elapsed - acknowledgement.age)
            if readsTaken == reads {
                lastSignOfLife = max(lastSignOfLife, clock.advanced(by: .zero - acknowledgement.age))
                receipts.advance(to: lastSignOfLife)
                if acknowledgement.isComplete, join == .sent { step.events += live(at: lastSignOfLife) }
            }
        }
        step.events += signOfLife()
        if elapsed - heardAt > silenceLimit {
            step.end = SessionEnd(reason: .silent, detail: "nothing was heard of the server for \(elapsed - heardAt)")
        }
        return step
    }

    /// The connection is over; `peerEndedAt` is when the peer said so, if it did.
    mutating func ended(_ end: SessionEnd, peerEndedAt: Timestamp? = nil) -> [ChatEvent] {
        if let peerEndedAt {
            lastSignOfLife = max(lastSignOfLife, peerEndedAt)
            receipts.advance(to: lastSignOfLife)
        }
        wakeAt = nil
        return decoder.finish() + [
            .sessionEnded(session: id, at: lastSignOfLife, reason: end.reason, detail: end.detail)
        ]
    }

    private mutating func heard(at time: Timestamp, _ elapsed: Duration) {
        lastSignOfLife = max(lastSignOfLife, time)
        heardAt = max(heardAt, elapsed)
    }

    private mutating func live(at time: Timestamp) -> [ChatEvent] {
        guard !isLive else { return [] }
        isLive = true
        return [.roomLive(session: id, room: room, at: time)]
    }

    private mutating func signOfLife() -> [ChatEvent] {
        guard lastSignOfLife > writtenSignOfLife else { return [] }
        writtenSignOfLife = lastSignOfLife
        return [.signOfLife(session: id, at: lastSignOfLife)]
    }

    private func clockStep(_ clock: Timestamp) -> SessionEnd? {
        guard receipts.isBehind(clock) else { return nil }
        return SessionEnd(reason: .clockStep, detail: receipts.sentence(clock: clock))
    }
}

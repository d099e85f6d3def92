import ChatModel
import IRCWire
import Sessions

/// One registered connection as a value: each input returns the events to append, the lines to send, and the reason for
/// an end.
///
/// The session reads lines and keeps time; ``IRCReceiver`` turns lines into events. Times of receipt are by the
/// account's clock; `elapsed` is the time since the session began, by a clock that is never set.
struct IRCSession: Sendable {
    let id: SessionID
    private(set) var receipts: ReceiptClock
    private var splitter: LineSplitter
    private var collector = BatchCollector()
    /// Items that were read and not handled yet.
    private var work = IRCWork()
    private var heartbeat: IRCHeartbeat
    private(set) var receiver: IRCReceiver
    private var reportedProgress: BackfillProgress?

    /// The time of the last read whose lines are all in the events.
    var lastSignOfLife: Timestamp { heartbeat.lastSignOfLife }

    /// True if a room is refused because of its key.
    var lacksKey: Bool { receiver.joining.lacksKey }

    /// True if the server accepts lines at any rate.
    var isSafeRate: Bool { receiver.presence.support.isSafeRate }

    /// True if ``nextQuestion(at:)`` would return a line.
    var hasQuestion: Bool { receiver.joining.hasDue || receiver.backfill.hasRequest }

    /// - Parameter openedAt: A time from `receipts`.
    init(
        id: SessionID, openedAt: Timestamp, elapsed: Duration, receipts: ReceiptClock, login: IRCLogin,
        stored: IRCStoredState,
        configuration: IRCConfiguration, random: any RandomNumberGenerator & Sendable
    ) {
        (self.id, self.receipts, splitter) = (id, receipts, login.splitter)
        let presence = IRCPresence(
            id: id, openedAt: openedAt, elapsed: elapsed, login: login, stored: stored, configuration: configuration)
        let mapping = presence.support.caseMapping
        let joining = IRCJoining(
            configuration.rooms, renames: stored.renames(mapping), keys: stored.channelKeys, mapping: mapping,
            limits: configuration.rejoin, answerTimeout: configuration.joinTimeout, now: elapsed, random: random)
        heartbeat = IRCHeartbeat(at: openedAt, elapsed: elapsed, configuration)
        receiver = IRCReceiver(
            presence, joining: joining, stored: stored, step: IRCStep(at: openedAt, elapsed: elapsed))
        receiver.begin(login, partners: stored.partners)
        work.addLines(login.rest)
        handleWork()
        receiver.join()
    }

    /// Returns the first step, before anything is read.
    mutating func opened() -> IRCStep { takeStep() }

    /// Handles a read, or the part of it that one step takes. While ``IRCStep/hasMore`` is true, the caller must call
    /// ``proceed()`` before the next read.
    mutating func received(_ read: Received, elapsed: Duration) -> IRCStep {
        let clockEnd = clockStep(read.at)
        // Times of receipt must not slow down while rooms wait to be joined, because those have gaps, nor while the
        // network's clock is compared with ours.
        let catchesUp = receiver.presence.welcomedAt == nil && receiver.joining.isComplete
        begin(at: receipts.stamp(read.at, catchesUp: catchesUp), elapsed)
        receiver.step.events += receipts.offsetChange(of: id)
        heartbeat.received()
        work.addLines(splitter.splitLines(read.bytes))
        handleWork()
        if receiver.step.end == nil { receiver.step.end = clockEnd }
        return takeStep()
    }

    /// Continues with the last read.
    mutating func proceed() -> IRCStep {
        handleWork()
        return takeStep()
    }

    /// Does the work that is due by now.
    mutating func tick(clock: ClockReading, elapsed: Duration) -> IRCStep {
        handleInput(clock, elapsed) { session in
            for action in session.heartbeat.tick(at: elapsed, session.receiver.presence.configuration) {
                switch action {
                case .ping: session.receiver.step.urgent.append(IRCMessage("PING", "scrollback"))
                case .write(let time): session.receiver.step.events.append(.signOfLife(session: session.id, at: time))
                case .end(let end): session.receiver.step.end = end
                }
            }
            session.receiver.tick()
        }
    }

    /// Requests history again, for a person.
    ///
    /// - Parameter rooms: The number of rooms whose history is requested; nil if the server has no history.
    mutating func backfill(
        _ room: RoomReference?, after: Timestamp?, clock: ClockReading, elapsed: Duration, requested rooms: inout Int?
    ) -> IRCStep {
        begin(at: receipts.stamp(clock), elapsed)
        rooms = receiver.backfill(room?.key, after: after)
        return takeStep()
    }

    /// Handles the archive's answer.
    mutating func receiveAnswer(_ answer: IRCLookup.Answer, clock: ClockReading, elapsed: Duration) -> IRCStep {
        begin(at: receipts.stamp(clock), elapsed)
        receiver.receiveAnswer(answer)
        return takeStep()
    }

    /// Applies a new configuration, except for the settings that need a new connection.
    mutating func configure(_ new: IRCConfiguration, clock: ClockReading, elapsed: Duration) -> IRCStep {
        handleInput(clock, elapsed) { session in
            session.heartbeat.configure(new, at: elapsed)
            session.receiver.configure(new)
        }
    }

    /// Applies the channel keys from a changed file.
    mutating func renew(keys: [String: String], at elapsed: Duration) {
        receiver.renew(keys: keys, at: elapsed)
    }

    /// Returns the next request to the server; nil if there is none. The caller must send it now. Rooms that are due
    /// come first, history after them.
    mutating func nextQuestion(at elapsed: Duration) -> IRCMessage? { receiver.nextQuestion(at: elapsed) }

    /// The time of the next call of ``tick(clock:elapsed:)``.
    var due: Duration {
        let beat = heartbeat.due(receiver.presence.configuration)
        return receiver.due.map { min($0, beat) } ?? beat
    }

    /// Ends the session with its connection.
    mutating func ended(_ end: SessionEnd) -> [ChatEvent] {
        // Broken batches, and the rest of the last read, cover no time.
        let aliveUntil = lastSignOfLife
        for output in collector.finish() { work.insert(receiver.receiveOutput(output, raw: nil)) }
        handleWork(items: .max, events: Self.eventsAtEnd)
        receiver.step.events.append(end.event(of: id, at: aliveUntil))
        return takeStep().events
    }

    /// The limits of a step, so that it takes milliseconds after any read: the number of lines and messages of batches,
    /// and the number of events, because a line adds a row in each room of its sender.
    private static let (itemsAtOnce, eventsAtOnce) = (256, 512)
    /// The limit of events at the end of a connection: a netsplit of 10,000 people in two rooms each. Further events
    /// are after the last sign of life, and so in the gap that begins there.
    private static let eventsAtEnd = 20_000

    /// Handles the waiting items. Each gets a time of its own, with space for the rows that it adds, so that a new name
    /// begins after the messages under the old one.
    private mutating func handleWork(items limit: Int = itemsAtOnce, events: Int = eventsAtOnce) {
        var items = 0
        while items < limit, receiver.step.events.count < events, let item = work.next() {
            items += 1
            receiver.step.at = receipts.next()
            let before = receiver.step.events.count
            defer {
                receipts.advance(
                    to: receiver.step.at.advanced(byMicroseconds: Int64(receiver.step.events.count - before)))
            }
            switch item {
            case .line(.line(let line)): handleLine(line)
            case .line(.tooLong(let beginning)):
                receiver.unreadable(
                    beginning, "a line over \(LineSplitter.maximumLineBytes) bytes; only its beginning is kept")
                receiver.step.end = SessionEnd(
                    reason: .violation, detail: "the server sent a line over \(LineSplitter.maximumLineBytes) bytes")
            case .batched(.message(let message)): receiver.receive(message, raw: nil)
            case .batched(.batch(let batch)): work.insert(receiver.receive(batch, replayOf: nil))
            }
        }
        guard work.isEmpty else { return }
        receiver.settle()
        // The items of an open batch are not in the events yet.
        if collector.isEmpty { heartbeat.advance(to: receiver.step.at) }
    }

    private mutating func handleLine(_ line: [UInt8]) {
        let message: IRCMessage
        do {
            message = try IRCMessage(line: line)
        } catch {
            return receiver.unreadable(line, error.detail)
        }
        if let pong = message.pong {
            receiver.step.urgent.append(pong)
            return
        }
        receiver.register(message)
        for output in collector.receive(message) { work.insert(receiver.receiveOutput(output, raw: line)) }
    }

    /// Handles an input other than a read, unless the clock was set back.
    private mutating func handleInput(
        _ clock: ClockReading, _ elapsed: Duration, _ input: (inout IRCSession) -> Void
    ) -> IRCStep {
        if let end = clockStep(clock) { return IRCStep(at: receiver.step.at, elapsed: elapsed, end: end) }
        begin(at: receipts.stamp(clock), elapsed)
        input(&self)
        return takeStep()
    }

    private mutating func begin(at time: Timestamp, _ elapsed: Duration) {
        (receiver.step.at, receiver.step.elapsed) = (time, elapsed)
    }

    private func clockStep(_ clock: ClockReading) -> SessionEnd? {
        guard receipts.isBehind(clock) else { return nil }
        return SessionEnd(reason: .clockStep, detail: receipts.stepDetail(clock))
    }

    private mutating func takeStep() -> IRCStep {
        var step = receiver.takeStep()
        (step.hasProgress, step.hasMore) = (step.progress != reportedProgress, !work.isEmpty)
        reportedProgress = step.progress
        return step
    }
}

import ChatModel
import IRCWire

/// One registered connection as a value: each input returns the events to append, the lines to send, and the reason for an
/// end.
///
/// It reads lines and keeps time; ``IRCHearing`` turns lines into events. Times of receipt are by the account's clock;
/// `elapsed` is time since the session began, on a clock that is never set.
struct IRCSession: Sendable {
    let id: SessionID
    private(set) var receipts: ReceiptClock
    private var splitter: LineSplitter
    private var collector = BatchCollector()
    /// Items that were read and not handled yet.
    private var work = IRCWork()
    private var heartbeat: IRCHeartbeat
    private(set) var hearing: IRCHearing
    private var reportedProgress: BackfillProgress?

    /// The time of the last read up to which everything is in the events.
    var lastSignOfLife: Timestamp { heartbeat.lastSignOfLife }

    /// True when a room is refused for its key.
    var lacksKey: Bool { hearing.joining.lacksKey }

    /// True when the server takes lines as fast as they come.
    var isSafeRate: Bool { hearing.presence.support.isSafeRate }

    /// True when ``ask(at:)`` would return a line.
    var hasQuestion: Bool { hearing.joining.hasDue || hearing.backfill.hasRequest }

    /// - Parameter openedAt: A time that `receipts` gave.
    init(
        id: SessionID, openedAt: Timestamp, elapsed: Duration, receipts: ReceiptClock, login: IRCLogin, past: IRCPast,
        configuration: IRCConfiguration, random: any RandomNumberGenerator & Sendable
    ) {
        (self.id, self.receipts, splitter) = (id, receipts, login.splitter)
        let presence = IRCPresence(
            id: id, openedAt: openedAt, elapsed: elapsed, login: login, past: past, configuration: configuration)
        let mapping = presence.support.caseMapping
        let joining = IRCJoining(
            configuration.rooms, renames: past.renames(mapping), keys: past.channelKeys, mapping: mapping,
            limits: configuration.rejoin, answerTimeout: configuration.joinTimeout, now: elapsed, random: random)
        heartbeat = IRCHeartbeat(at: openedAt, elapsed: elapsed, configuration)
        hearing = IRCHearing(
            presence, joining: joining, past: past, step: IRCStep(at: openedAt, elapsed: elapsed))
        hearing.begin(login)
        work.add(login.rest)
        hearWork()
        hearing.join()
    }

    /// Returns what is to be done before anything more is read.
    mutating func opened() -> IRCStep { takeStep() }

    /// Handles a read, or as much of it as one step takes: while ``IRCStep/hasMore`` is true, ``proceed()`` has to be called
    /// before anything else is read.
    mutating func received(_ read: Received, elapsed: Duration) -> IRCStep {
        let clockEnd = clockStep(read.at)
        // Rooms that wait to be joined miss something meanwhile, and the network's clock is compared with ours as it goes.
        let catchesUp = hearing.presence.welcomedAt == nil && hearing.joining.isComplete
        begin(at: receipts.stamp(read.at, catchesUp: catchesUp), elapsed)
        hearing.step.events += receipts.news(of: id)
        heartbeat.heard()
        work.add(splitter.read(read.bytes))
        hearWork()
        if hearing.step.end == nil { hearing.step.end = clockEnd }
        return takeStep()
    }

    /// Continues with what was read.
    mutating func proceed() -> IRCStep {
        hearWork()
        return takeStep()
    }

    /// Does what is due by now.
    mutating func tick(clock: ClockReading, elapsed: Duration) -> IRCStep {
        take(clock, elapsed) { session in
            for action in session.heartbeat.tick(at: elapsed, session.hearing.presence.configuration) {
                switch action {
                case .ping: session.hearing.step.urgent.append(IRCMessage("PING", "scrollback"))
                case .write(let time): session.hearing.step.events.append(.signOfLife(session: session.id, at: time))
                case .end(let end): session.hearing.step.end = end
                }
            }
            session.hearing.tick()
        }
    }

    /// Asks for history again, as a person wants.
    ///
    /// - Parameter rooms: How many rooms' history is asked for; nil where the server has none.
    mutating func backfill(
        _ room: RoomReference?, after: Timestamp?, clock: ClockReading, elapsed: Duration, asked rooms: inout Int?
    ) -> IRCStep {
        begin(at: receipts.stamp(clock), elapsed)
        rooms = hearing.backfill(room?.key, after: after)
        return takeStep()
    }

    /// Takes the archive's answer.
    mutating func learn(_ answer: IRCBackfill.Answer, clock: ClockReading, elapsed: Duration) -> IRCStep {
        begin(at: receipts.stamp(clock), elapsed)
        hearing.learn(answer)
        return takeStep()
    }

    /// Takes a new configuration, as far as it needs no other connection.
    mutating func configure(_ new: IRCConfiguration, clock: ClockReading, elapsed: Duration) -> IRCStep {
        take(clock, elapsed) { session in
            session.heartbeat.configure(new, at: elapsed)
            session.hearing.configure(new)
        }
    }

    /// Takes the keys of rooms from a file that changed.
    mutating func renew(keys: [String: String], at elapsed: Duration) {
        hearing.renew(keys: keys, at: elapsed)
    }

    /// Returns the next line to ask the server, which is sent now; nil where there is none. Rooms that are due come first,
    /// history after them.
    mutating func ask(at elapsed: Duration) -> IRCMessage? { hearing.ask(at: elapsed) }

    /// The latest time at which ``tick(clock:elapsed:)`` has something to do.
    var due: Duration {
        let beat = heartbeat.due(hearing.presence.configuration)
        return hearing.due.map { min($0, beat) } ?? beat
    }

    /// Ends the session with its connection.
    mutating func ended(_ end: SessionEnd) -> [ChatEvent] {
        // What is broken off, and what is left of the last read, proves nothing complete.
        let heardUntil = lastSignOfLife
        for output in collector.finish() { work.insert(hearing.take(output, raw: nil)) }
        hearWork(items: .max, events: Self.eventsAtEnd)
        hearing.step.events.append(.sessionEnded(session: id, at: heardUntil, reason: end.reason, detail: end.detail))
        return takeStep().events
    }

    /// The limits of a step, which takes milliseconds however much was read: lines and messages of batches, and events,
    /// as a line makes a row in each room of its sender.
    private static let (itemsAtOnce, eventsAtOnce) = (256, 512)
    /// The most events at the end of a connection: a netsplit of 10,000 people in two rooms each. The rest comes after
    /// the last sign of life, and so in the gap that begins there.
    private static let eventsAtEnd = 20_000

    /// Gives each item a time of its own, with space for the rows that it makes, so that a new name comes after the
    /// messages under the old one.
    private mutating func hearWork(items limit: Int = itemsAtOnce, events: Int = eventsAtOnce) {
        var items = 0
        while items < limit, hearing.step.events.count < events, let item = work.next() {
            items += 1
            hearing.step.at = receipts.next()
            let before = hearing.step.events.count
            defer {
                receipts.advance(
                    to: hearing.step.at.advanced(byMicroseconds: Int64(hearing.step.events.count - before)))
            }
            switch item {
            case .line(.line(let line)): take(line)
            case .line(.tooLong(let beginning)):
                hearing.unreadable(
                    beginning, "a line over \(LineSplitter.maximumLineBytes) bytes; this is its beginning")
                hearing.step.end = SessionEnd(
                    reason: .violation, detail: "the server sent a line over \(LineSplitter.maximumLineBytes) bytes")
            case .batched(.message(let message)): hearing.hear(message, raw: nil)
            case .batched(.batch(let batch)): work.insert(hearing.hear(batch, replayOf: nil))
            }
        }
        guard work.isEmpty else { return }
        hearing.settle()
        // What an open batch holds is not in the events yet.
        if collector.isEmpty { heartbeat.heard(until: hearing.step.at) }
    }

    private mutating func take(_ line: [UInt8]) {
        let message: IRCMessage
        do {
            message = try IRCMessage(line: line)
        } catch {
            return hearing.unreadable(line, error.detail)
        }
        if let pong = message.pong {
            hearing.step.urgent.append(pong)
            return
        }
        hearing.register(message)
        for output in collector.receive(message) { work.insert(hearing.take(output, raw: line)) }
    }

    /// Takes an input other than a read, unless the clock was set back.
    private mutating func take(
        _ clock: ClockReading, _ elapsed: Duration, _ input: (inout IRCSession) -> Void
    ) -> IRCStep {
        if let end = clockStep(clock) { return IRCStep(at: hearing.step.at, elapsed: elapsed, end: end) }
        begin(at: receipts.stamp(clock), elapsed)
        input(&self)
        return takeStep()
    }

    private mutating func begin(at time: Timestamp, _ elapsed: Duration) {
        (hearing.step.at, hearing.step.elapsed) = (time, elapsed)
    }

    private func clockStep(_ clock: ClockReading) -> SessionEnd? {
        guard receipts.isBehind(clock) else { return nil }
        return SessionEnd(reason: .clockStep, detail: receipts.sentence(clock: clock))
    }

    private mutating func takeStep() -> IRCStep {
        var step = hearing.takeStep()
        (step.hasProgress, step.hasMore) = (step.progress != reportedProgress, !work.isEmpty)
        reportedProgress = step.progress
        return step
    }
}

import ChatModel
import IRCWire

/// One registered connection as a value: each input returns the events to append, the lines to send and, when it is
/// over, why. It does nothing by itself.
///
/// Times of receipt are by the account's clock; `elapsed` is a monotonic time since the connection.
struct IRCSession: Sendable {
    struct Step: Sendable {
        var events: [ChatEvent] = []
        /// Lines that go before everything else.
        var urgent: [IRCMessage] = []
        var send: [IRCMessage] = []
        /// New troubles that an operator should know, as sentences: "#example can't be joined: …".
        var troubles: [String] = []
        /// Questions for the archive.
        var lookups: [Lookup] = []
        var fetched: [IRCFetched] = []
        /// The progress of requests for history; nil while there are none.
        var progress: BackfillProgress?
        var hasProgress = false
        /// True when more of the input waits, which ``proceed()`` takes.
        var hasMore = false
        var end: SessionEnd?
    }

    let id: SessionID
    private(set) var configuration: IRCConfiguration
    let past: IRCPast
    /// When the server had registered us: it sends us our messages from here on.
    let openedAt: Timestamp
    /// The same by the server's clock, in microseconds since 1970; nil where it gave no time.
    let welcomedAt: Int64?
    let serverName: [UInt8]
    private(set) var receipts: ReceiptClock
    /// The time of the last read up to which everything is in the events.
    private(set) var lastSignOfLife: Timestamp

    private var splitter: LineSplitter
    var registration: Registration
    private var collector = BatchCollector()
    /// Items that were read and not handled yet.
    private var work = IRCWork()
    var membership: Membership
    var joining: IRCJoining
    var regain: IRCNickRegain
    var names: IRCNames
    /// Direct rooms that are heard live, by key.
    var directs = IRCConversations()
    /// When we joined a channel, by its key and the server's clock; nil where the server gave no time.
    var joinedAt: [String: Int64?] = [:]
    /// Keys of direct rooms in which a bouncer itself writes.
    var bouncerRooms: Set<String> = []
    /// True while the bouncer reports that it is not connected to the network.
    var isNetworkLost = false
    /// The ends of outages, by the network's clock, in the order in which they were noticed.
    var outages: [Timestamp] = []
    /// Keys of rooms that a bouncer's outage ended and that are not live again.
    var unheard: Set<String> = []
    /// The time by our clock since which all messages to us are received.
    var heardSince: Timestamp
    /// Rooms whose history is complete up to the unit of time in which they became live, by key.
    var unsettled: [String: RoomReference] = [:]
    /// The time since which each room with history is live, by its key and the network's clock.
    var liveSince: [String: Timestamp] = [:]
    var history = IRCHistory()
    /// How far the network's clock is ahead of ours, in microseconds.
    var clockLead: Int64 = 0
    /// The replay of the present batch; nil while there is none.
    var batchReplay: IRCReplay?
    /// The replay of lines without a batch so far, with its room's key.
    var bareReplay: (room: String, replay: IRCReplay)?
    var step = Step()
    /// The time of the present input.
    private(set) var now: (at: Timestamp, elapsed: Duration)

    /// The most spans that this connection's unreadable lines and outages may end: with 50 rooms, two thousand of them.
    private static let maximumEffort = 100_000
    private var effort = 0
    private var writtenSignOfLife: Timestamp
    private var nextSignOfLife: Duration
    private var nextPing: Duration
    private var toldProgress: BackfillProgress?
    /// When the PING was sent after which nothing has come; nil where something has.
    private var pingedAt: Duration?

    /// - Parameter openedAt: A time that `receipts` gave.
    init(
        id: SessionID, openedAt: Timestamp, elapsed: Duration, receipts: ReceiptClock, login: IRCLogin, past: IRCPast,
        configuration: IRCConfiguration, random: any RandomNumberGenerator & Sendable
    ) {
        (self.id, self.openedAt, self.receipts) = (id, openedAt, receipts)
        (self.past, self.configuration) = (past, configuration)
        (registration, splitter) = (login.registration, login.splitter)
        (welcomedAt, serverName) = (login.serverTime, login.serverName)
        let mapping = registration.support.caseMapping
        membership = Membership(nick: registration.nick, mapping: mapping)
        var names = IRCNames(host: configuration.host, fallback: configuration.fallback)
        names.mapping = mapping
        for channel in past.channels { names.note(channel.room) }
        self.names = names
        joining = IRCJoining(
            configuration.rooms, renames: past.renames(mapping), keys: past.channelKeys, mapping: mapping,
            limits: configuration.rejoin, answerTimeout: configuration.joinTimeout, now: elapsed, random: random)
        let taken = login.registration.takenNick
        let isLost = !membership.isOwn(taken) && !configuration.isInRoomsOfItsOwn
        regain = IRCNickRegain(isLost ? taken : nil, now: elapsed)
        let opening = welcomedAt.map(Timestamp.init(microseconds:))
        let untold = opening.map { $0.endOfUnit.since($0) } ?? .zero
        heardSince = openedAt.advanced(by: untold)
        (lastSignOfLife, writtenSignOfLife, now) = (openedAt, openedAt, (openedAt, elapsed))
        nextSignOfLife = elapsed + configuration.signOfLifeInterval
        nextPing = elapsed + configuration.pingInterval
        begin(login)
    }

    /// Returns what has to be done before anything more is read.
    mutating func opened() -> Step { takeStep() }

    /// Takes a read, or the part of it that is handled at once: while the step ``Step/hasMore``, ``proceed()`` has to
    /// be called before the next read.
    mutating func received(_ read: Received, elapsed: Duration) -> Step {
        let clockEnd = clockStep(read.at)
        // Rooms that wait to be joined miss something meanwhile, and the network's clock is compared with ours as it goes.
        now = (receipts.stamp(read.at, catchesUp: welcomedAt == nil && joining.isComplete), elapsed)
        step.events += receipts.news(of: id)
        pingedAt = nil
        work.add(splitter.read(read.bytes))
        hearWork()
        if step.end == nil { step.end = clockEnd }
        return takeStep()
    }

    /// Continues with what was read.
    mutating func proceed() -> Step {
        hearWork()
        return takeStep()
    }

    /// Does what is due by now; see ``due``.
    mutating func tick(clock: ClockReading, elapsed: Duration) -> Step {
        if let end = clockStep(clock) { return Step(end: end) }
        now = (receipts.stamp(clock), elapsed)
        if let pingedAt, elapsed >= pingedAt + configuration.pingTimeout {
            step.end = SessionEnd(
                reason: .silent, detail: "nothing was heard of the server for \(configuration.pingTimeout) after a PING"
            )
        }
        if elapsed >= nextPing {
            step.urgent.append(IRCMessage("PING", "scrollback"))
            pingedAt = pingedAt ?? elapsed
            nextPing = elapsed + configuration.pingInterval
        }
        if elapsed >= nextSignOfLife {
            nextSignOfLife = elapsed + configuration.signOfLifeInterval
            if lastSignOfLife > writtenSignOfLife {
                writtenSignOfLife = lastSignOfLife
                step.events.append(.signOfLife(session: id, at: lastSignOfLife))
            }
        }
        join()
        regainNick()
        tickHistory()
        return takeStep()
    }

    /// Requests history for a person.
    ///
    /// - Parameter rooms: Set to the number of rooms whose history is requested; nil where the server has none.
    mutating func backfill(
        _ room: RoomReference?, after: Timestamp?, clock: ClockReading, elapsed: Duration, asked rooms: inout Int?
    ) -> Step {
        now = (receipts.stamp(clock), elapsed)
        rooms = backfill(room?.key, after: after)
        return takeStep()
    }

    /// Takes the archive's answer to a lookup.
    mutating func told(_ answer: Answer, clock: ClockReading, elapsed: Duration) -> Step {
        now = (receipts.stamp(clock), elapsed)
        learn(answer)
        return takeStep()
    }

    /// Applies a configuration, as far as it needs no other connection.
    mutating func configure(_ new: IRCConfiguration, clock: ClockReading, elapsed: Duration) -> Step {
        if let end = clockStep(clock) { return Step(end: end) }
        now = (receipts.stamp(clock), elapsed)
        configuration = new
        names.fallback = new.fallback
        nextSignOfLife = min(nextSignOfLife, elapsed + new.signOfLifeInterval)
        want(new.rooms)
        joining.renew(keys: new.secrets.channelKeys, at: elapsed)
        return takeStep()
    }

    /// The latest time at which ``tick(clock:elapsed:)`` has to be called.
    var due: Duration {
        var due = min(nextPing, nextSignOfLife)
        if let pingedAt { due = min(due, pingedAt + configuration.pingTimeout) }
        let next = [joining.nextDue, history.due, regain.nextTry].compactMap(\.self)
        return next.reduce(due, min)
    }

    /// Ends the session, and returns its last events.
    mutating func ended(_ end: SessionEnd) -> [ChatEvent] {
        // What is broken off, and what is left of the last read, proves nothing complete.
        let heardUntil = lastSignOfLife
        for output in collector.finish() { take(output, raw: nil) }
        hearWork(items: .max, events: Self.eventsAtEnd)
        lastSignOfLife = heardUntil
        step.events.append(.sessionEnded(session: id, at: lastSignOfLife, reason: end.reason, detail: end.detail))
        return takeStep().events
    }

    private mutating func begin(_ login: IRCLogin) {
        tellClock(welcomedAt, at: openedAt)
        step.events.append(.roomListed(RoomListing(room: names.server), at: openedAt))
        step.events.append(.roomUncovered(names.server, at: openedAt))
        unlistRoomsOfOnce()
        var known: [RoomReference] = []
        for (key, partner) in past.partners.sorted(by: { $0.key < $1.key }) {
            // Who has another nick by now is known by it; the conversation is still with the one of then.
            let name = names.key(Array(partner.name.utf8)) == key ? partner.name : key
            let room = RoomReference(key: key, name: name, kind: .direct)
            guard directs.insert(key) == .new else { continue }
            if isOfBouncer(room) {
                bouncerRooms.insert(key)
                step.events.append(.roomUncovered(room, at: openedAt))
                continue
            }
            known.append(room)
            if hasOwnNick { step.events.append(.roomLive(session: id, room: room, at: heardSince)) }
            liveSince[key] = networkTime(heardSince)
        }
        step.lookups.append(.directs(known))
        for line in login.early {
            if let message = try? IRCMessage(line: line) { hear(message, raw: line) }
        }
        work.add(login.rest)
        hearWork()
        join()
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
        while items < limit, step.events.count < events, let item = work.next() {
            items += 1
            now.at = receipts.next()
            let before = step.events.count
            defer { receipts.advance(to: now.at.advanced(byMicroseconds: Int64(step.events.count - before))) }
            switch item {
            case .line(.line(let line)): take(line)
            case .line(.tooLong(let beginning)):
                unreadable(beginning, "a line over \(LineSplitter.maximumLineBytes) bytes; this is its beginning")
                step.end = SessionEnd(
                    reason: .violation, detail: "the server sent a line over \(LineSplitter.maximumLineBytes) bytes")
            case .batched(.message(let message)): hear(message, raw: nil)
            case .batched(.batch(let batch)): hear(batch, replayOf: nil)
            }
        }
        guard work.isEmpty else { return }
        settle()
        // What an open batch holds is not in the events yet.
        if collector.isEmpty { lastSignOfLife = now.at }
    }

    /// Puts the items of a batch before everything that was read after it.
    ///
    /// - Parameter items: The items without histories.
    mutating func hearNext(_ items: [Batch.Item]) {
        work.insert(items)
    }

    private mutating func take(_ line: [UInt8]) {
        let message: IRCMessage
        do {
            message = try IRCMessage(line: line)
        } catch {
            return unreadable(line, error.detail)
        }
        if let pong = message.pong {
            step.urgent.append(pong)
            return
        }
        if message.verb == "PONG" { tellClock(message.tag("time").flatMap(ServerTime.microseconds), at: now.at) }
        for action in registration.receive(message) {
            switch action {
            case .send(let answer): step.send.append(answer)
            case .ended(let failure): end(failure)
            case .supportChanged: names.mapping = registration.support.caseMapping
            case .capabilitiesChanged, .ready: break
            }
        }
        for output in collector.receive(message) { take(output, raw: line) }
    }

    private mutating func take(_ output: BatchCollector.Output, raw: [UInt8]?) {
        if takeHistory(output) { return }
        switch output {
        case .message(let message), .stray(let message): hear(message, raw: raw)
        // Of one that is broken, what came of it; the rest comes as strays, or not at all as the connection is over.
        case .batch(let batch), .broken(let batch, _): hear(batch, replayOf: nil)
        }
    }

    private mutating func end(_ failure: RegistrationFailure) {
        guard step.end == nil else { return }
        step.end = SessionEnd(
            reason: .closed, detail: configuration.secrets.mask(failure.detail),
            outcome: failure.outcome(configuration, lived: now.elapsed))
    }

    /// Counts the effort of a costly line. Ends the connection beyond the limit: later lines are a gap on record.
    ///
    /// - Parameter rooms: The number of rooms that the line changes.
    mutating func spend(on rooms: Int, for what: String) {
        effort += max(1, rooms)
        guard effort > Self.maximumEffort, step.end == nil else { return }
        step.end = SessionEnd(reason: .violation, detail: "the server sent too many \(what)")
    }

    private mutating func unreadable(_ payload: [UInt8], _ reason: String) {
        // It may be of any room: what is known to be complete of each ends there.
        spend(on: liveSince.count, for: "lines that can't be read")
        step.events.append(
            .unreadable(
                UnreadableEvent(
                    session: id, room: nil, remoteID: nil, receivedAt: now.at, payload: payload, reason: reason)))
    }

    private func clockStep(_ clock: ClockReading) -> SessionEnd? {
        guard receipts.isBehind(clock) else { return nil }
        return SessionEnd(reason: .clockStep, detail: receipts.sentence(clock: clock))
    }

    private mutating func takeStep() -> Step {
        let progress = hasHistory ? history.progress : nil
        (step.progress, step.hasProgress) = (progress, progress != toldProgress)
        step.hasMore = !work.isEmpty
        toldProgress = progress
        defer { step = Step() }
        return step
    }
}

import ChatModel
import IRCWire

/// One registered connection as a value: each input gives the events to append, the lines to send and, when it is over, why.
/// It does nothing by itself.
///
/// Times of receipt are by the account's clock; `elapsed` is time on a clock that is never set, since the session began.
struct IRCSession: Sendable {
    struct Step: Sendable {
        var events: [ChatEvent] = []
        /// Before everything else.
        var urgent: [IRCMessage] = []
        var send: [IRCMessage] = []
        /// What an operator should know and was not told before, for people: "#example can't be joined: …".
        var troubles: [String] = []
        /// What the archive is to be asked.
        var lookups: [Lookup] = []
        var fetched: [IRCFetched] = []
        /// How far the asking for history has come, where it came further.
        var progress: BackfillProgress?
        var hasProgress = false
        /// Whether more of the input waits; ``proceed()`` hears it.
        var hasMore = false
        var end: SessionEnd?
    }

    let id: SessionID
    private(set) var configuration: IRCConfiguration
    let past: IRCPast
    /// When the server had registered us: from here on it sends us what is for us.
    let openedAt: Timestamp
    /// The same by the server's clock, in microseconds since 1970; nil where it tells no time.
    let welcomedAt: Int64?
    let serverName: [UInt8]
    private(set) var receipts: ReceiptClock
    /// The last read, as far as all before it is in the events.
    private(set) var lastSignOfLife: Timestamp

    private var splitter: LineSplitter
    var registration: Registration
    private var collector = BatchCollector()
    /// What was read and is not heard yet.
    private var work = IRCWork()
    var membership: Membership
    var joining: IRCJoining
    var regain: IRCNickRegain
    var names: IRCNames
    /// Direct rooms that are heard, by key.
    var directs = IRCConversations()
    /// When we joined a channel, by its key and the server's clock; nil where it told no time.
    var joinedAt: [String: Int64?] = [:]
    /// Direct rooms in which a bouncer itself speaks, by key.
    var bouncerRooms: Set<String> = []
    /// The bouncer is not connected to the network, as far as it says.
    var isNetworkLost = false
    /// When that was over, by the network's clock, in the order of being noticed.
    var outages: [Timestamp] = []
    /// Keys of rooms that a bouncer's outage ended and that are not heard again.
    var unheard: Set<String> = []
    /// From here on whatever is said to us is heard, by our clock.
    var heardSince: Timestamp
    /// Rooms whose history is whole up to the unit of time in which they became live, by key.
    var unsettled: [String: RoomReference] = [:]
    /// Since when each room is heard that history is asked of, by the network's clock.
    var liveSince: [String: Timestamp] = [:]
    var history = IRCHistory()
    /// How far the network's clock is ahead of ours, in microseconds.
    var clockLead: Int64 = 0
    /// The replay that the batch at hand is of; nil while there is none.
    var batchReplay: IRCReplay?
    /// Of lines without a batch: the room's key, and the replay as far as it came.
    var bareReplay: (room: String, replay: IRCReplay)?
    var step = Step()
    /// Of the input at hand.
    private(set) var now: (at: Timestamp, elapsed: Duration)

    /// Spans of rooms that this connection's unreadable lines and outages have cut: of 50 rooms, two thousand times.
    private static let maximumEffort = 100_000
    private var effort = 0
    private var writtenSignOfLife: Timestamp
    private var nextSignOfLife: Duration
    private var nextPing: Duration
    private var toldProgress: BackfillProgress?
    /// When the PING was sent that nothing was heard after.
    private var pingedAt: Duration?

    /// - Parameter openedAt: Given out by `receipts`.
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

    /// What is to be done before anything more is read.
    mutating func opened() -> Step { takeStep() }

    /// A read, or as much of it as is heard at once: while the step ``Step/hasMore``, ``proceed()`` is called before anything else
    /// is read. Answers to PING are found before anything is made of the rest.
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

    /// Goes on with what was read.
    mutating func proceed() -> Step {
        hearWork()
        return takeStep()
    }

    /// Time has passed.
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

    /// A person wants history to be asked for again.
    ///
    /// - Parameter rooms: How many rooms' history is asked for; nil where the server has none.
    mutating func backfill(
        _ room: RoomReference?, after: Timestamp?, clock: ClockReading, elapsed: Duration, asked rooms: inout Int?
    ) -> Step {
        now = (receipts.stamp(clock), elapsed)
        rooms = backfill(room?.key, after: after)
        return takeStep()
    }

    /// The archive has answered.
    mutating func told(_ answer: Answer, clock: ClockReading, elapsed: Duration) -> Step {
        now = (receipts.stamp(clock), elapsed)
        learn(answer)
        return takeStep()
    }

    /// Something else holds from now on, of what needs no other connection.
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

    /// When ``tick(clock:elapsed:)`` has something to do, at the latest.
    var due: Duration {
        var due = min(nextPing, nextSignOfLife)
        if let pingedAt { due = min(due, pingedAt + configuration.pingTimeout) }
        let next = [joining.nextDue, history.due, regain.nextTry].compactMap(\.self)
        return next.reduce(due, min)
    }

    /// The connection is over.
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

    /// Lines and messages of batches that are heard at once, and events at which no more are: a step takes milliseconds, however
    /// much was read, and a line makes a row in each room of whoever it is of.
    private static let (itemsAtOnce, eventsAtOnce) = (256, 512)
    /// Events of what is left when the connection is over: a netsplit of 10,000 people in two rooms each. The rest is behind the
    /// last sign of life, and so in the gap that begins there.
    private static let eventsAtEnd = 20_000

    /// Each has a time of its own, and room for the rows that it makes, so that a new name is told after what was said
    /// under the old one.
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

    /// The items of a batch are heard before what was read behind it.
    ///
    /// - Parameter items: Without histories.
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

    /// Ends the connection where it cost too much: what the server sends behind it is a gap on record.
    ///
    /// - Parameter rooms: What it is done to.
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

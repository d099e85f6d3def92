import ChatModel
import IRCWire
import Logging
import Sessions

/// Runs one connection: reads, answers, waits, and puts the resulting events into the session's buffer.
///
/// ``IRCLogin`` reads its lines until it is registered, and ``IRCSession`` after that. ``IRCReceiver`` turns lines into
/// events, and ``IRCPresence`` knows since when each room is live. ``IRCBackfill`` asks the archive what is missing, and
/// requests it from the server, with one `HistoryFill` for each room. ``IRCBacklog`` finds the new lines in a replay of
/// bip.
final class IRCLink: Sendable {
    struct State: MailboxSession {
        var login: IRCLogin
        var outcome: IRCLogin.Outcome?
        /// The server's last demand for TLS.
        var demand: StrictTransport?
        /// Set once the server has registered us and the archive has a session, until that ends.
        var session: IRCSession?
        var outbox = IRCOutbox()
        /// The account's clock before the session, and after it.
        var receipts = ReceiptClock(last: nil)

        mutating func ended(_ end: SessionEnd) -> [ChatEvent] {
            guard var last = session.take() else { return [] }
            let events = last.ended(end)
            (demand, receipts) = (last.receiver.presence.registration.strictTransport, last.receipts)
            return events
        }
    }

    let listener: IRCListener
    let connection: any Connection
    let attempt: SessionAttempt
    /// Keeps the server's demand for TLS between runs.
    private let keepDemand: @Sendable (StrictTransport) async -> Void
    let mailbox: Mailbox<State>
    /// Set when the registration has an outcome, or the connection has ended.
    let isSettled = Signal()
    let isOpen = Signal()
    private let sends = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let lookups = AsyncStream<IRCLookup>.makeStream(
        bufferingPolicy: .bufferingOldest(2 * IRCHistory.maximumLookups))

    init(
        _ login: IRCLogin, listener: IRCListener, connection: any Connection,
        attempt: SessionAttempt, keepDemand: @escaping @Sendable (StrictTransport) async -> Void
    ) {
        (self.listener, self.connection, self.attempt) = (listener, connection, attempt)
        self.keepDemand = keepDemand
        mailbox = Mailbox(State(login: login), tools: listener.tools)
    }

    /// Registers, opens a session and runs it, until the connection ends or a stop is requested.
    func run(_ stored: IRCStoredState) async -> SessionLoop.Outcome {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.readConnection() }
            group.addTask { await self.write() }
            group.addTask { await self.waitForTurns() }
            group.addTask { await self.limitRegistration() }
            send { $0.outbox.postUrgent($0.login.start()) }
            let outcome = await runAfterRegistration(stored)
            group.cancelAll()
            return outcome
        }
    }

    private func runAfterRegistration(_ stored: IRCStoredState) async -> SessionLoop.Outcome {
        await isSettled.wait()
        let (outcome, demand) = mailbox.withSession { state in
            state.demand = state.login.registration.strictTransport
            return (state.outcome, state.demand)
        }
        if let demand { await keepDemand(demand) }
        switch outcome {
        case .ready:
            let outcome = await attempt.runSession { await self.runSession($0, stored) }
            // The time of the demand begins again with the end of the connection (IRCv3 sts).
            if let demand = mailbox.withSession({ $0.demand }) { await keepDemand(demand) }
            return outcome
        case .failed(let failure): return failure.outcome(listener.configuration)
        case .broken(let detail): return .failed(detail: detail)
        case nil:
            let detail = mailbox.end?.detail ?? "not connected"
            let isAwaited = mailbox.withSession { $0.login.isAwaited }
            return .failed(detail: isAwaited ? "\(Self.awaitedLogin); \(detail)" : detail)
        }
    }

    private func runSession(_ opened: SessionAttempt.Opened, _ stored: IRCStoredState) async -> SessionAttempt.Closed {
        mailbox.open(opened.buffer)
        mailbox.withSession { state in
            state.receipts = opened.receipts
            state.session = IRCSession(
                id: opened.id, openedAt: opened.openedAt, elapsed: mailbox.elapsed, receipts: opened.receipts,
                login: state.login, stored: stored, configuration: listener.configuration, random: listener.tools.random
            )
        }
        await stepAll { $0.opened() }
        isOpen.set()
        listener.current.change(to: self)
        defer { listener.current.change(to: nil) }
        return await mailbox.run([watch, lookUp, configure, reportNamesakes], until: attempt.stop) {
            if !Task.isCancelled { await self.leave() }
        }
    }

    /// The time after the login at which rooms and people are compared: lists of names have come by then.
    private static let comparison = Duration.seconds(60)
    /// The names that one connection reports; `status` shows the first, and `archive merge` all.
    private static let reportedNamesakes = 3

    /// Reports what a change of the server's case mapping has split.
    private func reportNamesakes() async -> SessionEnd? {
        try? await listener.tools.clock.sleep(for: Self.comparison)
        guard !Task.isCancelled, let namesakes = try? await attempt.loop.state.namesakes() else { return nil }
        for some in namesakes.prefix(Self.reportedNamesakes) {
            listener.tools.logger.warning(
                "one name has several keys; \"scrollback archive merge ACCOUNT\" says how to make them one",
                metadata: ["name": "\(some.name)", "kind": "\(some.kind)", "ids": "\(some.ids)"])
        }
        return nil
    }

    private func readConnection() async {
        let end: SessionEnd
        do {
            let own = try await connection.forEachRead { await self.receive($0) }
            end = own ?? SessionEnd(reason: .closed, detail: "the server closed the connection")
        } catch {
            end = SessionEnd(error)
        }
        mailbox.end(end)
        isSettled.set()
    }

    private func receive(_ received: Received) async -> SessionEnd? {
        isOpen.isSet
            ? await stepAll { $0.received(received, elapsed: mailbox.elapsed) } : await register(received)
    }

    /// Gives the session all of the input. Yields between two steps, because all accounts share one thread a core.
    @discardableResult
    private func stepAll(_ input: (inout IRCSession) -> IRCStep) async -> SessionEnd? {
        var next = step(input)
        var end = next?.end
        await mailbox.waitForSpace()
        while next?.hasMore == true {
            await Task.yield()
            next = step { $0.proceed() }
            end = end ?? next?.end
            await mailbox.waitForSpace()
        }
        return end
    }

    /// Sends PINGs, joins rooms, and records signs of life.
    private func watch() async -> SessionEnd? {
        while let due = mailbox.withSession({ $0.session?.due }) {
            guard (try? await listener.tools.clock.sleep(for: due - mailbox.elapsed)) != nil else { return nil }
            renewKeys()
            let step = step { $0.tick(clock: listener.tools.readClocks(), elapsed: mailbox.elapsed) }
            if let end = step?.end { return end }
            if let alive = mailbox.withSession({ $0.session.map { $0.receipts.wall(at: $0.lastSignOfLife) } }) {
                attempt.loop.reporter.noteSignOfLife(at: alive)
            }
        }
        return nil
    }

    /// Reads the channel keys again while a room is refused for its key: a person may have corrected the file.
    private func renewKeys() {
        guard mailbox.withSession({ $0.session?.lacksKey == true }),
            let keys = listener.watched.value.currentSecrets()?.channelKeys
        else { return }
        mailbox.withSession { $0.session?.renew(keys: keys, at: mailbox.elapsed) }
    }

    /// Applies the configuration each time that it changes.
    private func configure() async -> SessionEnd? {
        for await var configuration in listener.watched.values() {
            configuration.secrets = configuration.currentSecrets() ?? configuration.secrets
            let step = step { [configuration] in
                $0.configure(configuration, clock: listener.tools.readClocks(), elapsed: mailbox.elapsed)
            }
            if let end = step?.end { return end }
        }
        return nil
    }

    func backfill(_ room: RoomReference?, after: Timestamp?) -> BackfillAnswer {
        var rooms: Int?
        _ = step {
            $0.backfill(
                room, after: after, clock: listener.tools.readClocks(), elapsed: mailbox.elapsed, requested: &rooms)
        }
        return rooms.map { .requested(rooms: $0) } ?? .unsupported
    }

    /// Asks the archive in the order of the requests, and repeats a request while the archive can't be read.
    private func lookUp() async -> SessionEnd? {
        for await lookup in lookups.stream {
            while !Task.isCancelled {
                do {
                    // Waits until the archive has everything that was received before the question.
                    await mailbox.waitUntilStored()
                    let answer = try await lookup.answer(from: attempt.loop.state)
                    let step = step {
                        $0.receiveAnswer(answer, clock: listener.tools.readClocks(), elapsed: mailbox.elapsed)
                    }
                    if let end = step?.end { return end }
                    break
                } catch {
                    attempt.loop.tools.logger.warning("the archive can't be read", metadata: ["error": "\(error)"])
                    try? await listener.tools.clock.sleep(for: .seconds(10))
                }
            }
        }
        return nil
    }

    /// Sends QUIT, and receives the server's lines until it closes the connection.
    private func leave() async {
        send { $0.outbox.postUrgent([IRCMessage("QUIT", [])]) }
        await within(listener.configuration.leaveTimeout, of: listener.tools.clock) {
            await self.mailbox.hasEnded.wait()
        }
    }

    private func write() async {
        for await _ in sends.stream {
            let (bytes, deadline) = mailbox.withSession { $0.outbox.nextBytes(at: mailbox.elapsed, for: &$0.session) }
            if let deadline { mailbox.wake(at: deadline) }
            guard !bytes.isEmpty else { continue }
            // A connection that can't be written can't be read either, and the reading task reports the reason.
            guard (try? await connection.send(bytes)) != nil else { return }
        }
    }

    private func waitForTurns() async {
        _ = await mailbox.atWakes {
            sends.continuation.yield(())
            return nil
        }
    }

    /// Gives the session one input, and does what follows from it.
    private func step(_ input: (inout IRCSession) -> IRCStep) -> IRCStep? {
        var unsent: [IRCMessage] = []
        let step = mailbox.handle { state -> (events: [ChatEvent], answer: IRCStep?) in
            guard var session = state.session.take() else { return ([], nil) }
            let step = input(&session)
            state.session = session
            state.outbox.postUrgent(step.urgent)
            unsent = step.send.filter { !state.outbox.post($0) }
            return (step.events, step)
        } report: { step in
            if let step, step.hasProgress { attempt.loop.reporter.fetching(step.progress) }
        }
        sends.continuation.yield(())
        for line in unsent {
            attempt.loop.tools.logger.warning(
                "line not sent: too many lines are waiting", metadata: ["command": "\(line.verb)"])
        }
        for trouble in step?.troubles ?? [] {
            attempt.loop.tools.logger.warning("room not archived", metadata: ["reason": "\(trouble)"])
        }
        for lookup in step?.lookups ?? [] { lookups.continuation.yield(lookup) }
        for fetched in step?.fetched ?? [] where fetched.messages > 0 {
            attempt.loop.tools.logger.info(
                "history fetched", metadata: ["room": "\(fetched.room)", "messages": "\(fetched.messages)"])
        }
        return step
    }

    /// Changes the lines that wait, and wakes the task that sends them.
    @discardableResult
    func send<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
        let result = mailbox.withSession(change)
        sends.continuation.yield(())
        return result
    }
}

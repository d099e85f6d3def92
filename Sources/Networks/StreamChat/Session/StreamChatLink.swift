import ChatModel
import Sessions
import StreamChatWire
import Synchronization

/// Runs a ``StreamChatSession`` on a connection. Five tasks give it its input, and its events go into the buffer.
final class StreamChatLink: Sendable {
    /// The time between two checks of the leave frame's arrival.
    private static let acknowledgementPoll: Duration = .milliseconds(10)

    private let configuration: StreamChatConfiguration
    private let connection: any Connection
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let readClocks: @Sendable () -> ClockReading
    private let reporter: Reporter
    private let buffer: EventBuffer
    private let session: Mutex<StreamChatSession>
    private let isLeaving = Signal()
    private let hasCaughtUp = Signal()
    private let wakes = AsyncStream<Duration>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(
        _ session: StreamChatSession, configuration: StreamChatConfiguration, connection: any Connection,
        clock: any Clock<Duration>, stopwatch: Stopwatch, readClocks: @escaping @Sendable () -> ClockReading,
        reporter: Reporter, buffer: EventBuffer
    ) {
        self.session = Mutex(session)
        (self.configuration, self.connection, self.clock) = (configuration, connection, clock)
        (self.stopwatch, self.readClocks, self.reporter, self.buffer) = (stopwatch, readClocks, reporter, buffer)
    }

    /// Runs until the connection ends or `stop` is set. All events are in the buffer when this returns, with the
    /// session's end as the last.
    ///
    /// - Parameter messages: The frames to send after the join.
    func run(messages: AsyncStream<[UInt8]>, until stop: Signal) async -> SessionEnd {
        let end = await SessionEnd.first(
            of: [read, endUnits, watchForSilence, { await self.sendMessages(messages) }], until: stop, leave: leave)
        // Servers hang up after a goodbye, so the reason is our stop.
        let wasRequested = stop.isSet && (end.reason == .closed || end.reason == .lost)
        let own = wasRequested ? SessionEnd(reason: .stopped) : end
        session.withLock { buffer.push($0.ended(own)) }
        return own
    }

    /// The present state of the account's clock.
    var receipts: ReceiptClock {
        session.withLock { $0.receipts }
    }

    private func read() async -> SessionEnd? {
        await SessionEnd.reading { () throws(ConnectionError) in
            try await connection.forEachRead { received in
                let end = await step { $0.received(received, elapsed: stopwatch.elapsed) }
                if isLeaving.isSet, isCaughtUp { hasCaughtUp.set() }
                return end
            }
        }
    }

    private func endUnits() async -> SessionEnd? {
        for await wakeAt in wakes.stream {
            try? await clock.sleep(for: wakeAt - stopwatch.elapsed)
            let end = await step { $0.wake(readsTaken: connection.readsTaken, elapsed: stopwatch.elapsed) }
            if let end { return end }
        }
        return nil
    }

    private func watchForSilence() async -> SessionEnd? {
        while (try? await clock.sleep(for: configuration.signOfLifeInterval)) != nil {
            if let end = await sample() { return end }
        }
        return nil
    }

    private func sendMessages(_ messages: AsyncStream<[UInt8]>) async -> SessionEnd? {
        do {
            session.withLock { $0.sendingJoin() }
            try await connection.send(ClientFrame.join(name: configuration.nick).encoded(configuration.revision))
            if !session.withLock(\.isLive) { reporter.noteError(StreamChatListener.unanswered) }
            for await frame in messages { try await connection.send(frame) }
        } catch {
            // A connection that can't be written can't be read either, and the reading task reports the reason.
        }
        return nil
    }

    /// Sends the leave frame, and waits until it has arrived and the session has all earlier reads.
    private func leave() async -> SessionEnd {
        await withTaskGroup { group in
            group.addTask {
                let farewell = ClientFrame.leave.encoded(self.configuration.revision)
                if !farewell.isEmpty { try? await self.connection.send(farewell) }
                await self.settle()
            }
            group.addTask { try? await self.clock.sleep(for: self.configuration.leaveTimeout) }
            await group.next()
            group.cancelAll()
        }
        return SessionEnd(reason: .stopped)
    }

    private func settle() async {
        isLeaving.set()
        if !isCaughtUp { await hasCaughtUp.wait() }
        while !Task.isCancelled {
            let acknowledgement = await connection.acknowledgement()
            if acknowledgement?.isComplete ?? true { return }
            try? await clock.sleep(for: Self.acknowledgementPoll)
        }
    }

    /// True if the session has every read that was taken from the socket.
    private var isCaughtUp: Bool {
        session.withLock { $0.reads == connection.readsTaken }
    }

    private func sample() async -> SessionEnd? {
        let acknowledgement = await connection.acknowledgement()
        let end = await step { $0.sampled(acknowledgement, clock: readClocks(), elapsed: stopwatch.elapsed) }
        let lastSignOfLife = session.withLock { session in session.lastByte.map { session.receipts.wall(at: $0) } }
        if let lastSignOfLife { reporter.noteSignOfLife(at: lastSignOfLife) }
        return end
    }

    /// Gives the session one input, and waits for room in the buffer. Events enter the buffer in the order of the
    /// inputs.
    private func step(_ input: (inout StreamChatSession) -> StreamChatSession.Step) async -> SessionEnd? {
        let end = session.withLock { session in
            let wasLive = session.isLive
            let step = input(&session)
            buffer.push(step.events)
            if session.isLive, !wasLive { reporter.connected() }
            if let wakeAt = session.wakeAt { wakes.continuation.yield(wakeAt) }
            return step.end
        }
        await buffer.waitForSpace()
        return end
    }
}

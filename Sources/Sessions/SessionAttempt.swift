package import ChatModel
import Logging
import Synchronization

/// One attempt of a ``SessionLoop``: the time before there is a connection, and at most one session after it.
package struct SessionAttempt: Sendable {
    /// A session that the archive has opened.
    package struct Opened: Sendable {
        package let id: SessionID
        /// The account's clock. Its last time is the session's opening.
        package let receipts: ReceiptClock
        package let openedAt: Timestamp
        /// The buffer for the session's events, with its end as the last.
        package let buffer: EventBuffer
        package let stopwatch: Stopwatch
    }

    /// The end of a session, whose event is in the buffer.
    package struct Closed: Sendable {
        var end: SessionEnd
        /// The account's clock after the session.
        var receipts: ReceiptClock

        package init(end: SessionEnd, receipts: ReceiptClock) {
            (self.end, self.receipts) = (end, receipts)
        }
    }

    package let loop: SessionLoop
    private let hasSession = Signal()

    init(loop: SessionLoop) {
        self.loop = loop
    }

    package var stop: Signal { loop.stop }
    private var state: any ListenerState { loop.state }

    /// Runs `body`. A stop cancels it before there is a session; with a session, `body` ends itself in good order.
    func run(
        _ body: @escaping @Sendable (SessionAttempt) async -> SessionLoop.Outcome
    ) async -> SessionLoop.Outcome {
        await stop.cancelling(unless: { hasSession.isSet }) {
            do {
                try await readClock()
            } catch {
                return .failed(detail: "the archive can't be read: \(error)")
            }
            do {
                try await state.requireRoom()
            } catch {
                return .failed(detail: "the archive takes no messages: \(error)")
            }
            return await body(self)
        }
    }

    private func readClock() async throws {
        let last = try await loop.state.lastReceipt()
        let clock = loop.tools.readClocks()
        let lead = loop.receipts.withLock { receipts in
            if let last { receipts.resume(after: last, at: clock) }
            return receipts.last.map { $0.since(clock.wall) } ?? .zero
        }
        if lead > ReceiptClock.tolerance {
            // A wrong time is better than a lost message.
            loop.tools.logger.warning(
                "the newest message is ahead of this machine's clock; new ids continue from it",
                metadata: ["by": "\(lead)"])
        }
    }

    /// Opens a session on a connection, and stores the events of `body`. Returns when all of them are stored or lost.
    ///
    /// - Parameters:
    ///   - isAnswered: True if the program at the other end has sent something; otherwise `body` reports that.
    ///   - body: Runs until the connection ends, or ``stop`` is set.
    package func runSession(
        isAnswered: Bool = true, _ body: @escaping @Sendable (Opened) async -> Closed
    ) async -> SessionLoop.Outcome {
        hasSession.set()
        guard !stop.isSet else { return .stopped }
        let opened: Opened
        do {
            opened = try await open()
        } catch {
            return .failed(detail: "the archive did not open a session: \(error)")
        }
        loop.tools.logger.info("connected", metadata: ["session": "\(opened.id.rawValue)"])
        if isAnswered { loop.reporter.connected() }
        let storage = EventStorage(
            opened: opened, sink: loop.sink, reporter: loop.reporter, stop: stop, clock: loop.tools.clock,
            timeout: loop.configuration.storeTimeout)
        let end = await storage.run {
            let closed = await body(opened)
            loop.receipts.withLock { $0 = closed.receipts }
            return closed.end
        }
        if stop.isSet { reportUnstored(opened.buffer.unstored) }
        loop.tools.logger.info(
            "disconnected", metadata: ["session": "\(opened.id.rawValue)", "reason": "\(end.reason.rawValue)"])
        if let outcome = end.outcome { return outcome }
        guard end.reason != .stopped else { return .stopped }
        return .failed(detail: end.detail ?? end.reason.rawValue, uptime: opened.stopwatch.elapsed)
    }

    /// Reports the number of events that a stop left unstored.
    private func reportUnstored(_ count: Int) {
        loop.reporter.noteUnstored(count)
        guard count > 0 else { return }
        loop.tools.logger.error(
            "stopped before everything was stored; a gap records the missing events", metadata: ["events": "\(count)"])
    }

    /// The archive's answer to a session that it did not open.
    private struct Unopened: Error, CustomStringConvertible {
        let outcome: EventOutcome?

        var description: String { outcome.map { "\($0)" } ?? "no answer" }
    }

    private func open() async throws -> Opened {
        let stopwatch = Stopwatch(loop.tools.clock)
        let (receipts, openedAt, offset) = loop.receipts.withLock { receipts in
            receipts.beginConnection()
            let openedAt = receipts.stamp(loop.tools.readClocks())
            let offset = receipts.offset()
            return (receipts, openedAt, offset)
        }
        let result = await stop.cancelling { [sink = loop.sink] () async -> Result<EventOutcome?, any Error> in
            do {
                return .success(try await sink.append([.sessionOpened(at: openedAt, offset: offset)]).first)
            } catch {
                return .failure(error)
            }
        }
        let outcome = try result.get()
        guard case .new(let number)? = outcome else { throw Unopened(outcome: outcome) }
        return Opened(
            id: SessionID(rawValue: number), receipts: receipts, openedAt: openedAt,
            buffer: EventBuffer(limit: loop.configuration.bufferBytes), stopwatch: stopwatch)
    }
}

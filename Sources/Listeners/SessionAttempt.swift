import ChatModel
import Logging
import Synchronization

/// One attempt of a ``SessionLoop``: what comes before there is a connection, and then at most one session.
struct SessionAttempt: Sendable {
    /// A session that the archive has opened.
    struct Opened: Sendable {
        let id: SessionID
        /// The account's clock, of which the session's opening is the last time.
        let receipts: ReceiptClock
        let openedAt: Timestamp
        /// What is heard goes in here, the session's end last.
        let buffer: EventBuffer
        let stopwatch: Stopwatch
    }

    /// How it ended, which is in the buffer.
    struct Closed: Sendable {
        var end: SessionEnd
        /// What the account's clock has come to.
        var receipts: ReceiptClock
    }

    let loop: SessionLoop
    private let isHeard = Signal()

    init(loop: SessionLoop) {
        self.loop = loop
    }

    var stop: Signal { loop.stop }

    /// A stop cancels `body` as long as it hears nothing; what is heard is ended in good order.
    func run(
        _ body: @escaping @Sendable (SessionAttempt) async -> SessionLoop.Outcome
    ) async -> SessionLoop.Outcome {
        await stop.cancelling(unless: { isHeard.isSet }) {
            do {
                try await readClock()
            } catch {
                return .failed(detail: "the archive can't be read: \(error)")
            }
            return await body(self)
        }
    }

    private func readClock() async throws {
        let last = try await loop.state.lastReceipt()
        let lead = loop.receipts.withLock { receipts in
            if let last { receipts.advance(to: last) }
            return receipts.lead(over: loop.wallClock())
        }
        if let lead {
            // Better a wrong time than no message.
            loop.logger.warning(
                "What was received is later than the clock: times stand still until it has caught up",
                metadata: ["by": "\(lead)"])
        }
    }

    /// Opens a session on a connection, stores what `body` hears, and returns when all of it is stored or can't be.
    ///
    /// - Parameter body: Until the connection ends, or ``stop`` is set.
    func hear(_ body: @escaping @Sendable (Opened) async -> Closed) async -> SessionLoop.Outcome {
        isHeard.set()
        guard !stop.isSet else { return .stopped }
        guard let opened = await open() else { return .failed(detail: "the archive did not open a session") }
        loop.logger.info("connected", metadata: ["session": "\(opened.id.rawValue)"])
        loop.reporter.connected()
        let storage = EventStorage(
            buffer: opened.buffer, sink: loop.sink, stop: stop, clock: loop.clock, timeout: loop.storeTimeout)
        let end = await storage.run {
            let closed = await body(opened)
            loop.receipts.withLock { $0 = closed.receipts }
            return closed.end
        }
        loop.logger.info(
            "disconnected", metadata: ["session": "\(opened.id.rawValue)", "reason": "\(end.reason.rawValue)"])
        if let outcome = end.outcome { return outcome }
        guard end.reason != .stopped else { return .stopped }
        return .failed(detail: end.detail ?? end.reason.rawValue, lived: opened.stopwatch.elapsed)
    }

    private func open() async -> Opened? {
        let stopwatch = Stopwatch(loop.clock)
        let (receipts, openedAt) = loop.receipts.withLock { receipts in
            receipts.beginConnection()
            let openedAt = receipts.stamp(loop.wallClock())
            return (receipts, openedAt)
        }
        let outcome = await stop.cancelling { [sink = loop.sink] in
            try? await sink.append([.sessionOpened(at: openedAt)]).first
        }
        guard case .new(let number)? = outcome else { return nil }
        return Opened(
            id: SessionID(rawValue: number), receipts: receipts, openedAt: openedAt,
            buffer: EventBuffer(limit: loop.bufferBytes), stopwatch: stopwatch)
    }
}

package import ChatModel
import Synchronization

/// A connection's session as a value. Its inputs are its methods, which return the events to append.
package protocol MailboxSession: Sendable {
    /// The account's clock.
    var receipts: ReceiptClock { get }
    /// Ends the session with its connection, and returns its last events.
    mutating func ended(_ end: SessionEnd) -> [ChatEvent]
}

/// Gives a session its inputs one by one, from all tasks of a connection, until the session ends.
///
/// The mailbox keeps no inputs: the task that brings one handles it at once. A task that reads from a peer waits for
/// space after that, so nothing that a peer sends waits in memory, and a full buffer stops no timer.
package final class Mailbox<Session: MailboxSession>: Sendable {
    package let tools: ListenerTools
    /// Set when the connection has an end.
    package let hasEnded = Signal()
    private let stopwatch: Stopwatch
    private let session: Mutex<Session>
    private let buffer: Mutex<EventBuffer?>
    private let firstEnd = Mutex<SessionEnd?>(nil)
    private let wakes = AsyncStream<Duration>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// - Parameter opened: The session in the archive; nil for one that is opened later.
    package init(_ session: Session, tools: ListenerTools, _ opened: SessionAttempt.Opened? = nil) {
        self.session = Mutex(session)
        self.tools = tools
        stopwatch = opened?.stopwatch ?? Stopwatch(tools.clock)
        buffer = Mutex(opened?.buffer)
    }

    /// The time since the session began, by a clock that is never set.
    package var elapsed: Duration { stopwatch.elapsed }

    /// The first end of the connection; nil while it has none.
    package var end: SessionEnd? { firstEnd.withLock { $0 } }

    /// Begins to put events into this buffer.
    package func open(_ buffer: EventBuffer) {
        self.buffer.withLock { $0 = buffer }
    }

    /// Gives the session one input. Its events enter the buffer before those of the next input.
    ///
    /// - Parameter report: Called with the answer when the events are in the buffer, before the next input.
    package func handle<Answer: Sendable>(
        _ input: (inout Session) -> (events: [ChatEvent], answer: Answer), report: (Answer) -> Void = { _ in }
    ) -> Answer {
        session.withLock { session in
            let (events, answer) = input(&session)
            buffer.withLock { $0 }?.push(events)
            report(answer)
            return answer
        }
    }

    /// Reads or changes the session without an event.
    package func withSession<Answer: Sendable>(_ body: (inout Session) -> Answer) -> Answer {
        session.withLock { body(&$0) }
    }

    /// Returns when the buffer has space, or if the task is cancelled.
    package func waitForSpace() async {
        await buffer.withLock { $0 }?.waitForSpace()
    }

    /// Returns when all earlier events are stored or lost, or if the task is cancelled.
    package func waitUntilStored() async {
        await buffer.withLock { $0 }?.waitUntilStored()
    }

    /// Ends the connection. Only the first end counts.
    package func end(_ end: SessionEnd) {
        firstEnd.withLock { $0 = $0 ?? end }
        hasEnded.set()
    }

    /// Sets the time of the next wake, by ``elapsed``.
    package func wake(at time: Duration) {
        wakes.continuation.yield(time)
    }

    /// Calls `body` at each time that was set by ``wake(at:)``. While it waits for one, only the latest other is kept.
    package func atWakes(_ body: () async -> SessionEnd?) async -> SessionEnd? {
        for await time in wakes.stream {
            guard (try? await tools.clock.sleep(for: time - elapsed)) != nil else { return nil }
            if let end = await body() { return end }
        }
        return nil
    }

    /// Runs the tasks of a session until one of them returns an end, ``end(_:)`` is called, or `stop` is set and `leave`
    /// has returned. The session's last events are in the buffer when this returns. Runs no task after an end.
    package func run(
        _ tasks: [@Sendable () async -> SessionEnd?], until stop: Signal,
        leave: @escaping @Sendable () async -> Void = {}
    ) async -> SessionAttempt.Closed {
        let first = await withTaskGroup(of: SessionEnd?.self) { group in
            for task in tasks where self.end == nil { group.addTask { await task() } }
            group.addTask {
                await self.hasEnded.wait()
                return self.end
            }
            group.addTask {
                await stop.wait()
                await leave()
                return SessionEnd(reason: .stopped)
            }
            for await case let end? in group {
                group.cancelAll()
                return end
            }
            return SessionEnd(reason: .stopped)
        }
        // Servers hang up after a goodbye, so the reason is our stop.
        let isOurs = stop.isSet && [.closed, .lost].contains(first.reason)
        let end = isOurs ? SessionEnd(reason: .stopped) : first
        return session.withLock { session in
            buffer.withLock { $0 }?.push(session.ended(end))
            return SessionAttempt.Closed(end: end, receipts: session.receipts)
        }
    }
}

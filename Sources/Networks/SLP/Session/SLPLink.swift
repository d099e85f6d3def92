import ChatModel
import Logging
import SLPWire
import Sessions
import Synchronization

/// Receives the rooms of one connection, and fetches their history. All resulting events go into the buffer.
///
/// Live messages come from the ``SocketIOConnection``, and history from an ``SLPFetch`` for each room.
final class SLPLink: Sendable {
    let session: SessionID
    let listener: SLPListener
    let client: SLPClient
    let me: String
    let archive: any ListenerState
    let buffer: EventBuffer
    let connection: SocketIOConnection
    let reporter: Reporter
    let stopwatch: Stopwatch
    let state: Mutex<SLPLinkState>
    /// The namespaces of the rooms whose history should be fetched, in order.
    let fetches = AsyncStream<String>.makeStream()
    let hasFailed = Signal()

    init(
        _ opened: SessionAttempt.Opened, _ loop: SessionLoop, listener: SLPListener, connection: SocketIOConnection,
        client: SLPClient, me: String
    ) {
        (session, buffer, stopwatch) = (opened.id, opened.buffer, opened.stopwatch)
        (archive, reporter) = (loop.state, loop.reporter)
        (self.listener, self.connection, self.client, self.me) = (listener, connection, client, me)
        state = Mutex(SLPLinkState(receipts: opened.receipts, lastSignOfLife: opened.openedAt))
    }

    var configuration: SLPListenerConfiguration { listener.configuration }

    /// The present state of the account's clock.
    var receipts: ReceiptClock { state.withLock { $0.receipts } }

    /// The time by which times of receipt are ahead of the wall clock.
    var ahead: Duration { state.withLock { .microseconds($0.receipts.ahead) } }

    /// The refused login that ended the connection; nil if there was none.
    var loginError: CallError? { state.withLock { $0.loginError } }

    /// Runs until the connection ends or `stop` is set. All events are in the buffer when this returns, with the
    /// session's end as the last.
    func run(_ directory: SLPDirectory, until stop: Signal) async -> SessionEnd {
        let end = await runTasks(directory, until: stop)
        state.withLock { state in
            for namespace in state.rooms.keys { release(namespace, &state) }
            buffer.push([
                .sessionEnded(session: session, at: state.lastSignOfLife, reason: end.reason, detail: end.detail)
            ])
        }
        return end
    }

    private func runTasks(_ directory: SLPDirectory, until stop: Signal) async -> SessionEnd {
        do {
            try await apply(directory)
        } catch {
            return SessionEnd(reason: .store, detail: "the archive can't be read: \(error)")
        }
        return await SessionEnd.first(of: [read, fetchAll, watch, checkAgain, waitForFailure], until: stop)
    }

    private func waitForFailure() async -> SessionEnd? {
        await hasFailed.wait()
        guard !Task.isCancelled else { return nil }
        return loginError.map { SessionEnd(reason: .lost, detail: $0.detail) } ?? .tooMuchUnreadable
    }

    /// Puts a room's held events into the buffer.
    func release(_ namespace: String, _ state: inout SLPLinkState) {
        buffer.push(state.released(namespace))
    }

    /// Logs and reports an error, and ends the session if no further call can succeed.
    ///
    /// - Parameters:
    ///   - what: The log message, a constant, because the log limits its records by their message.
    ///   - room: The room's name, for an error that concerns one room.
    func reportError(_ error: any Error, _ what: String, room: String? = nil) {
        guard !Task.isCancelled else { return }
        var metadata: Logger.Metadata = ["reason": "\(error)"]
        if let room { metadata["room"] = "\(room)" }
        listener.tools.logger.warning("\(what)", metadata: metadata)
        reporter.noteError("\(room.map { "\($0): " } ?? "")\(what): \(error)")
        guard let error = error as? CallError, [.accountStopped, .needsLogin].contains(error.code) else { return }
        state.withLock { $0.loginError = error }
        hasFailed.set()
    }
}

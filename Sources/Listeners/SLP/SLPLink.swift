import ChatModel
import Logging
import SLPWire
import SocketIOWire
import Synchronization

/// Hears the rooms of one connection and fetches their history; all that comes of it goes into the buffer.
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
    /// Namespaces of the rooms whose history is to be fetched, in order.
    let fetches = AsyncStream<String>.makeStream()
    let isBeyondHelp = Signal()

    init(
        _ opened: SessionAttempt.Opened, _ loop: SessionLoop, listener: SLPListener, connection: SocketIOConnection,
        client: SLPClient, me: String
    ) {
        (session, buffer, stopwatch) = (opened.id, opened.buffer, opened.stopwatch)
        (archive, reporter) = (loop.state, loop.reporter)
        (self.listener, self.connection, self.client, self.me) = (listener, connection, client, me)
        state = Mutex(SLPLinkState(receipts: opened.receipts, heardAt: opened.openedAt))
    }

    var configuration: SLPListenerConfiguration { listener.configuration }

    /// What the account's clock has come to.
    var receipts: ReceiptClock { state.withLock { $0.receipts } }

    /// How far times of receipt are ahead of the wall clock.
    var ahead: Duration { state.withLock { .microseconds($0.receipts.ahead) } }

    /// Why the connection had to be given up for good; nil for other reasons.
    var loginTrouble: SLPError? { state.withLock { $0.loginTrouble } }

    /// Until the connection ends or `stop` is set. All that was heard is in the buffer then, the session's end last.
    func run(_ directory: SLPDirectory, until stop: Signal) async -> SessionEnd {
        let end = await hear(directory, until: stop)
        state.withLock { state in
            for namespace in state.rooms.keys { release(namespace, &state) }
            buffer.push([.sessionEnded(session: session, at: state.heardAt, reason: end.reason, detail: end.detail)])
        }
        return end
    }

    private func hear(_ directory: SLPDirectory, until stop: Signal) async -> SessionEnd {
        do {
            try await take(directory)
        } catch {
            return SessionEnd(reason: .store, detail: "the archive can't be read: \(error)")
        }
        return await withTaskGroup(of: SessionEnd?.self) { group in
            group.addTask { await self.read() }
            group.addTask { await self.fetchAll() }
            group.addTask { await self.watch() }
            group.addTask { await self.checkAgain() }
            group.addTask {
                await self.isBeyondHelp.wait()
                return Task.isCancelled
                    ? nil : self.loginTrouble.map { SessionEnd(reason: .lost, detail: $0.detail) } ?? .tooMuchUnreadable
            }
            group.addTask {
                await stop.wait()
                return SessionEnd(reason: .stopped)
            }
            for await case let end? in group {
                group.cancelAll()
                return end
            }
            return SessionEnd(reason: .stopped)
        }
    }

    /// What was held of a room goes into the buffer.
    func release(_ namespace: String, _ state: inout SLPLinkState) {
        buffer.push(state.released(namespace))
    }

    /// Says what went wrong, and ends the session where nothing can go right any more.
    ///
    /// - Parameters:
    ///   - what: A constant: the log limits records by it.
    ///   - room: The room's name, of trouble with one room.
    func note(_ error: any Error, _ what: String, room: String? = nil) {
        guard !Task.isCancelled else { return }
        var metadata: Logger.Metadata = ["reason": "\(error)"]
        if let room { metadata["room"] = "\(room)" }
        listener.logger.warning("\(what)", metadata: metadata)
        reporter.note(error: "\(room.map { "\($0): " } ?? "")\(what): \(error)")
        guard let error = error as? SLPError, [.accountStopped, .needsLogin].contains(error.code) else { return }
        state.withLock { $0.loginTrouble = error }
        isBeyondHelp.set()
    }
}

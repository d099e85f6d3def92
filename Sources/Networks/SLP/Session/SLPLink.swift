import ChatModel
import Logging
import SLPWire
import Sessions

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
    let mailbox: Mailbox<SLPLinkState>
    /// The namespaces of the rooms whose history should be fetched, in order.
    let fetches = AsyncStream<String>.makeStream()

    init(
        _ opened: SessionAttempt.Opened, _ loop: SessionLoop, listener: SLPListener, connection: SocketIOConnection,
        client: SLPClient, me: String
    ) {
        (session, buffer) = (opened.id, opened.buffer)
        (archive, reporter) = (loop.state, loop.reporter)
        (self.listener, self.connection, self.client, self.me) = (listener, connection, client, me)
        mailbox = Mailbox(
            SLPLinkState(session: opened.id, receipts: opened.receipts, lastSignOfLife: opened.openedAt),
            tools: listener.tools, opened)
    }

    var configuration: SLPListenerConfiguration { listener.configuration }

    /// The time by which times of receipt are ahead of the wall clock.
    var ahead: Duration { mailbox.withSession { .microseconds($0.receipts.ahead) } }

    /// Runs until the connection ends or `stop` is set.
    func run(_ directory: SLPDirectory, until stop: Signal) async -> SessionAttempt.Closed {
        do {
            try await apply(directory)
        } catch {
            mailbox.end(SessionEnd(reason: .store, detail: "the archive can't be read: \(error)"))
        }
        return await mailbox.run([read, fetchAll, watch, checkAgain], until: stop)
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
        mailbox.end(
            SessionEnd(
                reason: .lost, detail: error.detail, outcome: .needsLogin(detail: SLPAttempt.withAdvice(error))))
    }
}

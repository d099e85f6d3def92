import ChatModel
import LogFormats
import Logging
import MatrixWire
import Sessions

/// The state of a logged-in connection of an account. A ``MatrixReceiver`` and a ``MatrixFetcher`` share it.
final class MatrixLink: Sendable {
    let session: SessionID
    let listener: MatrixListener
    let client: MatrixClient
    let me: String
    let reader: MatrixReader
    /// The ids of the rooms that the account was in when the session began.
    let joined: Set<String>
    let archive: any ListenerState
    /// The events for the archive.
    let buffer: EventBuffer
    let reporter: Reporter
    let mailbox: Mailbox<State>
    let keys: MatrixKeyReader
    /// Set when the key backup was found, or can't be.
    let hasOpenedKeys = Signal()
    /// The rooms with history to fetch, in order; each is there once.
    let dueRooms = AsyncStream<String>.makeStream()

    struct State: MailboxSession {
        let session: SessionID
        var receipts: ReceiptClock
        var lastSignOfLife: Timestamp
        var rooms = MatrixRooms()
        var fetches = MatrixFetchQueue()
        /// The reason why encrypted messages can't be read; nil for none.
        var keyError: String?

        func ended(_ end: SessionEnd) -> [ChatEvent] { [end.event(of: session, at: lastSignOfLife)] }
    }

    init(
        _ opened: SessionAttempt.Opened, _ loop: SessionLoop, listener: MatrixListener, client: MatrixClient,
        _ account: MatrixAccount
    ) {
        (me, joined) = (account.id, account.joinedRooms)
        reader = MatrixReader(session: opened.id, me: account.id)
        (session, buffer) = (opened.id, opened.buffer)
        (archive, reporter) = (loop.state, loop.reporter)
        (self.listener, self.client) = (listener, client)
        keys = MatrixKeyReader(client: client, keyring: listener.keyring, archive: loop.state, user: account.id)
        mailbox = Mailbox(
            State(session: opened.id, receipts: opened.receipts, lastSignOfLife: opened.openedAt),
            tools: listener.tools, opened)
        for data in account.data { take(data) }
    }

    var configuration: MatrixListenerConfiguration { listener.configuration }

    /// Runs until the connection ends or `stop` is set.
    func run(until stop: Signal) async -> SessionAttempt.Closed {
        await mailbox.run([MatrixReceiver(link: self).run, MatrixFetcher(link: self).run, readKeys], until: stop)
    }

    /// Returns the end of a session for an error.
    func end(of error: any Error) -> SessionEnd? {
        guard !Task.isCancelled else { return nil }
        if let error = error as? MatrixClient.TakeFailure, !(error.reason is CallError) {
            return SessionEnd(reason: .store, detail: "the archive can't be read: \(error.reason)")
        }
        let failure = CallError(ofCall: error, at: configuration.server)
        return SessionEnd(
            reason: failure.code == .unexpected ? .violation : .lost, detail: failure.detail,
            outcome: failure.code == .needsLogin ? .needsLogin(detail: MatrixAttempt.withAdvice(failure)) : nil)
    }

    func now() -> Timestamp { mailbox.withSession { $0.receipts.stamp(listener.tools.readClocks()) } }

    func reference(of room: String) -> RoomReference { mailbox.withSession { $0.rooms.reference(of: room) } }

    /// Returns the present name of a person.
    func name(of id: String) -> String { mailbox.withSession { $0.rooms.people.name(of: id) } }

    /// Takes a setting of the account.
    func take(_ data: MatrixAccountData) {
        switch data {
        case .direct(let partners): mailbox.withSession { $0.rooms.setPartners(partners) }
        case .ignored(let people):
            guard !people.isEmpty else { return }
            listener.tools.logger.notice(
                "the account ignores people, whose messages the homeserver does not send",
                metadata: ["people": "\(people.prefix(10).joined(separator: ", "))", "number": "\(people.count)"])
        }
    }
}

import ChatModel
import Logging
import Sessions
import XMPPWire

/// Archives what a bound connection receives: gives stanzas to the session and its events to the buffer, and keeps the
/// stream alive. ``XMPPRoomKeeper`` joins the rooms of ``XMPPRoomList``, and ``XMPPHistory`` fetches what is missing.
final class XMPPLink: Sendable {
    let session: SessionID
    let listener: XMPPListener
    let connection: XMPPConnection
    let archive: any ListenerState
    let buffer: EventBuffer
    let reporter: Reporter
    let mailbox: Mailbox<XMPPSession>
    let calls = XMPPCalls()
    let openedAt: Timestamp
    /// The stream that this connection continues; nil for a new one.
    let left: XMPPLeftStream?
    /// The work that wakes ``XMPPRoomKeeper/keepJoined()``, ``XMPPHistory/fetchAll()`` and ``acknowledge()``.
    let (roomWork, historyWork) = (XMPPWake(), XMPPWake())
    let requests = XMPPWake()
    /// Wakes ``XMPPRoomList/followBookmarks()``.
    let bookmarkWork = XMPPWake()

    init(
        _ connection: XMPPConnection, _ opened: SessionAttempt.Opened, _ stored: XMPPStoredState, me: JID,
        left: XMPPLeftStream?
    ) {
        (self.connection, listener, session) = (connection, connection.listener, opened.id)
        let loop = connection.attempt.loop
        (archive, buffer, reporter) = (loop.state, opened.buffer, loop.reporter)
        (self.left, openedAt) = (left, opened.openedAt)
        let configuration = listener.configuration
        var state = XMPPSession(
            id: opened.id, openedAt: opened.openedAt, receipts: opened.receipts, me: me,
            elapsed: opened.stopwatch.elapsed, configuration, stored)
        if let left {
            state = left.session
            state.resume(
                as: opened.id, openedAt: opened.openedAt, receipts: opened.receipts, elapsed: opened.stopwatch.elapsed,
                configuration)
        }
        mailbox = Mailbox(state, tools: listener.tools, opened)
        // A connection that ended before the session began.
        buffer.push(mailbox.withSession { $0.takeStep().events })
    }

    var history: XMPPHistory { XMPPHistory(link: self) }
    var roomKeeper: XMPPRoomKeeper { XMPPRoomKeeper(link: self) }
    var roomList: XMPPRoomList { XMPPRoomList(link: self) }
    var configuration: XMPPConfiguration { listener.configuration }
    var account: JID { configuration.account.bare }
    var clock: any Clock<Duration> { listener.tools.clock }

    /// Runs until the connection ends or a stop is requested.
    func run(hasManagement: Bool) async -> SessionAttempt.Closed {
        let beginning: @Sendable () async -> SessionEnd? = { await self.begin(hasManagement: hasManagement) }
        return await AttachmentFetcher.whileRunning(
            listener.files ?? NoFiles(), into: listener.files == nil ? nil : listener.attachments, listener.watched,
            limits: \.files, tools: listener.tools
        ) {
            await self.mailbox.run(
                [
                    beginning, self.watch, self.roomKeeper.keepJoined, self.history.fetchAll, self.acknowledge,
                    self.history.lookAtDirect,
                ],
                until: self.connection.attempt.stop, leave: self.leave)
        }
    }

    /// The stream for the next connection; nil if the server can't continue it.
    func leftStream() -> XMPPLeftStream? {
        mailbox.withSession { session in
            guard let stream = session.stream, let handled = session.handled, let end = session.end,
                [.lost, .silent, .closed].contains(end), !session.isClosedByPeer
            else { return nil }
            return XMPPLeftStream(
                resumption: .init(id: stream.id, handled: handled), session: session, keptFor: stream.keptFor,
                endedAt: session.receipts.wall(at: session.heartbeat.lastSignOfLife))
        }
    }

    /// Takes the parts of a stream that one read completed.
    ///
    /// - Parameter isWhole: False if the read ends within a stanza, which may never come, so that it proves nothing.
    /// - Returns: The reason for an end.
    func receive(
        _ units: [StanzaSplitter.Unit], _ failure: String?, at time: ClockReading, isWhole: Bool
    ) async -> SessionEnd? {
        apply { $0.began(time, elapsed: mailbox.elapsed) }
        var end: SessionEnd?
        for unit in units where end == nil {
            switch unit {
            case .opened: break
            case .closed:
                mailbox.withSession { $0.isClosedByPeer = true }
                end = SessionEnd(reason: .closed, detail: "the server ended the stream")
            case .stanza(let stanza):
                end = await take(stanza)
                await mailbox.waitForSpace()
            }
        }
        if isWhole { apply { $0.finished() } }
        return end ?? failure.map { SessionEnd(reason: .violation, detail: $0) }
    }

    private func take(_ stanza: ReceivedStanza) async -> SessionEnd? {
        guard case .success(let element) = stanza.content else {
            countAndApply { $0.take(stanza) }
            return nil
        }
        if element.namespace == XMPPNamespace.management {
            take(management: element)
            return nil
        }
        if element.is("error", XMPPNamespace.streams) {
            mailbox.withSession { $0.isClosedByPeer = true }
            return SessionEnd(reason: .closed, detail: "the server ended the stream: \(element.errorWords)")
        }
        if let archived = ArchivedMessage(element, raw: stanza.raw) {
            countAndApply { _ in }
            guard calls.add(archived, from: element.from, account: account) == .tooMany else { return nil }
            return SessionEnd(reason: .violation, detail: "the server sent more history than a page has")
        }
        if element.name == "iq", ["result", "error"].contains(element["type"]), let id = element["id"] {
            countAndApply { _ in }
            _ = calls.answer(id, with: element, from: element.from, account: account)
            return nil
        }
        await history.recallTarget(of: element)
        countAndApply { $0.take(stanza) }
        return nil
    }

    private func countAndApply(_ input: (inout XMPPSession) -> Void) {
        apply { session in
            if let count = session.handled { session.handled = count &+ 1 }
            input(&session)
        }
    }

    /// Gives the session one input, and does what it says.
    @discardableResult
    func apply<Answer: Sendable>(_ input: (inout XMPPSession) -> Answer) -> Answer {
        let (answer, step) = mailbox.handle { session -> (events: [ChatEvent], answer: (Answer, XMPPSession.Step)) in
            let answer = input(&session)
            let step = session.takeStep()
            return (step.events, (answer, step))
        }
        for stanza in step.send { send(stanza) }
        for trouble in step.troubles {
            listener.tools.logger.warning("a room is not archived", metadata: ["reason": "\(trouble)"])
        }
        for room in step.settled { roomKeeper.settle(room) }
        if step.hasBookmarkNews { bookmarkWork.set() }
        if step.hasRoomWork { roomWork.set() }
        return answer
    }

    func send(_ stanza: XMPPElement) { connection.send(stanza.encoded) }

    /// Asks a question, and returns the answer; nil if none comes in time.
    func ask(_ question: (_ id: String) -> XMPPElement, of peer: JID?, messages: Int = 0) async -> XMPPCalls.Answer? {
        let id = calls.nextID()
        return await calls.ask(id, of: peer, messages: messages, within: configuration.answerTimeout, clock: clock) {
            send(question(id))
        }
    }

    func now() -> Timestamp { mailbox.withSession { $0.receipts.stamp(listener.tools.readClocks()) } }

    private func leave() async {
        mailbox.withSession { $0.isLeaving = true }
        await within(configuration.leaveTimeout, of: clock) {
            self.send(XMPPElement("presence", ["type": "unavailable"]))
            self.connection.send(Array("</stream:stream>".utf8))
            await self.mailbox.hasEnded.wait()
        }
    }

    private struct NoFiles: FileClient {
        func file(_ path: String, from offset: Int, tag: String?) async throws -> FetchedFile {
            throw CallError(code: .foreignOrigin, detail: "files are not fetched")
        }
    }
}

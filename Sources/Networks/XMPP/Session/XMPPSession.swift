import ChatModel
import Sessions
import XMPPWire

/// One bound or resumed connection as a value: each input returns the events to append and the stanzas to send.
///
/// ``XMPPReader`` turns messages into events, ``XMPPRoom`` knows who is in a room, and ``XMPPReferences`` which messages
/// others refer to. Times of receipt are by the account's clock; `elapsed` is the time since the session began, by a clock
/// that is never set.
struct XMPPSession: MailboxSession {
    /// The outcome of an input.
    struct Step: Sendable {
        var events: [ChatEvent] = []
        var send: [XMPPElement] = []
        /// Rooms whose attempt to join is over.
        var settled: [JID] = []
        /// True if the account's bookmarks have changed.
        var hasBookmarkNews = false
        /// True if a room must be asked about itself again.
        var hasRoomWork = false
        /// Troubles for an operator.
        var troubles: [String] = []
    }

    private(set) var id: SessionID
    var receipts: ReceiptClock
    /// The account's address, with the resource.
    let me: JID
    private(set) var configuration: XMPPConfiguration
    var rooms: [JID: XMPPRoom] = [:]
    var reader: XMPPReader
    var references = XMPPReferences()
    /// The conversations with single people, by key.
    private(set) var direct: [String: RoomReference] = [:]
    /// True if the server archives the messages of the account; nil while that is unknown.
    var ownArchive: Bool?
    /// The instant up to which the account's archive was read; nil before that.
    var directUntil: Timestamp?
    var fetches = XMPPFetchQueue()
    private(set) var heartbeat: XMPPHeartbeat
    /// The number of stanzas since the stream can be resumed; nil before that.
    var handled: UInt32?
    /// The identity of the stream for a resumption, and the time for which the server keeps it.
    var stream: (id: String, keptFor: Duration)?
    /// True once the server has ended the stream in good order, after which it can't be continued.
    var isClosedByPeer = false
    /// True once the account leaves its rooms because the listener stops.
    var isLeaving = false
    /// The reason of the session's end; nil while it runs.
    private(set) var end: EndReason?
    var step = Step()
    var elapsed: Duration

    init(
        id: SessionID, openedAt: Timestamp, receipts: ReceiptClock, me: JID, elapsed: Duration,
        _ configuration: XMPPConfiguration, _ stored: XMPPStoredState
    ) {
        (self.id, self.receipts, self.me, self.configuration) = (id, receipts, me, configuration)
        reader = XMPPReader(session: id, wipesRedacted: configuration.wipesRedacted)
        heartbeat = XMPPHeartbeat(at: openedAt, elapsed: elapsed, configuration)
        self.elapsed = elapsed
        direct = Dictionary(stored.direct.map { ($0.key, $0) }) { first, _ in first }
    }

    /// Continues the session of an earlier connection, whose rooms are still joined.
    mutating func resume(
        as id: SessionID, openedAt: Timestamp, receipts: ReceiptClock, elapsed: Duration,
        _ configuration: XMPPConfiguration
    ) {
        (self.id, self.receipts, self.elapsed, self.configuration) = (id, receipts, elapsed, configuration)
        reader = XMPPReader(session: id, wipesRedacted: configuration.wipesRedacted)
        heartbeat = XMPPHeartbeat(at: openedAt, elapsed: elapsed, configuration)
        (step, end, isClosedByPeer) = (Step(), nil, false)
        for address in rooms.keys {
            guard let room = rooms[address] else { continue }
            // What we sent last may be lost.
            rooms[address]?.due = elapsed
            rooms[address]?.joinedAt = elapsed
            if room.isInside {
                step.events.append(.roomLive(session: id, room: room.reference, at: openedAt))
            } else {
                rooms[address]?.leave()
            }
        }
    }

    var account: JID { me.bare }

    /// Returns the outcome so far, and begins a new one.
    mutating func takeStep() -> Step {
        defer { step = Step() }
        return step
    }

    /// Notes a read before its stanzas.
    mutating func began(_ read: ClockReading, elapsed: Duration) {
        self.elapsed = elapsed
        _ = receipts.stamp(read)
        step.events += receipts.offsetChange(of: id)
    }

    /// Notes that the events have all stanzas of a read.
    mutating func finished() {
        guard let time = receipts.last else { return }
        heartbeat.received(at: time)
    }

    /// Does what is due by now. Returns the reason for an end.
    mutating func tick(_ clock: ClockReading, elapsed: Duration, pingID: String) -> SessionEnd? {
        self.elapsed = elapsed
        if receipts.isBehind(clock) { return SessionEnd(reason: .clockStep, detail: receipts.stepDetail(clock)) }
        var end: SessionEnd?
        for action in heartbeat.tick(at: elapsed, configuration) {
            switch action {
            case .ping:
                step.send.append(
                    XMPPElement(
                        "iq", ["type": "get", "id": pingID], [XMPPElement("ping", XMPPNamespace.ping, [:], [])]))
            case .write(let time): step.events.append(.signOfLife(session: id, at: time))
            case .end(let reason): end = reason
            }
        }
        return end
    }

    mutating func ended(_ end: SessionEnd) -> [ChatEvent] {
        self.end = end.reason
        return takeStep().events + [end.event(of: id, at: heartbeat.lastSignOfLife)]
    }

    /// Lists a conversation if it is new.
    mutating func list(_ room: RoomReference, with partner: UserReference) {
        guard direct.updateValue(room, forKey: room.key) == nil else { return }
        step.events.append(.roomListed(RoomListing(room: room, partner: partner), at: receipts.next()))
        // Until then, the conversation had no messages. From then on, only the archive proves what it has.
        if let directUntil { step.events += configuration.afterLook(at: directUntil, session: id, room: room) }
    }
}

import ChatModel
import SLPWire
import Sessions

/// The state of a connection's rooms.
struct SLPLinkState: MailboxSession {
    let session: SessionID
    var receipts: ReceiptClock
    var lastSignOfLife: Timestamp
    var rooms: [String: SLPRoom] = [:]
    /// The size of held events in all rooms together, in bytes.
    var heldBytes = 0
    /// The rooms that hold live events, because their history is being fetched.
    var holding: Set<String> = []
    /// The hashes of people whose listings are already stored. Hashes, because a name may have a megabyte.
    var seen: Set<Int> = []
    /// The number of spans that unreadable messages have ended, live or in history.
    var effort = 0
    /// The fetches that were requested and have not begun.
    var queued: Set<String> = []
    /// The namespaces that were dropped, from which events may still come.
    private(set) var left: Set<String> = []
    /// The limit of ``left``: as many as an account may have rooms.
    private static let maximumLeft = SLPDirectory.maximumRooms

    /// The time up to which all events are in the buffer.
    var completeUntil: Timestamp {
        let held = holding.compactMap { rooms[$0]?.holding?.since }.min()
        return held.map { min($0.advanced(byMicroseconds: -1), lastSignOfLife) } ?? lastSignOfLife
    }

    /// Returns the rooms in which an event has been held for this time.
    func heldFor(_ time: Duration) -> Set<String> {
        holding.filter { rooms[$0]?.holding?.since.map { lastSignOfLife.since($0) >= time } ?? false }
    }

    /// Holds events until the history of their room is stored. Works in place, because every copy would include all
    /// earlier events.
    ///
    /// - Returns: False if the room's history is not being fetched. The events are not held in that case.
    mutating func hold(_ events: [ChatEvent], in namespace: String, at time: Timestamp) -> Bool {
        guard rooms[namespace]?.holding != nil else { return false }
        let (bytes, since) = (events.approximateBytes, rooms[namespace]?.holding?.since ?? time)
        rooms[namespace]?.holding?.since = since
        rooms[namespace]?.holding?.events += events
        rooms[namespace]?.holding?.bytes += bytes
        heldBytes += bytes
        return true
    }

    /// Remembers a namespace that was dropped. Above the limit, forgets all others, whose late events are stored
    /// without a room.
    mutating func leave(_ namespace: String) {
        if left.count >= Self.maximumLeft { left = [] }
        left.insert(namespace)
    }

    /// Forgets that a namespace was dropped, because the account has the room again.
    mutating func restore(_ namespace: String) {
        left.remove(namespace)
    }

    mutating func ended(_ end: SessionEnd) -> [ChatEvent] {
        rooms.keys.flatMap { released($0) } + [end.event(of: session, at: lastSignOfLife)]
    }

    /// Removes and returns the events that a room holds.
    mutating func released(_ namespace: String) -> [ChatEvent] {
        self.holding.remove(namespace)
        guard let holding = rooms[namespace]?.holding else { return [] }
        rooms[namespace]?.holding = nil
        heldBytes -= holding.bytes
        return holding.events
    }
}

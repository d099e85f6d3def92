import ChatModel
import SLPWire

/// What a connection knows of its rooms.
struct SLPLinkState {
    var receipts: ReceiptClock
    /// The last sign of life.
    var heardAt: Timestamp
    var rooms: [String: SLPRoom] = [:]
    /// Of all rooms together.
    var heldBytes = 0
    /// Rooms in which something is held, or will be: those whose history is being fetched.
    var holding: Set<String> = []
    /// People whom the archive was told of as they are, by their hashes: a name may have a megabyte.
    var seen: Set<Int> = []
    /// Spans of rooms that were cut by what could not be read, heard or of history.
    var effort = 0
    /// Fetches that were asked for and have not begun.
    var queued: Set<String> = []
    /// Namespaces that were let go of, of which events may still come.
    private(set) var left: Set<String> = []
    /// As many as an account may have rooms.
    private static let maximumLeft = SLPDirectory.maximumRooms
    var loginTrouble: SLPError?

    /// Up to when all that was heard is in the buffer.
    var vouchedAt: Timestamp {
        let held = holding.compactMap { rooms[$0]?.holding?.since }.min()
        return held.map { min($0.advanced(byMicroseconds: -1), heardAt) } ?? heardAt
    }

    /// Rooms where something has waited so long for their history.
    func heldFor(_ time: Duration) -> Set<String> {
        holding.filter { rooms[$0]?.holding?.since.map { heardAt.since($0) >= time } ?? false }
    }

    /// Keeps events until the history of their room is stored. In place: a copy for each of them would be of all before it.
    ///
    /// - Returns: False where nothing of the room is held.
    mutating func hold(_ events: [ChatEvent], in namespace: String, at time: Timestamp) -> Bool {
        guard rooms[namespace]?.holding != nil else { return false }
        let (bytes, since) = (events.approximateBytes, rooms[namespace]?.holding?.since ?? time)
        rooms[namespace]?.holding?.since = since
        rooms[namespace]?.holding?.events += events
        rooms[namespace]?.holding?.bytes += bytes
        heldBytes += bytes
        return true
    }

    /// Remembers a namespace that is let go of. The oldest are forgotten with all others: an event of one that still comes is
    /// stored as one of no room.
    mutating func leave(_ namespace: String) {
        if left.count >= Self.maximumLeft { left = [] }
        left.insert(namespace)
    }

    /// The namespace is one of ours again.
    mutating func comeBack(_ namespace: String) {
        left.remove(namespace)
    }

    /// What was held of a room, which is held no longer.
    mutating func released(_ namespace: String) -> [ChatEvent] {
        self.holding.remove(namespace)
        guard let holding = rooms[namespace]?.holding else { return [] }
        rooms[namespace]?.holding = nil
        heldBytes -= holding.bytes
        return holding.events
    }
}

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
    /// People whom the archive was told of as they are.
    var seen: Set<SLPUser> = []
    /// Fetches that were asked for and have not begun.
    var queued: Set<String> = []
    /// Namespaces that were let go of, of which events may still come.
    var left: Set<String> = []
    var loginTrouble: SLPError?

    /// Up to when all that was heard is in the buffer.
    var vouchedAt: Timestamp {
        let held = rooms.values.compactMap { $0.holding?.since }.min()
        return held.map { min($0.advanced(byMicroseconds: -1), heardAt) } ?? heardAt
    }

    /// Rooms where something has waited so long for their history.
    func heldFor(_ time: Duration) -> [String] {
        rooms.filter { $0.value.holding?.since.map { heardAt.since($0) >= time } ?? false }.map(\.key)
    }

    /// What was held of a room, which is held no longer.
    mutating func released(_ namespace: String) -> [ChatEvent] {
        guard let holding = rooms[namespace]?.holding else { return [] }
        rooms[namespace]?.holding = nil
        heldBytes -= holding.bytes
        return holding.events
    }
}

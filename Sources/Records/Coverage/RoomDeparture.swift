import ChatModel

/// The end of an account's membership in a room.
struct RoomDeparture: Sendable {
    /// The time at which it was noticed, in microseconds since 1970.
    var at: Int64
    var reason: EndReason

    /// Creates a departure; nil for a room that was neither left nor removed.
    init?(leftAt: Int64?, goneAt: Int64?) {
        guard let at = [leftAt, goneAt].compactMap(\.self).min() else { return nil }
        (self.at, reason) = (at, goneAt == nil ? .left : .gone)
    }

    /// Returns true if coverage lasted until the departure, so that nothing is missing; false if the last span had
    /// ended earlier for another reason.
    func endsSpan(at end: Int64, reason: String?) -> Bool {
        end >= at - 1 || reason == EndReason.left.rawValue || reason == EndReason.gone.rawValue
    }
}

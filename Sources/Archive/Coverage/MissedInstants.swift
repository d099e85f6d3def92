/// Where in rooms' histories something is missing that was fetched and could not be stored or understood.
struct MissedInstants: Sendable {
    private var rooms: [Int64: Set<Int64>] = [:]
    /// The earliest of a room that was not remembered: nothing from there on counts as complete.
    private var forgotten: [Int64: Int64] = [:]

    /// Of one room. History is covered every 500 messages, where it is in order.
    static let limit = 10_000

    /// - Parameter instant: In microseconds since 1970.
    mutating func add(_ instant: Int64, room: Int64) {
        if rooms[room, default: []].count < Self.limit {
            rooms[room, default: []].insert(instant)
        } else {
            forgotten[room] = min(instant, forgotten[room] ?? .max)
        }
    }

    /// What is missing in a room that is about to be covered up to an instant, in order, and up to where it may be.
    mutating func take(room: Int64, through end: Int64) -> (instants: [Int64], end: Int64) {
        let end = forgotten.removeValue(forKey: room).map { min(end, $0 - 1) } ?? end
        guard let all = rooms[room] else { return ([], end) }
        let later = all.filter { $0 > end }
        rooms[room] = later.isEmpty ? nil : later
        return (all.subtracting(later).sorted(), end)
    }
}

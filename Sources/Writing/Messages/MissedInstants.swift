import ChatModel
import Records
import SQLite

/// The instants of rooms' histories at which a fetched message could not be stored or understood.
struct MissedInstants: Sendable {
    private var rooms: [Int64: Set<Int64>] = [:]
    /// The earliest instant of each room that did not fit in memory. Nothing from that instant on counts as complete.
    private var forgotten: [Int64: Int64] = [:]

    /// The limit of instants of one room in memory. A listener covers history in order every 500 messages.
    private static let limit = 10_000

    /// Stores an event that could not be stored or understood, and splits the coverage of the rooms that may lack it.
    ///
    /// - Returns: The id of its row in `failure`.
    mutating func recordFailure(_ event: UnreadableEvent, room: Int64?, _ db: Database) throws -> Int64 {
        let (id, isNew) = try FailureLog.record(event, room: room, db)
        if let room, let instant = event.instant?.microseconds {
            remember(instant, room: room)
            try CoverageLedger.split(room: room, at: instant, reason: CoverageLedger.unreadable, db)
        } else if isNew {
            let rooms = try room.map { [$0] } ?? FailureLog.liveRooms(session: event.session, db)
            let instant = try CoverageLedger.networkTime(event.receivedAt, event.session, db).microseconds
            for room in rooms { try CoverageLedger.split(room: room, at: instant, db) }
        }
        return id
    }

    /// Covers a room between two instants, except for the missing instants in between.
    mutating func cover(
        room: Int64, from: Timestamp, to: Timestamp, session: SessionID, _ db: Database
    ) throws {
        let (instants, end) = forget(room: room, through: to.microseconds)
        try CoverageLedger.cover(
            room: room, from: from, to: Timestamp(microseconds: end), session: session, db)
        for instant in instants where instant >= from.microseconds {
            try CoverageLedger.split(room: room, at: instant, reason: CoverageLedger.unreadable, db)
        }
    }

    /// - Parameter instant: In microseconds since 1970.
    private mutating func remember(_ instant: Int64, room: Int64) {
        if rooms[room, default: []].count < Self.limit {
            rooms[room, default: []].insert(instant)
        } else {
            forgotten[room] = min(instant, forgotten[room] ?? .max)
        }
    }

    /// Removes and returns the missing instants of a room up to `end`, in order, and the instant up to which the room
    /// can be covered.
    private mutating func forget(room: Int64, through end: Int64) -> (instants: [Int64], end: Int64) {
        let end = forgotten.removeValue(forKey: room).map { min(end, $0 - 1) } ?? end
        guard let all = rooms[room] else { return ([], end) }
        let later = all.filter { $0 > end }
        rooms[room] = later.isEmpty ? nil : later
        return (all.subtracting(later).sorted(), end)
    }
}

import ChatModel
import Sessions

/// Queues the history that a ``MatrixFetcher`` fetches.
extension MatrixLink {
    /// Queues a fetch, which begins after the earlier ones of its room.
    func queue(_ fetch: MatrixFetch) {
        if mailbox.withSession({ $0.fetches.add(fetch) }) { dueRooms.continuation.yield(fetch.room) }
    }

    /// Requests the history of one room, or of all rooms that are received.
    func backfill(_ room: RoomReference?, after: Timestamp?) -> BackfillAnswer {
        let end = now()
        let rooms = mailbox.withSession { state in
            state.rooms.all.filter { $0.isLive && (room == nil || $0.id == room?.key) }.map(\.id).sorted()
        }
        for id in rooms {
            queue(MatrixFetch(room: id, from: nil, end: end, after: after, retriesLost: true))
        }
        return .requested(rooms: rooms.count)
    }

    /// Queues a fetch of the room's history if something is missing before an instant.
    func queueMissing(_ room: String, until time: Timestamp) async throws {
        let start = try await archive.historyStart(room: reference(of: room), retriesLost: false)
        guard let start else { return }
        let isMissing = start.completeUntil < time
        let isHorizonDue = start.fetchedBackTo == nil && start.archivedSince > (horizon ?? .earliestPlausible)
        guard isMissing || isHorizonDue else { return }
        queue(MatrixFetch(room: room, from: nil, end: time))
    }

    /// The time back to which history is fetched at the first contact; nil for all of it.
    var horizon: Timestamp? { configuration.horizon.map { now().advanced(by: .zero - $0) } }
}

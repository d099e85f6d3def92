import ChatModel
import GRDB

/// What history and replays have of messages, of which many are stored.
extension Ingest {
    mutating func replay(
        _ incoming: IncomingMessage, occurrence: Occurrence, resolution: TimeResolution, _ db: Database
    ) throws -> EventOutcome {
        var message = incoming.withoutNUL
        message.flags.formUnion(resolution.flag)
        let hearing = ChatEvent.Hearing.replay(occurrence, resolution)
        guard message.remoteID == nil else { return try store(message, as: hearing, db) }
        message.flags.insert(.replayed)
        let time = message.believedTime
        guard message.sourceTime == time, try isStored(message, at: time, occurrence, resolution, db) else {
            return try store(message, as: hearing, db)
        }
        return .known(time.microseconds)
    }

    private mutating func isStored(
        _ message: IncomingMessage, at time: Timestamp, _ occurrence: Occurrence, _ resolution: TimeResolution,
        _ db: Database
    ) throws -> Bool {
        let room = try names.knownRoom(message.room, at: time.microseconds, db).id
        let sender = try message.sender.map { try names.user(then: $0, at: time.microseconds, resolution, db) }
        let content = OccurrenceKey(room: room, sender: sender, kind: message.kind, body: message.body)
        return try replayed.has(
            content, time: time, resolution: resolution, occurrence: occurrence, .ofNetwork, db)
    }

    /// So that the next of an import or a replay is matched with it.
    ///
    /// - Parameter isReceived: Only our time of receipt is known of it.
    mutating func noteOccurrence(
        of message: IncomingMessage, as id: Int64, room: Int64, sender: Int64?, isReceived: Bool
    ) throws {
        guard !replayed.isEmpty || !stored.isEmpty else { return }
        let content = OccurrenceKey(room: room, sender: sender, kind: message.kind, body: message.body)
        let (source, resolution) = (message.sourceTime, message.flags.resolution)
        let hasRemoteID = message.remoteID != nil
        try stored.note(
            content, id: id, source: source, resolution: resolution, isReceived: isReceived, hasRemoteID: hasRemoteID)
        try replayed.note(
            content, id: id, source: source, resolution: resolution, isReceived: isReceived, hasRemoteID: hasRemoteID)
    }
}

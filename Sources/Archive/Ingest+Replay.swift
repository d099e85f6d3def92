import ChatModel
import GRDB

/// What history and replays have of messages, of which many are stored.
extension Ingest {
    mutating func replay(
        _ incoming: IncomingMessage, occurrence: Occurrence, resolution: TimeResolution, _ db: Database
    ) throws -> EventOutcome {
        var message = incoming.withoutNUL
        message.flags.formUnion(resolution.flag)
        guard message.remoteID == nil else { return try store(message, as: .replay, db) }
        message.flags.insert(.replayed)
        let time = message.believedTime
        guard message.sourceTime == time, try isStored(message, at: time, occurrence, resolution, db) else {
            return try store(message, as: .replay, db)
        }
        return .known(time.microseconds)
    }

    private mutating func isStored(
        _ message: IncomingMessage, at time: Timestamp, _ occurrence: Occurrence, _ resolution: TimeResolution,
        _ db: Database
    ) throws -> Bool {
        let room = try names.knownRoom(message.room, at: time.microseconds, db).id
        let sender = try message.sender.map { try names.user(then: $0, at: time.microseconds, resolution, db) }
        let content = StoredOccurrences.Content(room: room, sender: sender, kind: message.kind, body: message.body)
        if !(replayed?.covers(time) ?? false) { replayed = try StoredOccurrences(around: time, isOfNetwork: true, db) }
        return replayed?.has(content, time: time, resolution: resolution, occurrence: occurrence) ?? false
    }

    /// So that the next of a replay is matched with it, where its time is the network's.
    mutating func noteOccurrence(of message: IncomingMessage, as id: Int64, room: Int64, sender: Int64?) {
        guard replayed != nil, message.sourceTime != nil else { return }
        let content = StoredOccurrences.Content(room: room, sender: sender, kind: message.kind, body: message.body)
        replayed?.note(
            content, id: id, source: message.sourceTime, resolution: message.flags.resolution)
    }
}

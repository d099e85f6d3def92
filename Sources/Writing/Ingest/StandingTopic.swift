import Bytes
import ChatModel
import Records
import SQLite
import Schema

/// A topic that stands when the account joins a room.
struct StandingTopic {
    private let message: IncomingMessage
    /// The time of receipt.
    private let now: Timestamp

    /// - Parameters:
    ///   - standing: A message without NUL, with the time of its receipt alone.
    ///   - since: The time when the topic was set, in whole seconds; nil if unknown.
    init(_ standing: IncomingMessage, since: Timestamp?) {
        let now = standing.receivedAt
        var message = standing
        message.sourceTime = since.flatMap { $0 >= .earliestPlausible && $0 <= now ? $0 : nil }
        (self.message, self.now) = (message, now)
    }

    /// Stores the topic if it differs from the room's last known one.
    func store(_ ingest: inout Ingest, _ db: Database) throws -> EventOutcome {
        let room = try ingest.directory.names.rooms.knownRoom(message.room, at: now.microseconds, db).id
        let last = try LastTopic.read(room: room, ReadTransaction(db))
        guard isNew(after: last) else { return .known(last?.id.microseconds ?? now.microseconds) }
        if let since = message.sourceTime, since > last?.id.time ?? .earliestPlausible,
            let end = try CoverageLedger.endOfLastSpan(room: room, db), since.microseconds > end
        {
            // It was set while nobody listened.
            return try ingest.storeReplay(message, occurrence: Occurrence(), resolution: .second, db)
        }
        var standing = message
        standing.flags.insert(.standing)
        // A person is forgotten with what they did up to a time, so the time when they set the topic counts.
        let source = ForgottenBook.Source(
            roomKey: standing.room.key, author: standing.sender.map { ($0.key, $0.name) })
        let isForgotten = try ingest.forgotten.contains(
            standing, at: standing.plausibleTime.microseconds, room: room, from: source, db)
        guard !isForgotten,
            let place = try ingest.place(for: standing, at: now.microseconds, room: room, from: source, db)
        else { return .known(now.microseconds) }
        let sender = try standing.sender.map {
            try ingest.directory.names.people.user(then: $0, at: place.id, .microsecond, db)
        }
        let isStored = try ingest.insert(standing, at: place, room: room, sender: sender, isReplay: true, db)
        return isStored ? .new(place.id) : .known(now.microseconds)
    }

    /// Returns true if the archive lacks the topic. A topic that was deleted comes back only if it was set again.
    private func isNew(after last: LastTopic?) -> Bool {
        let text = message.body ?? ""
        if let last, last.isDeleted, !text.isEmpty { return message.sourceTime.map { $0 > last.id.time } ?? false }
        return ExactString(text) != ExactString(last?.text ?? "")
    }

    /// Gives the network's id to a topic that was stored without one because only its standing showed it.
    ///
    /// - Parameter message: A replayed message with an id that is not stored.
    /// - Returns: The id of that topic's message; nil if there is none.
    static func adopt(
        by message: IncomingMessage, room: Int64, _ ingest: inout Ingest, _ db: Database
    ) throws -> Int64? {
        guard message.kind == .topic, let remoteID = message.remoteID, let sender = message.sender else { return nil }
        let second = TimeResolution.second.floor(message.plausibleTime).microseconds
        let id = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT message.id FROM message INDEXED BY message_topic JOIN user ON user.id = sender_id
                    WHERE room_id = ?1 AND kind = \(MessageKind.topic.code) AND message.id >= ?2 AND message.id < ?3
                      AND flags & \(MessageFlags.replayed.rawValue) != 0 AND remote_id IS NULL AND key = ?4 AND body = ?5
                    ORDER BY message.id LIMIT 1
                    """),
            arguments: [room, second, second &+ TimeResolution.second.microseconds, sender.key, message.body ?? ""])
        guard let id else { return nil }
        try db.cachedStatement(sql: "UPDATE message SET remote_id = ?1, flags = flags & ~?2 WHERE id = ?3")
            .execute(arguments: [remoteID, MessageFlags.replayed.rawValue, id])
        // A reaction may have come before, because it names the id.
        if ingest.reactions.hasAny { try ingest.texts.noteReactions(of: [id], db) }
        ingest.texts.matcher.imported.forget()
        try Feed.edit(messageID: id, db)
        return id
    }
}

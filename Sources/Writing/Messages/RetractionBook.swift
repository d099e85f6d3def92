import ChatModel
import Records
package import SQLite
import Schema

/// Stores retractions by the network's id of a message or a reaction, so that they also apply to messages and reactions
/// that come later or again.
package struct RetractionBook {
    /// False in most archives, which need no look-up.
    private var hasAny: Bool

    init(_ db: Database) throws {
        hasAny = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM retraction)") ?? false
    }

    /// - Parameters:
    ///   - remoteID: The network's id of a message or a reaction.
    ///   - time: In microseconds since 1970.
    /// - Returns: False if the retraction was known.
    package mutating func store(
        of remoteID: String, room: Int64, by user: Int64?, at time: Int64, reason: String?, wipes: Bool, _ db: Database
    ) throws -> Bool {
        hasAny = true
        try db.cachedStatement(
            sql: """
                INSERT INTO retraction (room_id, remote_id, user_id, at_us, reason, wipes) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET wipes = 1 WHERE wipes < excluded.wipes
                """
        ).execute(arguments: [room, remoteID, user, time, reason?.keptDetail, wipes])
        guard db.changesCount > 0 else { return false }
        if try StoredMessage.find(remoteID, room: room, db) == nil { try Feed.members(roomID: room, db) }
        return true
    }

    /// - Parameter remoteID: The network's id of a message or a reaction.
    package func find(_ remoteID: String, room: Int64, _ db: Database) throws -> (at: Int64, wipes: Bool)? {
        guard hasAny else { return nil }
        let statement = try db.cachedStatement(
            sql: "SELECT at_us, wipes FROM retraction WHERE room_id = ? AND remote_id = ?")
        return try statement.first(arguments: [room, remoteID]) { try ($0.value(0), $0.value(1)) }
    }

    /// Returns the message marked as deleted if it was retracted before it came, and without its text if that retraction
    /// wipes it; nil for a message that was not retracted.
    func retracted(_ message: IncomingMessage, room: Int64, _ db: Database) throws -> IncomingMessage? {
        guard hasAny, let remoteID = message.remoteID, let retraction = try find(remoteID, room: room, db) else {
            return nil
        }
        var copy = message
        copy.deletedAt = message.deletedAt ?? Timestamp(microseconds: retraction.at)
        guard retraction.wipes else { return copy }
        (copy.body, copy.raw, copy.editedAt) = (nil, nil, nil)
        // An export lists the files of a wiped message.
        if !copy.flags.contains(.wiped) { copy.attachments = [] }
        copy.flags.insert(.wiped)
        return copy
    }
}

import ChatModel
import Networks
import Records
package import SQLite
import Schema

extension Ingest {
    /// Gives the network's id to a message that was imported without one. No message of its room may have the id.
    ///
    /// - Returns: The message with the id.
    package mutating func identify(
        _ message: StoredMessage, as remoteID: String, _ db: Database
    ) throws -> StoredMessage {
        try texts.matcher.noteID(of: message)
        try db.cachedStatement(sql: "UPDATE message SET remote_id = ? WHERE id = ?")
            .execute(arguments: [remoteID, message.id])
        // A reaction may have come before, because it names the id.
        if reactions.hasAny { _ = try texts.noteReactions(of: [message.id], db) }
        try Feed.edit(messageID: message.id, db)
        return try StoredMessage.find(at: message.id, db) ?? message
    }

    /// The distance of two programs' clocks up to which their messages are compared, in microseconds, as for two logs.
    private static let clockDistance: Int64 = 3_000_000
    /// The limit of equal messages near a time that are compared: more than people write in a minute.
    private static let mostAlike = 100

    /// Returns the message without an id that an import brought and the network's history repeats; nil if there is none.
    ///
    /// The program that wrote the import has its own clock, and names people in its own way: by a name, or by the address.
    ///
    /// - Parameter message: A message of the history, whose id is not stored.
    func imported(like message: IncomingMessage, room: Int64, _ db: Database) throws -> StoredMessage? {
        guard message.remoteID != nil, !message.kind.isNoise else { return nil }
        let time = message.plausibleTime.microseconds
        let ids = try db.cachedStatement(
            sql: """
                SELECT id FROM message INDEXED BY message_room
                WHERE room_id = ?1 AND noise = 0 AND id BETWEEN ?2 AND ?3 AND remote_id IS NULL AND session_id IS NULL
                  AND kind = ?4 AND body IS ?5 AND flags & \(MessageFlags.wiped.rawValue) = 0
                ORDER BY abs(id - ?6) LIMIT \(Self.mostAlike)
                """
        ).all(
            arguments: [
                room, time &- TimeResolution.minute.microseconds &- Self.clockDistance, time &+ Self.clockDistance,
                message.kind.code, message.body, time,
            ]
        ) { try $0.integer(0) }
        for id in ids {
            guard let found = try StoredMessage.find(at: id, db) else { continue }
            let distance = time &- found.time.microseconds
            if distance >= -Self.clockDistance, distance < found.resolution.microseconds &+ Self.clockDistance,
                try isSender(found.sender, of: message, db)
            {
                return found
            }
        }
        return nil
    }

    /// Returns true if an imported user is the sender by a name or by the key, or both are the account's own person.
    private func isSender(_ user: Int64?, of message: IncomingMessage, _ db: Database) throws -> Bool {
        guard let user, let sender = message.sender else { return user == nil && message.sender == nil }
        let statement = try db.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM user WHERE id = ?1 AND (key = ?2 OR is_self AND ?3))
                  OR EXISTS (SELECT 1 FROM user_name WHERE user_id = ?1 AND name IN (?2, ?4))
                """)
        return try Bool.fetchOne(statement, arguments: [user, sender.key, sender.isSelf, sender.name]) ?? false
    }
}

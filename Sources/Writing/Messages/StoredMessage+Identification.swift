import ChatModel
import Networks
import SQLite
import Schema

/// Finds messages of imports that the network's history repeats.
extension StoredMessage {
    /// The distance of two programs' clocks up to which their messages are compared, in microseconds, as for two logs.
    private static let clockDistance: Int64 = 3_000_000
    /// The limit of equal messages near a time that are compared: more than people write in a minute.
    private static let mostAlike = 100

    /// Returns the message without an id that an import brought and the network's history repeats; nil if there is none.
    ///
    /// The program that wrote the import has its own clock, and names people in its own way: by a name, or by the address.
    ///
    /// - Parameter message: A message of the history, whose id is not stored.
    static func findImported(
        like message: IncomingMessage, room: Int64, _ db: Database
    ) throws -> StoredMessage? {
        guard message.remoteID != nil, !message.kind.isNoise else { return nil }
        let time = message.plausibleTime.microseconds
        let ids = try db.cachedStatement(
            sql: """
                SELECT id FROM message INDEXED BY message_room
                WHERE room_id = ?1 AND noise = 0 AND id BETWEEN ?2 AND ?3 AND remote_id IS NULL AND session_id IS NULL
                  AND kind = ?4 AND body IS ?5 AND flags & \(MessageFlags.wiped.rawValue) = 0
                ORDER BY abs(id - ?6) LIMIT \(mostAlike)
                """
        ).all(
            arguments: [
                room, time &- TimeResolution.minute.microseconds &- clockDistance, time &+ clockDistance,
                message.kind.code, message.body, time,
            ]
        ) { try $0.integer(0) }
        for id in ids {
            guard let found = try find(at: id, db) else { continue }
            let distance = time &- found.time.microseconds
            if distance >= -clockDistance, distance < found.resolution.microseconds &+ clockDistance,
                try isSender(found.sender, of: message, db)
            {
                return found
            }
        }
        return nil
    }

    /// Returns true if an imported user is the sender by a name or by the key, or both are the account's own person.
    private static func isSender(_ user: Int64?, of message: IncomingMessage, _ db: Database) throws -> Bool {
        guard let user, let sender = message.sender else { return user == nil && message.sender == nil }
        let statement = try db.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM user WHERE id = ?1 AND (key = ?2 OR is_self AND ?3))
                  OR EXISTS (SELECT 1 FROM user_name WHERE user_id = ?1 AND name IN (?2, ?4))
                """)
        return try Bool.fetchOne(statement, arguments: [user, sender.key, sender.isSelf, sender.name]) ?? false
    }
}

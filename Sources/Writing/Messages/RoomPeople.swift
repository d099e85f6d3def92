package import ChatModel
import Records
package import SQLite

/// The people of a room that is erased. Those who are left with nothing else in the account go, too.
///
/// Everybody who did anything in the room is noted as a former member, and the room's members are looked at when its
/// messages are gone.
package struct RoomPeople {
    let room: Int64

    package init(room: Int64) {
        self.room = room
    }

    /// The number of people who are looked at together.
    private static let atOnce = 500
    /// The messages that one step looks through for their senders: some milliseconds.
    private static let window = 20_000

    /// SQL that joins to a row of `bridge` the counts `c` of messages of its people.
    private static let bridged = """
        JOIN "user" AS p ON p.key >= char(31) || bot || char(31) AND p.key < char(31) || bot || char(32)
          JOIN sender_count AS c ON c.sender_id = p.id AND c.messages > 0
        """

    /// Notes the people who wrote, reacted or retracted in the room, the partner of a direct room, and the bots that brought
    /// messages.
    package func note(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO membership (room_id, user_id, left_at_us)
                  SELECT :room, user, 0 FROM (SELECT sender_id AS user FROM sender_count WHERE room_id = :room
                    UNION SELECT user_id FROM reaction WHERE room_id = :room
                    UNION SELECT user_id FROM retraction WHERE room_id = :room
                    UNION SELECT partner_id FROM room WHERE id = :room
                    UNION SELECT bot_id FROM bridge \(Self.bridged) AND c.room_id = :room)
                  WHERE user IS NOT NULL
                ON CONFLICT DO NOTHING
                """, arguments: ["room": room])
    }

    /// Notes the senders of messages, such as of joins, which are in no count.
    package func note(sendersOf messages: some Sequence<StoredMessage>, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: "INSERT INTO membership (room_id, user_id, left_at_us) VALUES (?, ?, 0) ON CONFLICT DO NOTHING")
        for sender in Set(messages.compactMap(\.sender)) { try statement.execute(arguments: [room, sender]) }
    }

    /// Returns the next people of the room who have nothing else in the account but perhaps messages.
    package func next(after user: Int64, _ db: Database) throws -> ErasingPlace.Stage {
        let members = try Int64.fetchAll(
            db,
            sql:
                "SELECT user_id FROM membership WHERE room_id = ? AND user_id > ? ORDER BY user_id LIMIT \(Self.atOnce)",
            arguments: [room, user])
        guard let last = members.last else { return .facts }
        // The last one continues the walk, whatever else they have.
        return .unknown(try withNothingElse(members, db) + [last], after: .min)
    }

    /// Returns those of the people who have nothing else in the account but perhaps messages. A bot that a bridge names stays:
    /// the messages that it brought are those of other people.
    private func withNothingElse(_ people: [Int64], _ db: Database) throws -> [Int64] {
        try Int64.fetchAll(
            db,
            sql: """
                SELECT id FROM user WHERE id IN (SELECT value FROM json_each(:people)) AND is_self = 0
                  AND EXISTS (SELECT 1 FROM user_name WHERE user_id = id)
                  AND id NOT IN (SELECT user_id FROM membership WHERE room_id <> :room)
                  AND id NOT IN (SELECT sender_id FROM sender_count WHERE messages > 0)
                  AND id NOT IN (SELECT user_id FROM reaction WHERE room_id <> :room)
                  AND id NOT IN (SELECT user_id FROM retraction WHERE room_id <> :room AND user_id IS NOT NULL)
                  AND id NOT IN (SELECT partner_id FROM room WHERE id <> :room AND partner_id IS NOT NULL)
                  AND id NOT IN (SELECT user_id FROM room_owner WHERE room_id <> :room)
                  AND id NOT IN (SELECT bot_id FROM bridge \(Self.bridged))
                ORDER BY id
                """, arguments: ["people": "\(people)", "room": room])
    }

    /// Looks for messages of people in the next rows, and removes those who have none at the end.
    ///
    /// - Parameter users: The people, and behind them the last member who was looked at.
    package func remove(_ users: [Int64], unlessAfter place: Int64, _ db: Database) throws -> ErasingPlace.Stage {
        guard let last = users.last else { return .facts }
        var left = Array(users.dropLast())
        guard !left.isEmpty else { return .people(after: last) }
        let end = try StoredMessage.end(of: Self.window, after: place, db)
        let senders = try Set(
            Int64.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT sender_id FROM message NOT INDEXED
                    WHERE id > ? AND id <= ? AND sender_id IN (SELECT value FROM json_each(?))
                    """, arguments: [place, end, "\(left)"]))
        left.removeAll { senders.contains($0) }
        guard end == .max else { return .unknown(left + [last], after: end) }
        // Since the walk began, they may have done something, or joined another room.
        left = try withNothingElse(left, db)
        try db.withSecureDelete {
            for user in left { try PersonRemoval.removeRows(of: user, db) }
        }
        return .people(after: last)
    }
}

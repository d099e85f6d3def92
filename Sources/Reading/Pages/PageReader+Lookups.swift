import ChatModel
import Records
import Schema

/// Reads messages in other orders than that of time: by relevance, by their ids, and as they changed.
extension PageReader {
    /// Returns the most relevant hits by ``Relevance``: the best first, the newest first among equals. Reads every hit.
    func mostRelevant(count: Int, _ db: ReadTransaction) throws -> [(score: Double, message: Message)] {
        guard let match = hits?.match else { return [] }
        var (found, left) = ([(score: Double, message: Message)](), bytes)
        _ = try db.first(
            """
            SELECT \(columns(db)), score
            FROM (\(try SearchHits.best(db))) AS best \(.crossJoin) message AS m ON m.id = best.id
            ORDER BY score DESC, m.id DESC
            """, arguments(after: .min, before: .max, .text(match), count: hidden.hidesBots ? .max : count)
        ) { row -> Bool? in
            let message = try message(row)
            guard !isHidden(message) else { return nil }
            left -= message.weight
            guard left >= 0 && found.count < count || found.isEmpty else { return true }
            found.append((try row.real(Message.columnCount), message))
            return nil
        }
        let extras = try MessageExtras(of: found.map(\.message)[...], names: names, db)
        for index in found.indices { extras.add(to: &found[index].message) }
        return found
    }

    /// Returns the messages with these ids, in the same order. Leaves out an id without a message that the reader may
    /// see.
    func messages(_ ids: [Int64], _ db: ReadTransaction) throws -> [Message] {
        var found = try bare(ids, db).filter { db.sees($0.roomID) }
        let extras = try MessageExtras(of: found[...], names: names, db)
        for index in found.indices { extras.add(to: &found[index]) }
        return found
    }

    /// Returns the messages with these ids, in the same order, without their extras.
    func bare(_ ids: [Int64], _ db: ReadTransaction) throws -> [Message] {
        try db.all(
            """
            SELECT \(columns(db)) FROM \(.each(1, as: "wanted")) \(.crossJoin) message AS m ON m.id = wanted.value
            ORDER BY wanted.key
            """, [.list(ids)], message)
    }

    /// Returns the messages with changes in `after < seq <= through`, in commit order.
    ///
    /// - Parameter codes: The kinds of changes, as a list in SQL.
    func changed(after: Int64, through: Int64, whose codes: String, _ db: ReadTransaction) throws -> [MessageChange] {
        var found = try db.all(
            """
            SELECT \(columns(db)), seq, what
            FROM change \(.crossJoin) message AS m ON m.id = subject_id
            WHERE seq > ?1 AND seq <= ?2 AND what IN \(codes)
              AND (?3 IS NULL OR m.room_id \(.among(3))) AND (?4 = 0 OR noise = 0)
              AND (?5 = 0 OR noise = 0 OR \(Self.isNearSpeech))
            ORDER BY seq
            """,
            [
                .integer(after), .integer(through), .list(db.visible(rooms)), .bool(hidden.hidesNoise),
                .bool(hidden.hidesLurkers),
            ]
        ) { row in
            let (seq, what) = try (row.integer(Message.columnCount), row.integer(Message.columnCount + 1))
            return MessageChange(seq: seq, isNew: what == Feed.messageCode, message: try message(row))
        }.filter { !isHidden($0.message) }
        let extras = try MessageExtras(of: found.map(\.message)[...], names: names, db)
        for index in found.indices { extras.add(to: &found[index].message) }
        return found
    }
}

/// A message in the change feed, in its current state.
struct MessageChange: Sendable {
    var seq: Int64
    /// True if the message was stored; false when an earlier message changed.
    var isNew: Bool
    var message: Message
}

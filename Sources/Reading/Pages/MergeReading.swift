import Accounts
package import ChatModel
import Files
import Networks
import Records
package import Schema

/// Reads which rooms and people of an account are the same: its merges and bridges, and those that it could have.
package struct MergeReading: Sendable {
    package let reading: ArchiveReading

    /// Returns the merges of an account, the latest first.
    package func merges(of account: String) throws -> [Merge] {
        try reading.collect(of: [account], into: []) { merges, reader in
            guard reader.file != nil else { throw ArchiveError.needsFiles }
            merges += try reader.read { db in try Merge.readAll(db) }
        }.result
    }

    /// Returns the room into which a room was merged; nil for a room that was not, and for a shared archive.
    package func roomTakingUp(_ key: RoomKey) throws -> RoomKey? {
        guard reading.access.sees(account: key.account) else { return nil }
        return try reading.collect(of: [key.account], into: RoomKey?.none) { found, reader in
            guard reader.file != nil else { return }
            found = try reader.read { db in
                try db.integer(
                    "SELECT into_id FROM merge WHERE what = 1 AND from_id = ?1", [.integer(key.id)]
                ).map { RoomKey(account: key.account, id: $0) }
            }
        }.result
    }

    /// Returns the rooms and people of an account that have one name, but several keys; none of a network
    /// whose keys are not names.
    package func namesakes(of account: String) throws -> [Namesakes] {
        try reading.collect(of: [account], into: []) { found, reader in
            guard reader.file != nil else { throw ArchiveError.needsFiles }
            guard NetworkTraits.of(reader.account.network).hasNamesAsKeys else { return }
            found += try reader.read { db in try Namesakes.readAll(db) }
        }.result
    }

    /// Returns true if a person whom exports call by a word, such as `나`, and another one wrote in one room at overlapping
    /// times. They are probably two people: an export has the word at all messages of its owner.
    ///
    /// False for two names, such as nicks, which one person takes in turn.
    package func writeTogether(_ one: Int64, _ other: Int64, in account: String) throws -> Bool {
        try reading.collect(of: [account], into: false) { found, reader in
            guard reader.file != nil else { return }
            found = try reader.read { db in try Merge.haveOverlap(one, other, db) }
        }.result
    }

    /// Returns the bridges of an account, in the order in which they were made.
    package func bridges(of account: String) throws -> [Bridge] {
        try reading.collect(of: [account], into: []) { bridges, reader in
            guard reader.file != nil else { throw ArchiveError.needsFiles }
            bridges += try reader.read { db in
                try db.all("SELECT bot_id, bot, pattern, at_us, is_active, is_done FROM bridge ORDER BY id") {
                    row -> Bridge? in
                    let (bot, name, at) = try (row.integer(0), row.text(1), row.time(3))
                    let state: Bridge.State = try !row.bool(4) ? .undoing : row.bool(5) ? .done : .unfinished
                    return try? Bridge(bot: bot, name: name, pattern: BridgePattern(row.text(2)), at: at, state: state)
                }.compactMap(\.self)
            }
        }.result
    }

    /// Returns what a bridge would change. Looks through every message of the account.
    package func preview(of pattern: BridgePattern, bot: Int64, account: String) throws -> BridgePreview {
        try reading.collect(of: [account], into: BridgePreview()) { preview, reader in
            let kinds = BridgeBook.kinds.map { "\($0.code)" }.sorted().joined(separator: ", ")
            preview = try reader.read { db in
                var preview = BridgePreview()
                try db.forEach(
                    """
                    SELECT body FROM message \(.notIndexed) WHERE sender_id = ?1 AND kind IN (\(kinds)) AND body IS NOT NULL
                    ORDER BY id DESC
                    """, [.integer(bot)]
                ) { row in preview.add(try row.text(0), pattern) }
                return preview
            }
        }.result
    }
}

extension BridgePreview {
    /// The number of examples of each kind.
    private static let mostExamples = 5
    /// The limit of people that are counted one by one.
    private static let mostPeople = 10_000

    fileprivate mutating func add(_ body: String, _ pattern: BridgePattern) {
        guard let found = pattern.match(body) else {
            others += 1
            if otherExamples.count < Self.mostExamples { otherExamples.append(body) }
            return
        }
        matching += 1
        if examples.count < Self.mostExamples { examples.append(found) }
        if people.count < Self.mostPeople || people[found.nick] != nil { people[found.nick, default: 0] += 1 }
    }
}

extension Merge {
    /// Compares messages with a text alone: LINE has the word in its sentences, such as that of an unsent message.
    fileprivate static func haveOverlap(_ one: Int64, _ other: Int64, _ db: ReadTransaction) throws -> Bool {
        func end(_ sender: String, _ order: String) -> String {
            """
            (SELECT id FROM message INDEXED BY message_room
              WHERE room_id = a.room_id AND noise = 0 AND sender_id = \(sender) AND body IS NOT NULL
              ORDER BY id \(order) LIMIT 1)
            """
        }
        return try db.holds(
            """
            SELECT EXISTS (SELECT 1 FROM sender_count AS a JOIN sender_count AS b ON b.room_id = a.room_id
              WHERE a.sender_id = ?1 AND b.sender_id = ?2
                AND EXISTS (SELECT 1 FROM user WHERE id IN (?1, ?2) AND self_by = 2)
                AND \(end("?1", "ASC")) < \(end("?2", "DESC")) AND \(end("?2", "ASC")) < \(end("?1", "DESC")))
            """, [.integer(one), .integer(other)])
    }

    static func readAll(_ db: ReadTransaction) throws -> [Merge] {
        try db.all(
            """
            SELECT what, from_id, into_id, at_us, is_done,
              is_done = 0 OR into_id = chosen_id
                AND (EXISTS (SELECT 1 FROM merge_row WHERE merge_id = merge.id)
                  OR EXISTS (SELECT 1 FROM merge_message WHERE merge_id = merge.id))
                AND NOT EXISTS (SELECT 1 FROM merge AS later WHERE later.what = merge.what
                  AND later.chosen_id = merge.chosen_id AND later.id > merge.id),
              coalesce(iif(what = 0, (SELECT name FROM user_name WHERE user_id = from_id AND last_seen_us IS NULL),
                  (SELECT name FROM room_name WHERE room_id = from_id AND last_seen_us IS NULL)),
                (SELECT json_extract(was, '$[3]') FROM merge_row WHERE merge_id = merge.id
                  AND source = iif(what = 0, 'user_name', 'room_name') AND was IS NOT NULL ORDER BY id DESC LIMIT 1),
                iif(what = 0, (SELECT key FROM user WHERE id = from_id), (SELECT key FROM room WHERE id = from_id))),
              iif(what = 0, (SELECT name FROM user_name WHERE user_id = into_id AND last_seen_us IS NULL),
                (SELECT name FROM room_name WHERE room_id = into_id AND last_seen_us IS NULL))
            FROM merge ORDER BY id DESC
            """
        ) { row in
            try Merge(
                kind: Merging.Kind(rawValue: row.integer(0)) ?? .people, from: row.integer(1), into: row.integer(2),
                fromName: row.optionalText(6) ?? "", intoName: row.optionalText(7) ?? "", at: row.time(3),
                isDone: row.bool(4), canBeUndone: row.bool(5))
        }
    }
}

extension Namesakes {
    /// Returns the rooms and people of an account that have one name today but several keys.
    ///
    /// A key is a name in lower case by the server's rules (`CASEMAPPING`), so one name has two keys only after the rules
    /// have changed. Two people whose names differ by `[` and `{` have two names, and are not among these.
    package static func readAll(_ db: ReadTransaction) throws -> [Namesakes] {
        // The last is the one that was heard of last.
        let lastHeard = "(SELECT max(from_us) FROM coverage WHERE room_id = t.id)"
        return try readAll(.rooms, owner: "room", order: lastHeard, db)
            + readAll(.people, owner: "user", order: "t.id", db)
    }

    private static func readAll(_ kind: Merging.Kind, owner: String, order: String, _ db: ReadTransaction)
        throws -> [Namesakes]
    {
        // The rules differ in these characters alone (Modern IRC, CASEMAPPING).
        var byName: [String: Namesakes] = [:]
        try db.forEach(
            """
            SELECT t.id, name FROM "\(owner)" AS t
              CROSS JOIN \(owner)_name AS n ON n.\(owner)_id = t.id AND last_seen_us IS NULL
            WHERE t.key GLOB '*[][{}|\\~^]*' ORDER BY \(order), t.id
            """
        ) { row in
            let name = try row.text(1)
            byName[name.lowercased(), default: Namesakes(kind: kind, name: name, ids: [])].ids.append(
                try row.integer(0))
        }
        return byName.values.filter { $0.ids.count > 1 }.sorted { $0.name < $1.name }
    }
}

import ChatModel
import Foundation
import GRDB

/// Takes away what somebody said, or one message, in steps, each in a transaction that the writer runs between events.
///
/// Each step first writes the digests of its messages to the catalog. After a crash, the next opening of the account
/// forgets the messages whose digests are there.
struct Forgetter {
    let request: Forgetting
    let now: Timestamp
    let account: String
    let catalog: Catalog

    static let rule = RetentionRule(text: "forget", age: nil)

    /// The rows that one step looks through for a person's messages: some milliseconds.
    private static let window = 20_000
    /// The messages that one step forgets.
    private static let atOnce = 100

    /// The messages of a step.
    struct Batch {
        var messages: [StoredMessage] = []
        var held: Int64 = 0
        /// Nil at the end.
        var next: Int64?
    }

    /// Returns the next messages to forget.
    func batch(after place: Int64, _ db: Database) throws -> Batch {
        let holds = try HoldBook(ReadTransaction(db))
        var batch = Batch()
        var found: [StoredMessage] = []
        switch request.subject {
        case .message(let id): found = try StoredMessage.find(at: id.microseconds, db).map { [$0] } ?? []
        case .user(let user):
            let end =
                try Int64.fetchOne(
                    db.cachedStatement(
                        sql: "SELECT id FROM message WHERE id > ? ORDER BY id LIMIT 1 OFFSET \(Self.window)"),
                    arguments: [place]) ?? .max
            found = try StoredMessage.of(sender: user, after: place, through: end, limit: Self.atOnce, db)
            batch.next = found.count == Self.atOnce ? found.last?.id : end == .max ? nil : end
        }
        for message in found {
            if holds.hold(message.id, room: message.room) { batch.held += 1 } else { batch.messages.append(message) }
        }
        return batch
    }

    /// Writes the digests of messages to the catalog and to the file, and removes the messages.
    func forget(_ messages: [StoredMessage], _ ingest: inout Ingest, _ db: Database) throws {
        let key = try ForgottenKey.read(db)?.key ?? catalog.forgottenKey(of: account)?.key ?? ForgottenKey.makeKey()
        let digests = ForgottenDigests(key: key)
        var all = try messages.flatMap { try Self.digests(of: $0, digests, db) }
        if case .user(let user) = request.subject,
            let person = try String.fetchOne(db, sql: "SELECT key FROM user WHERE id = ?", arguments: [user])
        {
            all.append(digests.digest(person: person))
            if request.alsoNew { all.append(digests.digest(author: person)) }
        }
        try catalog.forget(all, key: key, account: account)
        try ForgottenKey.add(all, key: key, db)
        try Self.take(messages, redacts: request.redacts, at: now, &ingest, db)
    }

    static func digests(of message: StoredMessage, _ digests: ForgottenDigests, _ db: Database) throws -> [Data] {
        let author = try message.sender.flatMap { sender in
            try String.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT name FROM user_name WHERE user_id = ?1
                        ORDER BY first_seen_us <= ?2 DESC, abs(first_seen_us - ?2) LIMIT 1
                        """),
                arguments: [sender, message.id])
        }
        let earlier = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT body FROM message_version WHERE message_id = ?"), arguments: [message.id]
        ).map { try $0.value(0) as String? }
        return digests.digests(
            of: message, room: try ForgottenBook.key(ofRoom: message.room, db) ?? "", author: author, earlier: earlier)
    }

    /// Removes messages, or all of them but their places, with their ledger.
    static func take(
        _ messages: [StoredMessage], redacts: Bool, at now: Timestamp, _ ingest: inout Ingest, _ db: Database
    ) throws {
        guard !messages.isEmpty else { return }
        try db.withSecureDelete {
            for message in messages { try Journal.overwrite(message, db) }
            if redacts {
                for message in messages {
                    var message = message
                    try ingest.texts.redact(&message, at: now, db)
                }
                try ingest.texts.flush(db)
            } else {
                var removal = MessageRemoval()
                try removal.remove(messages, db)
                for message in messages { try Feed.forgotten(messageID: message.id, db) }
            }
        }
        ingest.texts.matcher.forget()
        for (room, some) in Dictionary(grouping: messages, by: \.room) {
            var removed = PurgeLedger.Removed()
            for message in some { removed.add(message.id) }
            try PurgeLedger.record(removed, of: .messages, room: room, by: rule, at: now, db)
        }
    }
}

/// Takes away a person's names, reactions, pictures and memberships.
struct PersonRemoval {
    let user: Int64
    let now: Timestamp
    /// True if messages still have the person as their sender, who then has no name.
    let staysAsSender: Bool

    /// The name of a person who is forgotten, and of a direct room with them.
    static let name = "(forgotten)"

    func run(_ db: Database) throws {
        let names = try String.fetchAll(db, sql: "SELECT name FROM user_name WHERE user_id = ?", arguments: [user])
        try removeFailures(naming: names, db)
        try db.execute(
            sql: """
                INSERT INTO change (what, subject_id)
                  SELECT DISTINCT \(Feed.reactionCode), message.id FROM reaction JOIN message USING (room_id, remote_id)
                  WHERE user_id = :user ORDER BY message.id;
                INSERT INTO change (what, subject_id)
                  SELECT \(Feed.memberCode), room_id FROM membership WHERE user_id = :user ORDER BY room_id;
                DELETE FROM reaction WHERE user_id = :user;
                DELETE FROM membership WHERE user_id = :user;
                DELETE FROM user_picture WHERE user_id = :user;
                UPDATE retraction SET user_id = NULL, reason = NULL WHERE user_id = :user;
                DELETE FROM user_name WHERE user_id = :user;
                """,
            arguments: ["user": user])
        try renameDirectRooms(db)
        // The row stays, with its number alone: to delete it, SQLite would look through every message for its sender.
        try db.execute(sql: "UPDATE user SET key = NULL WHERE id = ?", arguments: [user])
        if staysAsSender {
            try db.execute(
                sql: "INSERT INTO user_name (user_id, name, first_seen_us) VALUES (?, ?, ?)",
                arguments: [user, Self.name, now.microseconds])
        } else {
            try db.execute(sql: "DELETE FROM sender_count WHERE sender_id = ? AND messages = 0", arguments: [user])
        }
        try Feed.forgotten(userID: user, db)
    }

    /// A direct room has the person's name and key.
    private func renameDirectRooms(_ db: Database) throws {
        for room in try Int64.fetchAll(db, sql: "SELECT id FROM room WHERE partner_id = ?", arguments: [user]) {
            try db.execute(
                sql: """
                    DELETE FROM room_name WHERE room_id = :room;
                    INSERT INTO room_name (room_id, name, first_seen_us) VALUES (:room, :name, :time);
                    UPDATE room SET partner_id = NULL, key = :key WHERE id = :room;
                    """,
                arguments: [
                    "room": room, "name": Self.name, "time": now.microseconds, "key": "\(Self.name) \(room)",
                ])
            try Feed.name(roomID: room, db)
        }
    }

    /// Removes what could not be stored or read if it has a name of the person. A name of one or two bytes is in too much.
    private func removeFailures(naming names: [String], _ db: Database) throws {
        let names = names.filter { $0.utf8.count > 2 }.map { Data($0.utf8) }
        let failures = try Row.fetchAll(db, sql: "SELECT id, payload FROM failure")
        for failure in failures {
            let payload: Data = try failure.value(1) ?? Data()
            guard names.contains(where: { payload.range(of: $0) != nil }) else { continue }
            try db.execute(sql: "DELETE FROM failure WHERE id = ?", arguments: [failure.value(0) as Int64])
        }
    }
}

extension HoldBook {
    /// Returns true if a hold keeps a message.
    func hold(_ message: Int64, room: Int64) -> Bool {
        !free(room: room, before: .max).contains { $0.contains(message) }
    }
}

extension Journal {
    /// Overwrites the bytes of a message in the journal with spaces, so that the offsets of the others stay.
    static func overwrite(_ message: StoredMessage, _ db: Database) throws {
        guard let span = try place(of: message, db) else { return }
        let chunks = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT offset, bytes FROM chunk WHERE session_id = ?1 AND offset < ?3 AND offset + length(bytes) > ?2
                      AND offset >= ifnull((SELECT max(offset) FROM chunk WHERE session_id = ?1 AND offset <= ?2), 0)
                    """),
            arguments: [span.session, span.range.lowerBound, span.range.upperBound])
        for chunk in chunks {
            let offset: Int64 = try chunk.value(0)
            var bytes: Data = try chunk.value(1)
            for place in bytes.indices where span.range.contains(offset + Int64(place - bytes.startIndex)) {
                bytes[place] = UInt8(ascii: " ")
            }
            try db.execute(
                sql: "UPDATE chunk SET bytes = ? WHERE session_id = ? AND offset = ?",
                arguments: [bytes, span.session, offset])
        }
    }
}

import Accounts
import ChatModel
import FoundationEssentials
import Records
import SQLite
import Schema
import Writing

/// Takes away what somebody said, or one message, in steps, each in a transaction that the writer runs between events.
///
/// Each step first writes the digests of its messages to the catalog. After a crash, the next opening of the account
/// forgets the messages whose digests are there.
struct Forgetter {
    let request: Forgetting
    let now: Timestamp
    let account: String
    let catalog: Catalog

    /// The rows that one step looks through for a person's messages: some milliseconds.
    private static let window = 20_000
    /// The messages that one step forgets.
    private static let atOnce = 100

    /// The messages and events of a step.
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
            let end = try StoredMessage.end(of: Self.window, after: place, db)
            found = try StoredMessage.of(user: user, after: place, through: end, limit: Self.atOnce, db)
            batch.next = found.count == Self.atOnce ? found.last?.id : end == .max ? nil : end
        }
        for message in found {
            if holds.keeps(message.id, room: message.room) { batch.held += 1 } else { batch.messages.append(message) }
        }
        return batch
    }

    /// Writes the digests of messages to the catalog and to the file, and removes the messages.
    ///
    /// - Parameter isFirst: True for the first step, which also notes a person whose later messages are not stored.
    func forget(_ messages: [StoredMessage], isFirst: Bool, _ ingest: inout Ingest, _ db: Database) throws {
        try requireFinished(db)
        let key = try key(db)
        let digests = ForgottenDigests(key: key)
        var all = try messages.flatMap { try Self.digests(of: $0, digests, db) }
        if isFirst, request.alsoNew, let person = person(digests) { all += try person.digests(until: .max, db) }
        try ForgottenKey.add(all, key: key, of: account, catalog, db)
        try Self.take(messages, redacts: request.redacts, at: now, &ingest, db)
    }

    /// Removes a person whose messages are gone, after writing the digests of what goes.
    func forgetPerson(_ db: Database) throws {
        try requireFinished(db)
        let key = try key(db)
        guard let person = person(ForgottenDigests(key: key)) else { return }
        let all = try person.digests(until: request.alsoNew ? .max : now.microseconds, db) + person.remains(db)
        try ForgottenKey.add(all, key: key, of: account, catalog, db)
        try db.withSecureDelete { try person.run(db) }
    }

    /// - Throws: ``ArchiveError`` with `merge` while messages get other senders, and for the bot of a bridge.
    private func requireFinished(_ db: Database) throws {
        try MergeBook.requireFinished(db)
        guard case .user(let user) = request.subject else { return }
        try BridgeBook.requireFinished(db)
        try BridgeBook.requireNone(ofBot: user, ReadTransaction(db))
    }

    private func person(_ digests: ForgottenDigests) -> PersonRemoval? {
        guard case .user(let user) = request.subject else { return nil }
        return PersonRemoval(user: user, now: now, staysAsSender: request.redacts, digests: digests)
    }

    private func key(_ db: Database) throws -> Data {
        try ForgottenKey.read(db)?.key ?? catalog.forgottenKey(of: account)?.key ?? ForgottenKey.makeKey()
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
        let earlier = try db.cachedStatement(sql: "SELECT body FROM message_version WHERE message_id = ?").all(
            arguments: [message.id]) { try $0.value(0) as String? }
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
            try PurgeLedger.record(removed, of: .messages, room: room, by: .forget, at: now, db)
        }
    }
}

import Accounts
package import ChatModel
import Files
import Records
import SQLite
import Schema
import Writing

/// Gives the stored messages of a bot to the people who wrote them, or gives them back, in steps, each in a transaction
/// that the writer runs between events.
///
/// From the first step on, new messages follow the bridge. The same command continues work that a crash interrupted.
struct Bridger {
    private(set) var request: Bridging
    let now: Timestamp

    /// The rows that one step looks through: some milliseconds.
    private static let window = 20_000
    /// The messages that one step moves.
    private static let atOnce = 500

    func step(from place: MergingPlace?, _ ingest: inout Ingest, _ db: Database) throws -> MergingProgress {
        guard let place else {
            try begin(db)
            return MergingProgress(next: .messages(after: .min, noise: false))
        }
        guard let bridge = try BridgeBook.find(request, db), bridge.isActive != request.undoes else {
            throw ArchiveError(
                code: .merge, detail: "another command has made or undone the bridge meanwhile",
                hint: "\"scrollback archive bridge ACCOUNT\" lists the bridges")
        }
        var bridger = self
        bridger.request.name = bridge.bot
        return try bridger.work(from: place, &ingest, db)
    }

    private func work(from place: MergingPlace, _ ingest: inout Ingest, _ db: Database) throws -> MergingProgress {
        switch place {
        case .messages(let after, _): return try move(after: after, &ingest, db)
        case .facts:
            try settle(db)
            return MergingProgress(next: nil)
        }
    }

    private func begin(_ db: Database) throws {
        try MergeBook.requireFinished(db)
        if request.undoes { return try BridgeBook.end(request, db) }
        let isOwn = try Bool.fetchOne(
            db,
            sql: """
                SELECT \(BridgeBook.isOwn(key: "key")) FROM user
                WHERE id = ? AND EXISTS (SELECT 1 FROM user_name WHERE user_id = id)
                """, arguments: [request.bot])
        guard isOwn == true else {
            throw ArchiveError(
                code: .merge,
                detail: "person \(request.bot) can't be a bridge's bot, because they write by a bridge or do not exist",
                hint: "choose a bot that is on the network itself")
        }
        try BridgeBook.add(request, at: now, db)
    }

    private func move(after place: Int64, _ ingest: inout Ingest, _ db: Database) throws -> MergingProgress {
        let end = try StoredMessage.end(of: Self.window, after: place, db)
        let senders = request.undoes ? try BridgeBook.people(of: request, db) : [request.bot]
        let found = try StoredMessage.sent(by: senders, after: place, through: end, limit: Self.atOnce, db)
        let last = found.count == Self.atOnce ? found.last?.id : end == .max ? nil : end
        var progress = MergingProgress(next: last.map { .messages(after: $0, noise: false) } ?? .facts)
        let folding = try ingest.directory.names.people.folding(db)
        for message in found {
            guard let owner = try owner(of: message, folding, &ingest, db) else { continue }
            try Merger.move(message, toPerson: owner, &ingest, db)
            progress.messages += 1
        }
        try ingest.texts.index.flush(db)
        ingest.texts.matcher.forget()
        return progress
    }

    /// Returns the person to whom a message goes; nil if it stays.
    private func owner(
        of message: StoredMessage, _ folding: NameFolding, _ ingest: inout Ingest, _ db: Database
    ) throws -> Int64? {
        if request.undoes { return request.bot }
        guard BridgeBook.kinds.contains(message.kind), let found = message.body.flatMap(request.pattern.match) else {
            return nil
        }
        let person = BridgeBook.person(found.nick, of: request.name, request.pattern, folding)
        return try ingest.directory.names.people.user(person, at: message.id, db)
    }

    /// Brings counts and the change feed in line with the facts. After undoing, the bridge's people are gone.
    private func settle(_ db: Database) throws {
        let people = try BridgeBook.people(of: request, db)
        if request.undoes {
            // Whoever forgets the bot or one of its people next finds no trace of them.
            try db.withSecureDelete {
                for user in people {
                    try db.execute(
                        sql: """
                            DELETE FROM user_name WHERE user_id = :user;
                            UPDATE user SET key = NULL WHERE id = :user;
                            """, arguments: ["user": user])
                }
                try BridgeBook.remove(request, db)
            }
        }
        for user in [request.bot] + people {
            try db.execute(sql: "DELETE FROM sender_count WHERE sender_id = ? AND messages = 0", arguments: [user])
            try Feed.name(userID: user, db)
            try Feed.merged(userID: user, db)
        }
        if !request.undoes { try BridgeBook.setDone(request, db) }
    }
}

extension AccountWriter {
    /// Does a step of making a bridge, or of undoing one, between events.
    ///
    /// - Parameter place: Where the step begins; nil for the beginning of the work.
    /// - Throws: ``ArchiveError``; does not wait while the disk has trouble.
    package func bridge(_ request: Bridging, from place: MergingPlace? = nil, at now: Timestamp) async throws
        -> MergingProgress
    {
        let bridger = Bridger(request: request, now: now)
        return try await use { try await $0.bridge(bridger, from: place) }
    }
}

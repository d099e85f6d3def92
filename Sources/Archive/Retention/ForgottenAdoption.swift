import ChatModel
import Foundation
import GRDB

/// Brings an account's file and the catalog to the same list of what is forgotten.
///
/// A file that was restored from a backup lacks what was forgotten since, and a new or lost catalog lacks what the file
/// has.
struct ForgottenAdoption {
    let account: String
    let catalog: Catalog

    /// The digests that a file lacks.
    struct Missing {
        fileprivate let digests: ForgottenDigests
        fileprivate let forgotten: Set<Data>
        fileprivate let key: Data
    }

    /// Adds to the catalog what it lacks, and returns what the file lacks; nil for nothing.
    func missing(_ db: Database) throws -> Missing? {
        let (own, known) = try (ForgottenKey.read(db), catalog.forgottenKey(of: account))
        guard own != known else { return nil }
        let inFile = Set(own == nil ? [] : try Data.fetchAll(db, sql: "SELECT digest FROM forgotten"))
        guard let known else {
            if let own { try catalog.forget(inFile, key: own.key, account: account) }
            return nil
        }
        // Another key is of another account that had the name.
        guard own == nil || own?.key == known.key else { return nil }
        let inCatalog = try catalog.forgotten(of: account)
        let lost = inFile.subtracting(inCatalog)
        if !lost.isEmpty { try catalog.forget(lost, key: known.key, account: account) }
        let wanted = inCatalog.subtracting(inFile)
        guard !wanted.isEmpty else { return nil }
        return Missing(digests: ForgottenDigests(key: known.key), forgotten: wanted, key: known.key)
    }
}

extension ForgottenAdoption.Missing {
    /// The rows that one transaction looks through.
    private static let window = 5000

    /// Forgets messages of the next rows. The digests are added with the last of them, so that a crash repeats the work.
    ///
    /// - Returns: The place to continue; nil at the end.
    func forget(after place: Int64, at now: Timestamp, _ ingest: inout Ingest, _ db: Database) throws -> Int64? {
        let messages = try StoredMessage.all(after: place, limit: Self.window, db)
        let found = try messages.filter { message in
            try Forgetter.digests(of: message, digests, db).contains { forgotten.contains($0) }
        }
        try Forgetter.take(found, redacts: false, at: now, &ingest, db)
        guard let last = messages.last else {
            try removePersons(at: now, db)
            try ForgottenKey.add(forgotten, key: key, db)
            return nil
        }
        return last.id
    }

    /// Removes the forgotten people who have no message left.
    private func removePersons(at now: Timestamp, _ db: Database) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT id, key FROM user WHERE key IS NOT NULL AND is_self = 0
                  AND NOT EXISTS (SELECT 1 FROM sender_count WHERE sender_id = user.id AND messages > 0)
                """)
        for row in rows {
            let (user, key): (Int64, String) = try (row.value(0), row.value(1))
            guard forgotten.contains(digests.digest(person: key)) else { continue }
            let messages = try Int64.fetchOne(
                db, sql: "SELECT count(*) FROM message WHERE sender_id = ?", arguments: [user])
            guard messages == 0 else { continue }
            try db.withSecureDelete { try PersonRemoval(user: user, now: now, staysAsSender: false).run(db) }
        }
    }
}

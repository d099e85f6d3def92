import Accounts
import ChatModel
import FoundationEssentials
import Records
import SQLite
import Schema
import Writing

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
        /// The people of the file who are forgotten, each with the instant up to which.
        fileprivate let persons: [(user: Int64, end: Int64)]
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
        let digests = ForgottenDigests(key: known.key)
        return Missing(
            digests: digests, forgotten: wanted, key: known.key, persons: try persons(among: wanted, digests, db))
    }

    /// Returns the people whose digests are among these.
    private func persons(
        among wanted: Set<Data>, _ digests: ForgottenDigests, _ db: Database
    ) throws -> [(user: Int64, end: Int64)] {
        let ends = Dictionary(
            wanted.map { (ForgottenDigests.person(of: $0), ForgottenDigests.end(of: $0)) }, uniquingKeysWith: max)
        return try db.all(sql: "SELECT id, key FROM user WHERE key IS NOT NULL AND self_by = 0") { row in
            let (user, key) = try (row.integer(0), row.text(1))
            return ends[digests.digest(person: key)].map { (user, $0) }
        }.compactMap(\.self)
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
        guard let last = messages.last else {
            try removePersons(at: now, db)
            try ForgottenKey.addToFile(forgotten, key: key, db)
            return nil
        }
        // The file is older than the forgetting, so everything of the person up to then goes.
        let ofPersons = try Set(
            persons.filter { $0.end > place }.flatMap { person in
                try StoredMessage.of(
                    user: person.user, after: place, through: min(person.end, last.id), limit: Self.window, db
                ).map(\.id)
            })
        let found = try messages.filter { message in
            try ofPersons.contains(message.id)
                || Forgetter.digests(of: message, digests, db).contains { forgotten.contains($0) }
        }
        try Forgetter.take(found, redacts: false, at: now, &ingest, db)
        return last.id
    }

    /// Removes the forgotten people who have no message left.
    private func removePersons(at now: Timestamp, _ db: Database) throws {
        let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM message WHERE sender_id = ?)")
        for (user, _) in persons where try Bool.fetchOne(statement, arguments: [user]) != true {
            let person = PersonRemoval(user: user, now: now, staysAsSender: false, digests: digests)
            try db.withSecureDelete { try person.run(db) }
        }
    }
}

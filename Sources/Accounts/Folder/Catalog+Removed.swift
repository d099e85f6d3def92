package import FoundationEssentials
package import Records
package import SQLite
import Schema

/// The digests of the rooms and messages that accounts have removed for good.
extension Catalog {
    /// Returns the key of an account's digests and their number; nil if the account has forgotten nothing.
    package func forgottenKey(of account: String) throws -> ForgottenKey? {
        try read { db in
            try db.cachedStatement(sql: "SELECT key, digests FROM forgotten_key WHERE account = ?").first(arguments: [
                account
            ]) { try ForgottenKey(key: $0.value(0), digests: $0.value(1)) }
        }
    }

    package func forgotten(of account: String) throws -> Set<Data> {
        try read { db in
            Set(try Data.fetchAll(db, sql: "SELECT digest FROM forgotten WHERE account = ?", arguments: [account]))
        }
    }

    /// Adds digests of messages that an account forgets. They are on disk when this returns.
    package func forget(_ digests: some Collection<Data>, key: Data, account: String) throws {
        try write { db in
            try db.execute(
                sql: "INSERT INTO forgotten_key (account, key) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [account, key])
            let insertion = try db.cachedStatement(
                sql: "INSERT INTO forgotten (account, digest) VALUES (?, ?) ON CONFLICT DO NOTHING")
            var added = 0
            for digest in digests {
                try insertion.execute(arguments: [account, digest])
                added += db.changesCount
            }
            try db.execute(
                sql: "UPDATE forgotten_key SET digests = digests + ? WHERE account = ?", arguments: [added, account])
        }
    }

    /// Returns what rules have removed from an account.
    ///
    /// - Parameter createdAt: When the account was made, in microseconds since 1970.
    func purged(of account: String, createdAt: Int64) throws -> PurgeMemory {
        try read { db in
            func all<T: StoredValue & Hashable>(_ columns: String, from table: String) throws -> [T: Int64] {
                let rows: [(T, Int64)] = try db.all(
                    sql: "SELECT \(columns) FROM \(table) WHERE account = ? AND created_at_us = ?",
                    arguments: [account, createdAt]
                ) { try ($0.value(0), $0.value(1)) }
                return Dictionary(rows, uniquingKeysWith: { $1 })
            }
            return PurgeMemory(
                ends: try all("digest, last_us", from: "purged"),
                rules: try all("rule, first_at_us", from: "applied_rule"))
        }
    }

    /// Adds what rules have removed from an account.
    func remember(_ memory: PurgeMemory, of account: String, createdAt: Int64) throws {
        try write { db in
            for (digest, last) in memory.ends {
                try db.execute(
                    sql: """
                        INSERT INTO purged (account, created_at_us, digest, last_us) VALUES (?, ?, ?, ?)
                        ON CONFLICT DO UPDATE SET last_us = max(last_us, excluded.last_us)
                        """, arguments: [account, createdAt, digest, last])
            }
            for (rule, first) in memory.rules {
                try db.execute(
                    sql: """
                        INSERT INTO applied_rule (account, created_at_us, rule, first_at_us) VALUES (?, ?, ?, ?)
                        ON CONFLICT DO NOTHING
                        """, arguments: [account, createdAt, rule, first])
            }
        }
    }

    /// Brings an account's file and the catalog to the same memory of what rules removed.
    ///
    /// - Returns: True if the file has changed.
    package func sharePurges(of account: String, _ db: Database) throws -> Bool {
        let createdAt = try Int64.fetchOne(db, sql: "SELECT created_at_us FROM account") ?? 0
        let (own, known) = try (
            PurgeMemory(db, createdAt: createdAt), purged(of: account, createdAt: createdAt)
        )
        let (lost, missing) = (own.beyond(known), known.beyond(own))
        if !lost.isEmpty { try remember(lost, of: account, createdAt: createdAt) }
        if !missing.isEmpty { try missing.add(to: db) }
        return !missing.isEmpty
    }
}

import Migrations
package import PostgreSQL

/// The schema of a shared archive: the PostgreSQL schema `scrollback`.
package enum SharedSchema {
    /// The version of the first step's tables; earlier ones can't be upgraded.
    package static let first = 7
    /// The version that this program reads and writes.
    package static var current: Int { first - 1 + Migrations.shared.count }
    /// The version of the oldest programs that can use the present schema, so that listeners may be upgraded after the
    /// server, one by one. Programs of schemas 7 and 8 store no words.
    private static let oldest = 9

    /// Returns the version of the server's schema; 0 if it has none.
    package static func version(_ server: PostgreSQLConnection) throws -> Int {
        let table = try server.execute("SELECT to_regclass('scrollback.version') IS NOT NULL")
        guard try table.integer(0, 0) == 1 else { return 0 }
        return Int(try server.execute("SELECT number FROM scrollback.version").integer(0, 0) ?? 0)
    }

    /// Creates the schema, or brings it to this program's version. Several programs may do so at once: the row of
    /// `version` is locked meanwhile.
    ///
    /// - Parameter withRoles: Creates the roles of readers and writers too, or renews their rights. A schema that has
    ///   them keeps them in any case.
    /// - Returns: The version before.
    package static func prepare(_ server: PostgreSQLConnection, withRoles: Bool = false) throws -> Int {
        try begin(server)
        return try server.transaction(timeout: 3600) {
            let before = Int(
                try server.execute("SELECT number FROM scrollback.version FOR UPDATE").integer(0, 0) ?? 0)
            guard before <= current else { throw SharedArchiveError.newer(before) }
            guard before == 0 || before >= first else { throw SharedArchiveError.older(before) }
            for migration in Migrations.shared.dropFirst(before == 0 ? 0 : before - first + 1) {
                try server.run(script: migration.sql)
            }
            try server.execute(
                "UPDATE scrollback.version SET number = $1, oldest = $2",
                [.integer(Int64(current)), .integer(Int64(oldest))])
            let hasRoles = try SharedRoles.areUsed(server)
            if withRoles || (hasRoles && before < current) { try server.run(script: Migrations.sharedRoles.sql) }
            return before
        }
    }

    /// Creates the row that is locked. `IF NOT EXISTS` does not keep two programs from colliding.
    private static func begin(_ server: PostgreSQLConnection) throws {
        guard try server.execute("SELECT to_regclass('scrollback.version') IS NULL").integer(0, 0) == 1 else { return }
        do {
            try server.run(
                script: """
                    BEGIN;
                    CREATE SCHEMA IF NOT EXISTS scrollback;
                    CREATE TABLE IF NOT EXISTS scrollback.version (number bigint NOT NULL, oldest bigint NOT NULL);
                    INSERT INTO scrollback.version SELECT 0, 0 WHERE NOT EXISTS (SELECT FROM scrollback.version);
                    COMMIT
                    """)
        } catch let error as PostgreSQLError where ["23505", "42P06", "42P07"].contains(error.state) {
            _ = try? server.execute("ROLLBACK")
        } catch {
            _ = try? server.execute("ROLLBACK")
            throw error
        }
    }

    /// - Throws: ``SharedArchiveError`` if the server's schema is older, or too new for this program.
    package static func require(_ server: PostgreSQLConnection) throws {
        switch try version(server) {
        case current: return
        case 0: throw SharedArchiveError.missing
        case let other where other > current:
            let oldest = try server.execute("SELECT oldest FROM scrollback.version").integer(0, 0) ?? 0
            guard oldest <= current else { throw SharedArchiveError.newer(other) }
        case let other: throw SharedArchiveError.older(other)
        }
    }
}

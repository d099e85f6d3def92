internal import CMigrations

/// The schema's history: every step from an empty file to today's, in order. `Sources/CMigrations` compiles the files in.
package enum Migrations {
    /// Schema `n` is reached by running the first `n` of these; `PRAGMA user_version` says how many a file has had.
    package static let all = list(account_migrations())

    /// A data folder's catalog, in the same way.
    package static let catalog = list(catalog_migrations())

    /// The schema of a shared archive on PostgreSQL, in the same way.
    package static let shared = list(shared_migrations())

    /// The roles of a shared archive, with their rights; for a schema of the last version.
    package static let sharedRoles = list(shared_roles())[0]

    /// "SBCT" in ASCII: what `PRAGMA application_id` says of a catalog.
    package static let catalogID: Int32 = 0x5342_4354

    /// "SBAR" in ASCII: what `PRAGMA application_id` says of a Scrollback account file.
    package static let applicationID: Int32 = 0x5342_4152

    private static func list(_ first: UnsafePointer<migration>) -> [Migration] {
        var migrations: [Migration] = []
        while let name = first[migrations.count].name, let sql = first[migrations.count].sql {
            migrations.append(Migration(name: String(cString: name), sql: String(cString: sql)))
        }
        return migrations
    }
}

package struct Migration: Sendable {
    /// The file's name without `.sql`.
    package let name: String
    package let sql: String
}

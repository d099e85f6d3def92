internal import CMigrations

/// The steps from an empty file to the present schemas, in order. `Sources/CMigrations` compiles the files in.
package enum Migrations {
    /// The steps of an account's file. The first one makes the tables.
    package static let all = list(account_migrations())

    /// The views of an account's file, for the present schema. Each upgrade makes them again.
    package static let views = list(account_views())[0]

    /// The steps of a data folder's catalog.
    package static let catalog = list(catalog_migrations())

    /// The steps of a shared archive on PostgreSQL.
    package static let shared = list(shared_migrations())

    /// The roles of a shared archive, with their rights; for the present schema.
    package static let sharedRoles = list(shared_roles())[0]

    /// The `PRAGMA application_id` of a catalog: "SBCT" in ASCII.
    package static let catalogID: Int32 = 0x5342_4354

    /// The `PRAGMA application_id` of an account's file: "SBAR" in ASCII.
    package static let applicationID: Int32 = 0x5342_4152

    private static func list(_ first: UnsafePointer<migration>) -> [Migration] {
        var migrations: [Migration] = []
        while let name = first[migrations.count].name, let sql = first[migrations.count].sql {
            migrations.append(Migration(name: String(cString: name), compiledIn: sql))
        }
        return migrations
    }
}

package struct Migration: Sendable {
    /// The file's name without `.sql`.
    package let name: String
    private let source: Source

    /// Most commands need the number of migrations, not their SQL, which has 50 kB.
    private enum Source: @unchecked Sendable {
        case text(String)
        /// A text that lies in the program, ended by 0.
        case compiledIn(UnsafePointer<UInt8>)
    }

    package init(name: String, sql: String) { (self.name, source) = (name, .text(sql)) }

    fileprivate init(name: String, compiledIn sql: UnsafePointer<UInt8>) {
        (self.name, source) = (name, .compiledIn(sql))
    }

    package var sql: String {
        switch source {
        case .text(let sql): sql
        case .compiledIn(let sql): String(cString: sql)
        }
    }
}

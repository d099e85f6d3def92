package import Files
import Migrations
package import SQLite

/// The schema of a kind of files: the steps from an empty file to the present tables.
package struct Schema: Sendable {
    /// The kind of files, for people.
    package let title: String
    /// The value of `PRAGMA application_id`.
    let applicationID: Int32
    /// The number of the last schema before the first step. It has the same tables with other comments.
    package let last: Int
    /// The first step makes the tables of a new file.
    let steps: [Migration]
    /// The views of the present schema, which are made again after the last step of an upgrade; nil if there are none.
    let views: Migration?

    /// The number of the schema after all steps: the value of `PRAGMA user_version`.
    package var current: Int { last + steps.count }
    /// The number of the schema after the first step.
    package var first: Int { last + 1 }

    package static let account = Schema(
        title: "account file", applicationID: Migrations.applicationID, last: 38, steps: Migrations.all,
        views: Migrations.views)
    package static let catalog = Schema(
        title: "catalog", applicationID: Migrations.catalogID, last: 4, steps: Migrations.catalog,
        views: nil)

    /// The name of the search index in an account file.
    package static let searchIndex = "message_search"

    /// The build that upgrades earlier schemas to ``last``.
    package static let lastBuild = "the build of commit 0f5dc309"
    /// The advice for a file of an earlier schema than ``last``.
    package static let advice = "open it once with \(lastBuild), which upgrades it"

    /// Returns the number of the file's schema.
    ///
    /// - Throws: ``ArchiveError`` if the file is empty or not Scrollback's, or newer than this program, or earlier than
    ///   ``last``.
    package func version(_ db: Database, path: String) throws -> Int {
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        guard application == applicationID, version >= 1 else {
            throw ArchiveError(code: .corrupt, detail: "\(path) is not a Scrollback \(title)")
        }
        try requireKnown(version, path: path)
        return version
    }

    /// - Throws: ``ArchiveError`` with `schemaTooNew` or `schemaTooOld` if this program does not know the schema.
    package func requireKnown(_ version: Int, path: String) throws(ArchiveError) {
        if version > current {
            throw ArchiveError(
                code: .schemaTooNew,
                detail: "\(path) has schema \(version), but this scrollback supports only \(current)")
        }
        if version < last {
            throw ArchiveError(
                code: .schemaTooOld,
                detail: "\(path) has schema \(version), but this scrollback upgrades only schema \(last) and later",
                hint: Self.advice)
        }
    }

    /// Brings the file to the current schema in one transaction: a crash or a damaged column leaves the file as it was.
    ///
    /// - Parameters:
    ///   - isNew: True if the file was just created and has no schema yet.
    ///   - wanted: The schema to reach; an earlier one only for rows of an earlier file.
    /// - Throws: ``ArchiveError`` with `corrupt` if a step fails on a column's value.
    package func migrate(_ db: Database, path: String, isNew: Bool = false, to wanted: Int? = nil) throws {
        let wanted = wanted ?? current
        guard try isNew || version(db, path: path) < wanted else { return }
        try db.inTransaction(.immediate) {
            // Another process may have migrated the file meanwhile.
            let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            guard version < wanted else { return }
            if version == last { try takeOver(db, path: path) }
            let next = steps[(version == 0 ? 0 : max(version - last, 1))..<(wanted - last)]
            for step in next + [views].compactMap(\.self) {
                do {
                    try db.execute(sql: step.sql)
                } catch let error as DatabaseError where !error.isStorageError {
                    throw ArchiveError(
                        code: .corrupt,
                        detail: "\(path) is damaged: migration \(step.name) of its schema \(version) failed "
                            + "(\(error.message)); the file is unchanged")
                }
            }
            try Self.putFirstTableLast(db)
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(wanted)")
        }
    }

    /// Gives a file of the schema ``last`` the statements of the first step. They differ in comments, so no row is read
    /// or written (sqlite.org/lang_altertable.html, "Making Other Kinds Of Table Schema Changes").
    private func takeOver(_ db: Database, path: String) throws {
        let found = Dictionary(try SchemaObject.all(db).map { ($0.title, $0) }) { first, _ in first }
        // `archive check` reports what is missing.
        let new = try SchemaObject.all(of: self, number: first).filter { found[$0.title] != nil }
        if let changed = new.first(where: { $0.hasContent && $0.tokens != found[$0.title]?.tokens }) {
            throw ArchiveError(
                code: .corrupt,
                detail: "\(path) is damaged: \(changed.title) is not Scrollback's; the file is unchanged")
        }
        try db.execute(sql: "PRAGMA writable_schema = ON")
        for object in new {
            try db.execute(
                sql: "UPDATE sqlite_schema SET sql = ? WHERE type = ? AND name = ?",
                arguments: [object.sql, object.type, object.name])
        }
        // Other connections read the schema again when its number changes.
        let number = try Int.fetchOne(db, sql: "PRAGMA schema_version") ?? 0
        try db.execute(sql: "PRAGMA schema_version = \(number + 1); PRAGMA writable_schema = RESET")
    }

    /// Puts the table last that an account's schema creates last, for SQLite's integrity check. VACUUM and steps that
    /// add tables or views undo it.
    package static func putFirstTableLast(_ db: Database) throws {
        try db.execute(
            sql: """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
                PRAGMA writable_schema = RESET;
                """)
    }
}

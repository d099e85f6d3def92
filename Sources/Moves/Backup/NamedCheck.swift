package import SQLite
import Schema

/// One property that an account's file must have.
///
/// Each check but one is a single statement. It sees one state of a file that a writer may change meanwhile, and it
/// must be short, because checkpoints wait for it. SQLite compares by scans and lookups, in memory that does not grow
/// with the archive.
package struct NamedCheck: Sendable {
    package let name: String
    package let advice: Advice
    /// A statement that returns 1 if there is no problem, faster than `sql`; nil to run `sql` at once.
    var quick: String?
    /// A statement that returns a row for each problem, with a sentence in the first column.
    var sql = ""
    /// A function in place of `sql`, for a check that needs more than one statement. Reports the share that is done, 0
    /// to 1.
    var search: (@Sendable (Database, _ progress: (Double) -> Void) throws -> [String])?

    package init(
        name: String, advice: Advice, quick: String? = nil, sql: String = "",
        search: (@Sendable (Database, _ progress: (Double) -> Void) throws -> [String])? = nil
    ) {
        (self.name, self.advice, self.quick, self.sql, self.search) = (name, advice, quick, sql, search)
    }

    package enum Advice: String, Sendable {
        /// The file's own pages or rows are damaged. The file's name completes the command.
        case damaged = """
            first stop the listener and copy the account's folder to another place; then restore a backup, or bring what \
            is readable into a new file: scrollback archive rescue
            """
        /// Nothing can be read from the rest of a damaged encrypted file.
        case damagedEncrypted = "restore a backup; if this is the backup, back up again"
        /// Only rows that can be rebuilt from intact ones are wrong.
        case reindex = "the messages are intact; to rebuild the search index: scrollback archive reindex --rebuild"
        /// Only kept counts are wrong.
        case counts = "the messages are intact; to count them again: scrollback archive reindex --rebuild"
        /// A text and the index differ, and either may be right.
        case compare = """
            the text of a message or the search index was changed: compare the message with a backup; then, to rebuild \
            the index: scrollback archive reindex --rebuild
            """
        /// The disk or another program changed a message.
        case changed = """
            compare these messages with a backup, and check the disk; if they are right: scrollback archive reindex --rebuild
            """
        /// Only files that the network may still have are wrong.
        case fetch = """
            restore the file from a backup; or remove it and fetch it again: scrollback attachments --fetch
            """
        /// Only files that nothing refers to are too many.
        case orphans = "to remove them, without a listener: scrollback archive check --fix"
        /// Rows contradict each other, and each can be read.
        case disagrees = """
            messages can still be read; copy the account's folder, restore an earlier backup if there is one, and \
            report this bug
            """
    }

    /// The limit of problems shown of one check. The others are only counted, because they are similar.
    package static let shown = 10

    /// The checks that fit any SQLite file. They don't include `CHECK` constraints, which a read-only connection does
    /// not load (`sqlite3AddCheckConstraint`); those that readers rely on are repeated in the other checks.
    package static let fileChecks = [
        NamedCheck(
            name: "integrity", advice: .damaged,
            sql: "SELECT integrity_check FROM pragma_integrity_check(100) WHERE integrity_check <> 'ok'"),
        NamedCheck(
            name: "references", advice: .damaged,
            sql: """
                SELECT printf('%d %s of table %s %s a missing %s', count(*), iif(count(*) = 1, 'row', 'rows'), "table",
                  iif(count(*) = 1, 'refers to', 'refer to'), parent)
                FROM pragma_foreign_key_check GROUP BY "table", parent
                """),
    ]

    /// Returns a sentence for each problem, at most ``shown``, and the number of further ones; up to 100 of SQLite's
    /// own integrity check.
    package func run(_ db: Database, progress: (Double) -> Void) throws -> [String] {
        if let search { return try search(db, progress) }
        if let quick, try Bool.fetchOne(db, sql: quick) == true { return [] }
        let limit = name == "integrity" ? 100 : Self.shown
        var sentences: [String] = []
        var count = 0
        try db.forEach(sql: sql) { row in
            count += 1
            if count <= limit { sentences.append(try row.value(0) ?? "") }
        }
        return sentences + (count > limit ? ["and \(count - limit) more"] : [])
    }

    /// Returns SQL that formats microseconds as a message's id; a number that is not a time stays a number.
    package static func id(_ column: String) -> String {
        """
        ifnull(strftime('%Y-%m-%dT%H:%M:%S', \(column) / 1000000, 'unixepoch') || printf('.%06dZ', \(column) % 1000000),
          \(column))
        """
    }
}

import GRDB

/// One thing that has to be true of an account's file.
///
/// But for one, it is one statement, so that it compares one state of a file that is being written, and takes no longer than
/// it needs: checkpoints wait for it. What it compares it finds by scans and lookups inside SQLite, in memory that does not
/// grow with the archive.
struct NamedCheck: Sendable {
    let name: String
    let advice: Advice
    /// Gives 1 when nothing is wrong, for less than `sql` takes.
    var quick: String?
    /// Gives a row for everything that is wrong, in its first column a sentence.
    var sql = ""
    /// Instead of `sql`, what one statement can't find; it says how much of it is done.
    var search: (@Sendable (Database, _ progress: (Double) -> Void) throws -> [String])?

    enum Advice: String, Sendable {
        /// Pages or rows of the file itself can't be trusted.
        case damaged = """
            stop the listener and copy the account's folder away before anything else; then put a backup in its place, or \
            get out what can be read: sqlite3 1.sqlite .recover | sqlite3 recovered.sqlite
            """
        /// Only what is derived from rows that are whole.
        case reindex = "messages are whole; \"scrollback reindex --anew\" makes the search index anew"
        /// Only bytes that the network may still have.
        case fetch = """
            put the file from a backup in its place; or remove it, and have it fetched again: scrollback attachments --fetch
            """
        /// Facts disagree, each of which can be read.
        case disagrees = """
            messages can still be read; keep a copy of the account's folder, put a backup from before in its place if \
            there is one, and report this
            """
    }

    /// Of each kind more would tell nothing new; the rest is counted.
    static let shown = 10

    /// Every check of a file of today's schema, what is at the bottom first.
    static let all = ofFile + ofMessages + ofNames + ofCoverage + ofJournal + ofReading + ofSearch

    /// What any SQLite file can be asked. `CHECK` constraints are not among it: a connection that can't write does not load
    /// them (`sqlite3AddCheckConstraint`), so those that readers rely on are in the checks below.
    static let ofFile = [
        NamedCheck(
            name: "integrity", advice: .damaged,
            sql: "SELECT integrity_check FROM pragma_integrity_check(100) WHERE integrity_check <> 'ok'"),
        NamedCheck(
            name: "references", advice: .damaged,
            sql: """
                SELECT printf('%d rows of %s refer to a %s that is not there', count(*), "table", parent)
                FROM pragma_foreign_key_check GROUP BY "table", parent
                """),
    ]

    /// Sentences of what is wrong, at most ``shown`` and how many more there are; all of SQLite's own.
    func run(_ db: Database, progress: (Double) -> Void) throws -> [String] {
        if let search { return try search(db, progress) }
        if let quick, try Bool.fetchOne(db, sql: quick) == true { return [] }
        let limit = name == "integrity" ? 100 : Self.shown
        var sentences: [String] = []
        var count = 0
        let rows = try Row.fetchCursor(db, sql: sql)
        while let row = try rows.next() {
            count += 1
            if count <= limit { sentences.append(try row.value(0) ?? "") }
        }
        return sentences + (count > limit ? ["and \(count - limit) more"] : [])
    }

    /// SQL that writes a number of microseconds as a message's id; one that is no time, as it is.
    static func id(_ column: String) -> String {
        """
        ifnull(strftime('%Y-%m-%dT%H:%M:%S', \(column) / 1000000, 'unixepoch') || printf('.%06dZ', \(column) % 1000000),
          \(column))
        """
    }
}

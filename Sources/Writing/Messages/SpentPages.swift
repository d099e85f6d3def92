import Records
package import SQLite
import Schema
import SearchText

/// Gives the space back that removed rows leave, in small steps.
package enum SpentPages {
    /// The number of pages of the search index that one step merges.
    private static let mergedPages = 64
    /// The number of the file's pages that one step gives back.
    private static let pages = 64
    /// The part of the file that stays unused, because new messages take it soon; at least ``leastUnused`` pages.
    private static let unusedShare: Int64 = 50
    private static let leastUnused: Int64 = 64

    package enum Merge {
        /// Begins to merge all segments into one.
        case whole
        /// Continues that, or merges segments of which there are several of about the same size.
        case continued
    }

    /// Does a step of merging segments of the search index, which drops the words of removed messages.
    ///
    /// FTS5 ends a step only between two words. The list of a word that all messages have, such as `all`, has 7 bytes a
    /// message: with 2 million messages, writing it holds the writer for 160 ms, and every other step takes 10 ms at most
    /// *(measured)*.
    ///
    /// The last step of a merge frees the pages of all merged segments, hundreds of MB of a large index. Overwriting them
    /// would hold the writer for half a second; they leave the file with its unused pages.
    ///
    /// - Returns: True if there may be more to merge.
    package static func merge(_ merge: Merge, _ db: Database) throws -> Bool {
        var isMerged = false
        for index in try SearchReach.all(ReadTransaction(db)) {
            let before = db.totalChangesCount
            try db.withoutSecureDelete {
                try db.cachedStatement(
                    sql: """
                        INSERT INTO \(index.name) (\(index.name), rank)
                        VALUES ('merge', \(merge == .whole ? -mergedPages : mergedPages))
                        """
                ).execute()
            }
            // The statement itself counts as one change (sqlite.org/fts5.html, "The merge command").
            if db.totalChangesCount - before >= 2 { isMerged = true }
        }
        return isMerged
    }

    private typealias Scrub = ForgottenBook.Scrub

    /// Returns true if the file may have traces of what is forgotten.
    package static func needsScrub(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM forgotten_key WHERE scrub <> 0)"))
            ?? false
    }

    /// Does a step of removing words that no message has from the vocabulary, and of merging all segments of the search index
    /// into one, which has no trace of removed words.
    ///
    /// - Returns: True if there is more to merge.
    package static func scrub(_ db: Database) throws -> Bool {
        let state = try Int64.fetchOne(db, sql: "SELECT scrub FROM forgotten_key") ?? Scrub.clean
        guard state == Scrub.due || state == Scrub.begun else { return false }
        // The words that another analyser made can't be removed one by one. Another index replaces it.
        let indexes = try SearchReach.all(ReadTransaction(db))
        guard !indexes.isEmpty, indexes.allSatisfy({ $0.analyser == Analyser.version }) else {
            _ = try SearchFilling.step(db)
            return true
        }
        if try VocabularyRows.removeGone(db) { return true }
        if state == Scrub.due { try VocabularyRows.rewrite(db) }
        let isMerged = try merge(state == Scrub.due ? .whole : .continued, db)
        let next = state == Scrub.due || isMerged ? Scrub.begun : Scrub.merged
        if next != state { try db.execute(sql: "UPDATE forgotten_key SET scrub = ?", arguments: [next]) }
        return next != Scrub.merged
    }

    /// Gives unused pages back to the disk until there are none; then empties the write-ahead log. Call it outside a
    /// transaction, after ``scrub(_:)``, until it returns a value.
    ///
    /// - Returns: Nil if there is more to do; false if unused pages remain, because the file was made by an earlier
    ///   version.
    package static func clear(_ db: Database) throws -> Bool? {
        let unused = try count("freelist_count", db)
        try db.execute(sql: "PRAGMA incremental_vacuum(\(pages))")
        let left = try count("freelist_count", db)
        guard left == 0 || left == unused else { return nil }
        // While another process reads, the log can't be emptied, and the next opening does it.
        let busy = try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        if busy == 0 {
            try db.execute(sql: "UPDATE forgotten_key SET scrub = \(Scrub.clean) WHERE scrub = \(Scrub.merged)")
        }
        return left == 0
    }

    /// Gives unused pages back to the disk, unless the file was made by an earlier version.
    ///
    /// - Returns: True if there are more.
    package static func giveBack(_ db: Database) throws -> Bool {
        let (unused, all) = try (count("freelist_count", db), count("page_count", db))
        guard try count("auto_vacuum", db) == 2, unused > max(all / unusedShare, leastUnused) else { return false }
        try db.execute(sql: "PRAGMA incremental_vacuum(\(pages))")
        return try count("freelist_count", db) < unused
    }

    private static func count(_ pragma: String, _ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0
    }
}

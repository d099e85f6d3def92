import GRDB

/// Gives the space back that removed rows leave, in small steps.
enum SpentPages {
    /// The number of pages of the search index that one step merges.
    private static let mergedPages = 64
    /// The number of the file's pages that one step gives back.
    private static let pages = 64
    /// The part of the file that stays unused, because new messages take it soon; at least ``leastUnused`` pages.
    private static let unusedShare: Int64 = 50
    private static let leastUnused: Int64 = 64

    enum Merge {
        /// Begins to merge all segments into one.
        case whole
        /// Continues that, or merges segments of which there are several of about the same size.
        case continued
    }

    /// Does a step of merging segments of the search index, which drops the words of removed messages.
    ///
    /// - Returns: True if there may be more to merge.
    static func merge(_ merge: Merge, _ db: Database) throws -> Bool {
        var isMerged = false
        for index in try SearchReach.all(ReadTransaction(db)) {
            let before = db.totalChangesCount
            try db.withSecureDelete {
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

    /// The values of `forgotten_key.scrub`.
    private enum Scrub {
        static let clean: Int64 = 0
        static let due: Int64 = 1
        static let begun: Int64 = 2
        static let merged: Int64 = 3
    }

    /// SQL that notes that the file has traces of what is forgotten.
    static let scrubIsDue = "UPDATE forgotten_key SET scrub = \(Scrub.due)"

    /// Returns true if the file may have traces of what is forgotten.
    static func needsScrub(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM forgotten_key WHERE scrub <> 0)"))
            ?? false
    }

    /// Does a step of merging all segments of the search index into one, which has no trace of removed words.
    ///
    /// - Returns: True if there is more to merge.
    static func scrub(_ db: Database) throws -> Bool {
        let state = try Int64.fetchOne(db, sql: "SELECT scrub FROM forgotten_key") ?? Scrub.clean
        guard state == Scrub.due || state == Scrub.begun else { return false }
        let isMerged = try merge(state == Scrub.due ? .whole : .continued, db)
        let next = state == Scrub.due || isMerged ? Scrub.begun : Scrub.merged
        if next != state { try db.execute(sql: "UPDATE forgotten_key SET scrub = ?", arguments: [next]) }
        return next != Scrub.merged
    }

    /// Gives every unused page back to the disk, and empties the write-ahead log. Call it outside a transaction, after
    /// ``scrub(_:)``.
    ///
    /// - Returns: False if unused pages remain, because the file was made by an earlier version.
    static func clear(_ db: Database) throws -> Bool {
        try db.execute(sql: "PRAGMA incremental_vacuum")
        try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        try db.execute(sql: "UPDATE forgotten_key SET scrub = \(Scrub.clean) WHERE scrub = \(Scrub.merged)")
        return try count("freelist_count", db) == 0
    }

    /// Gives unused pages back to the disk, unless the file was made by an earlier version.
    ///
    /// - Returns: True if there are more.
    static func giveBack(_ db: Database) throws -> Bool {
        let (unused, all) = try (count("freelist_count", db), count("page_count", db))
        guard try count("auto_vacuum", db) == 2, unused > max(all / unusedShare, leastUnused) else { return false }
        try db.execute(sql: "PRAGMA incremental_vacuum(\(pages))")
        return try count("freelist_count", db) < unused
    }

    private static func count(_ pragma: String, _ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0
    }
}

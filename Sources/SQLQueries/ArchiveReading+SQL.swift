package import ChatModel
package import Files
package import Reading

extension ArchiveReading {
    /// Begins an SQL statement over the views of the named accounts, or of all if none is named (``SQLView``). Skips
    /// accounts as other readers of several accounts do, and counts as a use of each.
    ///
    /// The statement reads what the archive's owner may read.
    ///
    /// - Parameters:
    ///   - limit: The end of the statement. Long transactions let an account's WAL file grow, so give it one.
    ///   - zone: The zone of local times.
    ///   - now: The instant from which relative times count.
    /// - Throws: ``SQLQueryError``; ``ArchiveError``, with `sharedArchive` for a shared archive.
    package func sql(
        _ statement: String, accounts: [String] = [], limit: ReadLimit, zone: Zone, now: Timestamp = .now()
    ) throws -> SQLQuery {
        let (opened, places) = try ownedAccounts(accounts)
        return try SQLQuery(
            statement, SQLAccounts(opened, limit: limit, places: max(1, places - Self.placesForJoins)), zone: zone,
            now: now)
    }

    /// The open accounts that a statement may need besides those that it reads in order: one for each of its tables.
    private static let placesForJoins = 8
}

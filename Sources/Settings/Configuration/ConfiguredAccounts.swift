import ChatModel
package import Reading

/// The accounts of the configuration, and the imported ones, which no configuration has.
package struct ConfiguredAccounts: Sendable {
    /// The names in the configuration; nil if no configuration is found for the data folder.
    package let names: Set<String>?
    private let imported: Set<String>
    /// The accounts that a listener should have: those of the configuration, or, without one, all that were not
    /// imported.
    package let expected: Set<String>

    /// - Parameter search: Finds the configuration.
    package init(_ search: FolderSearch, _ reading: ArchiveReading) throws {
        names = search.configuredAccounts(of: reading.folder).map(Set.init)
        let accounts = try reading.accounts()
        imported = Set(accounts.filter { $0.network == Configuration.logNetwork }.map(\.name))
        expected = names ?? Set(accounts.map(\.name)).subtracting(imported)
    }

    /// Returns true if the configuration has the account; nil if that is unknown, or the account was imported.
    @Sendable package func has(_ account: String) -> Bool? {
        imported.contains(account) ? nil : names?.contains(account)
    }
}

import Archive
import ChatModel
import Service

/// The accounts of the configuration, and the imported ones, which no configuration has.
struct ConfiguredAccounts: Sendable {
    /// The names in the configuration; nil if no configuration is found for the data folder.
    let names: Set<String>?
    private let imported: Set<String>
    /// The accounts that a listener should have: those of the configuration, or, without one, all that were not imported.
    let expected: Set<String>

    /// - Parameter options: The options that find the configuration.
    init(_ options: FolderOptions, _ reading: ArchiveReading) async throws {
        names = options.search.configuredAccounts(of: reading.folder).map(Set.init)
        let accounts = try await reading.accounts()
        imported = Set(accounts.filter { $0.network == Configuration.logNetwork }.map(\.name))
        expected = names ?? Set(accounts.map(\.name)).subtracting(imported)
    }

    /// Returns true if the configuration has the account; nil if that is unknown, or the account was imported.
    func has(_ account: String) -> Bool? {
        imported.contains(account) ? nil : names?.contains(account)
    }
}

package import Archive
import Foundation

extension FolderSearch {
    /// Returns the names of the configuration's accounts; nil if no configuration is found, it can't be read, or its
    /// archive is in another folder.
    ///
    /// - Parameter folder: The data folder.
    package func configuredAccounts(of folder: String) -> [String]? {
        accountTables(of: folder)?.compactMap { table in
            var table = table
            return table.string("name")
        }
    }

    /// Returns the names of bots by account; empty where ``configuredAccounts(of:)`` is nil. A shared archive may have
    /// the accounts of any configuration.
    package func bots(of reading: ArchiveReading) -> [String: [String]] {
        let named = (accountTables(of: reading.isShared ? nil : reading.folder) ?? []).compactMap {
            table -> (String, [String])? in
            var table = table
            return table.string("name").map { ($0, table.strings("bots")) }
        }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }

    /// - Parameter folder: The data folder that the configuration must have; nil for any.
    private func accountTables(of folder: String?) -> [TableReader]? {
        guard let path = try? configurationFile(), let file = try? ConfigurationFile.read(path) else { return nil }
        if let folder, let own = try? file.dataFolder(home: home), Self.real(own) != Self.real(folder) { return nil }
        var root = TableReader(file.table)
        return root.tables("account")
    }

    /// Reads the configuration that `--config` or `SCROLLBACK_CONFIG` names, for a command that needs its accounts.
    ///
    /// - Throws: ``ServiceError`` if it doesn't exist, ``ConfigurationError`` if it can't be read.
    package func checkNamedConfiguration() throws {
        if let named = try namedConfiguration() { _ = try ConfigurationFile.read(named.path) }
    }

    private static func real(_ path: String) -> String {
        URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }
}

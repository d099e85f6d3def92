import Foundation

extension FolderSearch {
    /// Returns the names of the configuration's accounts; nil if no configuration is found, it can't be read, or its
    /// archive is in another folder.
    ///
    /// - Parameter folder: The data folder.
    package func configuredAccounts(of folder: String) -> [String]? {
        guard let path = try? configurationFile(), let file = try? ConfigurationFile.read(path) else { return nil }
        if let own = try? file.dataFolder(home: home), Self.real(own) != Self.real(folder) { return nil }
        var root = TableReader(file.table)
        return root.tables("account").compactMap { table in
            var table = table
            return table.string("name")
        }
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

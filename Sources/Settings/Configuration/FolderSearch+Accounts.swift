import FoundationEssentials
package import Reading

extension FolderSearch {
    /// Returns the names of the configuration's accounts; nil if no configuration is found, it can't be read, or its
    /// archive is in another folder.
    ///
    /// - Parameter folder: The data folder.
    func configuredAccounts(of folder: String) -> [String]? {
        accountTables(of: folder)?.compactMap { table in
            var table = table
            return table.string("name")
        }
    }

    /// Returns the names of bots by account, and under an empty name those of every account; empty where
    /// ``configuredAccounts(of:)`` is nil. A shared archive may have the accounts of any configuration.
    package func bots(of reading: ArchiveReading) -> [String: [String]] {
        guard var root = root(of: reading.isShared ? nil : reading.folder) else { return [:] }
        var bots: [String: [String]] = [:]
        for var table in root.tables("account") {
            if let name = table.string("name") { bots[name, default: []] += table.strings("bots") }
        }
        for name in root.strings("bots") {
            bots["", default: []].append(name)
            let parts = name.split(separator: "/", maxSplits: 1)
            if parts.count == 2 { bots[String(parts[0]), default: []].append(String(parts[1])) }
        }
        return bots
    }

    private func accountTables(of folder: String) -> [TableReader]? {
        root(of: folder).map { root in
            var root = root
            return root.tables("account")
        }
    }

    /// - Parameter folder: The data folder that the configuration must have; nil for any.
    private func root(of folder: String?) -> TableReader? {
        guard let path = try? configurationFile(), let file = try? ConfigurationFile.read(path) else { return nil }
        if let folder, let own = try? file.dataFolder(home: home), Self.real(own) != Self.real(folder) { return nil }
        return TableReader(file.table)
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

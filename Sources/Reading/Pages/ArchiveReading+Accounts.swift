import Accounts
import Bytes
package import ChatModel
import Files

/// The states and summaries of accounts.
extension ArchiveReading {
    /// Returns a summary of each account's archive, sorted by account name. Cold accounts stay cold.
    package func accountSummaries() throws -> [AccountSummary] {
        switch opened.source {
        case .files(let folder): try folder.summaries().filter { access.seesAll(of: $0.account) }
        case .shared(let server):
            try server.accounts().filter { access.seesAll(of: $0.identity.name) }.map { account in
                try server.read(account) { db in try AccountSummary.read(account, db) }
            }
        }
    }

    /// Returns the status of each account from its file, sorted by account name. A held writer's lock shows that a
    /// listener runs.
    ///
    /// - Parameter reported: The accounts to skip, because their listener reports them.
    package func status(except reported: Set<String> = []) throws -> [AccountStatus] {
        let names = try accounts().map(\.name).filter { !reported.contains($0) && access.seesAll(of: $0) }
        return try collect(of: names, restores: false, needsOne: reported.isEmpty, into: []) { all, reader in
            all.append(try reader.status().status)
        }.result
    }

    /// Returns the accounts whose files can't be read, without compressed and encrypted ones and those that a process moves
    /// now.
    ///
    /// - Parameter reported: The accounts to skip, because their listener reports them.
    package func unreadable(except reported: Set<String>) throws -> [SkippedAccount] {
        let names = try accounts().map(\.name).filter { !reported.contains($0) && access.seesAll(of: $0) }
        let (failed, skipped) = try collect(
            of: names, restores: false, needsOne: false, into: [SkippedAccount]()
        ) { failed, reader in
            do {
                _ = try reader.status()
            } catch let error as ArchiveError {
                failed.append(
                    SkippedAccount(
                        account: reader.account.name, reason: error.code.rawValue, detail: error.detail))
            }
        }
        return (failed + skipped).filter {
            !$0.isResting && $0.reason != ArchiveError.Code.locked.rawValue
        }
    }

    /// Returns when an account was created.
    package func created(account: String) throws -> Timestamp {
        try collect(of: [account], into: Timestamp(microseconds: 0)) { $0 = $1.createdAt }.result
    }

    /// Returns true for a compressed account of a data folder.
    package func isCompressed(_ account: String) throws -> Bool {
        try dataFolder?.entry(named: account.withoutNUL)?.cold != nil
    }
}

/// Watching.
extension ArchiveReading {
    /// Returns the folders in which files change when a message is stored or an account is added: that of all accounts,
    /// and each account's own. Empty for a shared archive.
    package func watchedFolders() throws -> [String] {
        guard let dataFolder else { return [] }
        let own = try dataFolder.entries().filter { access.sees(account: $0.account.name) }
        return [dataFolder.accountsPath] + own.map { dataFolder.accountsPath + "/" + $0.directory }
    }
}

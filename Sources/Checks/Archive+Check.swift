import Accounts
import Archive
import Bytes
package import ChatModel

extension Archive {
    /// Checks the files of the named accounts, or of all, and returns the results sorted by account name. Writes
    /// nothing into the data folder, and may run beside a writer.
    ///
    /// If a file's account name can't be read, or the file is compressed and not in the catalog, a name selects the
    /// file by the folder's name.
    ///
    /// - Parameter fixed: Receives the number of files that no message has and that were removed from an account with no
    ///   other problem; nil to remove none.
    /// - Throws: ``ArchiveError`` if a named account does not exist.
    package func check(
        accounts names: [String] = [], progress: @escaping @Sendable (CheckProgress) -> Void = { _ in },
        fixed: (@Sendable (AccountCheck, _ files: Int) -> Void)? = nil
    ) throws -> [AccountCheck] {
        try checkers(accounts: names, progress: progress).map { checker in
            var check = checker.run()
            guard let fixed else { return check }
            let files = try checker.removeOrphans(&check)
            if files > 0 { fixed(check, files) }
            return check
        }.sorted { ($0.account ?? "", $0.folder) < ($1.account ?? "", $1.folder) }
    }

    /// Returns a checker for each file that ``check(accounts:progress:)`` checks.
    func checkers(
        accounts names: [String] = [], progress: @escaping (CheckProgress) -> Void
    ) throws -> [AccountChecker] {
        let checkers = try dataFolder.checked().map { folder, entry, file in
            AccountChecker(
                folder: folder, entry: entry, file: file, identities: dataFolder.identities, progress: progress)
        }
        guard !names.isEmpty else { return checkers }
        let known = checkers.map { (checker: $0, account: $0.account) }
        func fits(_ name: String, _ entry: (checker: AccountChecker, account: String?)) -> Bool {
            entry.account?.isExactly(name)
                ?? (AccountFolder.slug(ofDirectory: entry.checker.folder.name) == AccountFolder.slug(of: name))
        }
        for name in names where !known.contains(where: { fits(name.withoutNUL, $0) }) {
            throw dataFolder.unknown(account: name, known: known.compactMap(\.account))
        }
        return known.filter { entry in names.contains { fits($0.withoutNUL, entry) } }.map(\.checker)
    }
}

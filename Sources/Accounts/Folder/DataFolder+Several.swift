import Bytes
package import ChatModel
package import Files

/// Reads several accounts, some of which may be unreadable.
extension DataFolder {
    /// Returns every account of the folder, sorted by name: the accounts of the catalog, and the ones in folders that
    /// the catalog does not know yet.
    ///
    /// - Throws: ``ArchiveError`` if there are accounts and none can be read.
    package func entries(check: () throws -> Void = {}) throws -> [Catalog.Entry] {
        let (entries, errors) = try listed(check: check)
        report(errors)
        return entries
    }

    /// An account that can't be read, with the error; its name is nil when the folder does not reveal it.
    package typealias Unreadable = (account: String?, error: ArchiveError)

    /// Returns the accounts of the folder, sorted by name, and the errors of the others.
    ///
    /// - Parameter check: Runs before each account that the catalog does not know, and with each piece of its file.
    /// - Throws: The first error when there are accounts and none can be read.
    func listed(check: () throws -> Void = {}) throws -> (entries: [Catalog.Entry], errors: [Unreadable]) {
        let directories = try accountDirectories()
        guard !directories.isEmpty else { return ([], []) }
        let known = try catalog.entries()
        let there = Set(directories)
        let missing = there.subtracting(known.map(\.directory))
        var entries = known.filter { there.contains($0.directory) }
        var errors: [Unreadable] = []
        for directory in missing.sorted() {
            try check()
            do {
                entries.append(try FolderAdoption(into: self).adopt(directory, check: check))
            } catch let error as ArchiveError {
                errors.append((nil, error))
            }
        }
        if entries.isEmpty, let error = errors.first?.error { throw error }
        return (entries.sorted { $0.account.name < $1.account.name }, errors)
    }

    /// Calls the body with a reader of each readable account, in order of their names, and reports the others at the
    /// end.
    ///
    /// - Parameters:
    ///   - names: The accounts' names; nil for all.
    ///   - isUse: Counts the call as a use of each account.
    ///   - needsOne: Throws when no account was read and a file is unreadable. Compressed and encrypted accounts are
    ///     only skipped.
    /// - Returns: The accounts that can't be read.
    /// - Throws: ``ArchiveError``, with `unknownAccount` when a named account does not exist.
    @discardableResult
    package func eachReader(
        of names: [String]?, isUse: Bool, needsOne: Bool = true,
        open: ((Catalog.Entry) throws -> AccountReader)? = nil, _ body: (AccountReader) throws -> Void
    ) throws -> [SkippedAccount] {
        let (entries, unlisted) = try listed()
        var errors = unlisted
        var read: [String] = []
        var (cold, encrypted): ([String], [String]) = ([], [])
        for entry in try chosen(names, of: entries) {
            guard entry.cold?.encryption == nil || !identities.isEmpty else {
                encrypted.append(entry.account.name)
                continue
            }
            guard entry.cold == nil || self.cold != .alone else {
                cold.append(entry.account.name)
                continue
            }
            let reader: AccountReader
            do {
                reader =
                    if let open { try open(entry) } else {
                        try openReader(entry, isUse: false, restores: false)
                    }
            } catch let error as ArchiveError {
                errors.append((entry.account.name, error))
                continue
            }
            read.append(entry.directory)
            skipped.remove(entry.account.name)
            try body(reader)
        }
        if needsOne, read.isEmpty, let error = errors.first?.error { throw error }
        if isUse, !read.isEmpty { catalog.noteUse(read) }
        return report(
            errors + cold.map { ($0, ArchiveError.compressed([$0])) }
                + encrypted.map { ($0, ArchiveError.encrypted([$0])) })
    }

    /// Returns the entries of the named accounts, or all if no names are given.
    ///
    /// - Throws: ``ArchiveError`` with `unknownAccount` when a named account does not exist.
    private func chosen(_ names: [String]?, of entries: [Catalog.Entry]) throws -> [Catalog.Entry] {
        guard let names else { return entries }
        let there = Set(entries.map { ExactString($0.account.name) })
        for name in names where !there.contains(ExactString(name.withoutNUL)) {
            throw unknown(account: name, known: entries.map(\.account.name))
        }
        let wanted = Set(names.map { ExactString($0.withoutNUL) })
        return entries.filter { wanted.contains(ExactString($0.account.name)) }
    }

    /// Reports the accounts that can't be read.
    ///
    /// - Returns: The accounts as reported.
    @discardableResult
    package func report(_ errors: [Unreadable]) -> [SkippedAccount] {
        guard !errors.isEmpty else { return [] }
        let accounts = errors.map { account, error in
            SkippedAccount(account: account, reason: error.code.rawValue, detail: error.detail)
        }
        skipped.add(accounts)
        return accounts
    }
}

extension ArchiveError {
    package static func compressed(_ name: String) -> ArchiveError { compressed([name]) }

    /// Returns an error for a compressed account whose file has to be changed before it can be read.
    package static func needsExpanding(_ name: String) -> ArchiveError {
        ArchiveError(
            code: .cold,
            detail: "account '\(name)' is compressed, and has forgotten messages since; "
                + "to expand it: scrollback archive restore \(name)")
    }

    /// Returns an error for compressed accounts, with up to three of their names.
    package static func compressed(_ names: [String]) -> ArchiveError { resting(names, .cold, "compressed") }

    /// Returns an error for encrypted accounts, with up to three of their names.
    package static func encrypted(_ names: [String]) -> ArchiveError { resting(names, .encrypted, "encrypted") }

    private static func resting(_ names: [String], _ code: Code, _ state: String) -> ArchiveError {
        let some = names.prefix(3).map { "'\($0)'" }.joined(separator: ", ") + (names.count > 3 ? ", …" : "")
        let accounts = names.count == 1 ? "account \(some) is" : "\(names.count) accounts are"
        return ArchiveError(
            code: code, detail: "\(accounts) \(state)" + (names.count == 1 ? "" : " (\(some))"))
    }
}

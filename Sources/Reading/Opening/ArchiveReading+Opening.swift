package import Accounts
import Bytes
package import ChatModel
import Files
import Schema

/// The opening of the accounts that an answer needs.
extension ArchiveReading {
    /// Returns readers of the scope's accounts, each with its lock held.
    package func readers(of scope: MessageQuery.Scope) throws -> [AccountReader] {
        try collect(in: scope, into: []) { $0.append($1) }.result
    }

    /// Opens the files of the named accounts, or of all if none is named, for the archive's owner. Counts as a use of each.
    ///
    /// - Returns: The accounts, and the number of accounts that can be read at the same time.
    /// - Throws: ``ArchiveError``, with `sharedArchive` for a shared archive or a reader with fewer rights.
    package func ownedAccounts(_ names: [String]) throws -> (accounts: [OpenAccount], places: Int) {
        guard let dataFolder, access.isEverything else { throw ArchiveError.needsFiles }
        let accounts = try collect(of: names.isEmpty ? nil : names, isUse: true, into: []) { $0.append($1.opened) }
        return (accounts.result, dataFolder.limit.maximum)
    }

    /// Collects from each account of the scope, and counts as a use of each.
    package func collect<T: Sendable>(
        in scope: MessageQuery.Scope, into start: T, _ add: @Sendable (inout T, AccountReader) throws -> Void
    ) throws -> (result: T, skipped: [SkippedAccount]) {
        if case .rooms = scope, !scope.accounts.allSatisfy(access.sees(account:)) {
            throw ArchiveError.unknownRoom(in: folder)
        }
        return try collect(of: scope.accounts, isUse: true, into: start) { result, reader in
            try reader.require(scope.rooms(of: reader.account.name), in: folder)
            try add(&result, reader)
        }
    }

    /// Calls `add` with a reader of each named account, or of all, in order of their names, on a thread that may wait
    /// for a disk. Among several accounts, reports and skips those that can't be read, and cold ones unless they were
    /// requested. An account named alone must be readable; a cold one is made plain, unless cold accounts are kept so.
    ///
    /// - Parameters:
    ///   - isUse: Counts the call as a use of each account.
    ///   - restores: Makes an account named alone plain; else treats it as one of several.
    ///   - needsOne: Throws when no account was read and a file is unreadable. Compressed and encrypted accounts among
    ///     several are only skipped.
    /// - Returns: The changed `start`, and the skipped accounts.
    package func collect<T: Sendable>(
        of names: [String]?, isUse: Bool = false, restores: Bool = true, needsOne: Bool = true, into start: T,
        _ addVisible: @Sendable (inout T, AccountReader) throws -> Void
    ) throws -> (result: T, skipped: [SkippedAccount]) {
        var result = start
        func add(_ result: inout T, _ reader: AccountReader) throws {
            let reader = reader.restricted(to: access)
            guard access.isFor(reader.account.name, createdAt: reader.createdAt) else {
                // An account that was erased and made again shows nothing to those who might read the earlier one.
                guard let names, names.count == 1 else { return }
                throw opened.unknown(account: reader.account.name, known: [])
            }
            try addVisible(&result, reader)
        }
        let names = try visible(names)
        guard case .files(let dataFolder) = opened.source else {
            for reader in try opened.sharedReaders(of: names) { try add(&result, reader) }
            return (result, [])
        }
        if let names, let readers = opened.openReaders(named: names) {
            for reader in readers { try add(&result, reader) }
            if isUse { dataFolder.catalog.noteUse(readers.compactMap(\.file?.folder.name)) }
            return (result, [])
        }
        guard restores, let names, names.count == 1 else {
            let skipped = try dataFolder.eachReader(
                of: names, isUse: isUse, needsOne: needsOne, open: { try self.opened.open($0, in: dataFolder) }
            ) { try add(&result, $0) }
            return (result, skipped)
        }
        guard let entry = try dataFolder.entry(named: names[0].withoutNUL) else {
            throw dataFolder.unknown(account: names[0], known: try dataFolder.entries().map(\.account.name))
        }
        try add(&result, opened.openAlone(entry, in: dataFolder))
        if isUse { dataFolder.catalog.noteUse([entry.directory]) }
        return (result, [])
    }

    /// Returns what `read` returns for each of the named accounts, or of all, in order of their names.
    func readAll<T: Sendable>(
        of names: [String]?, _ read: @Sendable (AccountReader, ReadTransaction) throws -> [T]
    ) throws -> [T] {
        try collect(of: names, into: []) { all, reader in all += try reader.read { db in try read(reader, db) } }.result
    }

    /// Returns the accounts to read; nil for all.
    ///
    /// - Throws: ``ArchiveError`` for a named account that can't be seen.
    private func visible(_ names: [String]?) throws -> [String]? {
        guard !access.isEverything else { return names }
        let known = try opened.identities().map(\.name).filter(access.sees(account:))
        guard let names else { return known }
        if let hidden = names.first(where: { !access.sees(account: $0) }) {
            throw opened.unknown(account: hidden, known: known)
        }
        return names
    }
}

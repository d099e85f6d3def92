package import ChatModel
package import Files
package import Schema

/// Reads one account, as much of it as a reader may see: its file, or its tables in a shared archive.
///
/// A file's connection closes when other accounts need the place, and reopens on the next use. The account stays open as
/// long as a value reads it.
package struct AccountReader: Sendable {
    package let opened: OpenAccount
    /// The rooms that can be read; others do not exist here.
    let access: ReadAccess

    package var account: AccountIdentity { opened.account }
    package var createdAt: Timestamp { opened.createdAt }
    /// The file; nil for an account of a shared archive.
    package var file: OpenAccount.AccountFile? { opened.file }

    package init(_ opened: OpenAccount, access: ReadAccess = .everything) {
        (self.opened, self.access) = (opened, access)
    }

    /// Returns a reader of the same account that sees only a part.
    package func restricted(to access: ReadAccess) -> AccountReader { AccountReader(opened, access: access) }

    /// Runs a read transaction, which sees one state of the account. Keep it short: checkpoints wait for it.
    ///
    /// Runs on the caller's thread, which must be one that may wait for a disk (``OwnThread``).
    package func read<T>(_ body: (ReadTransaction) throws -> T) throws -> T {
        try opened.read { db in
            let files = file.map { AttachmentFolder(of: $0.folder) }
            return try body(db.restricted(to: access, of: account, createdAt: createdAt, files: files))
        }
    }

    /// Returns a reader of the same account with a connection of its own, for another thread; nil for an account that can be read on
    /// one thread alone.
    package func openedAgain() throws -> AccountReader? {
        try opened.openedAgain().map { AccountReader($0, access: access) }
    }

    /// - Throws: ``ArchiveError`` with `unknownRoom` if the reader may not see one of the rooms.
    ///
    /// - Parameter rooms: The rooms to read; nil for all.
    package func require(_ rooms: [Int64]?, in folder: String) throws {
        guard let rooms, !access.seesAll(of: account.name) else { return }
        guard try read({ db in rooms.allSatisfy(db.sees) }) else { throw ArchiveError.unknownRoom(in: folder) }
    }

    /// Returns the present state of the account, which changes with each commit; nil for a file that is changing now.
    /// Costs two `stat`; for a shared archive, a statement now and then.
    package func stamp() throws -> OpenAccount.Stamp? { try opened.stamp() }
}

extension ArchiveError {
    package static func unknownRoom(in folder: String) -> ArchiveError {
        ArchiveError(code: .unknownRoom, detail: "no such room in \(folder)")
    }
}

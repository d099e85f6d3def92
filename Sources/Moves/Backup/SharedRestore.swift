import Accounts
import Bytes
import ChatModel
import Files
import FoundationEssentials
import Glibc
import Reading
import SQLite
import Schema

/// Makes an account's file from its copy in a shared archive.
///
/// The file gets a new epoch of its change feed, and its folder has the name that the shared archive knows, so that the
/// copy of the new file replaces the present one when its listener replicates it.
struct SharedRestore {
    let server: SharedServer
    let target: DataFolder
    let progress: (BackupProgress) throws -> Void

    /// The rows that are read and written at once.
    private static let batch = 2000

    func restore(_ name: String) throws -> BackupReport {
        let accounts = try server.accounts()
        guard let account = accounts.first(where: { $0.identity.name.isExactly(name) }) else {
            throw ArchiveError(account: name, in: server.address.shown, known: accounts.map(\.identity.name))
        }
        let placing = AccountPlacing(target: target)
        return try placing.making { unfinished in
            let (identity, holdings, missing) = try server.read(account) { copy in
                // Where two machines have an account of one name, the shared archive shows another name.
                let identity = try copy.first("SELECT name, network FROM account") { row in
                    try AccountIdentity(name: row.text(0), network: row.text(1))
                }
                guard let identity else { throw ArchiveError(account: name, in: server.address.shown, known: []) }
                try placing.requireNew(identity.name)
                let missing = try fill(unfinished, as: identity, from: copy)
                var holdings = try Catalog.Holdings(copy, path: account.folder)
                // The counts of rooms lack what rules removed from the former file.
                holdings.messages = try copy.integer("SELECT count(*) FROM message") ?? 0
                return (identity, holdings, missing)
            }
            let copy = AccountCopy(source: unfinished, target: unfinished, progress: progress)
            try copy.seal(epoch: UUID().uuidString.lowercased())
            let found = try copy.verify(holdings)
            let entry = Catalog.Entry(
                account: identity, directory: directory(of: account, as: identity), generation: 1, cold: nil,
                usedAt: .now())
            let placed = try placing.place(unfinished, entry) { _ in try placing.requireNew(identity.name) }
            let folder = target.folder(of: placed)
            return BackupReport(
                messages: found.messages, rooms: found.rooms, bytes: FolderEntries.size(of: folder.database) ?? 0,
                state: .hot, folder: folder.path, missingFiles: missing)
        }
    }

    /// Returns the folder's name in the shared archive, or a new one if that can't be used here.
    private func directory(of account: SharedServer.Account, as identity: AccountIdentity) -> String {
        let isFree = access(target.accountsPath + "/" + account.folder, F_OK) != 0
        return AccountFolder.isName(account.folder, of: identity.name) && isFree
            ? account.folder : AccountFolder.newName(for: identity.name)
    }

    /// Writes the rows of every table into a new file, and completes what is computed from them.
    ///
    /// - Returns: The number of files whose bytes are missing.
    private func fill(
        _ folder: AccountFolder, as identity: AccountIdentity, from copy: ReadTransaction
    ) throws -> Int {
        try folder.create(for: identity)
        return try ArchiveError.wrapping(folder.database) {
            let queue = try SQLiteConnection.sealing(path: folder.database)
            let missing = try queue.sync { file in
                // Nothing reads the file before it is sealed, which brings it to the disk. Its rows come table by table.
                try file.execute(sql: "PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;")
                for table in SchemaTable.allSent { try fill(table, of: file, in: folder, from: copy) }
                return try complete(file, in: folder, createdAt: copy.integer("SELECT created_at_us FROM account") ?? 0)
            }
            try queue.close()
            return missing
        }
    }

    private func fill(
        _ table: SchemaTable, of file: Database, in folder: AccountFolder, from copy: ReadTransaction
    ) throws {
        let columns = table.sent.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let key = table.key.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let places = (1...table.keyCount).map { "?\($0)" }.joined(separator: ", ")
        var last: [SQLArgument]?
        repeat {
            var rows = MirrorRows(table)
            try rows.append(
                """
                SELECT \(columns) FROM "\(table.name)"\(last == nil ? "" : " WHERE (\(key)) > (\(places))")
                ORDER BY \(key) LIMIT \(Self.batch)
                """, last ?? [], copy)
            guard rows.count > 0 else { return }
            try file.inTransaction { try write(rows, to: file) }
            try progress(
                BackupProgress(bytes: folder.databaseBytes, logGrowth: 0))
            last = rows.count < Self.batch ? nil : rows.lastKey
        } while last != nil
    }

    private func write(_ rows: MirrorRows, to file: Database) throws {
        let insertion = try file.cachedStatement(sql: rows.table.insertion)
        for row in 0..<rows.count {
            try insertion.execute { parameters in
                for (index, values) in zip(Int32(1)..., rows.values) {
                    switch values {
                    case .integers(let list): parameters.bind(index, list[row])
                    case .texts(let list): parameters.bind(index, list[row])
                    }
                }
            }
        }
    }

    /// Completes a file that has the rows of the shared archive.
    private func complete(_ file: Database, in folder: AccountFolder, createdAt: Int64) throws -> Int {
        try file.execute(sql: "UPDATE account SET created_at_us = ?", arguments: [createdAt])
        let missing = try Int.fetchOne(file, sql: "SELECT count(*) FROM file WHERE sha256 IS NOT NULL") ?? 0
        try file.inTransaction {
            try file.execute(
                sql: Self.forgetBytes + Self.keepOwn + AccountFilling.countMessages + AccountFilling.recordRuns)
        }
        try AccountFilling.indexMessages(file) {
            try progress(BackupProgress(bytes: folder.databaseBytes, logGrowth: 0))
        }
        return missing
    }

    /// Who said that a user is the account's own person is not in a shared archive.
    private static let keepOwn = "UPDATE user SET self_by = is_self;"

    /// Turns files that were on the other machine into ones that can be fetched: one for each path.
    private static let forgetBytes = """
        UPDATE OR REPLACE attachment SET file_id = (
            SELECT max(other.id) FROM file AS own JOIN file AS other ON other.path = own.path WHERE own.id = file_id)
          WHERE file_id IN (
            SELECT own.id FROM file AS own JOIN file AS other ON other.path = own.path AND other.id > own.id);
        DELETE FROM file WHERE NOT EXISTS (SELECT 1 FROM attachment WHERE file_id = file.id)
          AND EXISTS (SELECT 1 FROM file AS other WHERE other.path = file.path AND other.id > file.id);
        UPDATE file SET bytes = (SELECT bytes FROM content WHERE content.sha256 = file.sha256), sha256 = NULL, state = 0,
            attempts = 0, tried_at_us = NULL, next_try_us = NULL, error = NULL, limit_bytes = NULL
          WHERE sha256 IS NOT NULL;

        """
}

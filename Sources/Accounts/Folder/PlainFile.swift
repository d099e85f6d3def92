import CSQLite
import Files
import Records
import SQLite
import Schema

/// The plain file of an account that no other process has open.
struct PlainFile {
    let folder: AccountFolder

    /// Merges the account's WAL into its one file, and checks that SQLite can read that file.
    func seal() throws -> (holdings: Catalog.Holdings, epoch: String) {
        try ArchiveError.wrapping(folder.database) {
            let queue = try SQLiteConnection.sealing(path: folder.database)
            let sealed = try queue.sync { db in
                _ = try Schema.account.version(db, path: folder.database)
                let busy = try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
                // SQLite writes the mode to the file after the row: reading one row only would ignore an error.
                let mode = try String.fetchAll(db, sql: "PRAGMA journal_mode = DELETE").first
                guard busy == 0, mode == "delete" else {
                    throw ArchiveError(code: .locked, detail: "\(folder.database) is open in another program")
                }
                try requireWhole(db)
                return (
                    try Catalog.Holdings(ReadTransaction(db), path: folder.database),
                    try String.fetchOne(db, sql: "SELECT epoch FROM account") ?? ""
                )
            }
            try queue.close()
            // SQLite ignores an error when it removes these. In this mode, no program uses them.
            if (FolderEntries.size(of: folder.database + "-wal") ?? 0) == 0 {
                for ending in ["-wal", "-shm"] { try FolderEntries.remove(folder.database + ending) }
            }
            guard folder.sidecars.allSatisfy({ FolderEntries.size(of: $0) == nil }) else {
                throw ArchiveError(code: .locked, detail: "\(folder.database) is open in another program")
            }
            return sealed
        }
    }

    /// Checks that a file matches the one that it replaces, and returns it to WAL mode.
    func open(holding expected: Catalog.Holdings) throws {
        try ArchiveError.wrapping(folder.database) {
            let queue = try SQLiteConnection.sealing(path: folder.database)
            try queue.sync { db in
                try requireWhole(db)
                guard try Catalog.Holdings(ReadTransaction(db), path: folder.database) == expected else {
                    throw ArchiveError(
                        code: .corrupt, detail: "\(folder.database) has other contents than the file before it")
                }
                try db.execute(sql: "PRAGMA journal_mode = WAL")
            }
            try queue.close()
        }
    }

    private func requireWhole(_ db: Database) throws {
        let found = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
        guard found == "ok" else {
            throw ArchiveError(code: .corrupt, detail: "\(folder.database) is damaged: \(found ?? "no answer")")
        }
    }

    /// Writes a copy without unused pages, which gives its unused pages back in steps from then on.
    func vacuum(into path: String) throws {
        // The mode is 0600 for every umask.
        try OpenFile(creating: path).synchronize()
        try ArchiveError.wrapping(folder.database) {
            let queue = try SQLiteConnection.sealing(path: folder.database)
            try queue.sync { db in
                try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
                try db.execute(sql: "VACUUM INTO ?", arguments: [path])
            }
            try queue.close()
            let copy = try SQLiteConnection.sealing(path: path)
            try copy.sync { db in
                try MergeBook.makeFinal(db)
                try db.execute(sql: "PRAGMA incremental_vacuum")
                try Schema.putFirstTableLast(db)
            }
            try copy.close()
        }
        try OpenFile(reading: path).synchronize()
    }

    /// Returns the number of the last change in a plain file.
    func lastChange() throws -> Int64 {
        guard let seq = try lastChangeIfWhole() else {
            throw ArchiveError(code: .corrupt, detail: "\(folder.database) is damaged or not an account file")
        }
        return seq
    }

    /// Returns the number of the last change in a file that a power cut may have left; nil if the file is damaged or
    /// not an account's. Throws if the file can't be read at present, because it may be complete.
    func lastChangeIfWhole() throws -> Int64? {
        do {
            try SQLiteConnection.settleJournal(of: folder.database)
            return try SQLiteConnection.reading(path: folder.database).read { db in
                try Catalog.Holdings.lastChange(ReadTransaction(db))
            }
        } catch let error as DatabaseError {
            let isDamaged = [SQLITE_CORRUPT, SQLITE_NOTADB].contains(error.primaryCode)
            guard error.isStorageError, !isDamaged else { return nil }
            throw ArchiveError(error, path: folder.database)
        }
    }

    /// Removes the file and its sidecars: the sidecars first, so that an existing file always has those that SQLite
    /// needs.
    func remove() throws {
        for path in folder.sidecars + [folder.database] { try FolderEntries.remove(path) }
    }
}

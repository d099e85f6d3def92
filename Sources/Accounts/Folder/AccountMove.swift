import CSQLite
import ChatModel
package import Files
import Records
import SQLite
package import Schema

/// Moves an account's file between hot and cold under its exclusive lock. At every instant there is one complete copy,
/// which the catalog names or ``recover(_:)`` chooses.
///
/// The commit point is the write of the catalog's row. Files that the row no longer names are removed after that. After
/// a crash at any step, the next opening completes or rolls back the move.
package struct AccountMove {
    let catalog: Catalog
    let folder: AccountFolder
    /// The folder's `lock`, exclusive: no other process has the account's file open.
    let lock: FileLock
    package var level = ColdFile.defaultLevel
    /// The public keys to which a compressed file is encrypted; nil for none.
    package var recipients: AgeRecipients?
    /// The secret keys for an encrypted file.
    var identities = AgeIdentities(files: [])
    /// Receives the number of plain bytes done; an error leaves the account as it was.
    package var progress: ColdFile.Progress = { _ in }

    /// The space required beyond the file's own size, in bytes: for the catalog and SQLite's sidecars.
    private static let spare: Int64 = 1 << 20

    /// Compresses the account's file, and encrypts it if there are recipients; reads the new file back, and removes the
    /// plain one. What was encrypted can't be decrypted here: it is compared with what was written.
    ///
    /// - Parameter entry: The catalog's entry of a hot account, read under the lock.
    /// - Throws: ``ArchiveError``; the account is then hot as before, or cold.
    func evict(_ entry: Catalog.Entry) throws -> Catalog.Entry {
        let (holdings, epoch) = try seal()
        let path = recipients == nil ? folder.cold : folder.encrypted
        let unfinished = ColdFile(path: path + AccountFolder.unfinished)
        try FolderEntries.remove(unfinished.path)
        var entry = entry
        do {
            let (digest, written) = try unfinished.compress(
                OpenFile(reading: folder.database), level: level, to: recipients, progress: progress)
            if recipients == nil {
                try unfinished.verify(digest) { try progress(digest.size) }
            } else {
                try unfinished.requireWritten(written)
            }
            entry.cold = Catalog.ColdCopy(
                digest: digest, size: written.size, holdings: holdings,
                encryption: recipients.map {
                    Catalog.Encryption(sha256: written.sha256, recipients: $0.digest, epoch: epoch)
                })
        } catch {
            try? FolderEntries.remove(unfinished.path)
            throw error
        }
        try FolderEntries.rename(unfinished.path, to: path)
        try FolderEntries.synchronize(folder.path)
        try catalog.put(entry)
        try removePlain(folder)
        try FolderEntries.synchronize(folder.path)
        return entry
    }

    /// Brings an account to the wanted state from any other. A file that is encrypted already stays as it is.
    ///
    /// - Throws: ``ArchiveError`` with `encrypted` if it is encrypted to other keys.
    package func evictIfNeeded(_ entry: Catalog.Entry) throws -> Catalog.Entry {
        guard let cold = entry.cold else { return try evict(entry) }
        guard let recipients else { return entry }
        guard let encryption = cold.encryption else { return try encrypt(entry, cold, to: recipients) }
        guard encryption.recipients == recipients.digest else {
            let name = entry.account.name
            throw ArchiveError(
                code: .encrypted,
                detail: "account '\(name)' is encrypted to other keys; to change them, expand it first: "
                    + "scrollback archive restore \(name)")
        }
        return entry
    }

    /// Encrypts the compressed file, reads the new one back, and removes the other.
    private func encrypt(
        _ entry: Catalog.Entry, _ cold: Catalog.ColdCopy, to recipients: AgeRecipients
    ) throws -> Catalog.Entry {
        let path = folder.encrypted + AccountFolder.unfinished
        try FolderEntries.remove(path)
        var entry = entry
        do {
            entry.cold = try ColdFile(path: folder.cold).encrypt(cold, to: recipients, at: path, progress: progress)
        } catch {
            try? FolderEntries.remove(path)
            throw error
        }
        try FolderEntries.rename(path, to: folder.encrypted)
        try FolderEntries.synchronize(folder.path)
        try catalog.put(entry)
        try FolderEntries.remove(folder.cold)
        try FolderEntries.synchronize(folder.path)
        return entry
    }

    /// Expands the compressed file to a plain file of the next generation, and removes the compressed one.
    ///
    /// The generation grows, because a power cut may undo the removal of the old file's `-wal`, which must not be
    /// applied to the new file.
    ///
    /// - Parameter entry: The catalog's entry, read under the lock.
    package func restore(_ entry: Catalog.Entry) throws -> Catalog.Entry {
        guard let cold = entry.cold else { return entry }
        let placed = try placeNext(entry, size: cold.digest.size, holding: cold.holdings) { unfinished in
            try ColdFile(path: folder.file(cold), identities: identities)
                .restore(to: unfinished, expecting: cold.digest, progress: progress)
        }
        try FolderEntries.remove(folder.file(cold))
        try FolderEntries.synchronize(folder.path)
        return placed
    }

    /// Places a plain file of the next generation. The row of the catalog is its commit point.
    ///
    /// - Parameters:
    ///   - size: The required free space, in bytes.
    ///   - holdings: The contents that the file must have.
    ///   - make: Makes the file under a name that no process reads.
    private func placeNext(
        _ entry: Catalog.Entry, size: Int64, holding holdings: Catalog.Holdings, make: (String) throws -> Void
    ) throws -> Catalog.Entry {
        var entry = entry
        (entry.generation, entry.cold) = (entry.generation + 1, nil)
        let next = AccountFolder(path: folder.path, generation: entry.generation)
        for name in try folder.names() where AccountFolder.generation(of: name) == entry.generation {
            try FolderEntries.remove(folder.path + "/" + name)
        }
        // Reading and compacting don't wait for the limits.
        try FreeSpace.requireAll(size + Self.spare, in: folder.path)
        let unfinished = next.database + AccountFolder.unfinished
        do {
            try make(unfinished)
            try FolderEntries.rename(unfinished, to: next.database)
            try FolderEntries.synchronize(folder.path)
            try open(next, holding: holdings)
        } catch {
            for path in [unfinished, unfinished + "-journal"] { try? FolderEntries.remove(path) }
            try? removePlain(next)
            throw error
        }
        try FolderEntries.synchronize(folder.path)
        try catalog.put(entry)
        return entry
    }

    /// Writes the account's file again without its unused pages, as a plain file of the next generation, and removes the
    /// old one.
    ///
    /// - Parameter entry: The catalog's entry of a hot account, read under the lock.
    /// - Throws: ``ArchiveError``; the account is then as before, or compact.
    package func compact(_ entry: Catalog.Entry) throws -> Catalog.Entry {
        let (holdings, _) = try seal()
        let size = FolderEntries.size(of: folder.database) ?? 0
        let placed = try placeNext(entry, size: size, holding: holdings) { try vacuum(into: $0) }
        try removePlain(folder)
        try FolderEntries.synchronize(folder.path)
        return placed
    }

    /// Writes a copy without unused pages, which gives its unused pages back in steps from then on.
    private func vacuum(into path: String) throws {
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

    /// Removes the account's files that the catalog does not name: unfinished files, moved ones, and earlier
    /// generations.
    ///
    /// Prefers a complete plain file of a later generation if it has more changes, because the catalog is then out of
    /// date.
    ///
    /// - Returns: The catalog's entry, changed if a later file was preferred.
    /// - Throws: ``ArchiveError`` with `corrupt` if the named file is missing, or another error when a file can't be
    ///   read at present. Then nothing is removed.
    package func recover(_ entry: Catalog.Entry) throws -> Catalog.Entry {
        let names = try folder.names()
        let kept = AccountFolder(path: folder.path, generation: entry.generation)
        let file = kept.file(entry)
        let later = names.compactMap { name -> AccountFolder? in
            guard name.hasSuffix(".sqlite"), let generation = AccountFolder.generation(of: name),
                generation > entry.generation
            else { return nil }
            return AccountFolder(path: folder.path, generation: generation)
        }.max { $0.generation < $1.generation }
        let isThere = FolderEntries.size(of: file) != nil
        let known = try isThere ? entry.cold?.holdings.seq ?? lastChange(kept) : -1
        if let later, let seq = try lastChangeIfWhole(later), seq > known {
            var entry = entry
            (entry.generation, entry.cold) = (later.generation, nil)
            try catalog.put(entry)
            return try recover(entry)
        }
        guard isThere else {
            throw ArchiveError(
                code: .corrupt,
                detail:
                    "\(file) of account '\(entry.account.name)' is missing; "
                    + "to update the catalog: scrollback accounts --rebuild"
            )
        }
        // Reading a file may have made others beside it.
        for name in try folder.names() where AccountFolder.generation(of: name) != nil {
            let path = folder.path + "/" + name
            if path == file { continue }
            if entry.cold == nil, kept.sidecars.contains(path) { continue }
            try FolderEntries.remove(path)
        }
        try FolderEntries.synchronize(folder.path)
        return entry
    }

    /// Returns the number of the last change in a plain file.
    private func lastChange(_ hot: AccountFolder) throws -> Int64 {
        guard let seq = try lastChangeIfWhole(hot) else {
            throw ArchiveError(code: .corrupt, detail: "\(hot.database) is damaged or not an account file")
        }
        return seq
    }

    /// Returns the number of the last change in a file that a power cut may have left; nil if the file is damaged or
    /// not an account's. Throws if the file can't be read at present, because it may be complete.
    private func lastChangeIfWhole(_ hot: AccountFolder) throws -> Int64? {
        do {
            try SQLiteConnection.settleJournal(of: hot.database)
            return try SQLiteConnection.reading(path: hot.database).read { db in
                try Catalog.Holdings.lastChange(ReadTransaction(db))
            }
        } catch let error as DatabaseError {
            let isDamaged = [SQLITE_CORRUPT, SQLITE_NOTADB].contains(error.primaryCode)
            guard error.isStorageError, !isDamaged else { return nil }
            throw ArchiveError(error, path: hot.database)
        }
    }

    /// Merges the account's WAL into its one file, and checks that SQLite can read that file.
    private func seal() throws -> (holdings: Catalog.Holdings, epoch: String) {
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
                try requireWhole(db, folder)
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
    private func open(_ restored: AccountFolder, holding expected: Catalog.Holdings) throws {
        try ArchiveError.wrapping(restored.database) {
            let queue = try SQLiteConnection.sealing(path: restored.database)
            try queue.sync { db in
                try requireWhole(db, restored)
                guard try Catalog.Holdings(ReadTransaction(db), path: restored.database) == expected else {
                    throw ArchiveError(
                        code: .corrupt, detail: "\(restored.database) has other contents than the file before it")
                }
                try db.execute(sql: "PRAGMA journal_mode = WAL")
            }
            try queue.close()
        }
    }

    private func requireWhole(_ db: Database, _ folder: AccountFolder) throws {
        let found = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
        guard found == "ok" else {
            throw ArchiveError(code: .corrupt, detail: "\(folder.database) is damaged: \(found ?? "no answer")")
        }
    }

    /// Removes the sidecars first, so that an existing file always has the sidecars that SQLite needs.
    private func removePlain(_ folder: AccountFolder) throws {
        for path in folder.sidecars + [folder.database] { try FolderEntries.remove(path) }
    }
}

extension Catalog.Holdings {
    package init(_ db: ReadTransaction, path: String) throws {
        let holdings = try db.first(
            """
            SELECT created_at_us, (SELECT CAST(coalesce(sum(messages), 0) AS BIGINT) FROM room),
              (SELECT count(DISTINCT room_id) FROM room_name), (SELECT min(id) FROM message), (SELECT max(id) FROM message)
            FROM account
            """
        ) { row in
            try Self(
                createdAt: row.time(0), messages: row.integer(1), rooms: row.integer(2),
                firstMessage: row.optionalMessageID(3), lastMessage: row.optionalMessageID(4),
                seq: Self.lastChange(db))
        }
        guard let holdings else { throw ArchiveError(code: .corrupt, detail: "\(path) has no account name") }
        self = holdings
    }

    /// Returns the number of the last change; 0 when there is none.
    package static func lastChange(_ db: ReadTransaction) throws -> Int64 {
        try db.integer("SELECT max(seq) FROM change") ?? 0
    }
}

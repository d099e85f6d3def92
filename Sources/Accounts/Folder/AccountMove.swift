import ChatModel
package import Files

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
        let (holdings, epoch) = try PlainFile(folder: folder).seal()
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
        try PlainFile(folder: folder).remove()
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
            try PlainFile(folder: next).open(holding: holdings)
        } catch {
            for path in [unfinished, unfinished + "-journal"] { try? FolderEntries.remove(path) }
            try? PlainFile(folder: next).remove()
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
        let file = PlainFile(folder: folder)
        let (holdings, _) = try file.seal()
        let size = FolderEntries.size(of: folder.database) ?? 0
        let placed = try placeNext(entry, size: size, holding: holdings) { try file.vacuum(into: $0) }
        try file.remove()
        try FolderEntries.synchronize(folder.path)
        return placed
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
        let known = try isThere ? entry.cold?.holdings.seq ?? PlainFile(folder: kept).lastChange() : -1
        if let later, let seq = try PlainFile(folder: later).lastChangeIfWhole(), seq > known {
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
}

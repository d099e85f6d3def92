import Bytes
package import ChatModel
package import Files
import Glibc
import SQLite
import Schema

/// Reads accounts from the catalog, and rebuilds the catalog from the accounts' folders.
extension DataFolder {
    /// Returns a summary of each account. Cold accounts stay cold.
    ///
    /// - Throws: ``ArchiveError`` if there are accounts, and none can be read.
    package func summaries() throws -> [AccountSummary] {
        var summaries: [AccountSummary] = []
        let (entries, unlisted) = try listed()
        var errors = unlisted
        for entry in entries {
            do {
                summaries.append(try summary(entry))
            } catch let error as ArchiveError {
                errors.append((entry.account.name, error))
            }
        }
        if summaries.isEmpty, let error = errors.first?.error { throw error }
        report(errors)
        return summaries
    }

    package func summary(_ entry: Catalog.Entry) throws -> AccountSummary {
        if let cold = entry.cold { return AccountSummary(entry, cold, in: folder(of: entry)) }
        let isInUse = FileLock.isHeld(folder(of: entry).lock)
        let reader = try openReader(entry, isUse: false)
        let folder = reader.file?.folder ?? folder(of: entry)
        var summary = try reader.read { db in try AccountSummary.read(reader.account, in: folder, db) }
        (summary.isInUse, summary.usedAt) = (isInUse, entry.usedAt)
        return summary
    }

    /// Returns every account folder with its catalog entry, in any state. With a damaged or missing catalog every entry
    /// is nil. Creates nothing.
    ///
    /// - Throws: ``ArchiveError`` if the catalog or a folder can't be read at present, so that no file is reported as
    ///   missing.
    package func checked() throws -> [(folder: AccountFolder, entry: Catalog.Entry?, file: String)] {
        var known: [String: Catalog.Entry] = [:]
        do {
            for entry in try catalog.isThere ? catalog.entries() : [] { known[entry.directory] = entry }
        } catch let error as ArchiveError where error.code == .corrupt {}
        let directories = try accountDirectories()
        let names = Set(directories.compactMap { known[$0].map { ExactString($0.account.name) } })
        let missing = known.values.filter { entry in
            !directories.contains(entry.directory) && !names.contains(ExactString(entry.account.name))
        }
        return try missing.map { (folder(of: $0), $0, folder(of: $0).file($0)) }
            + directories.map { directory in
                let path = accountsPath + "/" + directory
                if let entry = known[directory] { return (folder(of: entry), entry, folder(of: entry).file(entry)) }
                do {
                    let found = try AccountFolder.found(at: path)
                    return (found.folder, nil, found.file)
                } catch let error as ArchiveError where error.code != .storage {
                    // The check of the folder reports the problem.
                    let folder = AccountFolder(path: path, generation: 1)
                    return (folder, nil, folder.database)
                }
            }
    }

    /// Rebuilds every row of the catalog from the accounts' folders, and keeps the order of use.
    package func rebuildCatalog(report: (ArchiveError) -> Void) throws {
        let directories = try accountDirectories()
        let there = Set(directories)
        try catalog.putAsideDamaged()
        for entry in try catalog.entries() where !there.contains(entry.directory) {
            try catalog.remove(directory: entry.directory)
        }
        for directory in directories {
            do {
                let path = accountsPath + "/" + directory
                if let lock = try FileLock(path: path + "/lock", mode: .exclusive) {
                    let entry = try adopt(directory, under: lock)
                    _ = try AccountMove(catalog: catalog, folder: folder(of: entry), lock: lock).recover(entry)
                } else if try catalog.entry(directory: directory) == nil {
                    _ = try adopt(directory)
                }
            } catch let error as ArchiveError {
                report(error)
            }
        }
    }

    /// Adds a folder that the catalog does not know, because it was copied there or the catalog is new.
    ///
    /// - Parameters:
    ///   - held: The folder's `lock`, exclusive, when the caller holds it.
    ///   - check: Runs with each piece of a compressed file; its error ends the call there.
    func adopt(
        _ directory: String, under held: FileLock? = nil, check: () throws -> Void = {}
    ) throws -> Catalog.Entry {
        let path = accountsPath + "/" + directory
        let found = try AccountFolder.found(at: path)
        let isCold = found.file != found.folder.database
        let settles = found.folder.hasJournal && !isCold
        guard let lock = try held ?? FileLock(path: found.folder.lock, mode: settles ? .exclusive : .shared) else {
            throw ArchiveError(code: .locked, detail: "\(path) is being moved by another process")
        }
        defer { withExtendedLifetime(lock) {} }
        if settles {
            try ArchiveError.wrapping(found.folder.database) {
                try SQLiteConnection.settleJournal(of: found.folder.database)
            }
        }
        let entry =
            try isCold ? adoptCold(directory, found.folder, found.file, check) : adoptHot(directory, found.folder)
        if let other = try catalog.entry(named: entry.account.name), other.directory != directory,
            access(folder(of: other).path, F_OK) == 0
        {
            throw ArchiveError(
                code: .corrupt,
                detail:
                    "\(path) and \(folder(of: other).path) both hold account '\(entry.account.name)'; keep one of them"
            )
        }
        do {
            try catalog.put(entry)
        } catch let error as ArchiveError where error.code == .notPermitted {
            // A read-only catalog can't keep the row, so each call reads the folder again.
        }
        return entry
    }

    private func adoptHot(_ directory: String, _ folder: AccountFolder) throws -> Catalog.Entry {
        let account = try ArchiveError.wrapping(folder.database) {
            try SQLiteConnection.reading(path: folder.database).read { db in
                try AccountIdentity(db, path: folder.database)
            }
        }
        return Catalog.Entry(
            account: account, directory: directory, generation: folder.generation, cold: nil, usedAt: .now())
    }

    /// Reads the compressed file once, through a private copy. An encrypted file that the catalog knows need not be read.
    private func adoptCold(
        _ directory: String, _ folder: AccountFolder, _ file: String, _ check: () throws -> Void
    ) throws -> Catalog.Entry {
        let known = try file == folder.encrypted ? knownCopy(directory, folder) : nil
        if let known { return known }
        return try ArchiveError.wrapping(file) {
            let copy = try PrivateCopy.open(ColdFile(path: file, identities: identities)) { _ in try check() }
            return try copy.queue.read { db in
                Catalog.Entry(
                    account: try AccountIdentity(db, path: file), directory: directory,
                    generation: folder.generation,
                    cold: Catalog.ColdCopy(
                        digest: copy.digest, size: FolderEntries.size(of: file) ?? 0,
                        holdings: try Catalog.Holdings(ReadTransaction(db), path: file),
                        encryption: try file == folder.encrypted ? encryption(of: folder, db) : nil),
                    usedAt: .now())
            }
        }
    }

    /// Returns the catalog's entry of an encrypted file that is as it was written; nil for another.
    private func knownCopy(_ directory: String, _ folder: AccountFolder) throws -> Catalog.Entry? {
        guard let entry = try catalog.entry(directory: directory), entry.generation == folder.generation,
            let sha256 = entry.cold?.encryption?.sha256, try FileDigest(of: folder.encrypted).sha256 == sha256
        else { return nil }
        return entry
    }

    /// The recipients are unknown: the next backup makes another copy.
    private func encryption(of folder: AccountFolder, _ db: Database) throws -> Catalog.Encryption {
        Catalog.Encryption(
            sha256: try FileDigest(of: folder.encrypted).sha256, recipients: "",
            epoch: try String.fetchOne(db, sql: "SELECT epoch FROM account") ?? "",
            files: try EncryptedFiles(of: folder).all().count)
    }
}

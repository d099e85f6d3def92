import Bytes
import ChatModel
package import Files
import Glibc
import SQLite
import Schema

/// Enters accounts in the catalog by what their folders hold.
package struct FolderAdoption {
    private let dataFolder: DataFolder

    package init(into dataFolder: DataFolder) { self.dataFolder = dataFolder }

    /// Rebuilds every row of the catalog from the accounts' folders, and keeps the order of use.
    package func rebuildCatalog(report: (ArchiveError) -> Void) throws {
        let directories = try dataFolder.accountDirectories()
        let there = Set(directories)
        try dataFolder.catalog.putAsideDamaged()
        for entry in try dataFolder.catalog.entries() where !there.contains(entry.directory) {
            try dataFolder.catalog.remove(directory: entry.directory)
        }
        for directory in directories {
            do {
                let path = dataFolder.accountsPath + "/" + directory
                if let lock = try FileLock(path: path + "/lock", mode: .exclusive) {
                    let entry = try adopt(directory, under: lock)
                    let folder = dataFolder.folder(of: entry)
                    _ = try AccountMove(catalog: dataFolder.catalog, folder: folder, lock: lock).recover(entry)
                } else if try dataFolder.catalog.entry(directory: directory) == nil {
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
        let path = dataFolder.accountsPath + "/" + directory
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
        if let other = try dataFolder.catalog.entry(named: entry.account.name), other.directory != directory,
            access(dataFolder.folder(of: other).path, F_OK) == 0
        {
            throw ArchiveError(
                code: .corrupt,
                detail:
                    "\(path) and \(dataFolder.folder(of: other).path) both hold account '\(entry.account.name)'; keep one of them"
            )
        }
        do {
            try dataFolder.catalog.put(entry)
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
            let cold = ColdFile(path: file, identities: dataFolder.identities)
            let copy = try PrivateCopy.open(cold) { _ in try check() }
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
        guard let entry = try dataFolder.catalog.entry(directory: directory), entry.generation == folder.generation,
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

import Accounts
import ChatModel
import Files
import FoundationEssentials
import Glibc
import SQLite
import Schema

/// Copies accounts from one data folder to another: into a backup or out of a backup.
struct AccountTransfer {
    let source: DataFolder
    let target: DataFolder
    /// The public keys to which a backup is encrypted; nil for none.
    var recipients: AgeRecipients?
    let progress: (BackupProgress) throws -> Void

    private var placing: AccountPlacing { AccountPlacing(target: target) }

    /// Copies the account into a backup, where it replaces an earlier copy of the same account.
    func backUp(_ account: String) throws -> BackupReport {
        try copying(account) { entry, unfinished in
            let earlier = try target.entry(named: account)
            if let earlier { try requireEncrypted(earlier) }
            if let earlier, let cold = entry.cold, let present = earlier.cold, has(earlier, cold) {
                let folder = target.folder(of: earlier)
                var report = BackupReport(present, in: folder.path, isUnchanged: true)
                report.files = try finish(earlier, try copyFiles(of: earlier, in: folder, from: entry, to: folder))
                return report
            }
            // Reads the state before the copy begins, because the copy can only have more changes.
            let own = try earlier.map { _ in try CopiedState(of: entry, in: source) }
            if let earlier, let own { try own.requireReplaceable(earlier, in: target) }
            let copy = AccountCopy(source: source.folder(of: entry), target: unfinished, progress: progress)
            var made = entry
            var report = try copy.make(&made, recipients)
            // Copies the files after the messages, so that no file of a copied message is missing; and into the earlier
            // copy, which has most of them.
            let folder = earlier.map(target.folder) ?? unfinished
            let files = try copyFiles(of: made, in: unfinished, from: entry, to: folder)
            made.cold?.encryption?.files = files.encrypted.count
            let placed = try placing.place(unfinished, made) { earlier in
                try (own ?? CopiedState(of: entry, in: source)).requireReplaceable(earlier, in: target)
            }
            // The earlier copy needed its files until it was replaced.
            report.files = try finish(placed, files)
            report.folder = target.folder(of: placed).path
            return report
        }
    }

    /// Copies the account out of a backup under a new epoch of its change feed, so that its followers start over.
    func restore(_ account: String) throws -> BackupReport {
        try copying(account, beginning: { try FolderEntries.make(target.path) }) { entry, unfinished in
            try placing.requireNew(account)
            try requireRoom(for: entry)
            let copy = AccountCopy(
                source: source.folder(of: entry), target: unfinished, isForeign: true, progress: progress)
            var report = try copy.makePlain(entry, epoch: UUID().uuidString.lowercased(), source.identities)
            report.files = try restoreFiles(of: entry, to: unfinished)
            var restored = entry
            (restored.directory, restored.cold) = (AccountFolder.newName(for: account), nil)
            let placed = try placing.place(unfinished, restored) { _ in try placing.requireNew(account) }
            report.folder = target.folder(of: placed).path
            return report
        }
    }

    /// Runs `body` with the account, which no process can move meanwhile, and with an empty folder for the copy.
    private func copying(
        _ account: String, beginning: () throws -> Void = {},
        _ body: (Catalog.Entry, AccountFolder) throws -> BackupReport
    ) throws -> BackupReport {
        guard let found = try source.entry(named: account) else {
            throw source.unknown(account: account, known: try source.entries().map(\.account.name))
        }
        let (entry, lock) = try source.take(found, restores: false)
        defer { withExtendedLifetime(lock) {} }
        try beginning()
        return try placing.making { try body(entry, $0) }
    }

    /// The files that a copy has.
    private struct CopiedFiles {
        var report = BackupReport.Files()
        /// The encrypted ones.
        var encrypted: Set<EncryptedFiles.File> = []
        var plain: AttachmentCopy
    }

    /// Copies files that came with messages. A backup with recipients gets all of them encrypted.
    ///
    /// - Parameters:
    ///   - copy: The entry of the copy.
    ///   - messages: The folder with the copy of the messages.
    ///   - entry: The entry of the account.
    ///   - folder: The folder that gets the files.
    private func copyFiles(
        of copy: Catalog.Entry, in messages: AccountFolder, from entry: Catalog.Entry, to folder: AccountFolder
    ) throws -> CopiedFiles {
        let (own, new) = (AttachmentFolder(of: source.folder(of: entry)), AttachmentFolder(of: folder))
        let contents = try contents(of: copy, in: messages, from: entry, files: own, new)
        let encrypting = EncryptedAttachmentCopy(source: own, target: new, progress: progress)
        let present = try encrypting.copyEncrypted()
        var result = CopiedFiles(
            report: present.files, encrypted: present.kept,
            plain: AttachmentCopy(source: own, target: new, contents: contents, progress: progress))
        if let recipients, let epoch = copy.cold?.encryption?.epoch {
            let names = EncryptedFileNames(key: try source.fileKey(), epoch: epoch, recipients: recipients)
            let added = try encrypting.encrypt(contents, names)
            result.report.add(added.files)
            result.encrypted.formUnion(added.kept)
        } else {
            result.report.add(try result.plain.run())
        }
        return result
    }

    /// Returns the hashes of the contents that the copied messages have. An encrypted copy can't be read, so there these
    /// are the ones that the account has now, or all of its files if it is encrypted, too.
    private func contents(
        of copy: Catalog.Entry, in messages: AccountFolder, from entry: Catalog.Entry, files own: AttachmentFolder,
        _ new: AttachmentFolder
    ) throws -> Set<String> {
        let isReadable = copy.cold?.encryption == nil
        let (readable, folder) = isReadable ? (copy, messages) : (entry, source.folder(of: entry))
        guard let cold = readable.cold else {
            let path = folder.database
            return try AttachmentCopy.contents(
                of: isReadable ? SQLiteConnection.immutable(path: path) : SQLiteConnection.reading(path: path))
        }
        guard cold.encryption == nil else { return try Set(own.hashes()) }
        return try AttachmentCopy.contents(of: cold, in: folder.cold, files: own, new)
    }

    /// Removes the files that the copy does not have any more, and the plain ones that encrypted ones replace. The earlier
    /// copy of a file that is damaged now stays.
    private func finish(_ placed: Catalog.Entry, _ files: CopiedFiles) throws -> BackupReport.Files {
        let folder = AttachmentFolder(of: target.folder(of: placed))
        if let encryption = placed.cold?.encryption {
            if encryption.files != files.encrypted.count {
                var placed = placed
                placed.cold?.encryption?.files = files.encrypted.count
                try target.catalog.put(placed)
            }
            try EncryptedFiles(in: folder).remove(except: files.encrypted)
        }
        let isEncrypted = recipients != nil && placed.cold?.encryption != nil
        try folder.remove(except: isEncrypted ? Set(files.report.corrupt) : files.plain.contents)
        return files.report
    }

    private func restoreFiles(of entry: Catalog.Entry, to folder: AccountFolder) throws -> BackupReport.Files {
        let (own, new) = (AttachmentFolder(of: source.folder(of: entry)), AttachmentFolder(of: folder))
        let contents = try AttachmentCopy.contents(of: SQLiteConnection.immutable(path: folder.database))
        var files = try AttachmentCopy(source: own, target: new, contents: contents, progress: progress).run()
        files.add(
            try EncryptedAttachmentCopy(source: own, target: new, progress: progress)
                .decrypt(with: source.identities))
        return files
    }

    /// Requires that the account's limit has room for all of it.
    private func requireRoom(for entry: Catalog.Entry) throws {
        let folder = source.folder(of: entry)
        let files = AttachmentFolder(of: folder)
        let size = entry.cold?.digest.size ?? FolderEntries.size(of: folder.database) ?? 0
        let unnamed = AccountFolder(path: target.path, generation: 0)
        try unnamed.requireRoom(for: size, of: entry.account.name, target.limits) {
            try files.bytes() + EncryptedFiles(in: files).bytes()
        }
    }

    /// Returns true if a copy has this compressed file, encrypted as wanted.
    private func has(_ copy: Catalog.Entry, _ cold: Catalog.ColdCopy) -> Bool {
        guard let present = copy.cold, present.digest == cold.digest,
            FolderEntries.size(of: target.folder(of: copy).file(present)) == present.size
        else { return false }
        guard let encryption = cold.encryption else { return present.encryption?.recipients == recipients?.digest }
        return present.encryption?.sha256 == encryption.sha256
    }

    /// Requires that no plain copy replaces an encrypted one.
    private func requireEncrypted(_ earlier: Catalog.Entry) throws(ArchiveError) {
        guard earlier.cold?.encryption?.isRequired == true, recipients == nil else { return }
        throw ArchiveError(
            code: .backup,
            detail:
                "\(target.folder(of: earlier).path) is encrypted; give --recipient or --recipients-file again, or back "
                + "it up into another folder")
    }

    /// Requires that the backup is outside the data folder.
    ///
    /// - Throws: ``ArchiveError`` with `backup` if the backup is the data folder or inside it.
    static func requireApart(_ folder: DataFolder, _ backup: DataFolder) throws {
        let (own, other) = (real(folder.path), real(backup.path))
        guard other == own || other.utf8.starts(with: (own + "/").utf8) else { return }
        throw ArchiveError(
            code: .backup,
            detail: "\(backup.path) is \(other == own ? "" : "inside ")the data folder itself; choose another folder")
    }

    /// Resolves symbolic links in the path of a folder that may be missing.
    private static func real(_ path: String) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        let absolute = URL(fileURLWithPath: path).path
        let parent = absolute.parentFolder
        guard parent != absolute else { return parent }
        return real(parent) + "/" + absolute.lastName
    }
}

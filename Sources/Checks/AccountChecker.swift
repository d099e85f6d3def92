import Accounts
import CSQLite
import ChatModel
import Files
import FoundationEssentials
import Glibc
import Moves
import Records
import SQLite
import Schema

/// Checks one account's file through its own read-only connection, also beside a writer.
struct AccountChecker {
    let folder: AccountFolder
    /// The catalog's entry; nil if the catalog does not know the folder.
    let entry: Catalog.Entry?
    /// The path of the account's file.
    let file: String
    /// The secret keys for an encrypted file.
    let identities: AgeIdentities
    let progress: (CheckProgress) -> Void

    private var isCold: Bool { file != folder.database }

    /// The account's name; nil if the file can't be read for it, or is compressed and not in the catalog.
    var account: String? {
        if let entry { return entry.account.name }
        let queue = try? SQLiteConnection.reading(path: folder.database)
        return try? queue?.sync { db in try String.fetchOne(db, sql: "SELECT name FROM account") }
    }

    func run() -> AccountCheck {
        var check = AccountCheck(
            account: nil, folder: folder.path, state: .fine, messages: nil, checks: 0, problems: [])
        if let entry, access(folder.path, F_OK) != 0, errno == ENOENT {
            (check.account, check.state) = (entry.account.name, .wrong)
            check.problems = [Self.missing(folder.path)]
            return check
        }
        do {
            let isInUse = FileLock.isHeld(folder.lock)
            guard let lock = try FileLock(path: folder.lock, mode: .shared) else {
                throw ArchiveError(code: .locked, detail: "\(folder.path) is being moved by another process")
            }
            defer { withExtendedLifetime(lock) {} }
            checkModes(&check)
            if isCold {
                try checkCold(isInUse, &check)
            } else if folder.hasJournal {
                // SQLite would have to write this file before it can read it.
                check.addObstacle(
                    ArchiveError(code: .locked, detail: "a crash left a journal beside \(folder.database)"),
                    "run \"scrollback rooms\" to recover the file, then check again")
            } else {
                try checkFile(isInUse, &check)
            }
        } catch let error as ArchiveError {
            check.addError(error)
        } catch let error as DatabaseError {
            let reported = ArchiveError(error, path: file)
            check.addError(error.isDamage ? ArchiveError(code: .corrupt, detail: reported.detail) : reported)
        } catch {
            check.addError(ArchiveError(code: .storage, detail: "\(file): \(error)"))
        }
        nameFile(in: &check)
        return check
    }

    /// Completes the advice for a damaged file with its name.
    private func nameFile(in check: inout AccountCheck) {
        for index in check.problems.indices where check.problems[index].advice == NamedCheck.Advice.damaged.rawValue {
            if file == folder.encrypted {
                check.problems[index].advice = NamedCheck.Advice.damagedEncrypted.rawValue
            } else {
                check.problems[index].advice += " " + file.lastName
            }
        }
    }

    private static func missing(_ path: String) -> AccountCheck.Problem {
        AccountCheck.Problem(
            check: "folder", detail: "\(path) is missing, and the catalog has its account",
            advice: "restore a backup; if you removed it: scrollback accounts --rebuild")
    }

    /// Removes the files that no message has, and their problems, if the check found no other problem.
    ///
    /// - Returns: The number of removed files; 0 if a process uses the account.
    func removeOrphans(_ check: inout AccountCheck) throws -> Int {
        guard !check.problems.isEmpty, check.problems.allSatisfy({ $0.check == NamedCheck.orphans }),
            let lock = try FileLock(path: folder.lock, mode: .exclusive)
        else { return 0 }
        defer { withExtendedLifetime(lock) {} }
        let queue =
            try isCold
            ? PrivateCopy.open(ColdFile(path: file, identities: identities), expecting: entry?.cold?.digest).queue
            : SQLiteConnection.reading(path: folder.database)
        let files = OrphanedFiles(folder: AttachmentFolder(of: folder), isInUse: false)
        let removed = try ArchiveError.wrapping(file) { try queue.sync { try files.remove($0) } }
        (check.problems, check.state) = ([], .fine)
        return removed
    }

    /// Checks that the compressed file still has its original content, which was checked before the account was
    /// compressed. Without the catalog's digest, checks the content in a private copy.
    private func checkCold(_ isInUse: Bool, _ check: inout AccountCheck) throws {
        check.checks += 1
        check.account = entry?.account.name
        check.messages = entry?.cold?.holdings.messages
        progress(CheckProgress(account: check.account ?? folder.path, check: "cold_file", number: 1, count: 1))
        try requireFile()
        let cold = ColdFile(path: file, identities: identities)
        if file == folder.encrypted { return try checkEncrypted(cold, isInUse, &check) }
        guard let digest = entry?.cold?.digest else {
            return try checkContents(try PrivateCopy.open(cold).queue, isInUse, &check)
        }
        if try AttachmentFolder(of: folder).hashes().isEmpty { return try cold.verify(digest) }
        try PrivateCopy.open(cold, expecting: digest).queue.sync { db in
            try run(fileChecks(isInUse), &check, db)
        }
    }

    /// Checks that the encrypted files are as they were written; with an identity, also what is in them.
    private func checkEncrypted(_ cold: ColdFile, _ isInUse: Bool, _ check: inout AccountCheck) throws {
        let encryption = entry?.cold?.encryption
        if let encryption, let size = entry?.cold?.size {
            try cold.requireWritten(FileDigest(sha256: encryption.sha256, size: size))
        }
        let files = EncryptedFiles(of: folder)
        let whole = try files.all().filter { file in
            let isWhole = try files.isWhole(file)
            if !isWhole { check.addProblem("files", "\(files.path(file)) is damaged", Self.again) }
            return isWhole
        }
        let missing = (encryption?.files ?? 0) - (try files.all().count)
        if missing > 0 {
            let verb = missing == 1 ? "is" : "are"
            check.addProblem("files", "\(missing) of the encrypted files \(verb) missing", Self.again)
        }
        check.checks += 1
        guard entry == nil || !identities.isEmpty else {
            check.isEncrypted = true
            return
        }
        let contents = Set(try whole.map { try files.decrypt($0, with: identities) })
        let copy = try PrivateCopy.open(cold, expecting: entry?.cold?.digest)
        try checkContents(copy.queue, isInUse, encrypted: contents, &check)
    }

    private static let again = "remove damaged files, and back up again"

    private func requireFile() throws(ArchiveError) {
        guard access(file, F_OK) == 0 || errno != ENOENT else {
            throw ArchiveError(code: .corrupt, detail: "\(file) is missing")
        }
    }

    private func checkFile(_ isInUse: Bool, _ check: inout AccountCheck) throws {
        try requireFile()
        try checkContents(try SQLiteConnection.reading(path: folder.database), isInUse, &check)
    }

    /// - Parameter encrypted: The contents of encrypted files that came with messages.
    private func checkContents(
        _ queue: DatabaseQueue, _ isInUse: Bool, encrypted: Set<FileDigest> = [], _ check: inout AccountCheck
    ) throws {
        try queue.sync { db in
            check.checks += 1
            let version = try Schema.account.version(db, path: file)
            let isCurrent = version == Schema.account.current
            // A view of others in place of a table may never end.
            guard try checkSchema(&check, db, version: version) else {
                check.account = entry?.account.name
                return
            }
            check.account = try String.fetchOne(db, sql: "SELECT name FROM account")
            guard check.account != nil else {
                throw ArchiveError(code: .corrupt, detail: "\(file) has no account name")
            }
            let files = fileChecks(isInUse, encrypted: encrypted)
            try run(isCurrent ? NamedCheck.all + files : NamedCheck.fileChecks, &check, db)
            check.messages = try? Int64.first(db, sql: "SELECT ifnull(sum(messages), 0) FROM room")
            guard isCurrent else {
                throw ArchiveError(
                    code: .schemaTooOld,
                    detail:
                        "\(folder.database) has schema \(version), older than schema \(Schema.account.current) of this scrollback"
                )
            }
        }
    }

    /// The checks of the files that came with messages.
    private func fileChecks(_ isInUse: Bool, encrypted: Set<FileDigest> = []) -> [NamedCheck] {
        let files = AttachmentFolder(of: folder)
        return [.files(in: files, encrypted: encrypted), .orphans(OrphanedFiles(folder: files, isInUse: isInUse))]
    }

    private func run(_ checks: [NamedCheck], _ check: inout AccountCheck, _ db: Database) throws {
        for (index, named) in checks.enumerated() {
            let begun = CheckProgress(
                account: check.account ?? folder.path, check: named.name, number: index + 1, count: checks.count)
            progress(begun)
            do {
                let sentences = try named.run(db) { share in
                    var going = begun
                    going.share = share
                    progress(going)
                }
                for sentence in sentences { check.addProblem(named.name, sentence, named.advice.rawValue) }
                check.checks += 1
            } catch let error as DatabaseError where error.isDamage || error.isSearchIndexError {
                // Adds only the first problem, because other checks fail on the same damage.
                if !check.problems.contains(where: { $0.advice == NamedCheck.Advice.damaged.rawValue }) {
                    let advice = [.reindex, .compare].contains(named.advice) ? NamedCheck.Advice.reindex : .damaged
                    check.addProblem(named.name, ArchiveError(error, path: file).detail, advice.rawValue)
                }
            }
        }
    }

    /// Checks that every table, index and trigger exists, and that nothing of others runs. Returns false if it would.
    private func checkSchema(_ check: inout AccountCheck, _ db: Database, version: Int) throws -> Bool {
        check.checks += 1
        let schema = try SchemaComparison(db, version: version)
        for object in schema.missing {
            let advice: NamedCheck.Advice = object.hasPrefix("table \(SearchIndex.name)") ? .reindex : .damaged
            check.addProblem("schema", "\(object) is missing", advice.rawValue)
        }
        for object in schema.foreign {
            check.addProblem("schema", "\(object) is not Scrollback's", NamedCheck.Advice.damaged.rawValue)
        }
        return schema.foreign.isEmpty
    }

    /// Checks that only the owner can read the files, regardless of the folder's mode.
    private func checkModes(_ check: inout AccountCheck) {
        check.checks += 1
        for (path, mode) in [(folder.path, "700")] + [(AttachmentFolder(of: folder).path, "700")]
            + (folder.databaseFiles + [folder.cold, folder.encrypted]).map({ ($0, "600") })
        {
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
            check.addProblem(
                "modes", "other users may access \(path): its mode is \(String(status.st_mode & 0o777, radix: 8))",
                "chmod \(mode) '\(path.replacing("'", with: "'\\''"))'")
        }
    }
}

extension DatabaseError {
    /// True for an error that means damage; `SQLITE_ERROR` means a missing table or column.
    fileprivate var isDamage: Bool {
        [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR].contains(primaryCode)
    }
}

extension AccountCheck {
    fileprivate mutating func addProblem(_ check: String, _ detail: String, _ advice: String) {
        state = .wrong
        problems.append(Problem(check: check, detail: detail, advice: advice))
    }

    /// Adds an error of opening or reading the file: damage, or an obstacle to the check.
    fileprivate mutating func addError(_ error: ArchiveError) {
        switch error.code {
        case .corrupt: addProblem("file", error.detail, NamedCheck.Advice.damaged.rawValue)
        case .searchIndex: addProblem("file", error.detail, NamedCheck.Advice.reindex.rawValue)
        case .encrypted: addObstacle(error, "give the identity file that decrypts it: --identity FILE")
        case .age: addObstacle(error, "install the program age, then check again")
        case .schemaTooNew: addProblem("file", error.detail, "use the newer scrollback that wrote it")
        case .schemaTooOld:
            // A backup is a data folder, too.
            let dataFolder = folder.parentFolder.parentFolder
            addObstacle(
                error,
                error.hint ?? "run \"scrollback accounts --data \(dataFolder)\" to upgrade its schema, then check again"
            )
        case .locked, .cold, .tooManyOpen:
            addObstacle(error, "wait until no other process uses the account, then check again")
        case .notPermitted, .noArchive, .unknownAccount, .unknownRoom, .sharedArchive, .backup, .linked, .merge,
            .held:
            addObstacle(error, "check the owner and the mode of the folder, then check again as its owner")
        case .noLocks: addObstacle(error, RefusedLock.advice)
        case .stopped: addObstacle(error, "check again")
        case .storage, .quota: addObstacle(error, "check the disk, free some space, then check again")
        }
    }

    fileprivate mutating func addObstacle(_ error: ArchiveError, _ advice: String) {
        if state == .fine { state = .unchecked }
        problems.append(Problem(check: "file", detail: error.detail, advice: advice))
    }
}

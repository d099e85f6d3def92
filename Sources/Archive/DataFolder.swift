import ChatModel
import Foundation
import GRDB
import Logging

/// Finds, opens and makes account folders below a data folder.
struct DataFolder: Sendable {
    let path: String
    let logger: Logger
    /// Told of each account that can't be read where others can.
    var leftOut: @Sendable (ArchiveError) -> Void = { _ in }

    private var accountsPath: String { path + "/accounts" }

    /// How long a writer waits for the instants in which readers look at its lock, and for commands that write: those hold
    /// it for two seconds at most (`StoreWriting`).
    private static let lockPatience = Duration.seconds(5)

    /// Readers of every account that can be read, by account name.
    /// - Throws: ``ArchiveError`` when there are accounts, and none can be read.
    func openReaders() async throws -> [AccountReader] {
        var readers: [AccountReader] = []
        var errors: [ArchiveError] = []
        for folder in try accountFolders() {
            do {
                readers.append(try await openReader(folder))
            } catch let error as ArchiveError {
                errors.append(error)
            }
        }
        if readers.isEmpty, let error = errors.first { throw error }
        errors.forEach(leftOut)
        return readers.sorted { $0.account.name < $1.account.name }
    }

    /// Nil when no folder has the account.
    /// - Throws: ``ArchiveError`` when none has, and one that might have it can't be read.
    func openReader(account: String) async throws -> AccountReader? {
        let name = account.withoutNUL
        let slug = AccountFolder.slug(of: name)
        var unreadable: ArchiveError?
        for folder in try accountFolders() where folder.slug == slug {
            do {
                let reader = try await openReader(folder)
                if reader.account.name.isExactly(name) { return reader }
            } catch let error as ArchiveError {
                unreadable = error
            }
        }
        if let unreadable { throw unreadable }
        return nil
    }

    /// An older file is brought to today's schema first, which takes the writer's lock.
    private func openReader(_ folder: AccountFolder) async throws -> AccountReader {
        do {
            return try await AccountReader(folder: folder)
        } catch let error as ArchiveError where error.code == .schemaTooOld {
            guard let writerLock = try FileLock(path: folder.writer, mode: .exclusive) else {
                throw ArchiveError(
                    code: .schemaTooOld,
                    detail: "\(error.detail), and \(FileLock.signature(path: folder.writer)) writes it")
            }
            defer { withExtendedLifetime(writerLock) {} }
            try ArchiveError.wrapping(folder.database) {
                let queue = try Connection.writing(path: folder.database)
                try queue.writeWithoutTransaction { db in try Schema.migrate(db, path: folder.database) }
                try queue.close()
            }
            return try await AccountReader(folder: folder)
        }
    }

    func openWriter(_ named: AccountIdentity) async throws -> AccountWriter {
        let account = AccountIdentity(name: named.name.withoutNUL, network: named.network)
        try makeFolder(path)
        try makeFolder(accountsPath)
        let folder = try await folder(of: account)
        guard let useLock = try FileLock(path: folder.lock, mode: .shared) else {
            throw ArchiveError(code: .locked, detail: "\(folder.path) is being moved by another process")
        }
        let writerLock = try await takeWriterLock(folder, account)
        writerLock.sign()
        return try await AccountWriter(account, folder: folder, locks: [useLock, writerLock], logger: logger)
    }

    private func takeWriterLock(_ folder: AccountFolder, _ account: AccountIdentity) async throws -> FileLock {
        let start = ContinuousClock.now
        while true {
            if let lock = try FileLock(path: folder.writer, mode: .exclusive) { return lock }
            if ContinuousClock.now - start > Self.lockPatience {
                throw ArchiveError(
                    code: .locked,
                    detail: "account '\(account.name)' in \(path) is written by "
                        + "\(FileLock.signature(path: folder.writer))")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The account's folder, made if there is none, by one process at a time.
    private func folder(of account: AccountIdentity) async throws -> AccountFolder {
        let making = try await takeMakingLock()
        defer { withExtendedLifetime(making) {} }
        if let reader = try await openReader(account: account.name) {
            guard reader.account.network == account.network else {
                throw ArchiveError(
                    code: .unknownAccount,
                    detail: "account '\(account.name)' in \(path) is of the network \(reader.account.network), "
                        + "not \(account.network); choose another name")
            }
            return reader.folder
        }
        return try make(account)
    }

    private func takeMakingLock() async throws -> FileLock {
        let start = ContinuousClock.now
        while true {
            if let lock = try FileLock(path: accountsPath + "/.making", mode: .exclusive) { return lock }
            guard ContinuousClock.now - start <= Self.lockPatience else {
                throw ArchiveError(code: .locked, detail: "another process is making an account in \(path)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Made whole under a name that nobody looks at, then renamed: a kill leaves no half account.
    private func make(_ account: AccountIdentity) throws -> AccountFolder {
        let folder = AccountFolder(path: accountsPath + "/" + AccountFolder.newName(for: account.name))
        let unfinished = AccountFolder(path: accountsPath + "/.unfinished")
        try? FileManager.default.removeItem(atPath: unfinished.path)
        try makeFolder(unfinished.path)
        try ArchiveError.wrapping(unfinished.database) {
            // 0600 whatever the umask; SQLite gives its sidecars the same.
            let descriptor = open(unfinished.database, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw ArchiveError(path: unfinished.database, errno: errno) }
            Foundation.close(descriptor)
            let queue = try Connection.writing(path: unfinished.database)
            try queue.writeWithoutTransaction { db in
                try Schema.migrate(db, path: unfinished.database, isNew: true)
                try db.execute(
                    sql: "INSERT INTO account (id, name, network, epoch, created_at_us) VALUES (1, ?, ?, ?, ?)",
                    arguments: [
                        account.name, account.network, UUID().uuidString.lowercased(), Timestamp.now().microseconds,
                    ])
            }
            try queue.close()
        }
        guard rename(unfinished.path, folder.path) == 0 else { throw ArchiveError(path: folder.path, errno: errno) }
        try syncFolder(accountsPath)
        return folder
    }

    func accountFolders() throws -> [AccountFolder] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: accountsPath)
                .filter { !$0.hasPrefix(".") }.sorted().map { AccountFolder(path: accountsPath + "/" + $0) }
        } catch {
            // No folder is no account; one that can't be looked into is an error.
            if access(accountsPath, F_OK) != 0, errno == ENOENT { return [] }
            throw ArchiveError(path: accountsPath, errno: EACCES)
        }
    }

    private func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        guard errno == ENOENT else { throw ArchiveError(path: path, errno: errno) }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ArchiveError(path: path, errno: errno == 0 ? EACCES : errno)
        }
    }

    private func syncFolder(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ArchiveError(path: path, errno: errno) }
        defer { Foundation.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw ArchiveError(path: path, errno: errno) }
    }
}

import ChatModel
package import Files
import FoundationEssentials
import Glibc
import SQLite
import Schema
import Synchronization

/// The file `catalog.sqlite`: the accounts of a data folder, with their folders, their states and the order of their
/// use.
///
/// Several processes write the file, so it is not in WAL mode. A lost or damaged catalog is rebuilt from the accounts'
/// folders, without the order of use, and without the digests that an account lacks because its file is from a backup.
package final class Catalog: Sendable {
    package let path: String
    /// The longest wait for another process, in milliseconds.
    private static let busyMilliseconds: Int32 = 5000
    private static let writingInterval = Duration.seconds(60)
    private let connection: Opening
    private let state = Mutex(State())
    private let made = ContinuousClock.now

    private struct State {
        var uses = 0
        /// The directories of used accounts that are not written yet, each with the number of its last use.
        var unwritten: [String: Int] = [:]
        /// The time of the last write of uses; nil before the first.
        var lastWrite: ContinuousClock.Instant?
    }

    init(path: String) {
        self.path = path
        connection = Opening { try Self.open(path) }
    }

    deinit {
        writeUses()
    }

    /// Returns the account with exactly this name; nil if the catalog has none.
    func entry(named name: String) throws -> Entry? {
        try read { db in
            try Entry.fetch(db, "WHERE name = ?", [name]).first
        }
    }

    func entry(directory: String) throws -> Entry? {
        try read { db in
            try Entry.fetch(db, "WHERE directory = ?", [directory]).first
        }
    }

    /// Returns all accounts, sorted by name.
    func entries() throws -> [Entry] {
        try read { db in try Entry.fetch(db, "ORDER BY name", []) }
    }

    /// Returns the hot accounts, the least recently used first.
    package func hotEntries() throws -> [Entry] {
        writeUses()
        return try read { db in
            try Entry.fetch(db, "WHERE cold_sha256 IS NULL ORDER BY used, name", [])
        }
    }

    /// Inserts or replaces the account's row. A replaced row keeps its place in the order of use. Deletes a row of the
    /// same name with another folder, because that folder no longer exists.
    ///
    /// The row is on disk when this returns. It is the commit point of every move.
    package func put(_ entry: Entry) throws {
        let (cold, holdings) = (entry.cold, entry.cold?.holdings)
        try write { db in
            try db.execute(
                sql: "DELETE FROM account WHERE name = ? AND directory <> ?",
                arguments: [entry.account.name, entry.directory])
            try db.execute(
                sql: """
                    INSERT INTO account (directory, name, network, generation, used, used_at_us, cold_sha256, plain_bytes,
                      cold_bytes, created_at_us, messages, rooms, first_message_us, last_message_us, seq)
                    VALUES (?, ?, ?, ?, (SELECT ifnull(max(used), 0) + 1 FROM account), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (directory) DO UPDATE SET (name, network, generation, cold_sha256, plain_bytes, cold_bytes,
                      created_at_us, messages, rooms, first_message_us, last_message_us, seq)
                      = (excluded.name, excluded.network, excluded.generation, excluded.cold_sha256,
                      excluded.plain_bytes, excluded.cold_bytes, excluded.created_at_us, excluded.messages, excluded.rooms,
                      excluded.first_message_us, excluded.last_message_us, excluded.seq)
                    """,
                arguments: [
                    entry.directory, entry.account.name, entry.account.network, entry.generation,
                    entry.usedAt.microseconds, cold?.digest.sha256, cold?.digest.size, cold?.size,
                    holdings?.createdAt.microseconds, holdings?.messages, holdings?.rooms,
                    holdings?.firstMessage?.microseconds, holdings?.lastMessage?.microseconds, holdings?.seq,
                ])
            try Self.put(cold?.encryption, of: entry.directory, db)
        }
    }

    package func remove(directory: String) throws {
        try write { db in try db.execute(sql: "DELETE FROM account WHERE directory = ?", arguments: [directory]) }
    }

    /// Notes that the accounts were used just now, in this order. Writes at most once a minute, when the order is
    /// requested, and when the catalog is released or the program ends: a write takes five times as long as reading a
    /// page. Skips the write when the catalog is busy or read-only.
    package func noteUse(_ directories: [String]) {
        let isDue = state.withLock { state in
            for directory in directories {
                state.uses += 1
                state.unwritten[directory] = state.uses
            }
            return ContinuousClock.now - (state.lastWrite ?? made) > Self.writingInterval
        }
        if isDue { writeUses() }
    }

    /// Writes the first uses of a process that goes on for long, and may be killed.
    package func writeFirstUses() {
        if state.withLock({ $0.lastWrite == nil }) { writeUses() }
    }

    /// Writes the uses that are not written yet.
    package func writeUses() {
        let directories = state.withLock { state in
            defer { (state.unwritten, state.lastWrite) = ([:], .now) }
            return state.unwritten.sorted { $0.value < $1.value }.map(\.key)
        }
        guard !directories.isEmpty else { return }
        try? connection.opened().sync { db in
            let now = Timestamp.now().microseconds
            // Skips the write for commands that use the same accounts again and again.
            let recent = try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT directory FROM (SELECT directory, used, used_at_us FROM account ORDER BY used DESC LIMIT ?)
                        WHERE ? - used_at_us BETWEEN 0 AND 59999999 ORDER BY used
                        """), arguments: [directories.count, now])
            if recent == directories { return }
            try db.execute(sql: "PRAGMA busy_timeout = 0")
            defer { try? db.execute(sql: "PRAGMA busy_timeout = \(Self.busyMilliseconds)") }
            try db.inTransaction(.immediate) {
                let update = try db.cachedStatement(
                    sql: """
                        UPDATE account SET used = (SELECT max(used) + 1 FROM account), used_at_us = ? WHERE directory = ?
                        """)
                for directory in directories { try update.execute(arguments: [now, directory]) }
            }
        }
    }

    /// False before the first use, which creates the file.
    var isThere: Bool { access(path, F_OK) == 0 }

    /// Returns the error of a damaged file; nil if the file can be read or is missing. Creates nothing.
    package func damage() throws -> ArchiveError? {
        guard isThere else { return nil }
        do {
            _ = try entries()
            return nil
        } catch let error as ArchiveError where error.code == .corrupt {
            return error
        }
    }

    /// Renames a damaged file, so that a new one can be created. No other process may have the catalog open.
    func putAsideDamaged() throws {
        guard try damage() != nil else { return }
        connection.close()
        try FolderEntries.remove(path + "-journal")
        try FolderEntries.rename(path, to: path + ".damaged")
    }

    func read<T>(_ body: (Database) throws -> T) throws -> T {
        try wrapping { try connection.opened().sync(body) }
    }

    func write(_ body: (Database) throws -> Void) throws {
        try wrapping {
            try connection.opened().write(body)
        }
    }

    /// Adds the remedy to the error of a damaged file.
    private func wrapping<T>(_ body: () throws -> T) throws -> T {
        do {
            return try ArchiveError.wrapping(path, body)
        } catch let error as ArchiveError where error.code == .corrupt {
            throw ArchiveError(
                code: .corrupt, detail: error.detail,
                hint: "stop the listener, then rebuild the catalog: scrollback accounts --rebuild")
        }
    }

    /// Opens or creates the file. Returns an empty database in memory when the folder can't be written and has no
    /// catalog that can be read.
    private static func open(_ path: String) throws -> DatabaseQueue {
        try requireNoLink(path)
        let folder = path.parentFolder
        let isReadOnly = access(folder, W_OK) != 0
        if isReadOnly, access(path, R_OK) != 0 { return try inMemory() }
        if access(path, F_OK) == 0, isReadOnly || access(path, W_OK) != 0 {
            let queue = try SQLiteConnection.open(path, isReadOnly: true, timeout: busyMilliseconds)
            _ = try queue.read { db in try Schema.catalog.version(db, path: path) }
            return queue
        }
        let isThere = access(path, F_OK) == 0
        if !isThere {
            // The mode is 0600 for every umask. Another process may have created the file first.
            let descriptor = uninterrupted { Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
            if descriptor >= 0 { close(descriptor) }
        }
        let queue = try SQLiteConnection.open(path, timeout: busyMilliseconds) { db in
            try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA synchronous = EXTRA; PRAGMA secure_delete = ON;")
        }
        try queue.sync { db in
            let isNew = try Int.fetchOne(db, sql: "PRAGMA user_version") == 0
            try Schema.catalog.migrate(db, path: path, isNew: isNew)
        }
        return queue
    }

    private static func inMemory() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.sync { db in try Schema.catalog.migrate(db, path: ":memory:", isNew: true) }
        return queue
    }

    /// Refuses a symbolic link: SQLite would follow it and create its missing target, so the folder's owner could
    /// choose any place.
    private static func requireNoLink(_ path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
        throw ArchiveError(
            code: .notPermitted,
            detail:
                "\(path) is a symbolic link, which scrollback does not follow; remove it: scrollback rebuilds the catalog "
                + "from the accounts' folders")
    }
}

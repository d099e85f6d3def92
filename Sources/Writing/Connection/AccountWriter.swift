package import Accounts
package import ChatModel
package import Files
package import Logging
import Records
package import SQLite
import Schema
import SearchText
import Synchronization

/// The only writing connection of an account, across all processes.
package final class AccountWriter: EventSink {
    package let account: AccountIdentity
    package let folder: AccountFolder
    package let connections: WriterConnections
    package let catalog: Catalog
    let limits: StorageLimits
    private let statuses: StatusReading
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        var trouble: String?
        var indexTrouble: String?
        /// The receiver of updates for the task that fetches files.
        var attachmentUpdates: AsyncStream<Void>.Continuation?
    }

    /// The first wait after trouble with the disk; doubles each time, up to ``longestRetry``.
    private static let firstRetry = Duration.milliseconds(250)
    private static let longestRetry = Duration.seconds(10)

    /// Opens the connection. The file exists and has the account's row, and the locks are held.
    ///
    /// - Parameter prepare: Runs with the opened file, before anything else writes to it.
    package init(
        _ account: AccountIdentity, folder: AccountFolder, catalog: Catalog, locks: [FileLock], limit: ConnectionLimit,
        limits: StorageLimits, logger: Logger, prepare: (WriterConnection, Database) throws -> Void
    ) throws {
        (self.account, self.folder, self.catalog, self.logger) = (account, folder, catalog, logger)
        self.limits = limits
        let path = folder.database
        connections = WriterConnections(path: path, locks: locks, limit: limit)
        statuses = StatusReading(of: folder, limit: limit)
        try ArchiveError.wrapping(path) {
            try connections.useWaiting { connection in
                try connection.sync { db in
                    try Schema.account.migrate(db, path: path)
                    try MessageCounts.fillSome(db)
                    try db.inTransaction(.immediate) { try CoverageLedger.closeLeftOpen(db) }
                    try AttachmentBook.removeUnfinished(AttachmentFolder(of: folder), db)
                    try GoneContents.delete(from: AttachmentFolder(of: folder), db)
                    try connection.sharePurges(of: account.name, with: catalog, db)
                    try prepare(connection, db)
                }
            }
        }
    }

    /// The account's own folder, which is removed when the account is erased.
    package var folderPath: String { folder.path }

    /// The reason why the store can't take events at present, for people; nil if it can.
    package var trouble: String? {
        state.withLock { $0.trouble }
    }

    /// The reason why the last attempt to fill the search index failed, for people; nil if it succeeded.
    package var indexTrouble: String? {
        state.withLock { $0.indexTrouble }
    }

    /// Stores a batch of events. Waits during trouble with the disk (full, failing, busy), and while all allowed
    /// accounts are open and in use: reopens the connection and repeats the whole batch until it is stored once, or the
    /// task is cancelled. Other calls don't wait for it.
    ///
    /// - Throws: ``ArchiveError`` with `quota` if the account may not grow, so that its connection ends and the archive
    ///   knows the gap.
    package func append(_ batch: [ChatEvent]) async throws -> [EventOutcome] {
        var delay = Self.firstRetry
        var unconfirmed: UnconfirmedCommit?
        while true {
            do {
                if !batch.isEnd, unconfirmed == nil { try await requireRoom(for: 0) }
                let outcomes = try await connections.use { [unconfirmed] in
                    try await $0.commit(batch, unless: unconfirmed)
                }
                let updates = state.withLock { state in
                    state.trouble = nil
                    return state.attachmentUpdates
                }
                if let updates, batch.contains(where: \.hasAttachments) { updates.yield() }
                return outcomes
            } catch {
                let commit = error as? UnconfirmedCommit
                unconfirmed = commit ?? unconfirmed
                guard let trouble = passing(commit?.cause ?? error) else { throw error }
                await dropConnection(after: trouble)
                do {
                    try await Task.sleep(for: delay)
                } catch {
                    throw trouble
                }
                delay = min(delay * 2, Self.longestRetry)
            }
        }
    }

    /// Sends an update for each stored or requested file to this receiver, and finishes the previous receiver.
    package func sendAttachmentUpdates(_ updates: AsyncStream<Void>.Continuation) {
        let old = state.withLock { state in
            defer { state.attachmentUpdates = updates }
            return state.attachmentUpdates
        }
        old?.finish()
        updates.yield()
    }

    package func sendAttachmentUpdates() {
        state.withLock { $0.attachmentUpdates }?.yield()
    }

    /// Returns a room by its number; nil if there is none.
    package func reference(room: Int64) async throws -> RoomReference? {
        try await read { db in try RoomReference.find(room, ReadTransaction(db)) }
    }

    /// Marks the rooms as read up to a message; nil for all stored messages.
    ///
    /// - Throws: ``ArchiveError``; does not wait while the disk has trouble.
    package func markRead(rooms: [Int64], through: MessageID?, at time: Timestamp) async throws {
        try await write { db in
            for room in rooms { try ReadMarker.set(room: room, through: through, at: time, db) }
        }
    }

    /// Adds the next batch of missing messages to the search index, the newest first.
    ///
    /// - Parameter rebuild: Begins a new index first, which replaces the current one when it is complete, and makes new
    ///   counts and digests of the messages, and finds the ends of the rooms.
    /// - Throws: ``ArchiveError``; does not wait while the disk has trouble.
    package func indexStep(rebuild: Bool = false) async throws -> IndexProgress {
        do {
            let progress = try await write { db in
                if rebuild {
                    try SearchFilling.begin(analyser: Analyser.version, db)
                    try MessageCounts.reset(db)
                    try RoomSpans.reset(db)
                    try MessageDigests.reset(db)
                }
                return try SearchFilling.step(db)
            }
            state.withLock { $0.indexTrouble = nil }
            return progress
        } catch let error as ArchiveError {
            state.withLock { $0.indexTrouble = error.detail }
            throw error
        }
    }

    /// Returns the account's status through a separate connection. Writes never wait for it, and it never waits for a
    /// disk that hangs.
    ///
    /// - Throws: ``ArchiveError``, also when the disk does not answer within 2 s.
    package func status() async throws -> AccountStatus { try await statuses.status() }

    /// Returns once the store has completed all earlier work, or is known to have trouble.
    package func answers() async {
        if trouble == nil { await connections.answers() }
    }

    /// Waits for the running calls, closes the file and releases the locks. Later calls throw ``AccountWriterClosed``.
    package func close() async throws { try await connections.close() }

    /// Closes the writer, on a thread that may wait.
    package func closeWaiting() throws { try connections.closeWaiting() }

    /// Runs the body with the connection, between events.
    ///
    /// - Throws: ``ArchiveError``; does not wait while the disk has trouble.
    package func use<T: Sendable>(_ body: (WriterConnection) async throws -> T) async throws -> T {
        try await ArchiveError.wrapping(folder.database) { try await connections.use(body) }
    }

    package func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await use { try await $0.run(body) }
    }

    package func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await use { try await $0.write(body) }
    }

    /// Returns an error that may pass; nil for one that won't.
    private func passing(_ error: any Error) -> ArchiveError? {
        switch error {
        case let error as DatabaseError where error.isStorageError: ArchiveError(error, path: folder.database)
        case let error as ArchiveError where [.tooManyOpen, .storage].contains(error.code): error
        default: nil
        }
    }

    /// Drops the connection that had the trouble; the next use opens another.
    private func dropConnection(after trouble: ArchiveError) async {
        let isNew = state.withLock { state in
            defer { state.trouble = trouble.detail }
            return state.trouble != trouble.detail
        }
        if isNew {
            logger.warning(
                "the archive can't store events; retrying",
                metadata: ["account": "\(account.name)", "error": "\(trouble.detail)"])
        }
        await connections.dropConnection()
    }
}

/// The error of a call after ``AccountWriter/close()``: another process may write the file now.
package struct AccountWriterClosed: Error {}

extension ChatEvent {
    fileprivate var hasAttachments: Bool {
        switch self {
        case .message(let message, _): !message.attachments.isEmpty
        case .userListed(let listing, _): listing.picture != nil
        case .roomListed(let listing, _): listing.picture.value != nil || listing.workspace?.picture.value != nil
        default: false
        }
    }
}

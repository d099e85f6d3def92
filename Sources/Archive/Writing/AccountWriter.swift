package import ChatModel
import GRDB
import Logging
import SearchText
import Synchronization

/// The one writing connection of an account, in all processes.
package final class AccountWriter: EventSink {
    package let account: AccountIdentity
    let folder: AccountFolder
    let connections: WriterConnections
    private let statuses: StatusReading
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        var trouble: String?
        var indexTrouble: String?
        /// Whoever fetches files.
        var attachmentNews: AsyncStream<Void>.Continuation?
    }

    /// The first wait after trouble with the disk, doubled each time.
    private static let firstRetry = Duration.milliseconds(250)
    private static let longestRetry = Duration.seconds(10)

    /// The file exists and has the account's row; the locks are held.
    init(
        _ account: AccountIdentity, folder: AccountFolder, locks: [FileLock], limit: ConnectionLimit, logger: Logger
    ) async throws {
        (self.account, self.folder, self.logger) = (account, folder, logger)
        let path = folder.database
        connections = WriterConnections(path: path, locks: locks, limit: limit)
        statuses = StatusReading(of: folder, limit: limit)
        try await ArchiveError.wrapping(path) {
            try await connections.use { connection in
                try await connection.run { db in
                    try Schema.migrate(db, path: path)
                    try db.inTransaction(.immediate) {
                        try CoverageLedger.closeLeftOpen(db)
                        return .commit
                    }
                    try AttachmentBook.removeUnfinished(AttachmentFolder(of: folder), db)
                }
            }
        }
    }

    /// The account's own, which goes with it when it is erased.
    package var folderPath: String { folder.path }

    /// Why the store can't take events at present, for people; nil when it can.
    package var trouble: String? {
        state.withLock { $0.trouble }
    }

    /// Why the search index could not be filled the last time that it was tried, for people; nil when it could.
    package var indexTrouble: String? {
        state.withLock { $0.indexTrouble }
    }

    /// Trouble with the disk (full, failing, busy), and too many open accounts that are all in use, stop nothing but this
    /// call: the connection is opened anew and the batch tried again whole until it is stored, once, or the task is cancelled.
    package func append(_ batch: [ChatEvent]) async throws -> [EventOutcome] {
        var delay = Self.firstRetry
        var unconfirmed: UnconfirmedCommit?
        while true {
            do {
                let outcomes = try await connections.use { [unconfirmed] in
                    try await $0.commit(batch, unless: unconfirmed)
                }
                let news = state.withLock { state in
                    state.trouble = nil
                    return state.attachmentNews
                }
                if let news, batch.contains(where: \.hasAttachments) { news.yield() }
                return outcomes
            } catch {
                let commit = error as? UnconfirmedCommit
                unconfirmed = commit ?? unconfirmed
                guard let trouble = passing(commit?.cause ?? error) else { throw error }
                await setAside(trouble)
                do {
                    try await Task.sleep(for: delay)
                } catch {
                    throw trouble
                }
                delay = min(delay * 2, Self.longestRetry)
            }
        }
    }

    /// What is stored from now on is told there, and what is asked for; nobody else is told any more.
    func tellAttachments(_ news: AsyncStream<Void>.Continuation) {
        let old = state.withLock { state in
            defer { state.attachmentNews = news }
            return state.attachmentNews
        }
        old?.finish()
        news.yield()
    }

    func tellAttachments() {
        state.withLock { $0.attachmentNews }?.yield()
    }

    /// A room by its number; nil where there is none.
    package func reference(room: Int64) async throws -> RoomReference? {
        try await read { db in try RoomReference.find(room, db) }
    }

    /// Everything that is stored in the room up to a message, or up to now, has been read.
    ///
    /// - Throws: ``ArchiveError``; trouble of the disk is not waited out here.
    package func markRead(room: Int64, through: MessageID?, at time: Timestamp) async throws {
        try await write { db in try ReadMarker.set(room: room, through: through, at: time, db) }
    }

    /// Stores the lines of a log or an export that are not stored yet, in one transaction.
    ///
    /// - Throws: ``ArchiveError``; trouble of the disk is not waited out here.
    package func importLines(_ lines: [ImportedLine], at now: Timestamp) async throws -> ImportTally {
        try await ArchiveError.wrapping(folder.database) {
            try await connections.use { try await $0.importLines(lines, at: now) }
        }
    }

    /// Returns the minutes that imports have read of the file; nil where there was none.
    package func importMemory() async throws -> ImportMemory? {
        try await ArchiveError.wrapping(folder.database) { try await connections.use { try await $0.importMemory() } }
    }

    /// Spares the next import reading again what one read before the file was closed.
    package func resume(_ memory: ImportMemory) async throws {
        try await ArchiveError.wrapping(folder.database) { try await connections.use { try await $0.resume(memory) } }
    }

    /// Brings the next batch of messages that are not in the search index into it, the newest of them.
    ///
    /// - Parameter anew: Begins an index anew first, which takes the place of the one there is once it is whole.
    /// - Throws: ``ArchiveError``; trouble of the disk is not waited out here.
    package func indexStep(anew: Bool = false) async throws -> IndexProgress {
        do {
            let progress = try await write { db in
                if anew { try SearchFilling.begin(analyser: Analyser.version, db) }
                return try SearchFilling.step(db)
            }
            state.withLock { $0.indexTrouble = nil }
            return progress
        } catch let error as ArchiveError {
            state.withLock { $0.indexTrouble = error.detail }
            throw error
        }
    }

    /// Chunks removed in one transaction: at most some MiB, so that what is heard meanwhile does not wait long.
    private static let agedAtOnce = 200
    /// The same of what was sent of single messages, which is less: lines of IRC have 150 bytes or so.
    private static let agedMessagesAtOnce = 1000

    /// Removes from the journal what was received before `time`, and of networks without one what they sent of messages of before,
    /// in small steps between what is appended. Messages stay.
    ///
    /// - Throws: ``ArchiveError``; trouble of the disk is not waited out here.
    package func ageJournal(before time: Timestamp) async throws {
        var hasMore = true
        while hasMore, !Task.isCancelled {
            hasMore = try await write { db in try Journal.age(before: time, limit: Self.agedAtOnce, db) }
        }
        var place: (message: Int64, at: Int64)? = (.min, .min)
        while let start = place, !Task.isCancelled {
            place = try await write { db in
                try Journal.ageMessages(before: time, after: start, limit: Self.agedMessagesAtOnce, db)
            }
        }
    }

    /// What the file tells of the account, through a connection of its own: nothing stored waits for it, nor it for a
    /// disk that hangs.
    ///
    /// - Throws: ``ArchiveError`` also where the file does not answer within a moment.
    package func status() async throws -> AccountStatus { try await statuses.status() }

    /// Returns once the store has done all that it was given so far, or is known to be in trouble.
    package func answers() async {
        if trouble == nil { await connections.answers() }
    }

    /// Lets go of the file and the locks, after what was appended is stored. Nothing can be appended afterwards.
    package func close() async throws { try await connections.close() }

    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await ArchiveError.wrapping(folder.database) { try await connections.use { try await $0.run(body) } }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await ArchiveError.wrapping(folder.database) { try await connections.use { try await $0.write(body) } }
    }

    /// What may go away by itself; nil for what won't.
    private func passing(_ error: any Error) -> ArchiveError? {
        switch error {
        case let error as DatabaseError where error.isTroubleOfTheStore: ArchiveError(error, path: folder.database)
        case let error as ArchiveError where [.tooManyOpen, .storage].contains(error.code): error
        default: nil
        }
    }

    /// Drops the connection that had the trouble; the next use opens another.
    private func setAside(_ trouble: ArchiveError) async {
        let isNew = state.withLock { state in
            defer { state.trouble = trouble.detail }
            return state.trouble != trouble.detail
        }
        if isNew {
            logger.warning(
                "The store can't take events; trying again",
                metadata: ["account": "\(account.name)", "error": "\(trouble.detail)"])
        }
        await connections.setAside()
    }
}

/// What was asked of a writer after its ``AccountWriter/close()``: the file is somebody else's to write.
package struct AccountWriterClosed: Error {}

extension ChatEvent {
    fileprivate var hasAttachments: Bool {
        if case .message(let message, _) = self { !message.attachments.isEmpty } else { false }
    }
}

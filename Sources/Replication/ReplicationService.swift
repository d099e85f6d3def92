import Accounts
package import Archive
package import ChatModel
import Files
package import Logging
import PostgreSQL
import Reading
import Synchronization

/// Replicates a data folder's accounts into a shared archive, until cancelled.
///
/// A few workers, each with one connection and one thread, take the accounts in turn. Nothing waits for them: they read
/// the accounts' files as any reader does.
package final class ReplicationService: Sendable {
    private let archive: Archive
    /// The accounts by name; nil for all of the folder, also those that come later.
    private let accounts: [String]?
    private let settings: ReplicationSettings
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        var accounts = ReplicatedAccounts()
        /// The error of the server that was logged last; nil since something was written.
        var loggedError: String?
    }

    /// The time between two reports of a long copy's progress.
    private static let reportInterval = Duration.seconds(30)
    /// The transactions of some accounts before the next accounts' turn.
    private static let turn = 10
    /// The time for which an account's file stays open after it was read, because opening it takes longer than reading a
    /// message. Meanwhile the account can't be compressed or erased.
    private static let hold = Duration.seconds(10)
    /// The first and the longest wait after an error.
    private static let firstWait = Duration.milliseconds(500)
    private static let longestWait = Duration.seconds(30)

    package init(archive: Archive, accounts: [String]? = nil, settings: ReplicationSettings, logger: Logger) {
        (self.archive, self.accounts, self.settings, self.logger) = (archive, accounts, settings, logger)
    }

    /// The state of each account's copy, by the account's name.
    package var lags: [String: ReplicationLag] { state.withLock { $0.accounts.all.mapValues(\.lag) } }

    /// Replicates until the task is cancelled.
    package func run() async {
        let reading = archive.reading()
        await withDiscardingTaskGroup { group in
            for _ in 0..<settings.connections {
                group.addTask { await Worker().run(self, reading) }
            }
        }
    }

    /// Takes accounts and replicates them over one connection, which is made again when it breaks.
    fileprivate func work(_ reading: ArchiveReading) async {
        var wait = Self.firstWait
        while !Task.isCancelled {
            do {
                // Finds the accounts first, so that each has the error of a server that can't be reached.
                try look(reading)
                let server = try PostgreSQLConnection(settings.address.text)
                try SharedSchema.require(server)
                // The server may have been restored, or have lost its last commits.
                state.withLock { $0.accounts.changeAll { $0.stamp = nil } }
                // A server that takes connections may still refuse what is written.
                try await replicate(over: server, reading) {
                    wait = Self.firstWait
                    noteSuccess()
                }
            } catch is CancellationError {
                return
            } catch {
                noteError("\(error)")
                guard (try? await Task.sleep(for: wait)) != nil else { return }
                wait = min(wait * 2, Self.longestWait)
            }
        }
    }

    /// - Parameter hasWritten: Called after each transaction of an account and each sign.
    private func replicate(
        over server: PostgreSQLConnection, _ reading: ArchiveReading, hasWritten: () -> Void
    ) async throws {
        while true {
            try Task.checkCancellation()
            try look(reading)
            if try sign(over: server) { hasWritten() }
            let names = state.withLock { $0.accounts.take() }
            guard !names.isEmpty else {
                reading.release(unusedFor: Self.hold)
                try await Task.sleep(for: ReplicatedAccounts.interval)
                continue
            }
            defer { state.withLock { $0.accounts.giveBack(names) } }
            try replicate(mirrors(of: names, over: server, reading), over: server)
            hasWritten()
        }
    }

    /// Opens the accounts that can be replicated.
    private func mirrors(
        of names: [String], over server: PostgreSQLConnection, _ reading: ArchiveReading
    ) throws -> [AccountMirror] {
        var mirrors: [AccountMirror] = []
        for name in names {
            do {
                guard let mirror = try reading.mirrors(of: [name]).first else {
                    try look(atCompressed: name, over: server, reading)
                    continue
                }
                mirrors.append(mirror)
            } catch let error as ArchiveError {
                postpone(name, "\(error)")
            }
        }
        return mirrors
    }

    /// Replicates some batches of each account.
    private func replicate(_ mirrors: [AccountMirror], over server: PostgreSQLConnection) throws {
        var mirrors = mirrors
        for _ in 0..<Self.turn where !mirrors.isEmpty {
            let (stamps, now) = (mirrors.map(\.stamp), Timestamp.now())
            do {
                let results = try Replicator(mirrors).steps(into: server)
                let left = try mirrors.indices.filter { place in
                    try note(results[place], of: mirrors[place], stamps[place], at: now)
                }
                mirrors = left.map { mirrors[$0] }
            } catch let error as PostgreSQLError where error.state != nil && !error.mayPass {
                // The server refuses the rows of one account. The others go on.
                guard mirrors.count == 1 else {
                    for mirror in mirrors { try replicate([mirror], over: server) }
                    return
                }
                return postpone(mirrors[0].account.name, "\(error)")
            }
        }
    }

    /// Notes the result of a transaction.
    ///
    /// - Parameters:
    ///   - stamp: The state of the file before the transaction.
    ///   - now: The time before it.
    /// - Returns: True if the account has more to replicate.
    private func note(
        _ result: Result<Replicator.Step, any Error>, of mirror: AccountMirror, _ stamp: FileStamp, at now: Timestamp
    ) throws -> Bool {
        let name = mirror.account.name
        do {
            let step = try result.get()
            note(name) { account in
                account.id = step.account
                account.path = mirror.path
                account.lag.left = step.left
                account.lag.error = nil
                guard step.left == 0 else { return }
                account.lastReport = nil
                account.lag.caughtUpAt = now
                account.stamp = stamp.isSettled(atNanoseconds: now.microseconds * 1000) ? stamp : nil
            }
            if step.left > 0 { reportProgress(of: name, step) }
            return step.left > 0
        } catch let error as ArchiveError {
            postpone(name, "\(error)")
        } catch let error as SharedArchiveError {
            guard case .busy = error else { throw error }
            // The server may hold a broken connection's lock a moment longer.
            postpone(name, "\(error)", for: .seconds(1))
        }
        return false
    }

    /// Reports a compressed account whose last changes were not replicated before it was compressed.
    private func look(
        atCompressed name: String, over server: PostgreSQLConnection, _ reading: ArchiveReading
    ) throws {
        guard let end = try reading.compressedEnd(of: name) else { return }
        let found = try server.execute(
            """
            SELECT seq FROM scrollback.account JOIN scrollback.feed_position ON account_id = id
            WHERE folder = $1 AND state = 'current'
            """, [.text(end.folder)])
        let left = end.seq - (found.count > 0 ? try found.integer(0, 0) ?? 0 : 0)
        note(name) { $0.lag.left = max(left, 0) }
        if left > 0 {
            return postpone(
                name,
                "the account is compressed, and \(left) of its changes are not copied; to copy them: "
                    + "scrollback archive restore")
        }
        note(name) { $0.notBefore = .now + Self.longestWait }
    }

    /// Logs now and then how far a long copy is.
    private func reportProgress(of name: String, _ step: Replicator.Step) {
        let now = ContinuousClock.now
        let part = note(name) { account -> (done: Int64, seconds: Double)? in
            guard let last = account.lastReport else {
                account.lastReport = (now, step.left)
                return nil
            }
            guard now - last.time >= Self.reportInterval else { return nil }
            defer { account.lastReport = (now, step.left) }
            return (last.left - step.left, (now - last.time) / .seconds(1))
        }
        guard let part = part ?? nil, part.done > 0 else { return }
        let rate = Double(part.done) / part.seconds
        logger.info(
            "copying an account into the shared archive",
            metadata: [
                "account": "\(name)", "changes_left": "\(step.left)", "changes_per_second": "\(Int(rate))",
                "seconds_left": "\(Int(Double(step.left) / rate))",
            ])
    }

    private func postpone(_ name: String, _ error: String, for wait: Duration = longestWait) {
        let isNew = note(name) { account in
            defer { account.lag.error = error }
            account.notBefore = .now + wait
            return account.lag.error != error
        }
        guard isNew ?? false else { return }
        logger.warning(
            "an account can't be replicated; retrying", metadata: ["account": "\(name)", "error": "\(error)"])
    }

    /// Looks, now and then, for new accounts and for files that changed.
    private func look(_ reading: ArchiveReading) throws {
        if state.withLock({ $0.accounts.isListDue() }) {
            let names =
                if let accounts { accounts } else { try reading.accounts().map(\.name) }
            state.withLock { $0.accounts.update(to: names) }
        }
        guard let candidates = state.withLock({ $0.accounts.candidates() }) else { return }
        let changed = candidates.filter { account in
            guard let path = account.path, let stamp = account.stamp else { return true }
            return FileStamp(database: path) != stamp
        }
        state.withLock { $0.accounts.wait(for: changed.map(\.name)) }
    }

    /// Tells the shared archive, now and then, that accounts without changes are up to date.
    ///
    /// - Returns: True if something was written.
    private func sign(over server: PostgreSQLConnection) throws -> Bool {
        let ids = state.withLock { $0.accounts.toSign() }
        guard !ids.isEmpty else { return false }
        let now = Timestamp.now()
        try server.execute(
            "UPDATE scrollback.feed_position SET caught_up_at_us = $1 WHERE account_id = ANY($2::bigint[])",
            [.integer(now.microseconds), .integers(ids)])
        let signed = Set(ids)
        state.withLock { state in
            state.accounts.changeAll { account in
                guard account.id.map(signed.contains) ?? false else { return }
                account.lag.caughtUpAt = now
                account.lag.error = nil
            }
        }
        return true
    }

    /// Notes an error of the server for every account. Logs it once, not for each worker and attempt.
    private func noteError(_ error: String) {
        let isNew = state.withLock { state in
            state.accounts.changeAll { $0.lag.error = error }
            defer { state.loggedError = error }
            return state.loggedError != error
        }
        guard isNew else { return }
        logger.warning("the shared archive can't be written; retrying", metadata: ["error": "\(error)"])
    }

    private func noteSuccess() {
        guard state.withLock({ $0.loggedError.take() }) != nil else { return }
        logger.info("the shared archive is written again")
    }

    @discardableResult
    private func note<T>(_ name: String, _ change: (inout ReplicatedAccounts.Account) -> T) -> T? {
        state.withLock { state in
            guard var account = state.accounts[name] else { return nil }
            defer { state.accounts[name] = account }
            return change(&account)
        }
    }
}

/// A worker, on whose thread its reads and its connection wait.
private actor Worker {
    private nonisolated let thread = OwnThread()

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    func run(_ service: ReplicationService, _ reading: ArchiveReading) async { await service.work(reading) }
}

package import ChatModel
import Rendering
package import Sessions
package import Settings
import Synchronization

/// The status of every account of the running listener, for `status` and for metrics.
package final class StatusRegistry: Sendable {
    /// Access to an account's open file.
    struct Stored: Sendable {
        var status: @Sendable () async throws -> AccountStatus
        /// Returns the reason why the store can't take events at present; nil if it can.
        var trouble: @Sendable () -> String?
        /// Returns the reason why the search index could not be filled at the last attempt; nil if it could.
        var indexTrouble: @Sendable () -> String? = { nil }
        /// Returns when the store has done its present work, or is known to have trouble.
        var answers: @Sendable () async -> Void = {}
    }

    private struct Entry: Sendable {
        var account: AccountIdentity
        var report: ListenerReport?
        var stored: Stored?
        var retention: RetentionStatus?
        let meter = AccountMeter()
        /// True if the account has left and its file is closed.
        var hasEnded = false
        /// The last status from the file, with its time, for use when the file can't be read.
        var lastStatus: (status: AccountStatus, at: Timestamp)?
    }

    private struct State {
        /// The accounts in the order of the configuration.
        var entries: [Entry]
        /// The accounts that have left with unstored events.
        var unstored: [String] = []
        var configurationTrouble: String?

        /// Remembers an account that has unstored messages, before its entry's file changes.
        mutating func noteUnstored(_ entry: Entry) {
            guard entry.stored?.trouble() != nil || entry.report?.unstored ?? 0 > 0,
                !unstored.contains(entry.account.name)
            else { return }
            unstored.append(entry.account.name)
        }
    }

    private let state: Mutex<State>

    private let lags: @Sendable () -> [String: ReplicationLag]?

    /// - Parameters:
    ///   - accounts: In the order of the configuration.
    ///   - lags: Returns the states of the accounts' copies in the shared archive; nil without one.
    package init(
        accounts: [AccountIdentity], lags: @escaping @Sendable () -> [String: ReplicationLag]? = { nil }
    ) {
        state = Mutex(State(entries: accounts.map { Entry(account: $0) }))
        self.lags = lags
    }

    private var entries: [Entry] { state.withLock { $0.entries } }

    /// Replaces the accounts, in this order. Accounts that remain keep their status; the others must have stopped.
    func arrange(_ accounts: [AccountIdentity]) {
        state.withLock { state in
            for entry in state.entries where !accounts.contains(entry.account) { state.noteUnstored(entry) }
            state.entries = accounts.map { account in
                state.entries.first { $0.account == account } ?? Entry(account: account)
            }
        }
    }

    /// Sets the reason why the configuration could not be read again, for people; nil if it could.
    package func note(configurationTrouble: String?) {
        state.withLock { $0.configurationTrouble = configurationTrouble }
    }

    func opened(_ account: AccountIdentity, stored: Stored) {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.account == account }) else { return }
            state.noteUnstored(state.entries[index])
            state.entries[index].stored = stored
            state.entries[index].hasEnded = false
        }
    }

    /// Records that the account has left and its file is closed.
    package func ended(_ account: AccountIdentity) {
        update(account) { $0.hasEnded = true }
    }

    /// The error of a process that ends because its accounts have not left in time, for people.
    package var lateness: String {
        let late = entries.filter { $0.stored != nil && !$0.hasEnded }.map { entry in
            let unstored = entry.report?.unstored ?? 0
            return "\"\(entry.account.name)\"" + (unstored > 0 ? " (\(unstored.grouped) events not stored)" : "")
        }
        let error = ServiceError(
            .notStored,
            "the listener did not end within \(StopTimes.process)"
                + (late.isEmpty ? "" : ", because of \(Self.accounts(late))"),
            hint: "stored messages are safe; check the disk and the lines above; "
                + "\"scrollback gaps\" lists what is missing")
        return "scrollback: \(error.sentence)\n"
    }

    /// Returns the counts of an account; nil for an account that this listener doesn't have.
    func meter(of account: AccountIdentity) -> AccountMeter? {
        entries.first { $0.account == account }?.meter
    }

    /// Records the report of an account's listener; an unknown account is ignored.
    package func report(_ account: AccountIdentity, _ report: ListenerReport) {
        update(account) { $0.report = report }
    }

    /// Records the state of an account's retention rules.
    func note(_ retention: RetentionStatus, of account: AccountIdentity) {
        update(account) { $0.retention = retention }
    }

    /// Records that the account failed and is not retried.
    package func failed(_ account: AccountIdentity, error: String, at time: Timestamp) {
        report(account, ListenerReport(state: .failed, since: time, lastError: error))
    }

    /// Checks that everything was stored. Call it after all accounts have stopped, because a service group doesn't
    /// report a service that fails after its time was up.
    ///
    /// - Throws: ``ServiceError`` if an account received something that it could not store.
    package func requireAllStored() throws(ServiceError) {
        let names = state.withLock { state in
            for entry in state.entries { state.noteUnstored(entry) }
            return state.unstored
        }
        let unstored = names.map { "\"\($0)\"" }
        guard !unstored.isEmpty else { return }
        throw ServiceError(
            .notStored,
            "\(Self.accounts(unstored)): the last received events are not stored",
            hint: "fix the errors above; \"scrollback gaps\" lists the missing time")
    }

    /// Returns a text such as `account "a"` or `accounts "a", "b"`.
    private static func accounts(_ quoted: [String]) -> String {
        (quoted.count == 1 ? "account " : "accounts ") + Sanitizer.line(quoted.joined(separator: ", "))
    }

    /// The number of files that are read at once. Each takes a thread (``ThreadNeeds``).
    private static let concurrentRequests = 4

    /// Returns the status of all accounts, in the order of the configuration. Reads several of their files at once: a
    /// disk that hangs delays the answer by its timeout.
    package func statuses() async -> [AccountStatus] {
        let entries = entries
        return await withTaskGroup(of: (Int, AccountStatus).self) { group in
            var statuses: [(Int, AccountStatus)] = []
            for (index, entry) in entries.enumerated() {
                if index >= Self.concurrentRequests, let status = await group.next() { statuses.append(status) }
                group.addTask { (index, await self.status(of: entry)) }
            }
            for await status in group { statuses.append(status) }
            return statuses.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func status(of entry: Entry) async -> AccountStatus {
        let (stored, trouble) = await stored(of: entry)
        var status = AccountStatus(
            entry.account, stored: stored, report: entry.report, trouble: entry.stored?.trouble() ?? trouble,
            indexTrouble: entry.stored?.indexTrouble())
        entry.meter.fill(&status)
        status.retention = entry.retention
        status.shared = lags().map { $0[entry.account.name] ?? ReplicationLag() }
        return status
    }

    /// Returns the status in the file. If the file can't be read, returns the last status with a note, without the
    /// figures that programs would take for current.
    private func stored(of entry: Entry) async -> (status: AccountStatus?, trouble: String?) {
        do {
            let status = try await entry.stored?.status()
            if let status { update(entry.account) { $0.lastStatus = (status, .now()) } }
            return (status, nil)
        } catch {
            guard let (last, at) = entry.lastStatus else { return (nil, "the archive can't be read: \(error)") }
            var status = last
            (status.gapSeconds, status.fileBytes, status.walBytes, status.lastEvent) = (nil, nil, nil, nil)
            return (status, "the archive can't be read (figures from \(at)): \(error)")
        }
    }

    /// A summary on one line: "2 of 3 accounts connected".
    package var summary: String {
        let (states, trouble) = state.withLock { ($0.entries.map { $0.report?.state }, $0.configurationTrouble) }
        let connected = states.count { $0 == .connected }
        return "\(connected) of \(states.count == 1 ? "1 account" : "\(states.count) accounts") connected"
            + (trouble.map { "; \($0)" } ?? "")
    }

    /// Returns when every account's store has answered or is known to have trouble. Does not return while one hangs.
    func storesAnswer() async {
        for entry in entries { await entry.stored?.answers() }
    }

    private func update(_ account: AccountIdentity, _ change: (inout Entry) -> Void) {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.account == account }) else { return }
            change(&state.entries[index])
        }
    }
}

extension AccountStatus {
    /// Combines the sources of a status. The listener's report precedes the file's content, and trouble with the file
    /// precedes both; trouble with the search index is shown only if there is no other trouble.
    init(
        _ account: AccountIdentity, stored: AccountStatus?, report: ListenerReport?, trouble: String?,
        indexTrouble: String?
    ) {
        let indexError = indexTrouble.map { "the search index is incomplete: \($0)" }
        var status = AccountStatus(
            account: account.name, network: account.network, state: report?.state ?? .connecting,
            since: report?.since ?? stored?.since,
            lastSignOfLife: [report?.lastSignOfLife, stored?.lastSignOfLife].compactMap(\.self).max(),
            lastMessage: stored?.lastMessage, messages: stored?.messages ?? 0, openGaps: stored?.openGaps ?? 0,
            failures: stored?.failures ?? 0, lastError: trouble ?? report?.lastError ?? indexError ?? stored?.lastError,
            nextTry: report?.nextTry)
        (status.lastByte, status.lastEvent) = (stored?.lastByte, stored?.lastEvent)
        (status.gapSeconds, status.troubledRooms) = (stored?.gapSeconds, stored?.troubledRooms)
        (status.fileBytes, status.walBytes) = (stored?.fileBytes, stored?.walBytes)
        (status.backfill, status.tlsUntil) = (report?.backfill, report?.tlsUntil)
        self = status
    }
}

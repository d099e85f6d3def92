import ChatModel
import Listeners
import Synchronization

/// How every account of the running listener is doing: the one source of `status` and of metrics.
final class StatusRegistry: Sendable {
    /// What an account's open file tells.
    struct Stored: Sendable {
        var status: @Sendable () async throws -> AccountStatus
        /// Why the store can't take events at present.
        var trouble: @Sendable () -> String?
        /// Why the search index could not be filled when it was tried last.
        var indexTrouble: @Sendable () -> String? = { nil }
        /// Returns once the store has done what it was given, or is known to be in trouble.
        var answers: @Sendable () async -> Void = {}
    }

    private struct Entry: Sendable {
        var account: AccountIdentity
        var report: ListenerReport?
        var stored: Stored?
        let meter = AccountMeter()
        /// What the file told when it was read last, for while it can't be.
        var lastStatus: AccountStatus?
    }

    /// In the order of the configuration.
    private let entries: Mutex<[Entry]>

    init(accounts: [AccountIdentity]) {
        entries = Mutex(accounts.map { Entry(account: $0) })
    }

    func opened(_ account: AccountIdentity, stored: Stored) {
        update(account) { $0.stored = stored }
    }

    /// What counts for the account; nil for one that is not of this listener.
    func meter(of account: AccountIdentity) -> AccountMeter? {
        entries.withLock { entries in entries.first { $0.account == account }?.meter }
    }

    func report(_ account: AccountIdentity, _ report: ListenerReport) {
        update(account) { $0.report = report }
    }

    /// The account will not be tried again.
    func failed(_ account: AccountIdentity, error: String, at time: Timestamp) {
        report(account, ListenerReport(state: .failed, since: time, lastError: error))
    }

    /// To be asked once all accounts have stopped; a service group tells of no service that failed after its time was up.
    ///
    /// - Throws: ``CommandError`` when an account received something that it could not store.
    func requireAllStored() throws(CommandError) {
        let unstored = entries.withLock(\.self).filter { $0.stored?.trouble() != nil }.map { "\"\($0.account.name)\"" }
        guard !unstored.isEmpty else { return }
        throw CommandError(
            .notStored,
            "what was received last is not stored, of account \(Sanitizer.line(unstored.joined(separator: ", ")))",
            hint: "mend what is said above; \"scrollback gaps\" lists the time as missing")
    }

    func statuses() async -> [AccountStatus] {
        var result: [AccountStatus] = []
        for entry in entries.withLock({ $0 }) {
            let stored = try? await entry.stored?.status()
            if let stored { update(entry.account) { $0.lastStatus = stored } }
            var status = AccountStatus(
                entry.account, stored: stored ?? entry.lastStatus, report: entry.report,
                trouble: entry.stored?.trouble(), indexTrouble: entry.stored?.indexTrouble())
            entry.meter.tell(&status)
            result.append(status)
        }
        return result
    }

    /// For one line: "2 of 3 accounts connected".
    var summary: String {
        let states = entries.withLock { entries in entries.map { $0.report?.state } }
        let connected = states.count { $0 == .connected }
        return "\(connected) of \(states.count == 1 ? "1 account" : "\(states.count) accounts") connected"
    }

    /// Returns once every account's store has answered, or is known to be in trouble: while one hangs, it doesn't.
    func storesAnswer() async {
        for entry in entries.withLock({ $0 }) { await entry.stored?.answers() }
    }

    private func update(_ account: AccountIdentity, _ change: (inout Entry) -> Void) {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.account == account }) else { return }
            change(&entries[index])
        }
    }
}

extension AccountStatus {
    /// What the listener reports goes before what the file tells, and trouble with the file before either; trouble with the
    /// search index is told where nothing else is wrong now.
    init(
        _ account: AccountIdentity, stored: AccountStatus?, report: ListenerReport?, trouble: String?,
        indexTrouble: String?
    ) {
        let indexError = indexTrouble.map { "the search index is not whole: \($0)" }
        var status = AccountStatus(
            account: account.name, network: account.network, state: report?.state ?? .connecting,
            since: report?.since ?? stored?.since, lastSignOfLife: report?.lastSignOfLife ?? stored?.lastSignOfLife,
            lastMessage: stored?.lastMessage, messages: stored?.messages ?? 0, openGaps: stored?.openGaps ?? 0,
            failures: stored?.failures ?? 0, lastError: trouble ?? report?.lastError ?? indexError ?? stored?.lastError,
            nextTry: report?.nextTry)
        (status.lastByte, status.lastEvent) = (stored?.lastByte, stored?.lastEvent)
        (status.gapSeconds, status.troubledRooms) = (stored?.gapSeconds, stored?.troubledRooms)
        (status.fileBytes, status.walBytes) = (stored?.fileBytes, stored?.walBytes)
        self = status
    }
}

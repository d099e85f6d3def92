package import ChatModel
import Synchronization

/// Keeps a listener's state, and reports every change in order.
package final class Reporter: Sendable {
    private let wallClock: @Sendable () -> Timestamp
    private let report: @Sendable (ListenerReport) -> Void
    private let current: Mutex<ListenerReport>

    init(
        wallClock: @escaping @Sendable () -> Timestamp, report: @escaping @Sendable (ListenerReport) -> Void
    ) {
        self.wallClock = wallClock
        self.report = report
        current = Mutex(ListenerReport(state: .offline, since: wallClock()))
    }

    func connecting() {
        change { $0.enter(.connecting, at: wallClock()) }
    }

    package func connected() {
        change { report in
            report.enter(.connected, at: wallClock())
            report.lastError = nil
        }
    }

    /// Notes the wait after an attempt or a connection that ended with `error`; nil for one that only waits for its turn.
    func waiting(until nextTry: Timestamp, error: String?) {
        change { report in
            report.enter(.waiting, at: wallClock())
            if let error { report.lastError = error }
            report.nextTry = nextTry
        }
    }

    /// Notes that the login is refused, which only a person can correct.
    func needsLogin(error: String) {
        change { report in
            report.enter(.needsLogin, at: wallClock())
            report.lastError = error
        }
    }

    func offline() {
        change { $0.enter(.offline, at: wallClock()) }
    }

    package func noteSignOfLife(at time: Timestamp) {
        change { $0.lastSignOfLife = time }
    }

    package func fetching(_ progress: BackfillProgress?) {
        change { $0.backfill = progress }
    }

    /// Notes the end of the server's rule to connect only by TLS; nil if there is none.
    package func noteRule(until end: Timestamp?) {
        change { $0.tlsUntil = end }
    }

    /// Notes the number of received events that are not stored when the listener leaves.
    func noteUnstored(_ count: Int) {
        change { $0.unstored = count }
    }

    /// Notes an error that does not change the state; nil if it is over.
    package func noteError(_ error: String?) {
        change { $0.lastError = error }
    }

    /// Reports within the lock, so that reports are in the order of the changes.
    private func change(_ body: (inout ListenerReport) -> Void) {
        current.withLock { current in
            let before = current
            body(&current)
            if current != before { report(current) }
        }
    }
}

extension ListenerReport {
    fileprivate mutating func enter(_ state: AccountStatus.State, at time: Timestamp) {
        guard self.state != state else { return }
        self.state = state
        since = time
        nextTry = nil
        backfill = nil
    }
}

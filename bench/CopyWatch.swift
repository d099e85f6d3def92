import Foundation
import PostgreSQL
import Synchronization

/// Reads at intervals, on a separate thread, how far each account of a shared archive is copied.
final class CopyWatch: Sendable {
    /// A change that was just stored.
    struct Mark: Sendable {
        let account: Int64
        var seq: Int64
        let time = DispatchTime.now().uptimeNanoseconds
    }

    private struct State {
        /// For each account, the changes that were copied, with the time at which that was first seen.
        var seen: [Int64: [(seq: Int64, time: UInt64)]] = [:]
        var isOver = false
        var error: String?
    }

    private let state = Mutex(State())

    /// - Parameter interval: The time between two readings, in microseconds.
    init(_ address: String, interval: UInt32 = 5000) throws {
        Thread.detachNewThread { [self] in
            do {
                let server = try PostgreSQLConnection(address)
                while !state.withLock(\.isOver) {
                    let rows = try server.execute("SELECT account_id, seq FROM scrollback.feed_position")
                    let now = DispatchTime.now().uptimeNanoseconds
                    try state.withLock { state in
                        for row in 0..<rows.count {
                            let (account, seq) = (try rows.integer(row, 0) ?? 0, try rows.integer(row, 1) ?? 0)
                            if state.seen[account]?.last.map({ $0.seq < seq }) ?? true {
                                state.seen[account, default: []].append((seq, now))
                            }
                        }
                    }
                    usleep(interval)
                }
            } catch {
                state.withLock { $0.error = "\(error)" }
            }
        }
    }

    /// Waits until every mark is copied, and ends.
    ///
    /// - Returns: The seconds from each mark to its copy, sorted.
    func lags(of marks: [Mark]) async throws -> [Double] {
        let last = Dictionary(marks.map { ($0.account, $0.seq) }, uniquingKeysWith: max)
        let deadline = ContinuousClock.now + .seconds(120)
        while !state.withLock({ state in
            last.allSatisfy { account, seq in state.seen[account]?.last.map { $0.seq >= seq } ?? false }
        }) {
            if let error = state.withLock(\.error) { throw BenchmarkError(error) }
            guard .now < deadline else { throw BenchmarkError("the copy does not become complete") }
            try await Task.sleep(for: .milliseconds(20))
        }
        return state.withLock { state in
            state.isOver = true
            return marks.compactMap { mark in
                guard let copied = state.seen[mark.account]?.first(where: { $0.seq >= mark.seq })?.time else {
                    return nil
                }
                return copied > mark.time ? Double(copied - mark.time) / 1e9 : 0
            }.sorted()
        }
    }
}

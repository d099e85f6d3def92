import Foundation
import Rendering
import Synchronization

/// Ends the process when SQLite does not notice that its time is up: a function such as `instr` of two long texts runs
/// for minutes, and SQLite asks for an end only between its steps.
final class SQLWatchdog: Sendable {
    /// True while SQLite works.
    private let isBusy = Atomic(false)

    /// The time in which SQLite notices it usually, which is below 1 ms.
    private static let patience = 2

    /// - Parameter seconds: The time limit.
    init(seconds: Int) {
        Thread.detachNewThread { [weak self] in
            Thread.sleep(forTimeInterval: TimeInterval(seconds + Self.patience))
            // Between two rows, SQLite notices it at the next one.
            while let self {
                if self.isBusy.load(ordering: .relaxed) { Self.end(seconds) }
                Thread.sleep(forTimeInterval: TimeInterval(Self.patience))
            }
        }
    }

    /// Runs the body, in which the process may end.
    func watching<T>(_ body: () throws -> T) rethrows -> T {
        isBusy.store(true, ordering: .relaxed)
        defer { isBusy.store(false, ordering: .relaxed) }
        return try body()
    }

    /// Runs the body, in which the process may end.
    func watching<T>(_ body: () async throws -> T) async rethrows -> T {
        isBusy.store(true, ordering: .relaxed)
        defer { isBusy.store(false, ordering: .relaxed) }
        return try await body()
    }

    private static func end(_ seconds: Int) -> Never {
        let error = CommandError(
            .stopped, "stopped after \(seconds) s", hint: "select less, or raise the limit with --timeout")
        StandardStream.note("scrollback: \(error.sentence)\n")
        // No other thread may write or free anything now, and nothing needs it: the command only reads.
        _exit(1)
    }
}

import Dispatch
import Glibc
import Rendering
import Synchronization

/// Ends the process when SQLite does not notice that its time is up: a function such as `instr` of two long texts runs for
/// minutes, and SQLite asks for an end only between its steps.
final class SQLWatchdog: Sendable {
    /// True while SQLite works.
    private let isBusy = Atomic(false)
    private let seconds: Int

    /// The seconds in which SQLite notices it. Usually it needs less than 1 ms.
    private static let patience = 2

    /// - Parameter seconds: The time limit.
    init(seconds: Int) {
        self.seconds = seconds
        look(in: seconds + Self.patience)
    }

    /// Runs the body, in which the process may end.
    func watching<T>(_ body: () throws -> T) rethrows -> T {
        isBusy.store(true, ordering: .relaxed)
        defer { isBusy.store(false, ordering: .relaxed) }
        return try body()
    }

    private func look(in seconds: Int) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
            guard let self else { return }
            if isBusy.load(ordering: .relaxed) { end() }
            // Between two rows, SQLite notices it at the next one.
            look(in: Self.patience)
        }
    }

    private func end() -> Never {
        StandardStream.note("scrollback: \(Self.error(seconds).sentence)\n")
        // Other threads still run. Nothing needs them to end: the command only reads.
        _exit(1)
    }

    /// The error of a statement whose time is up.
    static func error(_ seconds: Int) -> CommandError {
        CommandError(.stopped, "stopped after \(seconds) s", hint: "select less, or raise the limit with --timeout")
    }
}

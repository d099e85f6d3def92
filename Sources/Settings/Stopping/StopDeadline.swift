import ChatModel
@preconcurrency import Dispatch
import Glibc
import Synchronization

/// Ends the process if a stop takes too long, and at once at the second signal, regardless of its tasks.
///
/// A hanging disk may block all tasks, and a stuck terminal the output, so this type works only on its own queues.
package final class StopDeadline: Sendable {
    private struct State {
        /// True once the time is running.
        var isRunning = false
        /// True after the first signal other than SIGHUP. The next one ends the process at once.
        var wasSignalled = false
        var sources: [any DispatchSourceSignal] = []
    }

    package static let defaultReport =
        "scrollback: the process did not stop within \(StopTimes.process), so it ended itself; no file is damaged\n"

    /// The time limit for printing the unfinished work, because the reader may also be stuck.
    private static let printing = Duration.milliseconds(200)

    private let limit: Duration
    private let status: Int32?
    private let unfinished: @Sendable () -> String
    private let end: @Sendable (Int32) -> Void
    private let queue = DispatchQueue(label: "stop deadline", qos: .userInitiated)
    private let printer = DispatchQueue(label: "stop deadline, printing", qos: .userInitiated)
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: The time from the first signal on.
    ///   - status: The exit status of a process that did not end in time; nil for a shell's status of the signal.
    ///   - unfinished: Returns the work that did not end in time, for people.
    ///   - end: Ends the process.
    package init(
        limit: Duration = StopTimes.process, status: Int32? = nil,
        unfinished: @escaping @Sendable () -> String = { defaultReport },
        end: @escaping @Sendable (Int32) -> Void = { _exit($0) }
    ) {
        (self.limit, self.status, self.unfinished, self.end) = (limit, status, unfinished, end)
    }

    package var isRunning: Bool { state.withLock(\.isRunning) }

    /// Handles these signals from now on, in addition to other handlers. They no longer end the process.
    ///
    /// - Parameter action: Receives the number of each signal.
    package func watch(_ signals: [Int32], _ action: @escaping @Sendable (Int32) -> Void = { _ in }) async {
        for number in signals {
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [weak self] in
                action(number)
                self?.received(number)
            }
            state.withLock { $0.sources.append(source) }
            await withCheckedContinuation { continuation in
                // A signal before that would still end the process.
                source.setRegistrationHandler { continuation.resume() }
                source.resume()
            }
        }
    }

    deinit {
        state.withLock { for source in $0.sources { source.cancel() } }
    }

    /// Handles a signal. SIGHUP never counts as the second, because a shell and its terminal may both send one.
    func received(_ signal: Int32) {
        let (wasRunning, wasSignalled) = state.withLock { state in
            let before = (state.isRunning, state.wasSignalled)
            state.isRunning = true
            if signal != SIGHUP { state.wasSignalled = true }
            return before
        }
        // Ends with the status by which a shell reports a process that a signal ended.
        if wasSignalled, signal != SIGHUP { end(128 + signal) }
        guard !wasRunning else { return }
        queue.asyncAfter(deadline: .now() + limit.seconds) { [self] in
            report()
            end(status ?? 128 + signal)
        }
    }

    private func report() {
        let isPrinted = DispatchSemaphore(value: 0)
        printer.async { [unfinished] in
            let text = Array(unfinished().utf8)
            _ = text.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            isPrinted.signal()
        }
        _ = isPrinted.wait(timeout: .now() + Self.printing.seconds)
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

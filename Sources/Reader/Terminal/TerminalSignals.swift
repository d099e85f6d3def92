import Glibc
import Synchronization

/// The signals of a terminal, each as a byte in a pipe.
enum TerminalSignals {
    /// The writing end of the pipe; -1 for none.
    private static let end = Atomic<Int32>(-1)
    private static let all = [SIGWINCH, SIGCONT, SIGTERM, SIGHUP, SIGINT, SIGQUIT]

    /// Sends the signals into a pipe from now on.
    static func take(into descriptor: Int32) {
        end.store(descriptor, ordering: .sequentiallyConsistent)
        for number in all {
            signal(number) { number in
                let error = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(TerminalSignals.end.load(ordering: .relaxed), &byte, 1)
                errno = error
            }
        }
    }

    static func restoreDefaults() {
        for number in all { signal(number, SIG_DFL) }
        end.store(-1, ordering: .sequentiallyConsistent)
    }
}

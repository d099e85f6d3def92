import Glibc
import Synchronization

/// The end of the program, until which a command that only reads keeps its files open: closing them takes 6% of a search's
/// instructions.
enum ProgramEnd {
    /// The bodies of ``call(_:)``; nil in a program that closes its files.
    private static let endings = Mutex<[@Sendable () -> Void]?>(nil)

    /// Keeps what ``call(_:)`` receives.
    static func keepFiles() { endings.withLock { $0 = $0 ?? [] } }

    /// Calls the body in ``exit(_:)``, and keeps what it uses until then. Does nothing without ``keepFiles()``.
    static func call(_ body: @escaping @Sendable () -> Void) {
        endings.withLock { $0?.append(body) }
    }

    /// Calls the bodies of ``call(_:)``, and ends the program.
    static func exit(_ status: Int32) -> Never {
        for ending in endings.withLock({ $0 }) ?? [] { ending() }
        Glibc.exit(status)
    }
}

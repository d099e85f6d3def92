import Dispatch
import Glibc
import Synchronization

/// An executor that runs a command's tasks on the main thread. On Swift's shared threads, between which its tasks move,
/// a search took 1.9 ms longer *(measured)*.
final class MainThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let waiting = DispatchSemaphore(value: 0)
    /// The bodies of ``atEnd(_:)``; nil in a program that does not call ``run(_:)``.
    private static let endings = Mutex<[@Sendable () -> Void]?>(nil)

    private init() {}

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        waiting.signal()
    }

    /// Runs the body and its child tasks on the calling thread. The body ends the program with ``exit(_:)``.
    static func run(_ body: @escaping @Sendable () async -> Never) -> Never {
        let thread = MainThread()
        endings.withLock { $0 = [] }
        // Unblocks all signals, as dispatchMain() does: a parent may have started this process with signals blocked, and
        // Ctrl-C would have no effect.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        Task(executorPreference: thread) { await body() }
        while true {
            thread.waiting.wait()
            thread.jobs.withLock { $0.removeFirst() }.runSynchronously(on: thread.asUnownedTaskExecutor())
        }
    }

    /// Calls the body in ``exit(_:)``, and keeps what it uses until then. Does nothing in a program that does not call
    /// ``run(_:)``.
    static func atEnd(_ body: @escaping @Sendable () -> Void) {
        endings.withLock { $0?.append(body) }
    }

    /// Calls the bodies of ``atEnd(_:)``, and ends the program.
    static func exit(_ status: Int32) -> Never {
        for ending in endings.withLock({ $0 }) ?? [] { ending() }
        Glibc.exit(status)
    }
}

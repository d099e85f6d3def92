import Dispatch
import SQLite
import Synchronization

extension DispatchQueue {
    /// Runs the body on the queue's own thread, after the work that is already queued. The body may wait for a disk or
    /// a lock there, which code on the shared threads of Swift's tasks may not. Cancelling the calling task does not
    /// cancel the body.
    func runBlocking<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            async { continuation.resume(with: Result { try body() }) }
        }
    }
}

/// A thread for one task, which may wait for a disk or a lock between its suspensions.
package final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "disk")
    private static let mark = DispatchSpecificKey<Void>()
    /// Marks the main queue, which on Linux leaves the main thread when the program first suspends.
    private static let mainMark = {
        let mark = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: mark, value: ())
        return mark
    }()

    package init() {
        queue.setSpecific(key: Self.mark, value: ())
    }

    /// True if the calling thread may wait for a disk. Every thread may, except those that Swift's tasks share.
    static var mayWait: Bool {
        DispatchQueue.getSpecific(key: mainMark) != nil
            || withUnsafeCurrentTask { task in task == nil || task?.unownedTaskExecutor != nil }
    }

    /// Runs the body on a thread that may wait. Uses the calling thread if possible (the main one, for a command):
    /// handing a page to another thread and back takes 90 µs on an idle machine, longer than reading the page
    /// *(measured)*.
    static func run<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T {
        if mayWait { return try await body() }
        return try await OwnThread().run(body)
    }

    package func run<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T {
        // Without @concurrent the closure would continue on its caller's thread. A closure that only calls `body` does
        // the same (Swift 6.3.1), so the check before the call is needed too.
        try await withTaskExecutorPreference(self) { @concurrent in
            precondition(DispatchQueue.getSpecific(key: Self.mark) != nil)
            return try await body()
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// A connection that opens on first use: only once, on the caller's thread, and while no lock is held.
final class Opening: Sendable {
    private let open: @Sendable () throws -> DatabaseQueue
    private let connection = Mutex<DatabaseQueue?>(nil)
    /// Runs the openings one at a time.
    private let files = DispatchQueue(label: "a connection's opening")

    init(_ open: @escaping @Sendable () throws -> DatabaseQueue) {
        self.open = open
    }

    /// Returns the connection and opens it if necessary. Waits on the caller's thread.
    func opened() throws -> DatabaseQueue {
        if let current { return current }
        return try files.sync {
            if let current { return current }
            let opened = try open()
            connection.withLock { $0 = opened }
            return opened
        }
    }

    /// Closes the connection, which must be idle; the next use opens another. When closing fails, the connection closes
    /// with its last reference.
    func close() {
        try? connection.withLock { $0.take() }?.close()
    }

    private var current: DatabaseQueue? { connection.withLock { $0 } }
}

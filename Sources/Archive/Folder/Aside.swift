import Dispatch
import Foundation
import GRDB
import Synchronization

extension DispatchQueue {
    /// Runs the body on the queue's own thread, behind what is on the queue: it may wait for a disk or a lock there, which
    /// nothing may on the threads that Swift's tasks share. Not cancelled with the calling task.
    func aside<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            async { continuation.resume(with: Result { try body() }) }
        }
    }
}

/// A thread of its own for a task, for as long as it does what may wait for a disk or a lock between its suspensions.
final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "what may wait for a disk")
    private static let mark = DispatchSpecificKey<Void>()

    init() {
        queue.setSpecific(key: Self.mark, value: ())
    }

    /// Whether the calling thread may wait for a disk: every thread may, except those that Swift's tasks share.
    static var mayWait: Bool {
        Thread.isMainThread || withUnsafeCurrentTask { task in task == nil || task?.unownedTaskExecutor != nil }
    }

    /// Runs the body where it may wait. That is the calling thread if possible, for a command the main one: handing a page
    /// to another thread and back takes longer than the page, 90 µs on an idle machine *(measured)*.
    static func run<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T {
        if mayWait { return try await body() }
        return try await OwnThread().run(body)
    }

    func run<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T {
        // @concurrent, because a closure that continues where its caller runs does not change the thread. Neither does one that
        // does nothing before it calls `body` (Swift 6.3.1).
        try await withTaskExecutorPreference(self) { @concurrent in
            precondition(DispatchQueue.getSpecific(key: Self.mark) != nil)
            return try await body()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// A connection that is opened when it is needed: once, on the caller's thread, and under no lock.
final class Opening: Sendable {
    private let open: @Sendable () throws -> DatabaseQueue
    private let connection = Mutex<DatabaseQueue?>(nil)
    /// Opens, one after the other.
    private let files = DispatchQueue(label: "a connection's opening")

    init(_ open: @escaping @Sendable () throws -> DatabaseQueue) {
        self.open = open
    }

    /// The connection, which is opened where it is not open. Waits on the caller's thread.
    func opened() throws -> DatabaseQueue {
        if let current { return current }
        return try files.sync {
            if let current { return current }
            let opened = try open()
            connection.withLock { $0 = opened }
            return opened
        }
    }

    /// Closes the connection, which nobody uses now; the next use opens another. Closed with the value where an error keeps
    /// it from being closed at once.
    func close() {
        try? connection.withLock { $0.take() }?.close()
    }

    private var current: DatabaseQueue? { connection.withLock { $0 } }
}

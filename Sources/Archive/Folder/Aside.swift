import Dispatch

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

    /// - Parameter body: `@concurrent`, as one that goes on where its caller runs would not change the thread.
    static func run<T: Sendable>(_ body: @Sendable @concurrent () async throws -> T) async throws -> T {
        try await withTaskExecutorPreference(OwnThread(), operation: body)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

import Dispatch

extension DispatchQueue {
    /// Runs the body on the queue's own thread, after the work that is already queued. The body may wait for a disk or
    /// a lock there, which code on the shared threads of Swift's tasks may not. It has the task's ``ReadLimit``.
    /// Cancelling the calling task does not cancel the body.
    package func runBlocking<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        let limit = ReadLimit.current
        return try await withCheckedThrowingContinuation { continuation in
            async { continuation.resume(with: Result { try ReadLimit.$current.withValue(limit, operation: body) }) }
        }
    }
}

/// Runs the body, such as a read, on a thread that may wait for a disk, a lock or another program. Code on the shared
/// threads of Swift's tasks reads by this function. Cancelling the calling task does not cancel the body.
package func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await DispatchQueue(label: "disk").runBlocking(body)
}

/// The thread of an actor that waits for a disk between its suspensions: `unownedExecutor` of the actor.
package final class OwnThread: SerialExecutor {
    private let queue = DispatchQueue(label: "an actor's disk")
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
    package static var mayWait: Bool {
        DispatchQueue.getSpecific(key: mainMark) != nil || DispatchQueue.getSpecific(key: mark) != nil
            || withUnsafeCurrentTask { $0 == nil }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

package import Dispatch
import Synchronization

/// An object that holds a connection while in use, and can open it again.
package protocol ConnectionHolder: AnyObject, Sendable {
    /// Closes the connection, which must be idle, after its statements.
    func closeIdle()
}

/// A limit on the connections to account files that this process has open, readers and writers together. Each takes
/// up to ``descriptors`` of the process. At the limit, the least recently used idle connection is closed to make room.
package final class ConnectionLimit: Sendable {
    package static let usual = 64
    /// A database, its log, its shared memory, and a database that SQLite keeps open for the locks of another connection.
    package static let descriptors = 4

    package let maximum: Int
    /// The descriptors that the connections leave to others; nil for connections that may use all.
    package let reserve: DescriptorReserve?
    /// The number of places that are freed in advance, on another thread, so that an opening does not wait for a
    /// closing connection that has to write.
    private let freedAhead: Int
    /// Closes several connections at the same time, because each may wait for its disk.
    private let closing = DispatchQueue(label: "closing connections", attributes: .concurrent)
    /// The longest wait while every connection is in use.
    private let timeout: DispatchTimeInterval
    private let state = Mutex(State())

    private struct State {
        package var open: [ObjectIdentifier: Entry] = [:]
        var uses: UInt64 = 0
        /// The callers that wait for a connection, by number.
        var waiting: [UInt64: @Sendable () -> Void] = [:]

        func wakeAll() {
            for wake in waiting.values { wake() }
        }
    }

    private struct Entry {
        /// The holder; nil once it is being released. It then closes its connection and removes itself.
        weak let holder: (any ConnectionHolder)?
        var users = 0
        var used: UInt64 = 0
        /// True from the decision to close the connection until it is closed; new uses wait.
        var isClosing = false
    }

    package init(
        maximum: Int = usual, reserve: DescriptorReserve? = nil, timeout: DispatchTimeInterval = .seconds(5)
    ) {
        (self.maximum, self.reserve) = (maximum, reserve)
        freedAhead = maximum / 16
        self.timeout = timeout
    }

    /// Reserves a place for the holder's connection until ``release(_:)``. Waits on the caller's thread.
    ///
    /// - Throws: ``ArchiveError`` with `tooManyOpen`.
    package func acquire(_ holder: any ConnectionHolder) throws(ArchiveError) {
        if tryAcquire(holder) == .acquired { return }
        let deadline = DispatchTime.now() + timeout
        let change = DispatchSemaphore(value: 0)
        let number = wait { change.signal() }
        defer { stopWaiting(number) }
        while true {
            let attempt = tryAcquire(holder)
            if attempt == .acquired { return }
            if attempt == .full, closeLeastUsed(keeping: maximum - 1) { continue }
            guard change.wait(timeout: deadline) == .success else { throw tooMany }
        }
    }

    /// Reserves a place for the holder's connection without blocking the thread: another thread closes connections for
    /// it.
    ///
    /// - Throws: ``ArchiveError`` with `tooManyOpen`; `CancellationError`.
    package func acquireSuspending(_ holder: any ConnectionHolder) async throws {
        if tryAcquire(holder) == .acquired { return }
        let (changes, waiter) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = wait { waiter.yield() }
        defer { stopWaiting(number) }
        closing.asyncAfter(deadline: .now() + timeout) { waiter.finish() }
        var change = changes.makeAsyncIterator()
        while true {
            let attempt = tryAcquire(holder)
            if attempt == .acquired { return }
            if attempt == .full, try await closing.runBlocking({ self.closeLeastUsed(keeping: self.maximum - 1) }) {
                continue
            }
            guard await change.next() != nil else {
                try Task.checkCancellation()
                throw tooMany
            }
        }
    }

    /// Calls `wake` whenever a connection may have become idle or was closed, until ``stopWaiting(_:)``.
    private func wait(_ wake: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.uses += 1
            state.waiting[state.uses] = wake
            return state.uses
        }
    }

    private func stopWaiting(_ number: UInt64) {
        state.withLock { _ = $0.waiting.removeValue(forKey: number) }
    }

    package func release(_ holder: any ConnectionHolder) {
        state.withLock { state in
            state.open[ObjectIdentifier(holder)]?.users -= 1
            state.wakeAll()
        }
    }

    /// Frees the place of a holder that has closed its connection for good, or is about to.
    package func remove(_ holder: any ConnectionHolder) {
        remove(ObjectIdentifier(holder))
    }

    private func remove(_ key: ObjectIdentifier) {
        state.withLock { state in
            state.open[key] = nil
            state.wakeAll()
        }
    }

    /// The number of places taken.
    var count: Int { state.withLock { $0.open.count } }
    /// The number of callers that wait for a place.
    var waiting: Int { state.withLock { $0.waiting.count } }

    private enum Attempt {
        case acquired, full
        /// The holder's own connection is being closed.
        case closing
    }

    private func tryAcquire(_ holder: any ConnectionHolder) -> Attempt {
        let key = ObjectIdentifier(holder)
        let (attempt, isNearlyFull) = state.withLock { state -> (Attempt, Bool) in
            state.uses += 1
            guard state.open[key] != nil || state.open.count < maximum else { return (.full, false) }
            var entry = state.open[key] ?? Entry(holder: holder)
            guard !entry.isClosing else { return (.closing, false) }
            entry.users += 1
            entry.used = state.uses
            state.open[key] = entry
            return (.acquired, entry.users == 1 && state.open.count > maximum - freedAhead)
        }
        if isNearlyFull { closing.async { [weak self] in self?.closeAhead() } }
        return attempt
    }

    private func closeAhead() {
        while closeLeastUsed(keeping: maximum - freedAhead) {}
    }

    /// Closes the least recently used idle connection. Closes it outside the lock, because other callers continue
    /// meanwhile, and the holder's last reference may end here.
    ///
    /// - Returns: False if no more than `count` are open, or all are in use.
    private func closeLeastUsed(keeping count: Int) -> Bool {
        let victim = state.withLock { state -> (key: ObjectIdentifier, holder: (any ConnectionHolder)?)? in
            guard state.open.count > count else { return nil }
            let idle = state.open.lazy.filter { $0.value.users == 0 && !$0.value.isClosing }
            guard let (key, entry) = idle.min(by: { $0.value.used < $1.value.used }) else { return nil }
            let holder = entry.holder
            if holder != nil { state.open[key]?.isClosing = true } else { state.open[key] = nil }
            return (key, holder)
        }
        guard let victim else { return false }
        guard let holder = victim.holder else { return true }
        holder.closeIdle()
        remove(victim.key)
        return true
    }

    private var tooMany: ArchiveError {
        ArchiveError(code: .tooManyOpen, detail: "\(maximum) accounts are open, and all are in use")
    }
}

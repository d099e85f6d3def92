import Dispatch
import Foundation
import Synchronization

/// Something that holds a connection while it is used, and can open it again.
protocol ConnectionHolder: AnyObject, Sendable {
    /// Closes the connection, which nobody uses now, its statements first.
    func closeIdle()
}

/// Bounds how many connections to account files this process has open at once, readers and writers together: each takes three
/// descriptors. For one more, the one that was used least recently is closed, of those that nobody uses.
final class ConnectionLimit: Sendable {
    static let usual = 64
    private static let pause = Duration.milliseconds(1)

    let maximum: Int
    /// As many are closed ahead, aside: who opens one need not wait until another is closed, which may have to write.
    private let reserve: Int
    private let closing = DispatchQueue(label: "closing connections")
    /// How long to wait while every connection is in use.
    private let patience: Duration
    private let state = Mutex(State())

    private struct State {
        var open: [ObjectIdentifier: Entry] = [:]
        var uses: UInt64 = 0
    }

    private struct Entry {
        /// Not kept alive. Nil once it is going: it closes its connection and takes itself out.
        weak let holder: (any ConnectionHolder)?
        var users: Int
        var used: UInt64
    }

    init(maximum: Int = usual, patience: Duration = .seconds(5)) {
        self.maximum = maximum
        reserve = maximum / 16
        self.patience = patience
    }

    /// From here until ``release(_:)`` the holder may have its connection open. Waits on the caller's thread.
    ///
    /// - Throws: ``ArchiveError`` with `tooManyOpen`.
    func acquire(_ holder: any ConnectionHolder) throws(ArchiveError) {
        let start = ContinuousClock.now
        while !tryAcquire(holder) {
            guard ContinuousClock.now - start < patience else { throw tooMany }
            usleep(1000)
        }
    }

    /// The same, where no thread may be kept waiting.
    func acquireAside(_ holder: any ConnectionHolder) async throws {
        let start = ContinuousClock.now
        while !tryAcquire(holder) {
            guard ContinuousClock.now - start < patience else { throw tooMany }
            try await Task.sleep(for: Self.pause)
        }
    }

    func release(_ holder: any ConnectionHolder) {
        state.withLock { state in state.open[ObjectIdentifier(holder)]?.users -= 1 }
    }

    /// The holder has closed its connection for good, or is about to.
    func remove(_ holder: any ConnectionHolder) {
        state.withLock { state in state.open[ObjectIdentifier(holder)] = nil }
    }

    /// How many may be open now.
    var count: Int { state.withLock { $0.open.count } }

    private func tryAcquire(_ holder: any ConnectionHolder) -> Bool {
        state.withLock { state in
            state.uses += 1
            let key = ObjectIdentifier(holder)
            if state.open[key] == nil {
                guard state.open.count < maximum || Self.closeLeastUsed(&state) else { return false }
                state.open[key] = Entry(holder: holder, users: 0, used: 0)
                if state.open.count > maximum - reserve { closing.async { [weak self] in self?.closeAhead() } }
            }
            state.open[key]?.users += 1
            state.open[key]?.used = state.uses
            return true
        }
    }

    private func closeAhead() {
        state.withLock { state in
            while state.open.count > maximum - reserve, Self.closeLeastUsed(&state) {}
        }
    }

    /// Nobody begins to use it meanwhile: that takes the lock, too.
    private static func closeLeastUsed(_ state: inout State) -> Bool {
        let idle = state.open.filter { $0.value.users == 0 }
        guard let victim = idle.min(by: { $0.value.used < $1.value.used }) else { return false }
        victim.value.holder?.closeIdle()
        state.open[victim.key] = nil
        return true
    }

    private var tooMany: ArchiveError {
        ArchiveError(code: .tooManyOpen, detail: "\(maximum) accounts are open, and all are in use")
    }
}

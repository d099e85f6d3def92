import Synchronization

/// What all accounts of a process may hold together of what they heard and have not stored.
///
/// Each account has a small share of its own, whatever the others hold, so that none can keep another from hearing. Beyond it
/// they draw from what is left: one that is heard faster than it is stored waits for its own store, not for the others.
package final class BufferBudget: Sendable {
    /// Bytes that every account may hold: some hundred events, half of what one transaction stores best.
    static let ownBytes = 512 * 1024
    /// Bytes beyond the own shares. With three accounts' batches and members the process stays below 128 MB.
    static let sharedBytes = 16 * 1024 * 1024
    /// The one of this process.
    package static let process = BufferBudget(shared: sharedBytes)

    private let left: Mutex<Int>

    package init(shared: Int) {
        left = Mutex(shared)
    }

    /// Bytes that nobody has drawn.
    package var available: Int { left.withLock(\.self) }

    /// - Returns: all of `bytes`, or nothing where less is left.
    func draw(_ bytes: Int) -> Int {
        left.withLock { left in
            guard bytes <= left else { return 0 }
            left -= bytes
            return bytes
        }
    }

    func giveBack(_ bytes: Int) {
        left.withLock { $0 += bytes }
    }
}

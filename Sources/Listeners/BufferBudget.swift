import Synchronization

/// Limits the memory that all accounts of a process together use for events that are not stored yet.
///
/// Each account has a small share of its own, whatever the others hold, so that none can keep another from receiving.
/// Beyond it they draw from what is left: an account that receives faster than it stores waits for its own store, not
/// for the others.
package final class BufferBudget: Sendable {
    /// Bytes that every account may hold: some hundred events, half of what one transaction stores best.
    static let ownBytes = 512 * 1024
    /// Bytes beyond the own shares. With three accounts' batches and members the process stays below 128 MB.
    static let sharedBytes = 16 * 1024 * 1024
    /// The budget of this process.
    package static let process = BufferBudget(shared: sharedBytes)

    private let left: Mutex<Int>

    /// Makes a budget with so many bytes beyond the own shares.
    package init(shared: Int) {
        left = Mutex(shared)
    }

    /// Bytes that nobody has drawn.
    package var available: Int { left.withLock(\.self) }

    /// - Returns: `bytes`, or 0 where fewer are left.
    func draw(_ bytes: Int) -> Int {
        left.withLock { left in
            guard bytes <= left else { return 0 }
            left -= bytes
            return bytes
        }
    }

    func release(_ bytes: Int) {
        left.withLock { $0 += bytes }
    }
}

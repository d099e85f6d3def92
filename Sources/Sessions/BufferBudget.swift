import Synchronization

/// Limits the memory that all accounts of a process together use for events that are not stored yet.
///
/// Each account has a small share of its own, so that no account can prevent another one from receiving. Above it, the
/// accounts share a common budget: an account that receives faster than it stores waits for its own store, not for the
/// others.
package final class BufferBudget: Sendable {
    /// The bytes of each account's own share: some hundred events, half of the best size of a transaction.
    static let ownBytes = 512 * 1024
    /// The bytes of the common budget. With the batches and members of three accounts, the process stays below 96 MiB.
    static let sharedBytes = 4 * 1024 * 1024
    package static let process = BufferBudget(shared: sharedBytes)

    private let left: Mutex<Int>

    /// Creates a budget with this number of common bytes.
    package init(shared: Int) {
        left = Mutex(shared)
    }

    /// The common bytes that are not in use.
    package var available: Int { left.withLock(\.self) }

    /// - Returns: `bytes`, or 0 if fewer are left.
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

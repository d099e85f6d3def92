import Accounts
import ChatModel
import Dispatch
import Files
import Reading
import Records
import Synchronization

/// Reads an account's status on a separate thread. A disk that hangs makes callers wait 2 s at most, and blocks one
/// thread for any number of calls.
final class StatusReading: Sendable {
    private struct State {
        var waiting: [Int: CheckedContinuation<AccountStatus, any Error>] = [:]
        var lastNumber = 0
        var isReading = false
    }

    /// The longest wait. A file on a busy machine answers within some 10 ms, or within a second on the first call for
    /// ten million messages.
    private static let timeout = DispatchTimeInterval.seconds(2)

    private let folder: AccountFolder
    private let limit: ConnectionLimit
    private let state = Mutex(State())
    /// The tally of the previous reading; used only by the thread that reads.
    private let tally = Mutex<GapTally?>(nil)
    private let queue = DispatchQueue(label: "an account's status")

    init(of folder: AccountFolder, limit: ConnectionLimit) {
        (self.folder, self.limit) = (folder, limit)
    }

    /// - Throws: ``ArchiveError``, with `storage` when the disk does not answer.
    func status() async throws -> AccountStatus {
        try await withCheckedThrowingContinuation { continuation in
            let (number, begins) = state.withLock { state in
                defer { state.isReading = true }
                state.lastNumber += 1
                state.waiting[state.lastNumber] = continuation
                return (state.lastNumber, !state.isReading)
            }
            if begins { queue.async { self.readAll() } }
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.timeout) { self.timeOut(number) }
        }
    }

    /// Reads until no caller waits: a caller that arrives during a reading gets the result of the next one.
    private func readAll() {
        while true {
            let ids = state.withLock { state in
                state.isReading = !state.waiting.isEmpty
                return Array(state.waiting.keys)
            }
            guard !ids.isEmpty else { return }
            let result = Result { try read() }
            for continuation in state.withLock({ state in ids.compactMap { state.waiting.removeValue(forKey: $0) } }) {
                continuation.resume(with: result)
            }
        }
    }

    private func read() throws -> AccountStatus {
        guard let lock = try FileLock(path: folder.lock, mode: .shared) else { throw AccountWriterClosed() }
        let reader = AccountReader(try OpenAccount(folder: folder, lock: lock, limit: limit))
        let (status, counted) = try reader.status(tally: tally.withLock { $0 })
        tally.withLock { $0 = counted }
        return status
    }

    private func timeOut(_ number: Int) {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: number) }
        waiting?.resume(
            throwing: ArchiveError(code: .storage, detail: "\(folder.database): the disk has not answered for 2 s"))
    }
}

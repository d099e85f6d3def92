import Logging
import Synchronization

/// The bytes of answers that are in memory because their clients do not read them, of all connections, by sender.
final class UnsentBytes: Sendable {
    /// The bytes beyond which further requests are refused. Those of the owner are refused later, and whatever the tokens
    /// have.
    struct Limits: Sendable {
        var ofToken = 16 << 20
        var ofTokens = 32 << 20
        var ofOwner = 32 << 20
    }

    private struct State {
        var bytes: [Share: Int] = [:]
        var lastWarning: ContinuousClock.Instant?
    }

    private let limits: Limits
    private let logger: Logger
    private let state = Mutex(State())

    /// The time between two warnings.
    private static let warningInterval = Duration.seconds(60)

    init(_ limits: Limits = Limits(), logger: Logger) {
        (self.limits, self.logger) = (limits, logger)
    }

    /// - Throws: ``Problem`` if too many bytes are not sent.
    func check(_ share: Share) throws {
        let problem = state.withLock { state -> Problem? in
            let own = state.bytes[share, default: 0]
            guard own < (share == .owner ? limits.ofOwner : limits.ofToken) else { return .unread(own) }
            let all = state.bytes.reduce(0) { $0 + ($1.key == .owner ? 0 : $1.value) }
            return share == .owner || all < limits.ofTokens ? nil : .busy
        }
        guard let problem else { return }
        warn(problem)
        throw problem
    }

    func add(_ bytes: Int, of share: Share) {
        state.withLock { $0.bytes[share, default: 0] += bytes }
    }

    func remove(_ bytes: Int, of share: Share) {
        state.withLock { state in
            let left = state.bytes[share, default: 0] - bytes
            state.bytes[share] = left > 0 ? left : nil
        }
    }

    /// Adds bytes until the result is released.
    func hold(_ bytes: Int, of share: Share) -> Hold { Hold(self, bytes, share) }

    /// Bytes that count as long as this exists.
    final class Hold: Sendable {
        private let unsent: UnsentBytes
        private let bytes: Int
        private let share: Share

        fileprivate init(_ unsent: UnsentBytes, _ bytes: Int, _ share: Share) {
            (self.unsent, self.bytes, self.share) = (unsent, bytes, share)
            unsent.add(bytes, of: share)
        }

        deinit { unsent.remove(bytes, of: share) }
    }

    private func warn(_ problem: Problem) {
        let now = ContinuousClock.now
        let isTime = state.withLock { state in
            if let last = state.lastWarning, now - last < Self.warningInterval { return false }
            state.lastWarning = now
            return true
        }
        guard isTime else { return }
        logger.warning("clients do not read their answers; refusing requests", metadata: ["error": "\(problem.detail)"])
    }
}

import SLPWire
import Sessions
import Synchronization

/// A renewal of an account's tokens, for which several callers may wait.
final class SLPRenewal: Sendable {
    /// The kind of renewal: with the refresh token, or by a new login.
    enum Kind: Sendable { case refresh, login }

    let kind: Kind
    private let isOver = Signal()
    private let result = Mutex<Result<SLPTokens, any Error>?>(nil)

    init(_ kind: Kind) {
        self.kind = kind
    }

    func end(_ result: Result<SLPTokens, any Error>) {
        self.result.withLock { $0 = result }
        isOver.set()
    }

    /// Waits for the new tokens. A caller that is cancelled returns at once, and the renewal continues for the others.
    ///
    /// - Throws: The error of the renewal, or `CancellationError`.
    func tokens() async throws -> SLPTokens {
        await isOver.wait()
        guard let result = result.withLock(\.self) else { throw CancellationError() }
        return try result.get()
    }
}

import SLPWire
import Synchronization

/// A renewal of an account's tokens: made once, with several callers that wait for it.
final class SLPRenewal: Sendable {
    /// The way to new tokens.
    enum Way: Sendable { case refresh, login }

    let way: Way
    private let isOver = Signal()
    private let result = Mutex<Result<SLPTokens, any Error>?>(nil)

    init(_ way: Way) {
        self.way = way
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

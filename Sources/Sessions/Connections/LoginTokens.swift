package import Logging
import Synchronization

/// The tokens of one account, which come from a login, are renewed by one call at a time, and are kept in a file.
///
/// ``whileRunning(_:_:)`` makes the renewals in a child task, so nothing continues after it, or after ``close()``.
///
/// `Kind` is the way of a renewal, such as by a login or by a token for that.
package actor LoginTokens<Tokens: Codable & Equatable & Sendable, Kind: Sendable> {
    /// Makes a renewal, from the tokens so far; nil if there are none.
    package typealias Renew = @Sendable (Kind, Tokens?) async throws -> Tokens

    /// A renewal in progress, for which several callers may wait.
    private final class Renewal: Sendable {
        let kind: Kind
        let isOver = Signal()
        let result = Mutex<Result<Tokens, any Error>?>(nil)

        init(_ kind: Kind) {
            self.kind = kind
        }

        func end(_ result: Result<Tokens, any Error>) {
            self.result.withLock { $0 = result }
            isOver.set()
        }
    }

    private let access: @Sendable (Tokens) -> String
    private let file: LoginFile<Tokens>?
    private let logger: Logger
    private var tokens: Tokens?
    private var renewal: Renewal?
    private let renewals = AsyncStream<Renewal>.makeStream()
    private let isClosed = Signal()
    /// The error that stopped the account. Another login would fail again, or lock the account.
    private var stopError: CallError?

    /// - Parameters:
    ///   - file: Keeps the tokens between runs; nil keeps none.
    ///   - tokens: The first tokens; nil for those of the file.
    ///   - access: Returns the token for calls.
    package init(
        _ file: LoginFile<Tokens>?, first tokens: Tokens? = nil, logger: Logger,
        access: @escaping @Sendable (Tokens) -> String
    ) {
        (self.file, self.logger, self.access) = (file, logger, access)
        self.tokens = tokens ?? file?.read()
    }

    /// Makes the renewals while `body` runs.
    package nonisolated func whileRunning<Outcome>(
        _ renew: @escaping Renew, _ body: () async throws -> Outcome
    ) async throws -> Outcome {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await self.run(renew) }
            defer { close() }
            return try await body()
        }
    }

    /// Ends a renewal in progress, and prevents others, so that calls that need one fail.
    package nonisolated func close() {
        isClosed.set()
    }

    /// Returns the tokens for a call. Gets them in the way of `kind` if there are none.
    ///
    /// - Throws: The error of the renewal, or `CancellationError`. A caller that is cancelled returns at once, and the
    ///   renewal continues for the others.
    package func get(by kind: Kind) async throws -> Tokens {
        if let stopError { throw stopError }
        if let tokens { return tokens }
        return try await renewed(kind)
    }

    /// Returns tokens after `used` was refused: those of another call's renewal, or new ones.
    ///
    /// - Throws: As ``get(by:)``.
    package func get(after used: String, by kind: Kind) async throws -> Tokens {
        if let stopError { throw stopError }
        if let tokens, access(tokens) != used { return tokens }
        return try await renewed(kind)
    }

    /// Stops the account: later calls get this error.
    package func stop(_ error: CallError) {
        stopError = error
    }

    private func run(_ renew: @escaping Renew) async {
        await isClosed.cancelling { await self.renewAll(renew) }
        isClosed.set()
        renewal?.end(.failure(CancellationError()))
    }

    private func renewAll(_ renew: Renew) async {
        for await renewal in renewals.stream {
            let result: Result<Tokens, any Error>
            do {
                let new = try await renew(renewal.kind, tokens)
                if new != tokens {
                    tokens = new
                    await file?.keep(new, logger)
                }
                result = .success(new)
            } catch {
                if let error = error as? CallError, [.accountStopped, .needsLogin].contains(error.code) {
                    stopError = error
                }
                result = .failure(error)
            }
            self.renewal = nil
            renewal.end(result)
        }
    }

    private func renewed(_ kind: Kind) async throws -> Tokens {
        try Task.checkCancellation()
        guard !isClosed.isSet else { throw CancellationError() }
        let renewal = self.renewal ?? begin(kind)
        await renewal.isOver.wait()
        guard let result = renewal.result.withLock(\.self) else { throw CancellationError() }
        return try result.get()
    }

    private func begin(_ kind: Kind) -> Renewal {
        let new = Renewal(kind)
        renewal = new
        renewals.continuation.yield(new)
        return new
    }
}

import ChatModel
import Files
import Logging
import Settings
import Synchronization

/// The tokens of the file, which is read again when it changes, with a bucket of requests for each token.
final class TokenBook: Sendable {
    private let file: TokenFile
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        /// The content of the file when it was read last; nil before that.
        var found: Result<OwnersFile.Content?, ArchiveError>?
        var tokens: [AccessToken] = []
        var buckets: [String: Bucket] = [:]
    }

    private struct Bucket {
        var left: Double
        var at: ContinuousClock.Instant
    }

    /// The rate of requests of a token: per second in the long run, and at once.
    static let rate = (perSecond: 100.0, burst: 500.0)

    init(file: TokenFile, logger: Logger) {
        (self.file, self.logger) = (file, logger)
    }

    /// Returns the token of a text; nil if there is none, or it has expired.
    func token(_ text: String, now: Timestamp = .now()) -> AccessToken? {
        let hash = SecretText.sha256(text)
        return current().first { $0.sha256 == hash && !$0.isExpired(at: now) }
    }

    /// Returns true if the token is still valid, and may do the same.
    func isValid(_ token: AccessToken, now: Timestamp = .now()) -> Bool {
        current().contains { $0 == token && !$0.isExpired(at: now) }
    }

    /// Takes a request from the token's bucket.
    ///
    /// - Returns: Nil if the request is allowed; otherwise the seconds until the next one is allowed.
    func take(_ token: AccessToken, now: ContinuousClock.Instant = .now) -> Int? {
        state.withLock { state in
            var bucket = state.buckets[token.sha256] ?? Bucket(left: Self.rate.burst, at: now)
            let seconds = (now - bucket.at) / .seconds(1)
            bucket = Bucket(left: min(Self.rate.burst, bucket.left + seconds * Self.rate.perSecond), at: now)
            let isEmpty = bucket.left < 1
            if !isEmpty { bucket.left -= 1 }
            state.buckets[token.sha256] = bucket
            return isEmpty ? 1 : nil
        }
    }

    /// Returns the tokens that the file has now. Compares the whole content: a file may be replaced by one of the same
    /// time, size and inode.
    private func current() -> [AccessToken] {
        let found = Result { () throws(ArchiveError) in try file.content() }
        if let tokens = state.withLock({ $0.found == found ? $0.tokens : nil }) { return tokens }
        var tokens: [AccessToken] = []
        do {
            tokens = try file.tokens(in: found.get())
        } catch {
            logger.warning("the tokens can't be read, and none is accepted", metadata: ["error": "\(error)"])
        }
        return state.withLock { [tokens] state in
            (state.found, state.tokens) = (found, tokens)
            let known = Set(tokens.map(\.sha256))
            state.buckets = state.buckets.filter { known.contains($0.key) }
            return tokens
        }
    }
}

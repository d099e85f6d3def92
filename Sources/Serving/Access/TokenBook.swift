import CDispatch
import ChatModel
import Foundation
import Logging
import Service
import Synchronization

/// The tokens of the file, which is read again when it changes, with a bucket of requests for each token.
final class TokenBook: Sendable {
    private let file: TokenFile
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        var stamp: Stamp?
        var tokens: [AccessToken] = []
        var buckets: [String: Bucket] = [:]
    }

    private struct Stamp: Equatable {
        var seconds: Int
        var nanoseconds: Int
        var inode: UInt64
        var size: Int64
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

    /// Returns true if the token is still valid.
    func isValid(_ token: AccessToken, now: Timestamp = .now()) -> Bool {
        current().contains { $0.sha256 == token.sha256 && !$0.isExpired(at: now) }
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

    private func current() -> [AccessToken] {
        var status = stat()
        let stamp =
            stat(file.path, &status) == 0
            ? Stamp(
                seconds: Int(status.st_mtim.tv_sec), nanoseconds: Int(status.st_mtim.tv_nsec),
                inode: UInt64(status.st_ino),
                size: Int64(status.st_size)) : nil
        if let tokens = state.withLock({ $0.stamp == stamp && stamp != nil ? $0.tokens : nil }) { return tokens }
        var tokens: [AccessToken] = []
        do {
            tokens = try file.read()
        } catch {
            logger.warning("the tokens can't be read, and none is accepted", metadata: ["error": "\(error)"])
        }
        return state.withLock { [tokens] state in
            (state.stamp, state.tokens) = (stamp, tokens)
            let known = Set(tokens.map(\.sha256))
            state.buckets = state.buckets.filter { known.contains($0.key) }
            return tokens
        }
    }
}

import ChatModel
import Logging
import Service
import TestSupport
import Testing

@testable import Serving

@Suite struct TokenBookTests {
    private static func token(_ name: String) -> AccessToken {
        AccessToken(
            name: name, sha256: name, accounts: [], rooms: [], mayWrite: false, expiresAt: nil,
            createdAt: Timestamp(microseconds: 0))
    }

    @Test("a token may ask 500 times at once, and 100 times a second in the long run; others are not held up")
    func limitsRequests() throws {
        let folder = try TemporaryFolder()
        let book = TokenBook(
            file: TokenFile(folder: folder.path), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let (busy, quiet) = (Self.token("busy"), Self.token("quiet"))
        let start = ContinuousClock.now
        func allowed(_ token: AccessToken, at now: ContinuousClock.Instant) -> Int {
            (0..<1000).count { _ in book.take(token, now: now) == nil }
        }
        #expect(allowed(busy, at: start) == 500)
        #expect(book.take(busy, now: start) == 1)
        #expect(allowed(busy, at: start + .seconds(2)) == 200)
        #expect(allowed(quiet, at: start + .seconds(2)) == 500)
        #expect(allowed(busy, at: start + .seconds(3600)) == 500)
    }
}

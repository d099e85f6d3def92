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

    @Test func `a token is refused from its end on`() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let file = TokenFile(folder: folder.path)
        let end = Timestamp(microseconds: 1_000_000)
        try file.write([
            AccessToken(
                name: "phone", sha256: SecretText.sha256("secret"), accounts: [], rooms: [], mayWrite: false,
                expiresAt: end, createdAt: Timestamp(microseconds: 0))
        ])
        let book = TokenBook(file: file, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let token = try #require(book.token("secret", now: end.advanced(byMicroseconds: -1)))
        #expect(book.isValid(token, now: end.advanced(byMicroseconds: -1)))
        #expect(book.token("secret", now: end) == nil && !book.isValid(token, now: end))
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

import ChatModel
import Foundation
import Logging
import Settings
import TestSupport
import Testing

@testable import Serving

@Suite struct TokenBookTests {
    private static func token(_ name: String) -> AccessToken {
        AccessToken(
            name: name, sha256: name, accounts: [], rooms: [], mayWrite: false, expiresAt: nil,
            createdAt: Timestamp(microseconds: 0))
    }

    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test func `a token is refused from its expiry on`() async throws {
        let folder = try TemporaryFolder()
        let file = TokenFile(folder: folder.path)
        let end = Timestamp(microseconds: 1_000_000)
        try file.change {
            $0 = [
                AccessToken(
                    name: "phone", sha256: SecretText.sha256("secret"), accounts: [], rooms: [], mayWrite: false,
                    expiresAt: end, createdAt: Timestamp(microseconds: 0))
            ]
        }
        let book = TokenBook(file: file, logger: Self.quiet)
        let token = try #require(book.token("secret", now: end.advanced(byMicroseconds: -1)))
        #expect(book.isValid(token, now: end.advanced(byMicroseconds: -1)))
        #expect(book.token("secret", now: end) == nil && !book.isValid(token, now: end))
    }

    @Test func `a removed token is refused at once, even if the file's time, size and inode are the same`() async throws
    {
        let folder = try TemporaryFolder()
        let file = TokenFile(folder: folder.path)
        try file.change { $0 = [Self.token(SecretText.sha256("phone"))] }
        let book = TokenBook(file: file, logger: Self.quiet)
        #expect(book.token("phone") != nil)

        let path = folder.path + "/" + TokenFile.fileName
        var before = stat()
        #expect(stat(path, &before) == 0)
        let other = try String(contentsOfFile: path, encoding: .utf8)
            .replacing(SecretText.sha256("phone"), with: SecretText.sha256("tablet"))
        try other.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(utimensat(AT_FDCWD, path, [before.st_atim, before.st_mtim], 0) == 0)
        var after = stat()
        #expect(stat(path, &after) == 0 && after.st_ino == before.st_ino && after.st_size == before.st_size)

        #expect(book.token("phone") == nil && book.token("tablet") != nil)
    }

    @Test func `an unreadable file makes every token invalid`() async throws {
        let folder = try TemporaryFolder()
        let file = TokenFile(folder: folder.path)
        try file.change { $0 = [Self.token(SecretText.sha256("phone"))] }
        let book = TokenBook(file: file, logger: Self.quiet)
        #expect(book.token("phone") != nil)
        let path = folder.path + "/" + TokenFile.fileName
        #expect(chmod(path, 0o644) == 0)
        #expect(book.token("phone") == nil)
        #expect(chmod(path, 0o600) == 0)
        #expect(book.token("phone") != nil)
        try "[".write(toFile: path, atomically: false, encoding: .utf8)
        #expect(book.token("phone") == nil)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `concurrent changes are all made`() async throws {
        let folder = try TemporaryFolder()
        let file = TokenFile(folder: folder.path)
        let names = (10..<34).map { "token\($0)" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in names { group.addTask { try file.change { $0.append(Self.token(name)) } } }
            try await group.waitForAll()
        }
        #expect(try file.read().map(\.name) == names)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in names { group.addTask { try file.change { $0.removeAll { $0.name == name } } } }
            try await group.waitForAll()
        }
        #expect(try file.read().isEmpty)
        var status = stat()
        #expect(stat(folder.path + "/" + TokenFile.fileName, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("a token can ask 500 times at once and 100 times a second, without delaying others")
    func limitsRequests() throws {
        let folder = try TemporaryFolder()
        let book = TokenBook(
            file: TokenFile(folder: folder.path), logger: Self.quiet)
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

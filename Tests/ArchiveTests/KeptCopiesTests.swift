import ChatModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Accounts
@testable import Archive
@testable import Files
@testable import Moves
@testable import Reading
@testable import Writing

/// A server reads compressed accounts, and leaves them compressed.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct KeptCopiesTests {
    private let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    private func fill(_ names: [String]) async throws {
        for name in names {
            let writer = try await fixture.openWriter(name)
            let session = try await writer.openSession()
            _ = try await writer.append([.said("hello", at: 10, in: session)])
            try await writer.close()
        }
    }

    private func compress(_ names: [String]) async throws {
        for name in names { _ = try fixture.archive.evict(account: name, level: 1) }
    }

    private func coldCount() throws -> Int {
        try FileManager.default.subpathsOfDirectory(atPath: fixture.archive.folder + "/accounts")
            .count { $0.hasSuffix(".zst") }
    }

    @Test func `a compressed account is expanded once for many requests, and stays compressed`() async throws {
        try await fill(["demo"])
        try await compress(["demo"])
        let expanded = Mutex(0)
        let server = Archive(folder: fixture.archive.folder, keepsCopies: true) { _, bytes in
            if bytes == nil { expanded.withLock { $0 += 1 } }
        }
        for reading in [server.reading(), server.reading(), server.withCold.reading()] {
            let page = try reading.page(try fixture.query(room: nil))
            #expect(page.messages.map(\.body) == ["hello"])
        }
        #expect(expanded.withLock(\.self) == 1)
        #expect(try coldCount() == 1)
        // The copy does not keep the account from being expanded, or its files from being erased.
        _ = try fixture.archive.restore(account: "demo")
        #expect(try server.reading().page(try fixture.query(room: nil)).messages.count == 1)
        #expect(expanded.withLock(\.self) == 1)
    }

    @Test func `the kept copy of an erased account doesn't answer`() async throws {
        try await fill(["demo", "other"])
        try await compress(["demo"])
        let server = Archive(folder: fixture.archive.folder, keepsCopies: true)
        _ = try server.reading().page(try fixture.query(room: nil))
        _ = try fixture.archive.erase(account: "demo")
        #expect(throws: ArchiveError.self) { try server.reading().page(try fixture.query(room: nil)) }
    }

    @Test func `a file is found in the folders without expanding an account`() async throws {
        try await fill(["a", "b", "demo", "z"])
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: ArchiveFixture.day.advanced(by: .seconds(100)))
        let message = IncomingMessage(
            session: session, room: ArchiveFixture.lobby, kind: .message,
            sender: UserReference(key: "alice", name: "alice"), body: "see", remoteID: "f",
            receivedAt: ArchiveFixture.day.advanced(by: .seconds(101)), attachments: ["/f.txt"])
        _ = try await writer.append([.message(message, .snapshot)])
        let receipt = try await writer.receiveAttachment("/f.txt")
        try await receipt.begin(at: 0, tag: nil, total: 3)
        try await receipt.write(Array("abc".utf8))
        try await receipt.finish(at: ArchiveFixture.day.advanced(by: .seconds(102)))
        try await writer.close()
        try await compress(["a", "b", "z"])
        let expanded = Mutex(0)
        let server = Archive(folder: fixture.archive.folder, keepsCopies: true) { _, _ in expanded.withLock { $0 += 1 }
        }
        // The SHA-256 of "abc" (FIPS 180-2 §B.1).
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(try server.reading().files.file(hash)?.name == "f.txt")
        #expect(try server.reading().files.file(String(repeating: "0", count: 64)) == nil)
        #expect(try server.reading().files.file("..") == nil)
        #expect(expanded.withLock(\.self) == 0)
        #expect(try coldCount() == 3)
        try await compress(["demo"])
        #expect(try server.reading().files.file(hash)?.name == "f.txt", "from a copy")
        #expect(try coldCount() == 4)
    }

    @Test func `kept copies have a limit, and reading a copy keeps it`() async throws {
        let names = (0...KeptCopies.limit).map { "a\($0)" }
        try await fill(names)
        let kept = KeptCopies()
        let start = ContinuousClock.now
        let folder = fixture.archive.dataFolder
        let digest = FileDigest(sha256: "x", size: 1)
        func copy(_ name: String, at seconds: Int, of digest: FileDigest = digest) async throws -> OpenAccount {
            let entry = try #require(try folder.entry(named: name))
            let (_, lock) = try folder.take(entry, restores: false)
            return try kept.account(entry, digest, at: start + .seconds(seconds)) {
                try OpenAccount(
                    folder: folder.folder(of: entry), lock: lock, keepsLock: false, limit: ConnectionLimit(maximum: 1))
            }
        }
        let first = try await copy(names[0], at: 0)
        for name in names[1..<KeptCopies.limit] { _ = try await copy(name, at: 1) }
        let last = names[KeptCopies.limit]
        await #expect(throws: ArchiveError.self, "each copy was used a moment ago") { try await copy(last, at: 5) }
        _ = try await copy(last, at: 12)
        #expect(kept.count == KeptCopies.limit)
        #expect(try await copy(names[0], at: 13) === first, "somebody reads it")
        kept.release(unusedFor: .zero, at: start + .seconds(100))
        #expect(kept.count == 1)
        let other = FileDigest(sha256: "y", size: 1)
        await #expect(throws: ArchiveError.self, "the earlier content is being read") {
            try await copy(names[0], at: 101, of: other)
        }
        withExtendedLifetime(first) {}
    }
}

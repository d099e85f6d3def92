import ChatModel
import Foundation
import SQLite
import SearchText
import TestSupport
import Testing

@testable import Accounts
@testable import Archive
@testable import Checks
@testable import Moves
@testable import Reading
@testable import Records
@testable import Writing

/// History, logs, backups and new catalogs that have a forgotten person again.
extension ForgettingTests {
    private func again(_ session: SessionID) -> [ChatEvent] {
        (0..<500).filter { $0 % 50 == 7 }.flatMap { second in
            message(
                "canarywort zephyrquill \(second) 카나리아새 金絲雀鳥", second * 10 + 1, by: "mallory", in: session)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [false, true])
    func `history does not bring a person back, even in another process`(isReopened: Bool) async throws {
        var writer = try await fill()
        try await forget(.user(user("mallory")), by: writer)
        if isReopened {
            try await writer.close()
            writer = try await fixture.openWriter()
        }
        _ = try await writer.append(again(try await writer.openSession(at: at(11_000))))
        try await writer.close()
        #expect(try traces(of: Self.canaries) == [])
        #expect(try fixture.value("SELECT count(*) FROM message") == 500)
    }

    @Test func `a log does not bring a person back, whatever its clock and case`() async throws {
        let writer = try await fill()
        try await forget(.user(user("mallory")), by: writer)
        let lines = (0..<500).filter { $0 % 50 == 7 }.map { second in
            ImportedLine.message(
                ImportedMessage(
                    room: "lobby", kind: .message, sender: "Mallory",
                    body: "canarywort zephyrquill \(second) 카나리아새 金絲雀鳥",
                    time: at((second * 10 + 1 + 20) / 60 * 60), resolution: .minute))
        }
        let tally = try await writer.importLines(lines, at: at(12_000))
        #expect(tally == ImportTally(expired: 10))
        try await writer.close()
        #expect(try traces(of: Self.canaries) == [])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a restored backup forgets a person again before anything is read`() async throws {
        let backup = fixture.folder.path + "/backup"
        let writer = try await fill()
        try fixture.archive.backup(in: backup, isNew: true).add(account: "demo")
        try await forget(.user(user("mallory")), by: writer)
        try await writer.close()
        _ = try fixture.archive.erase(account: "demo")
        _ = try fixture.archive.backup(in: backup).restore(account: "demo")
        let page = try await fixture.walk(.oldest, limit: 1000, query: try fixture.query())
        #expect(page.count == 500 && !page.contains { $0.sender?.name.hasPrefix("mallory") ?? true })
        #expect(try traces() == [])
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `the next opening completes a forgetting that crashed after the catalog was written`() async throws {
        let writer = try await fill()
        try await writer.close()
        let file = try fixture.file()
        let queue = try DatabaseQueue(path: file)
        let (key, digests) = try queue.read { db in
            let key = ForgottenKey.makeKey()
            let message = try #require(
                try StoredMessage.all(after: .min, limit: 1000, db).first { $0.body?.hasPrefix("canarywort") ?? false })
            return (key, try Forgetter.digests(of: message, ForgottenDigests(key: key), db))
        }
        try queue.close()
        try fixture.archive.dataFolder.catalog.forget(digests, key: key, account: "demo")
        let page = try await fixture.walk(.oldest, limit: 1000, query: try fixture.query())
        #expect(page.count == 509)
    }

    @Test func `a new catalog gets the forgotten keys from the account file`() async throws {
        var writer = try await fill()
        try await forget(.user(user("mallory")), by: writer)
        try await writer.close()
        let digests: Int64 = try #require(try fixture.value("SELECT digests FROM forgotten_key"))
        for name in ["catalog.sqlite"] {
            try FileManager.default.removeItem(atPath: fixture.archive.folder + "/" + name)
        }
        let archive = Archive(folder: fixture.archive.folder)
        writer = try await archive.openWriter(ArchiveFixture.account)
        try await writer.close()
        #expect(try archive.dataFolder.catalog.forgottenKey(of: "demo")?.digests == digests)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [false, true])
    func `later messages of a person are stored, unless these are to be forgotten`(alsoNew: Bool) async throws {
        let writer = try await fill()
        try await forget(.user(user("malloryalias")), alsoNew: alsoNew, by: writer)
        let session = try await writer.openSession(at: at(11_000))
        _ = try await writer.append([.said("something new", at: 11_001_000_000, by: "malloryalias", in: session)])
        _ = try await writer.append([.said("of another", at: 11_002_000_000, by: "bob", in: session)])
        try await writer.close()
        #expect(try fixture.value("SELECT count(*) FROM message") == (alsoNew ? 501 : 502))
        #expect(try traces(of: ["malloryalias"]).isEmpty == alsoNew)
    }
}

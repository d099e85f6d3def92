import ChatModel
import Foundation
import SQLite
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Files
@testable import Moves
@testable import Reading
@testable import Writing

/// Erasing of accounts.
extension EvictionTests {
    @Test(.disabled(if: QuickCheck.isRunning), arguments: [false, true])
    func `erasing an account leaves no byte in any file, hot or cold`(isCold: Bool) async throws {
        let canary = "canary\(Int.random(in: 1_000_000...9_999_999))"
        try await fill("other")
        let writer = try await fixture.openWriter(canary)
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("\(canary) 서버", at: 1, by: canary, in: session, remoteID: canary),
            .chunk(
                JournalChunk(session: session, offset: 0, receivedAt: ArchiveFixture.day, bytes: Array(canary.utf8))),
        ])
        try await writer.close()
        if isCold {
            _ = try fixture.archive.evict(account: canary, level: 1)
            _ = try fixture.archive.restore(account: canary)
            _ = try fixture.archive.evict(account: canary, level: 1)
        }
        #expect(try filesWith(canary).isEmpty == false)
        let open = try await fixture.openWriter("other")
        #expect(throws: ArchiveError.self) { try fixture.archive.erase(account: "other") }
        try await open.close()
        #expect(try fixture.archive.erase(account: canary).messages == 1)
        #expect(try filesWith(canary) == [])
        #expect(try fixture.archive.reading().accounts().map(\.name) == ["other"])
        let again = try await fixture.openWriter(canary)
        try await again.close()
        #expect(try fixture.archive.reading().accountSummaries().map(\.messages) == [0, 50])
    }

    /// Names and contents of what is below the data folder.
    private func filesWith(_ text: String) throws -> [String] {
        let folder = fixture.archive.folder
        return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
            if path.contains(text) { return true }
            guard let bytes = FileManager.default.contents(atPath: folder + "/" + path) else { return false }
            return [text, String(text.dropFirst(6))].contains { bytes.range(of: Data($0.utf8)) != nil }
        }
    }

    @Test func `leftovers of an interrupted erasure are removed`() async throws {
        try await fill()
        try await fill("other")
        let gone = try folder()
        let hidden = (gone as NSString).deletingLastPathComponent + "/.erased-" + (gone as NSString).lastPathComponent
        try FileManager.default.moveItem(atPath: gone, toPath: hidden)
        #expect(try fixture.archive.reading().accounts().map(\.name) == ["other"])
        try fixture.archive.recover { _ in }
        #expect(!FileManager.default.fileExists(atPath: hidden))
    }
}

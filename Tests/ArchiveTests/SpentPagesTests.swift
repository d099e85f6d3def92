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
@testable import Writing

/// The space of removed messages is given back.
struct SpentPagesTests {
    private func fill(_ fixture: ArchiveFixture) async throws -> AccountWriter {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        for part in 0..<10 {
            _ = try await writer.append(
                (0..<1000).map { number in
                    let second = Int64(part * 1000 + number)
                    return .said(
                        "message \(second) \(second.hashValue) with some words of its own",
                        at: second * 1_000_000, in: session)
                })
        }
        return writer
    }

    private func size(_ fixture: ArchiveFixture) throws -> Int64 {
        try #require(try fixture.value("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"))
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a new file shrinks after a removal`() async throws {
        let fixture = try ArchiveFixture()
        try await fill(fixture).close()
        let before = try size(fixture)
        let writer = try await fixture.openWriter()
        try await writer.apply(
            .keeping([.messages: .seconds(1)]), at: ArchiveFixture.day.advanced(by: .seconds(9001)))
        try await writer.close()
        #expect(try fixture.value("SELECT count(*) FROM message") == 1000)
        #expect(try size(fixture) < before * 3 / 4)
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `compact rewrites a file of an earlier version, which shrinks in steps from then on`()
        async throws
    {
        let fixture = try ArchiveFixture()
        let writer = try await fill(fixture)
        try await writer.close()
        try fixture.vacuum("PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM")
        #expect(try fixture.value("PRAGMA auto_vacuum") == 0)
        let before = try size(fixture)
        let again = try await fixture.openWriter()
        try await again.apply(
            .keeping([.messages: .seconds(1)]), at: ArchiveFixture.day.advanced(by: .seconds(9001)))
        try await again.close()
        #expect(try size(fixture) >= before)
        #expect(try fixture.archive.unusedBytes(of: "demo") > before / 4)
        let rows = try fixture.rows()
        let compacted = try fixture.archive.compact(account: "demo")
        #expect(compacted.bytes < before * 3 / 4)
        #expect(try fixture.rows(generation: 2) == rows)
        #expect(try fixture.value("PRAGMA auto_vacuum", generation: 2) == 2)
        let problems = try fixture.archive.check().flatMap(\.problems)
        #expect(problems.isEmpty, "\(problems)")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an account in use is not rewritten`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fill(fixture)
        #expect(throws: ArchiveError.self) { try fixture.archive.compact(account: "demo") }
        try await writer.close()
    }
}

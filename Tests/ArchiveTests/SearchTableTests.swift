import ChatModel
import Foundation
import SQLite
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Files
@testable import Reading
@testable import Schema
@testable import Writing

/// The search index as a table that any program can read.
@Suite struct SearchTableTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func fill() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append(
            (1...20).map { .said("coffee \($0)", at: $0, in: session) }
                + [.said("x", at: 30, in: session, kind: .join)])
        try await writer.close()
    }

    private func reindex() async throws {
        let writer = try await fixture.openWriter()
        _ = try await writer.indexStep(rebuild: true)
        while try await writer.indexStep().from != nil {}
        try await writer.close()
    }

    private func checkTable() async throws {
        #expect(try fixture.value("SELECT count(*) FROM message_search") == 20)
        let sql = "SELECT text FROM message_search ORDER BY rowid DESC LIMIT 1"
        #expect(try fixture.value(sql) == "coffee 20")
        #expect(try fixture.value("SELECT text FROM message_search WHERE message_search MATCH 'coffee'") == "coffee 1")
        #expect(try fixture.value("SELECT count(*) FROM message_search WHERE chars IS NULL AND facets IS NULL") == 20)
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `every row of the search index is readable, even after a reindex`() async throws {
        try await fill()
        try await checkTable()
        let definition: String? = try fixture.value("SELECT sql FROM sqlite_schema WHERE name = 'message_search'")
        try await reindex()
        try await checkTable()
        let rebuilt: String? = try fixture.value("SELECT sql FROM sqlite_schema WHERE name = 'message_search'")
        #expect(rebuilt?.replacing("\"", with: "") == definition)
    }

    @Test(arguments: [false, true])
    func `the integrity check notices an index that is lost in the middle of the file`(isReindexed: Bool) async throws {
        try await fill()
        if isReindexed { try await reindex() }
        try fixture.execute("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'message_reply'")
        #expect(try fixture.value("SELECT integrity_check LIKE '%never used%' FROM pragma_integrity_check") == true)
    }
}

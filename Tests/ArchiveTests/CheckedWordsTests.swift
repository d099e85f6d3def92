import ChatModel
import SQLite
import SearchText
import TestSupport
import Testing

@testable import Checks
@testable import Records
@testable import Schema
@testable import Writing

/// Checks that compare the words of the search index with the texts, while others write.
@Suite struct CheckedWordsTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `check finds a removed word, which SQLite's checks miss`() async throws {
        let writer = try await fixture.openWriter()
        try await fixture.fill(writer)
        try await writer.close()
        try fixture.tamper(
            CheckedRowsTests.unindex(30, text: "tie x", facets: "all r1 u1")
                + "INSERT INTO message_search (message_search) VALUES ('integrity-check')")
        #expect(try fixture.value("PRAGMA integrity_check") == "ok")
        #expect(try await fixture.problems().map(\.check) == ["search_words"])
        let again = try await fixture.openWriter()
        while try await again.indexStep(rebuild: true).from != nil {}
        try await again.close()
        #expect(try await fixture.problems() == [])
    }

    @Test func `check ignores messages that change while it compares words, and finds a wrong one`()
        async throws
    {
        let writer = try await fixture.openWriter()
        try await fixture.fill(writer)
        let session = try await writer.openSession(at: ArchiveFixture.after(2000))
        _ = try await writer.append((0..<50).map { .said("서버 \($0)", id: "m\($0)", at: 2000 + $0 * 2, in: session) })
        try await writer.close()
        try fixture.tamper(CheckedRowsTests.unindex(30, text: "tie x", facets: "all r1 u1"))
        let (found, steps) = try check { step, ingest, db in
            let events = EventBatch([
                .said("edited \(step)", id: "m7", at: 2014, edit: 3000 + step, in: session, isLive: true),
                .said("late", id: "l\(step)", at: 2001 + step * 2, in: session),
                .said("new", id: "n\(step)", at: 9000 + step, in: session),
            ])
            _ = try events.apply(to: &ingest, db)
        }
        #expect(steps > 1)
        #expect(found.map(\.detail) == ["message \(CheckedRowsTests.id(30)) has wrong words in the search index"])
    }

    @Test func `check ignores an index that is replaced while it compares words`() async throws {
        let writer = try await fixture.openWriter()
        try await fixture.fill(writer)
        try await writer.close()
        let (found, steps) = try check { step, _, db in
            if step == 1 { try SearchFilling.begin(analyser: Analyser.version, db) }
            if step == 2 { _ = try SearchFilling.step(db) }
        }
        #expect(steps == 2)
        #expect(found == [])
        #expect(try fixture.value("SELECT group_concat(name) FROM search_index") == "message_search")
        let abandoned = try check { _, _, db in try SearchFilling.abandon(SearchIndex.name, db) }
        #expect(abandoned.0 == [])
    }

    /// Runs the checks, and writes at each progress report of the comparison of words.
    private func check(
        _ write: @escaping (_ step: Int64, inout Ingest, Database) throws -> Void
    ) throws -> ([AccountCheck.Problem], steps: Int64) {
        let connection = try SQLiteConnection.writing(path: try fixture.file())
        var ingest: Ingest?
        var steps: Int64 = 0
        let checkers = try fixture.archive.checkers { progress in
            guard progress.check == "search_words" else { return }
            steps += 1
            do {
                try connection.sync { db in
                    try db.inTransaction {
                        var current = try ingest ?? Ingest(db)
                        try write(steps, &current, db)
                        ingest = current
                    }
                }
            } catch {
                Issue.record(error)
            }
        }
        let problems = checkers.flatMap { $0.run().problems }
        connection.sync { _ in ingest = nil }
        try connection.close()
        return (problems, steps)
    }
}

import Archive
import ChatModel
import Foundation
import GRDB
import TestSupport
import Testing

@Suite struct SchemaDocumentTests {
    private let fixture: ArchiveFixture
    private let document: String

    init() throws {
        fixture = try ArchiveFixture()
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/schema.md")
        document = try String(contentsOf: file, encoding: .utf8)
    }

    /// Without those that FTS5 keeps for itself.
    private static let tables = """
        (SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' AND name <> 'sqlite_schema')
        """

    @Test func `every table and every column is in docs/schema.md`() async throws {
        try await fixture.openWriter().close()
        let names = try rows(
            """
            SELECT name, name FROM \(Self.tables) UNION ALL
            SELECT s.name, c.name FROM \(Self.tables) AS s, pragma_table_xinfo(s.name) AS c WHERE c.hidden <> 1
            """
        ).map { [String.fromDatabaseValue($0[0]), String.fromDatabaseValue($0[1])].compactMap(\.self) }
        #expect(names.count > 70)
        for name in names {
            let section = document.components(separatedBy: "\n**`").filter {
                $0.contains("`\(name[0])`") || $0.hasPrefix(name[0])
            }
            #expect(section.contains { $0.contains("`\(name[1])`") || $0.hasPrefix(name[1]) }, "\(name)")
        }
    }

    @Test func `every table that docs/schema.md names is there`() async throws {
        try await fixture.openWriter().close()
        let tables = try rows("SELECT name FROM \(Self.tables)")
            .compactMap { String.fromDatabaseValue($0[0]) }
        let named = document.matches(of: /\*\*`(\w+)`\*\*/).map { String($0.1) }
        #expect(Set(named) == Set(tables))
    }

    @Test func `the questions of docs/schema.md have answers`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("hi", at: 1, in: session), .said("you", at: 2, by: "bob", in: session),
            .said("!", at: 3, in: session),
        ])
        let end = ArchiveFixture.day.advanced(byMicroseconds: 5_000_000)
        _ = try await writer.append([.sessionEnded(session: session, at: end, reason: .stopped, detail: nil)])
        try await writer.close()

        let questions = document.matches(of: /```sql\n([^`]+)```/).map { String($0.1) }
        let answers = try questions.map { try rows($0).map { $0.map(\.description) } }
        let day = ArchiveFixture.day.microseconds
        #expect(
            answers == [
                [
                    [#""2026-11-21 00:00:00""#, #""alice""#, #""!""#],
                    [#""2026-11-21 00:00:00""#, #""bob""#, #""you""#],
                    [#""2026-11-21 00:00:00""#, #""alice""#, #""hi""#],
                ],
                [[#""alice""#, "2"], [#""bob""#, "1"]],
                [],
                [["1", "5", #""stopped""#, "NULL"]],
                [[#""lobby""#, "\(day)", "\(day + 5_000_000)"]],
            ])
    }

    private func rows(_ sql: String) throws -> [[DatabaseValue]] {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: try fixture.file(), configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { db in try Row.fetchAll(db, sql: sql).map { Array($0.databaseValues) } }
    }
}

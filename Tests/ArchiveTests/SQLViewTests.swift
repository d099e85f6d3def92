import ChatModel
import Foundation
import SQLQueries
import TestSupport
import Testing

@testable import Writing

/// The views of SQL, compared with the archive that they show.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SQLViewTests {
    private let fixture: SQLFixture

    init() throws {
        fixture = try SQLFixture()
    }

    private func fill(_ seed: UInt64) async throws {
        let writer = try await fixture.fixture.openWriter()
        var random = RandomArchive(seed: seed)
        try await random.write(to: writer)
        try await writer.close()
        try fixture.fixture.execute(
            """
            UPDATE message SET reply_to = (SELECT remote_id FROM message AS other
              WHERE other.room_id = message.room_id AND other.remote_id IS NOT NULL AND other.id < message.id
              ORDER BY id DESC LIMIT 1) WHERE id % 5 < 3
            """)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: ["messages", "events", "rooms", "people", "files", "gaps"])
    func `a view of a file has the file's columns and rows, after the account`(name: String) async throws {
        try await fill(1)
        let view = try #require(SQLView.all.first { $0.name == name })
        let columns: String? = try fixture.fixture.value(
            "SELECT group_concat(name, ', ') FROM pragma_table_info('\(name)')")
        let added = name == "messages" ? ", via" : ""
        #expect(view.columns.map(\.name).joined(separator: ", ") == "account, \(columns ?? "")\(added)")
        // The length of a gap that lasts changes meanwhile.
        let values = view.columns.map(\.name).filter { !["account", "seconds", "via"].contains($0) }
            .joined(separator: ", ")
        let order = name == "gaps" ? "room_id, from_us" : "id"
        let sql = "SELECT json_group_array(json_array(\(values))) FROM (SELECT * FROM \(name) ORDER BY \(order))"
        let expected: String? = try fixture.fixture.value(sql)
        #expect(try await fixture.rows(sql) == [[expected ?? ""]])
        #expect(try await fixture.rows("SELECT DISTINCT account FROM \(name)").count <= 1)
    }

    @Test func `every view has an example that runs`() async throws {
        try await fill(2)
        for view in SQLView.all { _ = try await fixture.rows(view.example) }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<4)
    func `the views of reactions and threads belong to the messages`(seed: UInt64) async throws {
        try await fill(seed)
        let messages = try await fixture.fixture.walk(.oldest, limit: 1000, query: fixture.fixture.query(room: nil))
        let reactions = messages.flatMap { message in
            message.reactions.flatMap { reaction in
                reaction.by.map { ["\(message.id.microseconds)", reaction.text, $0] }
            }
        }
        #expect(
            try await fixture.rows(
                """
                SELECT message_id, reaction, person FROM reactions WHERE removed_at IS NULL AND message_id IS NOT NULL
                """
            ).map { $0.joined(separator: " ") }.sorted() == reactions.map { $0.joined(separator: " ") }.sorted())

        let parents = Dictionary(
            uniqueKeysWithValues: messages.compactMap { message in message.reply?.id.map { (message.id, $0) } })
        var replies: [MessageID: [MessageID]] = [:]
        for id in parents.keys {
            var (root, steps) = (id, 0)
            while let parent = parents[root], steps <= messages.count { (root, steps) = (parent, steps + 1) }
            if steps <= messages.count { replies[root, default: []].append(id) }
        }
        let expected = replies.map { root, ids in
            ["\(root.microseconds)", "\(ids.count)", "\((ids + [root]).map(\.microseconds).max() ?? 0)"]
        }.sorted { $0[0] < $1[0] }
        #expect(try await fixture.rows("SELECT id, replies, last_id FROM threads ORDER BY id") == expected)
        #expect(!expected.isEmpty)
    }

    @Test func `the views words and hits have the search index`() async throws {
        let writer = try await fixture.fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("coffee and tea", at: 1, in: session), .said("more coffee", at: 2, in: session),
            .said("https://example.org/", at: 3, in: session),
        ])
        try await writer.close()
        #expect(try await fixture.rows("SELECT messages FROM words WHERE word = 'coffee'") == [["2"]])
        #expect(try await fixture.rows("SELECT count(*) FROM words WHERE word IN ('all', 'hlink')") == [["0"]])
        let day = ArchiveFixture.day.microseconds
        #expect(
            try await fixture.rows("SELECT id FROM hits WHERE words MATCH 'text : coffee' ORDER BY id DESC")
                == [["\(day + 2)"], ["\(day + 1)"]])
        #expect(
            try await fixture.rows(
                "SELECT body FROM hits JOIN messages USING (account, id) WHERE words MATCH 'facets : hlink'")
                == [["https://example.org/"]])
        #expect(try await fixture.rows("SELECT count(*) FROM hits") == [["3"]])
    }
}

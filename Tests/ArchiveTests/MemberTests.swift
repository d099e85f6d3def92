import ChatModel
import SQLite
import Testing

@testable import Writing

@Suite struct MemberTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    /// Name, offset of joining, offset of leaving; by name.
    private func members() throws -> String {
        let day = ArchiveFixture.day.microseconds
        return try fixture.value(
            """
            SELECT group_concat(row, ' ') FROM (SELECT
              name || ':' || ifnull(joined_at_us - \(day), '?') || '-' || ifnull(left_at_us - \(day), '') AS row
              FROM membership JOIN user_name USING (user_id) ORDER BY name)
            """) ?? ""
    }

    @Test func `a speaker is a member since an unknown time`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("", at: 1, by: "alice", in: session, kind: .join), .said("hi", at: 2, by: "alice", in: session),
            .said("hi", at: 3, by: "bob", in: session), .said("", at: 4, by: "carol", in: session, kind: .leave),
        ])
        #expect(try members() == "alice:1- bob:?- carol:?-4")
        try await writer.close()
    }

    @Test func `a person who speaks after leaving has rejoined unheard`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("", at: 1, in: session, kind: .join), .said("hi", at: 2, in: session),
            .said("", at: 3, in: session, kind: .leave),
        ])
        #expect(try members() == "alice:1-3")
        _ = try await writer.append([.said("again", at: 4, in: session)])
        #expect(try members() == "alice:?-")
        try await writer.close()
    }
}

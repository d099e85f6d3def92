import ChatModel
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Writing

/// Messages that were edited or deleted.
@Suite struct RevisionTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func at(_ offset: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: offset)
    }

    private func id(_ offset: Int64) -> Int64 { at(offset).microseconds }

    /// What the message said since when, in order.
    private func versions(_ offset: Int64 = 10) async throws -> [MessageDetail.Version] {
        guard case .found(let detail) = try fixture.archive.reading().message(MessageID(at(offset)), account: nil)
        else {
            throw TestFailure()
        }
        return detail.versions
    }

    private func version(_ body: String?, _ offset: Int64) -> MessageDetail.Version {
        MessageDetail.Version(at: at(offset), body: body)
    }

    private func found(_ text: String) async throws -> [String] {
        let scope = SearchScope(query: SearchQuery(parsing: text))
        return try fixture.archive.reading().page(fixture.query(room: nil), matching: scope).bodies
    }

    private func message(_ offset: Int64 = 10) async throws -> Message? {
        try fixture.archive.reading().page(fixture.query()).messages.first { $0.id.microseconds == id(offset) }
    }

    @Test func `an edit creates a version, and search finds only the current text`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("첫 서버 text", id: "a", at: 10, in: session)])
        let edit = ChatEvent.said("둘째 https://example.org", id: "a", at: 10, edit: 20, in: session, isLive: true)
        #expect(try await writer.append([edit]) == [.version(id(10))])
        #expect(try await versions() == [version("첫 서버 text", 10), version("둘째 https://example.org", 20)])
        #expect(try await message()?.editedAt == at(20))
        #expect(try await found("서버").isEmpty)
        #expect(try await found("text").isEmpty)
        #expect(try await found("둘째 is:edited has:link from:alice").count == 1)
        #expect(try await found("is:deleted").isEmpty)
        #expect(try fixture.value("SELECT group_concat(what) FROM change") == "2,1,2,0,3")
        #expect(try fixture.value("SELECT messages FROM room") == 1)
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems) == [])
    }

    @Test func `a deleted message stays, is marked, and stays deleted after any later event`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let said = ChatEvent.said("secret", id: "a", at: 10, in: session)
        _ = try await writer.append([said, .gone(id: "a", at: 30, in: session)])
        #expect(try await message()?.deletedAt == at(30))
        #expect(try await found("secret is:deleted") == ["secret"])
        #expect(try await found("secret -is:deleted").isEmpty)
        let rows = try fixture.rows()
        let again = try await writer.append([
            said, .gone(id: "a", at: 30, in: session), .said(nil, id: "a", at: 10, deleted: 30, in: session),
        ])
        #expect(again == [.known(id(10)), .known(id(10)), .known(id(10))])
        #expect(try fixture.rows() == rows)
        let edit = ChatEvent.said("late edit", id: "a", at: 10, edit: 25, in: session, isLive: true)
        #expect(try await writer.append([edit]) == [.version(id(10))])
        #expect(try await found("late is:deleted is:edited") == ["late edit"])
        #expect(try await message()?.deletedAt == at(30))
        #expect(try fixture.value("SELECT group_concat(what) FROM change") == "2,1,2,0,4,3")
        try await writer.close()
    }

    @Test func `replaying stored events changes nothing`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let events: [ChatEvent] = [
            .said("one", id: "a", at: 10, in: session),
            .said("two", id: "a", at: 10, edit: 20, in: session, isLive: true),
            .said("one", id: "a", at: 10, edit: 30, in: session, isLive: true),
            .said("three", id: "a", at: 10, edit: 30, in: session, isLive: true),
            .said("four", id: "a", at: 10, edit: 30, in: session, isLive: true),
            .gone(id: "a", at: 40, in: session),
        ]
        _ = try await writer.append(events)
        #expect(
            try await versions() == [
                version("one", 10), version("two", 20), version("one", 30), version("three", 31), version("four", 32),
            ])
        let rows = try fixture.rows()
        for _ in 0..<2 {
            #expect(try await writer.append(events).allSatisfy { $0 == .known(id(10)) })
            for event in events { _ = try await writer.append([event]) }
        }
        let history = ["one", "two", "three", "four"].map {
            ChatEvent.said($0, id: "a", at: 10, edit: 50, in: session)
        }
        #expect(try await writer.append(history).allSatisfy { $0 == .known(id(10)) })
        #expect(try fixture.rows() == rows)
        try await writer.close()
    }

    @Test func `an earlier text is a new version when it is live, and nothing new in history`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("one", id: "a", at: 10, in: session),
            .said("two", id: "a", at: 10, receivedAt: 20, in: session, isLive: true),
            .said("one", id: "a", at: 10, edit: 30, in: session),
        ])
        #expect(try await message()?.body == "two")
        _ = try await writer.append([.said("one", id: "a", at: 10, receivedAt: 40, in: session, isLive: true)])
        #expect(try await versions() == [version("one", 10), version("two", 20), version("one", 40)])
        #expect(try await found("two").isEmpty)
        #expect(try await found("one") == ["one"])
        try await writer.close()
    }

    @Test func `versions are ordered by the network's times, and impossible times count as receipt`()
        async throws
    {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("one", id: "a", at: 10, in: session), .said("three", id: "a", at: 10, edit: 30, in: session),
            .said("two", id: "a", at: 10, edit: 20, receivedAt: 40, in: session, isLive: true),
            .said("early", id: "a", at: 10, edit: 5, receivedAt: 50, in: session),
        ])
        #expect(
            try await versions() == [
                version("one", 10), version("early", 11), version("two", 20), version("three", 30),
            ])
        let far: Int64 = 200_000_000_000
        _ = try await writer.append([
            .said("far", id: "a", at: 10, edit: far, receivedAt: 60, in: session, isLive: true)
        ])
        #expect(try await versions().last == version("far", 60))
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems) == [])
    }

    @Test func `a message and its edits from history end the same in any order`() async throws {
        func orders(_ steps: [Int64]) -> [[Int64]] {
            steps.isEmpty ? [[]] : steps.flatMap { first in orders(steps.filter { $0 != first }).map { [first] + $0 } }
        }
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        for (number, order) in orders([0, 1, 2, 3]).enumerated() {
            for step in order {
                let edit = step == 0 ? nil : 1000 + step / 2
                _ = try await writer.append([
                    .said("text \(step)", id: "m\(number)", at: Int64(number) * 10, edit: edit, in: session)
                ])
            }
            let versions = try await versions(Int64(number) * 10)
            #expect(versions.map(\.body).first == "text 0")
            #expect(versions.count == 4)
            #expect(versions.map(\.at) == versions.map(\.at).sorted())
            #expect(versions[1] == version("text 1", 1000))
        }
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems) == [])
    }

    @Test func `an edit of an unknown message is stored, and its original comes later`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let edit = ChatEvent.said("two", id: "a", at: 10, edit: 20, in: session, isLive: true)
        #expect(try await writer.append([edit]) == [.new(id(10))])
        #expect(try await versions() == [version("two", 20)])
        #expect(try await found("is:edited") == ["two"])
        #expect(try await writer.append([.said("one", id: "a", at: 10, in: session)]) == [.version(id(10))])
        #expect(try await versions() == [version("one", 10), version("two", 20)])
        let other = ChatEvent.said("another first", id: "a", at: 10, in: session)
        #expect(try await writer.append([other]) == [.known(id(10))])
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems) == [])
    }

    @Test func `deleting an unknown message records only a sign of life`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        #expect(try await writer.append([.gone(id: "nobody", at: 20, in: session)]) == [.done])
        #expect(try fixture.value("SELECT count(*) FROM message") == 0)
        #expect(try fixture.value("SELECT last_sign_of_life_us FROM session") == id(20))
        try await writer.close()
    }

    @Test func `an edit makes nothing unread or late, and joins nobody`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("one", id: "a", at: 10, in: session), .said("", at: 12, in: session, kind: .leave),
            .said("x", id: "b", at: 15, by: "bob", in: session),
        ])
        try await writer.markRead(rooms: [1], through: nil, at: at(16))
        _ = try await writer.append([
            .said("two", id: "a", at: 10, receivedAt: 20, in: session, isLive: true),
            .gone(id: "b", at: 21, in: session),
        ])
        #expect(try fixture.archive.reading().unread().map(\.unread) == [0])
        #expect(try fixture.value("SELECT count(*) FROM late") == 0)
        #expect(try fixture.value("SELECT left_at_us FROM membership WHERE user_id = 1") == id(12))
        #expect(try fixture.value("SELECT group_concat(messages) FROM room") == "3")
        try await writer.close()
    }

    @Test func `unsearched texts can be edited, and a text can return`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("+o alice", id: "m", at: 5, in: session, kind: .mode),
            .said("old topic", id: "t", at: 6, in: session, kind: .topic), .said("서버", id: "a", at: 10, in: session),
        ])
        for (step, body) in ["?!", "서버", "", nil, "서버가 죽었다"].enumerated() {
            let edit = ChatEvent.said(body, id: "a", at: 10, edit: Int64(step) * 10 + 20, in: session, isLive: true)
            #expect(try await writer.append([edit]) == [.version(id(10))])
            #expect(try await found("서버").count == (body?.contains("서버") == true ? 1 : 0))
            #expect(try await found("is:edited") == [body].compactMap(\.self))
        }
        _ = try await writer.append([
            .said("-o alice", id: "m", at: 5, edit: 80, in: session, isLive: true),
            .said("새 topic", id: "t", at: 6, edit: 81, in: session, isLive: true),
        ])
        #expect(try await found("alice").isEmpty)
        #expect(try await found("old").isEmpty)
        #expect(try await found("새") == ["새 topic"])
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems) == [])
    }

    @Test func `an edit that the store refuses becomes a failure, and the others are stored`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("one", id: "a", at: 10, in: session)])
        try await writer.close()
        try fixture.execute(
            """
            CREATE TRIGGER poison BEFORE UPDATE ON message WHEN NEW.body = 'refused'
            BEGIN SELECT RAISE(ABORT, 'no poison here'); END
            """)
        let again = try await fixture.openWriter()
        let outcomes = try await again.append([
            .said("refused", id: "a", at: 10, edit: 20, in: session, isLive: true),
            .said("two", id: "a", at: 10, edit: 21, in: session, isLive: true),
        ])
        #expect(outcomes == [.failed(1), .version(id(10))])
        #expect(try await found("two") == ["two"])
        #expect(try await versions() == [version("one", 10), version("two", 21)])
        try await again.close()
    }

    @Test func `followers get a message again when it is edited or deleted`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("one", id: "a", at: 10, in: session)])
        let follower = Follower(reading: fixture.archive.reading(), query: try fixture.query())
        guard case .history(let shown, _)? = try await follower.next() else { throw TestFailure() }
        #expect(shown.bodies == ["one"])
        _ = try await writer.append([
            .said("new", id: "b", at: 15, in: session),
            .said("two", id: "a", at: 10, edit: 20, in: session, isLive: true),
            .said("new!", id: "b", at: 15, edit: 21, in: session, isLive: true), .gone(id: "a", at: 22, in: session),
        ])
        guard case .messages(let messages)? = try await follower.next() else { throw TestFailure() }
        #expect(messages.bodies == ["new!", "two"], "each once")
        #expect(messages.map(\.deletedAt) == [nil, at(22)])
        _ = try await writer.append([.gone(id: "b", at: 30, in: session)])
        guard case .messages(let more)? = try await follower.next() else { throw TestFailure() }
        #expect(more.map(\.deletedAt) == [at(30)])
        try await writer.close()
    }
}

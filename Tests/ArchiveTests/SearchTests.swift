import ChatModel
import Foundation
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Writing

@Suite struct SearchTests: SearchSuite {
    let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            "서버", "서버가", "죽었다", "東京", "東京タワー", "食べ", "다", "修改", "youer", "修改youer服务端", "C++20", "what's", "foo-bar",
            "AND", "server", "SERVER down", "down OR nice", "-서버", "\"is down\"", "see*", "한글",
            "\u{1112}\u{1161}\u{11AB}글",
            "バーグ", "cafe", "100%", "sure_thing", "👍", "ㅋㅋ", "from:alice", "from:ALICE 서버", "-from:bob", "in:lobby 서버",
            "has:link", "in:nowhere", "from:nobody", "서버 OR 東京 -down", "\"", "집 서버",
        ])
    func `the index finds what a scan of all rows finds`(text: String) async throws {
        let writer = try await fixture.openWriter()
        _ = try await fill(writer)
        let matcher = Matcher(query(text))
        let expected = Self.bodies.enumerated().filter { index, body in
            matcher.matches(body) { term in
                switch term {
                case .from(let name): name.lowercased() == (index % 2 == 0 ? "alice" : "bob")
                case .room(let name): name == "lobby"
                case .has(.link): body.contains("https://")
                default: false
                }
            }
        }.map(\.element)
        #expect(try await found(text).bodies == expected)
        try await writer.close()
    }

    @Test func `hits are paged in both directions, each once, including ties`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append((0..<95).map { .said("배포 \($0)", at: $0 / 10, in: session) })
        _ = try await writer.append((0..<95).map { .said("other \($0)", at: $0 / 10, in: session) })
        var seen: [String] = []
        var anchor = MessageQuery.Anchor.latest
        while true {
            let page = try await found("배포", limit: 10, anchor: anchor)
            seen = page.bodies + seen
            guard let older = page.older else { break }
            anchor = .before(older)
        }
        #expect(seen == (0..<95).map { "배포 \($0)" })
        let first = try await found("배포", limit: 10, anchor: .oldest)
        let next = try await found("배포", limit: 10, anchor: .after(try #require(first.newer)))
        #expect(first.bodies + next.bodies == (0..<20).map { "배포 \($0)" })
        #expect(next.older == next.messages.first?.id)
        try await writer.close()
    }

    @Test func `a search covers only the requested room, account and time`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await fill(writer)
        _ = try await writer.append([.said("서버 here too", at: 5000, in: session, room: Self.work)])
        let other = try await fixture.openWriter("other")
        _ = try await fill(other)
        #expect(try await found("서버").messages.count == 3)
        #expect(try await found("서버", room: 2).bodies == ["서버 here too"])
        #expect(try await found("서버 in:work").bodies == ["서버 here too"])
        #expect(
            try await found("서버", accounts: ["demo", "other"]).messages.map(\.account) == [
                "demo", "other", "demo", "other", "demo",
            ])
        let start = MessageID(ArchiveFixture.day)
        let scope = SearchScope(
            query: query("서버"), after: start, before: MessageID(start.time.advanced(byMicroseconds: 5000)))
        let page = try fixture.archive.reading().page(fixture.query(room: nil), matching: scope)
        #expect(page.bodies == ["서버down again"])
        #expect(page.older == nil && page.newer == nil)
        try await writer.close()
        try await other.close()
    }

    @Test func `relevance orders hits across accounts, and the newest of equal hits comes first`() async throws {
        let said = ["서버 and much more that nobody asked for", "서버", "서버 서버 서버", "서버", "nothing"]
        for name in ["demo", "other"] {
            let writer = try await fixture.openWriter(name)
            let session = try await writer.openSession()
            _ = try await writer.append(
                said.enumerated().map { .said($1, at: Int64($0), by: "서버", in: session) })
            try await writer.close()
        }
        func best(_ limit: Int, _ text: String = "서버", after: MessageID? = nil) async throws -> [Message] {
            try fixture.archive.reading().search.mostRelevant(
                fixture.query(limit: limit, room: nil, accounts: ["demo", "other"]),
                matching: SearchScope(query: query(text), after: after)
            ).messages
        }
        let all = try await best(50)
        #expect(all.map { "\($0.body ?? "")" }.suffix(2) == [said[0], said[0]])
        #expect(all[..<2].map(\.body) == [said[2], said[2]])
        #expect(all[2...5].map { $0.id.microseconds % 10 } == [3, 3, 1, 1])
        #expect(try await best(3).bodies == Array(all.bodies[..<3]))
        #expect(try await best(50, after: all[2].id).isEmpty)
        #expect(try await best(50, "nowhere").isEmpty)
        #expect(try await best(50, "from:서버 nothing").count == 2)
    }

    @Test func `a rare word weighs more than a common one, and room and sender weigh nothing`()
        async throws
    {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let common = (0..<40).map { $0 % 4 == 0 ? "the word" : "nothing" }
        let said = ["rare", "the word the word the word"] + common + ["the rare word"]
        _ = try await writer.append(
            said.enumerated().map { .said($1, at: Int64($0), by: $1 == "rare" ? "eve" : "alice", in: session) })
        func best(_ text: String) async throws -> [String] {
            try await fixture.archive.reading().search.mostRelevant(
                fixture.query(limit: 3, room: nil), matching: scope(text)
            ).messages.bodies
        }
        #expect(try await best("rare OR word") == ["the rare word", "rare", "the word the word the word"])
        #expect(try await best("rare OR word in:lobby -nothing") == best("rare OR word"))
        #expect(try await best("rare OR from:alice")[...1].sorted() == ["rare", "the rare word"])
        try await writer.close()
    }

    @Test func `a page of hits lists only gaps in the searched time and rooms`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let end = ArchiveFixture.day.advanced(by: .seconds(60))
        _ = try await writer.append([
            .roomLive(session: session, room: Self.work, at: ArchiveFixture.day),
            .said("word", at: 1, in: session), .sessionEnded(session: session, at: end, reason: .lost, detail: nil),
        ])
        _ = try await writer.openSession(at: end.advanced(by: .seconds(60)))
        func rooms(_ text: String, after: Timestamp? = nil, before: Timestamp? = nil) async throws -> [String] {
            let search = try await scope(text, after: after.map(MessageID.init), before: before.map(MessageID.init))
            return try fixture.archive.reading().page(fixture.query(room: nil), matching: search).gaps.map(\.room)
        }
        // The lobby's second session was never ended, and is long silent.
        #expect(try await rooms("word") == ["#work", "lobby", "lobby"])
        #expect(try await rooms("word in:work") == ["#work"])
        #expect(try await rooms("word -in:work") == ["lobby", "lobby"])
        #expect(try await rooms("word in:work OR in:lobby") == ["#work", "lobby", "lobby"])
        #expect(try await rooms("word (in:work) OR (in:lobby -in:lobby)") == ["#work"])
        #expect(try await rooms("word NOT (in:work OR other)") == ["lobby", "lobby"])
        #expect(try await rooms("word NOT (in:work other)") == ["#work", "lobby", "lobby"])
        #expect(try await rooms("word", after: end.advanced(by: .seconds(60))) == ["#work", "lobby"])
        #expect(try await rooms("word", before: end).isEmpty)
        try await writer.close()
    }

    @Test func `hits are counted in total and by room, person and day`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await fill(writer)
        let hour = Int64(3_600_000_000)
        _ = try await writer.append([
            .said("서버 here too", at: 23 * hour, in: session, room: Self.work),
            .said("서버 again", at: 25 * hour, by: "carol", in: session),
        ])
        let scope = MessageQuery.Scope.accounts(["demo"])
        func counts(_ text: String, _ grouping: HitGrouping) async throws -> [String] {
            try fixture.archive.reading().counts.hits(
                scope: scope, matching: SearchScope(query: query(text)), by: grouping
            ).map { "\($0.name ?? "all") \($0.count)" }
        }
        #expect(try await counts("서버", .all) == ["all 4"])
        #expect(try await counts("서버", .room) == ["lobby 3", "#work 1"])
        #expect(try await counts("서버", .user) == ["alice 2", "bob 1", "carol 1"])
        #expect(try await counts("서버", .time(.day, .gmt)) == ["2026-11-21 3", "2026-11-22 1"])
        let seoul = try #require(Zone(identifier: "Asia/Seoul"))
        #expect(try await counts("서버", .time(.day, seoul)) == ["2026-11-21 2", "2026-11-22 2"])
        #expect(try await counts("nowhere", .all) == ["all 0"])
        #expect(try await counts("", .all) == ["all \(Self.bodies.count + 2)"])
        try await writer.close()
    }

    @Test func `hits exclude joins and leaves, and include messages under an earlier name`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("", at: 1, by: "al", in: session, kind: .join), .said("before", at: 2, by: "al", in: session),
            .userRenamed(
                session: session, fromKey: "al", to: UserReference(key: "alice", name: "alice"),
                at: ArchiveFixture.day.advanced(byMicroseconds: 3)),
            .said("after", at: 4, by: "alice", in: session), .said("", at: 5, by: "alice", in: session, kind: .leave),
        ])
        for name in ["al", "alice"] { #expect(try await found("from:\(name)").bodies == ["before", "after"]) }
        try await writer.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a page of several rooms has their messages in order, in both directions`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let rooms = (0..<5).map { RoomReference(key: "r\($0)", name: "r\($0)", kind: .channel) }
        // The later a room, the fewer its messages.
        let said = (0..<60).map { number in (number, rooms[min(number.trailingZeroBitCount, 4)]) }
        _ = try await writer.append(
            said.map { number, room in
                .said(
                    "\(number)", at: Int64(number) * 10, in: session, kind: number % 7 == 0 ? .join : .message,
                    room: room)
            })
        let named = try fixture.archive.reading().namedRooms().filter { rooms.map(\.name).contains($0.name) }
        let all = named.map(\.key)
        for wanted in [all, Array(all[1...2]), Array(all.reversed()), [all[4]]] {
            let names = Set(named.filter { wanted.contains($0.key) }.map(\.name))
            for hidesNoise in [false, true] {
                let expected = said.filter { names.contains($0.1.name) && !(hidesNoise && $0.0 % 7 == 0) }.map {
                    "\($0.0)"
                }
                for limit in [1, 7, 1000] {
                    let query = try MessageQuery(
                        scope: .rooms(wanted), limit: limit, hidden: hidesNoise ? [.joins] : [])
                    for end in [MessageQuery.Anchor.latest, .oldest] {
                        #expect(try await fixture.walk(end, limit: limit, query: query).bodies == expected)
                    }
                }
            }
        }
        let found = try await fixture.archive.reading().page(
            MessageQuery(scope: .rooms(Array(all[0...1]))), matching: scope("1 OR 2 OR 3 OR 4"))
        #expect(found.bodies == ["1", "3"])
        try await writer.close()
    }

    @Test func `gaps are listed for a room that is named in any way`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let end = ArchiveFixture.day.advanced(by: .seconds(60))
        _ = try await writer.append([
            .roomLive(session: session, room: Self.work, at: ArchiveFixture.day),
            .said("word", at: 1, in: session, room: Self.work),
            .sessionEnded(session: session, at: end, reason: .lost, detail: nil),
        ])
        let id = try #require(fixture.archive.reading().rooms().first { $0.name == "#work" }?.id)
        for room in ["work", "demo/#work", "demo/work", "\(id)", "demo/\(id)"] {
            #expect(try await found("word in:\(room)").gaps.map(\.room) == ["#work"], "\(room)")
            #expect(try await !found("word -in:\(room)").gaps.map(\.room).contains("#work"), "\(room)")
        }
        try await writer.close()
    }

    @Test func `searches by time alone or without a word exclude joins`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("", at: 1, in: session, kind: .join), .said("word", at: 2, in: session)])
        let all = SearchScope(query: query("?!"), before: MessageID(ArchiveFixture.day.advanced(byMicroseconds: 3)))
        #expect(try fixture.archive.reading().page(fixture.query(room: nil), matching: all).bodies == ["word"])
        #expect(try fixture.archive.reading().page(fixture.query(room: 1), matching: all).bodies == ["word"])
        try await writer.close()
    }
}

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
@testable import Records
@testable import Schema
@testable import Writing

/// How the index is filled, made anew and mended.
@Suite struct SearchIndexTests: SearchSuite {
    let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    @Test func `an index of another analyser is rebuilt`() async throws {
        let writer = try await fixture.openWriter()
        _ = try await fill(writer)
        try await writer.close()
        try fixture.execute("UPDATE search_index SET analyser = 0")
        let again = try await fixture.openWriter()
        while try await again.indexStep().from != nil {}
        #expect(
            try fixture.value("SELECT group_concat(name || ' ' || analyser) FROM search_index")
                == "message_search \(Analyser.version)")
        #expect(try await found("서버가").messages.count == 1)
        try await again.close()
    }

    @Test func `a large batch is indexed, and small ones are merged as before it`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append((0..<1001).map { .said("large \($0)", at: Int64($0), in: session) })
        try await writer.close()
        #expect(try fixture.value("SELECT v FROM message_search_config WHERE k = 'automerge'") == 4)
        #expect(try fixture.value("SELECT count(*) FROM message_search WHERE message_search MATCH 'large'") == 1001)
    }

    @Test func `messages that are edited within their batch are indexed with the last text`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let messages = (0..<300).map { number in
            ChatEvent.said("서버 \(number)", id: "m\(number)", at: number, in: session)
        }
        let edits = (0..<200).map { number in
            ChatEvent.said("기차", id: "m\(number)", at: number, receivedAt: 1000 + number, in: session, isLive: true)
        }
        _ = try await writer.append(messages + edits)
        #expect(try await found("서버", limit: 400).messages.count == 100)
        #expect(try await found("기차", limit: 400).messages.count == 200)
        try await expectWhole(writer)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an archive without an index is indexed in steps, the newest messages first`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let count = SearchFilling.batch * 2 + 10
        _ = try await writer.append((0..<count).map { .said("word \($0)", at: Int64($0) * 2, in: session) })
        try await writer.close()
        try fixture.execute(
            """
            DELETE FROM search_index; INSERT INTO message_search (message_search) VALUES ('delete-all');
            INSERT INTO search_index SELECT 'message_search', 1, max(id) + 1 FROM message
            """)
        let again = try await fixture.openWriter()
        #expect(try await found("word").messages.isEmpty)
        let more = try await again.openSession()
        _ = try await again.append([
            .said("word new", at: Int64(count) * 2, in: more),
            .said("word late", at: 1_000_000, in: more, sourceTime: ArchiveFixture.day.advanced(byMicroseconds: 1)),
        ])
        #expect(try await found("word").bodies == ["word new"], "a late one comes with those around it")
        #expect(try await again.indexStep().added == SearchFilling.batch)
        #expect(try fixture.archive.reading().search.indexes(.accounts(["demo"])).filter(\.lacksMessages).count == 1)
        #expect(try await found("word 0").bodies.isEmpty)
        while try await again.indexStep().from != nil {}
        #expect(try fixture.archive.reading().search.indexes(.accounts(["demo"])).filter(\.lacksMessages).isEmpty)
        #expect(try await found("word 0").bodies == ["word 0"])
        #expect(try await found("late").bodies == ["word late"])
        try await expectWhole(again)
        try await again.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a rebuilt index replaces the old one when it is complete`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append(
            (0..<(SearchFilling.batch + 10)).map { .said("word \($0)", at: Int64($0), in: session) })
        #expect(try await writer.indexStep(rebuild: true).from != nil)
        #expect(try await found("word 1").bodies == ["word 1"], "the old one is searched meanwhile")
        _ = try await writer.append([.said("word during", at: 100_000, in: session)])
        #expect(try await found("during").bodies == ["word during"])
        while try await writer.indexStep().from != nil {}
        #expect(try await found("during").bodies == ["word during"])
        _ = try await writer.append([.said("word after", at: 200_000, in: session)])
        #expect(try await found("word after").bodies == ["word after"])
        #expect(try fixture.value("SELECT count(*) FROM search_index") == 1)
        try await expectWhole(writer)
        try await writer.close()
    }

    @Test func `an index rebuilt in an empty archive has later messages once`() async throws {
        let writer = try await fixture.openWriter()
        #expect(try await writer.indexStep(rebuild: true).from == nil)
        let session = try await writer.openSession()
        _ = try await writer.append([.said("word", at: 1, in: session)])
        #expect(try await found("word").bodies == ["word"])
        #expect(try fixture.value("SELECT group_concat(name) FROM search_index") == "message_search")
        try await expectWhole(writer)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an index rebuilt twice, with late messages and a restart, equals the rows`()
        async throws
    {
        try await fixture.openWriter().close()
        try fixture.execute(
            """
            CREATE TRIGGER poison BEFORE INSERT ON message WHEN NEW.body = 'word refused'
            BEGIN SELECT RAISE(ABORT, 'no poison here'); END
            """)
        var writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let count = Int64(SearchFilling.batch) * 3
        _ = try await writer.append((0..<count).map { .said("word \($0)", at: $0 * 100, in: session) })
        var late = Int64(0)
        for round in 0..<3 {
            _ = try await writer.indexStep(rebuild: true)
            try await disturb(writer, session, &late, span: count * 100)
            if round == 1 {
                try await writer.close()
                writer = try await fixture.openWriter()
            }
            _ = try await writer.indexStep()
            try await disturb(writer, session, &late, span: count * 100)
        }
        while try await writer.indexStep().from != nil { try await disturb(writer, session, &late, span: count * 100) }
        try await disturb(writer, session, &late, span: count * 100)
        #expect(try await writer.indexStep(rebuild: true).from != nil)
        while try await writer.indexStep().from != nil { try await disturb(writer, session, &late, span: count * 100) }
        try await disturb(writer, session, &late, span: count * 100)
        try await expectWhole(writer)
    }

    /// Random messages, edits and deletes, with the index being filled and made anew between them.
    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<6)
    func `edits and deletions during a rebuild leave an index that equals the rows`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let count = SearchFilling.batch + 500
        var bodies = (0..<count).map { "\(Self.bodies[$0 % Self.bodies.count]) n\($0)" }
        var (edited, deleted) = (Set<Int>(), Set<Int>())
        func offset(_ number: Int) -> Int64 { Int64(number) * 100 }
        _ = try await writer.append(
            bodies.enumerated().map { .said($1, id: "m\($0)", at: offset($0), in: session) })
        for round in 0..<30 {
            var batch: [ChatEvent] = []
            for step in 0..<Int.random(in: 1...20, using: &random) {
                let number = Int.random(in: 0..<bodies.count, using: &random)
                let time = offset(count + 1000) + Int64(round * 100 + step)
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    batch.append(.gone(id: "m\(number)", at: time, in: session))
                    deleted.insert(number)
                case 1:
                    batch.append(.said("new 서버 \(bodies.count)", id: "m\(bodies.count)", at: time, in: session))
                    bodies.append("new 서버 \(bodies.count)")
                default:
                    let words = ["?!", "", "서버", "우리집", "down", "https://example.org/x", "C++20", "👍", "é"]
                    let body = (0..<3).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
                    if Array(body.utf8) == Array(bodies[number].utf8) { continue }
                    batch.append(
                        .said(
                            body, id: "m\(number)", at: offset(number), receivedAt: time, in: session, isLive: true))
                    bodies[number] = body
                    edited.insert(number)
                }
            }
            _ = try await writer.append(batch)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: _ = try await writer.indexStep(rebuild: true)
            case 1, 2: _ = try await writer.indexStep()
            default: break
            }
        }
        #expect(try fixture.archive.check().flatMap(\.problems) == [])
        for text in ["서버", "우리집 down", "is:edited", "is:deleted -is:edited", "has:link", "C++20", "👍 é", "\"down 서버\""]
        {
            let matcher = Matcher(query(text))
            let expected = bodies.indices.filter { number in
                matcher.matches(bodies[number]) { term in
                    switch term {
                    case .is(.edited): edited.contains(number)
                    case .is(.deleted): deleted.contains(number)
                    case .has(.link): bodies[number].contains("https://")
                    default: false
                    }
                }
            }
            let hits = try fixture.archive.reading().counts.hits(
                scope: .accounts(["demo"]), matching: SearchScope(query: query(text)), by: .all)
            #expect(hits.map(\.count) == [Int64(expected.count)], "\(text)")
            let page = try await found(text, limit: 1000)
            #expect(page.messages.compactMap(\.remoteID) == expected.suffix(1000).map { "m\($0)" }, "\(text)")
        }
        while try await writer.indexStep().from != nil {}
        try await expectWhole(writer)
        #expect(try fixture.archive.check().flatMap(\.problems) == [])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an edit changes a partial index only where it reaches, and never another analyser's`()
        async throws
    {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let count = Int64(SearchFilling.batch) + 10
        _ = try await writer.append((0..<count).map { .said("서버 \($0)", id: "m\($0)", at: $0 * 2, in: session) })
        #expect(try await writer.indexStep(rebuild: true).from != nil)
        func edit(_ number: Int64, _ body: String) -> ChatEvent {
            .said(body, id: "m\(number)", at: number * 2, receivedAt: 10_000 + number, in: session, isLive: true)
        }
        _ = try await writer.append([edit(count - 1, "東京 above"), edit(1, "東京 below"), edit(1, "京都 below")])
        #expect(try await found("東京").bodies == ["東京 above"])
        #expect(try await found("below").bodies == ["京都 below"])
        while try await writer.indexStep().from != nil {}
        #expect(try await found("below").bodies == ["京都 below"])
        #expect(try fixture.archive.check().flatMap(\.problems) == [])
        try await writer.close()
        try fixture.execute("UPDATE search_index SET analyser = analyser + 1")
        let again = try await fixture.openWriter()
        _ = try await again.append([edit(5, "changed")])
        #expect(try await found("\"서버 5\"").bodies == ["changed"], "it is found by its text from before")
        #expect(try fixture.archive.check().flatMap(\.problems) == [])
        while try await again.indexStep().from != nil {}
        #expect(try await found("changed").bodies == ["changed"])
        try await expectWhole(again)
    }
}

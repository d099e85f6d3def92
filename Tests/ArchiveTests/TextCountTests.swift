import Accounts
import ChatModel
import Schema
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Writing

/// Hits that two threads count, in parts of the time.
@Suite struct TextCountTests: SearchSuite {
    let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    /// Stores random events, and messages of three people over some days in two rooms.
    private func fill(seed: UInt64) async throws {
        let writer = try await fixture.openWriter()
        var random = RandomArchive(seed: seed)
        try await random.write(to: writer)
        let lines = (0..<500).map(Self.message)
        _ = try await writer.importLines(fixture.source(lines), marksRead: false, at: ArchiveFixture.importTime)
        try await writer.close()
    }

    private static func message(_ number: Int) -> ImportedMessage {
        let bodies = ["line \(number)", "서버 \(number)", "", "Line one\nline two", "a-\(number)-fe"]
        let room: String = number % 3 == 0 ? "#a" : "#old"
        let kind: MessageKind = number % 11 == 0 ? .join : .message
        let offset = Int64(number) * 700_000_000
        return ImportedMessage(
            room: room, kind: kind, sender: ["alice", "민수", "dave"][number % 3], body: bodies[number % 5],
            time: ArchiveFixture.day.advanced(byMicroseconds: offset), resolution: .microsecond)
    }

    private static let groupings: [HitGrouping] =
        [.all, .room, .user] + TimeUnit.allCases.map { .time($0, .gmt) }
        + [.crossed([.user, .time(.hour)], .gmt), .crossed([.time(.day), .room, .user], .gmt)]

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            "[0-9]", "^$", "(?i)line", #"\b서버 [0-9]+$"#, "one|two|서버", "[0-9]+-[a-f]+", "nothing",
        ], ["", "line", "-line", "from:alice OR from:민수"])
    func `texts are counted as messages that are read one by one`(pattern: String, words: String) async throws {
        try await fill(seed: 7)
        let (reading, scope) = (fixture.archive.reading(), MessageQuery.Scope.accounts(["demo"]))
        let (expression, wanted) = (try RegularExpression(pattern), try await self.scope(words))
        let deadline = ContinuousClock.now + .seconds(3600)
        func search(_ filter: SearchScope?) -> RegexSearch {
            RegexSearch(reading: reading, search: wanted, filter: filter, expression: expression, deadline: deadline)
        }
        for grouping in Self.groupings {
            // A filter makes the search read whole messages.
            let expected = try search(wanted).count(scope: scope, by: grouping)
            let found = try search(nil).count(scope: scope, by: grouping)
            #expect(found.counts == expected.counts, "\(grouping)")
            for size in [40, 100_000] as [Int64] {
                let texts = TextCounts(
                    reading: reading, scope: scope, search: wanted, expression: expression, deadline: deadline,
                    progress: { _ in }, partSize: size)
                let counted = try texts.counts(by: grouping, after: RegexProgress())
                #expect(try grouping.joined(counted.counts) == expected.counts, "\(grouping), \(size)")
                #expect(!counted.progress.isCut && counted.progress.skipped == 0)
            }
        }
    }

    @Test func `time that is up cuts the count`() async throws {
        try await fill(seed: 1)
        let texts = TextCounts(
            reading: fixture.archive.reading(), scope: .accounts(["demo"]), search: try await scope(""),
            expression: try RegularExpression("x"), deadline: .now, progress: { _ in }, partSize: 40)
        let progress = try texts.counts(by: .all, after: RegexProgress()).progress
        #expect(progress.isCut && progress.tested == 0)
    }

    @Test(arguments: [1, 40, 100_000, nil] as [Int64?])
    func `the parts of a time have each message once, the newest first`(size: Int64?) async throws {
        try await fill(seed: 3)
        let reader = try #require(try fixture.archive.reading().readers(of: .accounts(["demo"])).first)
        let (parts, ids) = try reader.read { db in
            let all = TimePart(after: .min, before: .max)
            return try (
                TimeParts.parts(of: all, size: size, db), db.integers("SELECT id FROM message ORDER BY id DESC")
            )
        }
        let read = try reader.read(parts: parts) { db, part in
            try db.integers(
                "SELECT id FROM message WHERE id > ?1 AND id < ?2 ORDER BY id DESC",
                [.integer(part.after), .integer(part.before)])
        }
        #expect(read.flatMap(\.self) == ids)
        #expect(parts.count == (size == 100_000 ? 1 : max(parts.count, 2)))
    }

    @Test func `a failure in a part ends the reading of the others`() async throws {
        try await fill(seed: 1)
        let reader = try #require(try fixture.archive.reading().readers(of: .accounts(["demo"])).first)
        #expect(throws: TooManyCounts.self) {
            _ = try reader.read(parts: Array(0..<1000)) { _, part in
                if part == 7 { throw TooManyCounts() }
                return part
            }
        }
    }

    @Test(
        arguments: ["line", "-line", "from:alice OR from:민수", "in:#a line"],
        [.user, .time(.day, .gmt), .time(.hour, .gmt)] as [HitGrouping])
    func `many hits are counted by person and by time on two threads`(words: String, grouping: HitGrouping) async throws
    {
        try await fill(seed: 5)
        let wanted = try await scope(words)
        let reader = try #require(try fixture.archive.reading().readers(of: .accounts(["demo"])).first)
        func counts(_ manyHits: Int64) throws -> [HitCount] {
            try grouping.order(
                SearchTally(
                    account: reader.account, scope: .accounts(["demo"]), search: wanted, manyHits: manyHits
                ).counts(by: grouping, named: nil, of: reader))
        }
        #expect(try counts(1) == counts(.max))
        #expect(try !counts(1).isEmpty)
    }
}

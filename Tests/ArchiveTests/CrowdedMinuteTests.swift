import ChatModel
import TestSupport
import Testing

@testable import Archive
@testable import Writing

/// Imports of many messages of one minute.
struct CrowdedMinuteTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private static let count = 600

    private func lines(_ count: Int) -> [ImportedLine] {
        fixture.source(
            (0..<count).map { index in
                ImportedMessage(
                    room: "#example", kind: .message, sender: "alice", body: "line \(index / 2)",
                    time: ArchiveFixture.at(60), resolution: .minute)
            })
    }

    @Test func `an import that releases the file between batches reads a minute once`() async throws {
        let lines = lines(2 * Self.count)
        var writer = try await fixture.archive.openWriter(ArchiveFixture.log)
        _ = try await writer.importLines(Array(lines[..<Self.count]), at: ArchiveFixture.importTime)
        let memory = try #require(try await writer.importMemory())
        #expect(memory.stored.reads == 1)
        try await writer.close()
        writer = try await fixture.archive.openWriter(ArchiveFixture.log)
        try await writer.resume(memory)
        let again = try await writer.importLines(lines, at: ArchiveFixture.importTime)
        #expect(again == ImportTally(new: Self.count, known: Self.count))
        #expect(try await writer.importMemory()?.stored.reads == 1)
        try await writer.close()
    }

    @Test func `an import forgets its counts when another process wrote the file`() async throws {
        let lines = lines(2 * Self.count)
        var writer = try await fixture.archive.openWriter(ArchiveFixture.log)
        _ = try await writer.importLines(Array(lines[..<Self.count]), at: ArchiveFixture.importTime)
        let memory = try #require(try await writer.importMemory())
        try await writer.close()
        _ = try await fixture.store(lines)
        writer = try await fixture.archive.openWriter(ArchiveFixture.log)
        try await writer.resume(memory)
        let again = try await writer.importLines(lines, at: ArchiveFixture.importTime)
        #expect(again == ImportTally(known: 2 * Self.count))
        try await writer.close()
    }

    /// Opens a writer whose imports keep some counts in memory, and the others in a file.
    private func openForgetful(counts: Int = 10) async throws -> AccountWriter {
        let writer = try await fixture.archive.openWriter(ArchiveFixture.log)
        try await writer.resume(
            try await writer.read { db in try ImportMemory(StoredOccurrences(countsInMemory: counts), db) })
        return writer
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [70, 1000])
    func `a minute with more messages than memory allows is counted exactly`(batch: Int) async throws {
        let lines = lines(2 * Self.count)
        for (count, expected) in [
            (Self.count, ImportTally(new: Self.count)),
            (2 * Self.count, ImportTally(new: Self.count, known: Self.count)),
            (2 * Self.count, ImportTally(known: 2 * Self.count)),
        ] {
            let writer = try await openForgetful()
            var tally = ImportTally()
            for start in stride(from: 0, to: count, by: batch) {
                let part = Array(lines[start..<min(start + batch, count)])
                tally = tally + (try await writer.importLines(part, at: ArchiveFixture.importTime))
            }
            #expect(tally == expected)
            #expect(try await writer.importMemory()?.stored.reads == 1)
            try await writer.close()
        }
    }

    @Test func `a log of many minutes is counted in memory, which drops earlier minutes`() async throws {
        // Each line has two counts.
        let lines = fixture.source(
            (0..<Self.count).map { index in
                ImportedMessage(
                    room: "#example", kind: .message, sender: "alice", body: "line \(index % 7)",
                    time: ArchiveFixture.at(60 * (index / 2)), resolution: .minute)
            })
        let writer = try await openForgetful(counts: 100)
        #expect(try await writer.importLines(lines, at: ArchiveFixture.importTime) == ImportTally(new: lines.count))
        let stored = try #require(try await writer.importMemory()).stored
        #expect(!stored.counts.hasOverflow)
        #expect(stored.reads > 1)
        #expect(try await writer.importLines(lines, at: ArchiveFixture.importTime) == ImportTally(known: lines.count))
        try await writer.close()
    }

    @Test func `a counted line that the store refuses is not counted`() async throws {
        try await fixture.archive.openWriter(ArchiveFixture.log).close()
        try fixture.execute(
            """
            CREATE TRIGGER refuse BEFORE INSERT ON message_version WHEN NEW.body = 'bad'
            BEGIN SELECT RAISE(ABORT, 'refused'); END
            """, account: "old")
        var refused = ImportedMessage(
            room: "#example", kind: .message, sender: "alice", body: "hi", time: ArchiveFixture.at(60),
            resolution: .minute)
        refused.editedAt = ArchiveFixture.at(120)
        refused.versions = [ImportedMessage.Version(at: ArchiveFixture.at(60), body: "bad")]
        var good = refused
        (good.editedAt, good.versions) = (nil, [])
        let writer = try await openForgetful()
        let crowd = lines(Self.count)
        let source = crowd + fixture.source([refused]) + fixture.source([good])
        let tally = try await writer.importLines(source, at: ArchiveFixture.importTime)
        #expect(tally == ImportTally(new: Self.count + 1, failed: 1))
        let again = try await writer.importLines(
            crowd + fixture.source([good]), at: ArchiveFixture.importTime)
        #expect(again == ImportTally(known: Self.count + 1))
        try await writer.close()
    }

    @Test func `an import through a listener reads a minute once, and counts live messages`() async throws {
        let lines = lines(2 * Self.count)
        let writer = try await openForgetful()
        let session = try await writer.openSession()
        _ = try await writer.importLines(Array(lines[..<Self.count]), at: ArchiveFixture.importTime)
        let heard = IncomingMessage(
            session: session, room: RoomReference(key: "#example", name: "#example", kind: .channel), kind: .message,
            sender: UserReference(key: "alice", name: "alice", isSelf: false), body: "line \(Self.count - 1)",
            remoteID: nil, sourceTime: nil, receivedAt: ArchiveFixture.at(90), flags: [])
        _ = try await writer.append([.message(heard)])
        let rest = try await writer.importLines(Array(lines[Self.count...]), at: ArchiveFixture.importTime)
        #expect(rest == ImportTally(new: Self.count - 1, known: 1))
        let more = ImportedMessage(
            room: "#example", kind: .message, sender: "alice", body: "line \(Self.count - 1)",
            time: ArchiveFixture.at(60), resolution: .minute)
        let known = try await writer.importLines(fixture.source([more]), at: ArchiveFixture.importTime)
        #expect(known == ImportTally(known: 1))
        #expect(try await writer.importMemory()?.stored.reads == 1)
        try await writer.close()
    }

    @Test func `lines that alternate between crowded minutes read each minute once at most`() async throws {
        let lines = fixture.source(
            (0..<6 * Self.count).map { index in
                ImportedMessage(
                    room: "#example", kind: .message, sender: "alice", body: "line \(index)",
                    time: ArchiveFixture.at(60 * (index % 9)), resolution: .minute)
            })
        #expect(try await fixture.store(lines) == ImportTally(new: lines.count))
        let writer = try await openForgetful()
        let tally = try await writer.importLines(lines, at: ArchiveFixture.importTime)
        #expect(tally == ImportTally(known: lines.count))
        #expect(try #require(try await writer.importMemory()).stored.reads <= 9)
        try await writer.close()
    }

    @Test(arguments: [0, 10, 1000])
    func `counts in a file equal counts in memory`(capacity: Int) throws {
        var counts = OccurrenceCounts(capacity: capacity) { try OccurrenceFile() }
        var expected: [Int: Int] = [:]
        func key(_ number: Int) -> OccurrenceKey { OccurrenceKey { $0.combine(number) } }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5000 {
            let number = Int.random(in: 0..<500, using: &random)
            try counts.increment(key(number))
            expected[number, default: 0] += 1
            let other = Int.random(in: 0..<500, using: &random)
            #expect(try counts.number(key(other)) == expected[other] ?? 0)
        }
        counts.removeAll()
        #expect(try counts.number(key(expected.keys.first ?? 0)) == 0)
    }
}

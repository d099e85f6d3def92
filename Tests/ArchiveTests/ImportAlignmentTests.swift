import ChatModel
import TestSupport
import Testing

@testable import Archive
@testable import Checks

/// Logs over an archive that has the same messages with other times, texts or names.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct ImportAlignmentTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func said(
        _ body: String?, by sender: String? = "alice", at seconds: Double, to resolution: TimeResolution = .second,
        kind: MessageKind = .message
    ) -> ImportedMessage {
        let time = ArchiveFixture.day.advanced(byMicroseconds: Int64(seconds * 1_000_000))
        return ImportedMessage(
            room: "#example", kind: kind, sender: sender, body: body, time: resolution.floor(time),
            resolution: resolution)
    }

    /// Imports the messages of one file as the command does, some at a time.
    private func align(
        _ messages: [ImportedMessage], batch: Int = 1000, beginnings: [Int] = []
    ) async throws -> ImportTally {
        let alignment = try fixture.archive.compareImport(into: "old", writes: true).alignment
        let lines = fixture.source(messages)
        var tally = ImportTally()
        for start in stride(from: 0, to: lines.count, by: batch) {
            let part = Array(lines[start..<min(start + batch, lines.count)])
            let (rest, removed) = try await alignment.align(part, beginnings: start == 0 ? [0] + beginnings : [])
            tally = tally + ImportTally(known: removed.count) + (try await fixture.store(rest))
        }
        return tally
    }

    /// Different texts, 20 seconds apart.
    private func conversation(_ count: Int, later: Double = 0, to resolution: TimeResolution) -> [ImportedMessage] {
        (0..<count).map { index in
            let second = Double(index * 20) + Double(index * 7919 % 1000) / 1000
            return said("line \(index)", by: index % 3 == 0 ? "bob" : "alice", at: second + later, to: resolution)
        }
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            (0.05, TimeResolution.second), (1, .second), (-3, .second), (30, .minute), (-90, .minute),
            (77.5, .microsecond),
        ])
    func `a log with another clock adds only new messages, at the archive's time`(
        later: Double, resolution: TimeResolution
    ) async throws {
        let stored = conversation(200, to: .microsecond)
        _ = try await fixture.store(fixture.source(stored.filter { $0.body != "line 100" }))
        let log = conversation(200, later: later, to: resolution)
        #expect(try await align(log, batch: 70) == ImportTally(new: 1, known: 199))
        #expect(try await align(log, batch: 70) == ImportTally(known: 200))
        let order = try fixture.strings(
            "SELECT substr(body, 6) AS text FROM message WHERE body IN ('line 96', 'line 100', 'line 104') ORDER BY id")
        #expect(order == "96 100 104")
        #expect(try fixture.archive.check(accounts: ["old"]).flatMap(\.problems) == [])
    }

    @Test func `lines without a time are stored once, and show no other clock`() async throws {
        // Their session began a minute before the first message.
        let stored = (0..<20).map { said("line \($0)", at: 60 + Double($0) * 2, to: .microsecond) }
        _ = try await fixture.store(fixture.source(stored))
        let log = (0..<30).map { index in
            var line = said("line \(index)", at: 0, to: .minute)
            line.isTimed = false
            return line
        }
        let alignment = try fixture.archive.compareImport(into: "old", writes: true).alignment
        let (rest, removed) = try await alignment.align(fixture.source(log), beginnings: [0])
        #expect((rest.count, removed.count) == (10, 20))
        #expect(await alignment.distances == [:])
        #expect(try await fixture.store(rest) == ImportTally(new: 10))
        #expect(try await align(log) == ImportTally(known: 30))
    }

    @Test func `messages that clients write differently are the same`() async throws {
        let stored = [
            said("\u{3}04red\u{F} and \u{2}bold\u{2}", at: 1.4, to: .microsecond),
            said("\"gone fishing\"", at: 2.4, to: .microsecond, kind: .leave),
            said("", at: 3.4, to: .microsecond, kind: .topic), said("a\tb", at: 4.4, to: .microsecond),
            said("  spaces ", at: 5.4, to: .microsecond),
        ]
        _ = try await fixture.store(fixture.source(stored))
        let log = [
            said("red and bold", at: 1), said("gone fishing", at: 2, kind: .leave), said(nil, at: 3, kind: .topic),
            said("a b", at: 4), said("spaces", at: 5),
        ]
        #expect(try await align(log) == ImportTally(known: 5))
    }

    @Test func `renaming a person in the phone adds no message twice`() async throws {
        let old = [
            said("hi", by: "Bob", at: 0, to: .minute),
            said("@\u{2068}Bob\u{2069} look", by: "Carol", at: 60, to: .minute),
            said("ok", by: "Bob", at: 65, to: .minute),
        ]
        _ = try await fixture.store(fixture.source(old))
        var picture = said("ok", by: "Bob at work", at: 65, to: .minute)
        picture.files = [ImportedMessage.File(path: "a.jpg")]
        let new = [
            said("hi", by: "Bob at work", at: 0, to: .minute),
            said("@\u{2068}Bob at work\u{2069} look", by: "Carol", at: 60, to: .minute), picture,
            said("new", by: "Bob at work", at: 200, to: .minute),
        ]
        #expect(try await align(new) == ImportTally(new: 1, changed: 1, known: 2))
        #expect(try fixture.strings("SELECT message_id IS NOT NULL AS text FROM attachment") == "1")
        #expect(try await align(new) == ImportTally(known: 4))
    }

    @Test func `lines of one file don't match each other, and lines of two files do`() async throws {
        let log = conversation(40, to: .second)
        _ = try await fixture.store(fixture.source(log))
        let again = (0..<6).map { said("again", at: 900 + Double($0)) }
        let first = try await align(log + again, batch: 43)
        #expect(first == ImportTally(new: 6, known: 40), "\(first)")
        let other = fixture.source(log + again)
        let alignment = try fixture.archive.compareImport(into: "old", writes: true).alignment
        let (rest, removed) = try await alignment.align(other + other, beginnings: [0, other.count])
        #expect((rest.count, removed.count) == (0, 92))
    }

    @Test(arguments: [1, 2, 7])
    func `equal lines in one minute keep their number, whatever the batches`(batch: Int) async throws {
        var other = said("hi", at: 0)
        other.room = "#other"
        _ = try await fixture.store(fixture.source([other]))
        let log =
            (0..<6).map { said("ok", by: "bob", at: Double($0), to: .minute) } + [said("end", at: 4000, to: .minute)]
        #expect(try await align(log, batch: batch) == ImportTally(new: 7))
        let later = (0..<6).map { said("ok", by: "bob", at: 8000 + Double($0), to: .minute) }
        #expect(try await align(later, batch: batch) == ImportTally(new: 6))
        #expect(try await align(log + later, batch: batch) == ImportTally(known: 13))
    }

    @Test func `lines beyond the comparison limit are all stored`() async throws {
        _ = try await fixture.store(fixture.source([said("hi", at: 0)]))
        let log = (0..<2500).map { _ in said("a", by: "bob", at: 5000, to: .minute) }
        #expect(try await align(log, batch: 600) == ImportTally(new: 2500))
        #expect(try await align(log, batch: 600) == ImportTally(known: 2500))
    }

    @Test func `a file with another clock than the previous one is compared separately`() async throws {
        let stored = conversation(60, to: .microsecond)
        _ = try await fixture.store(fixture.source(stored))
        let first = conversation(40, later: 40, to: .second)
        let second = conversation(45, to: .second).suffix(5)
        #expect(try await align(first + second, beginnings: [40]) == ImportTally(known: 45))
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<12)
    func `importing a log after any prefix of it adds the rest, and nothing the second time`(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let resolution = TimeResolution.allCases[seed % 3]
        var time = 0.0
        let log = (0..<120).map { index in
            time += .random(in: 0...30, using: &random)
            let text = Bool.random(using: &random) ? "line \(index)" : "text \(Int.random(in: 0..<4, using: &random))"
            return said(text, by: Bool.random(using: &random) ? "alice" : "bob", at: time, to: resolution)
        }
        let cut = Int.random(in: 0...120, using: &random)
        _ = try await fixture.store(fixture.source(Array(log.prefix(cut))))
        #expect(try await align(log, batch: .random(in: 10...130, using: &random)).new == 120 - cut)
        #expect(try await align(log, batch: .random(in: 10...130, using: &random)) == ImportTally(known: 120))
    }
}

import Archive
import ChatModel
import Checks
import LogFormats
import TestSupport
import Testing
import Writing

@testable import Importing

/// Logs whose lines have no times (ircII, EPIC5, ScrollZ), imported again, and beside what else has the same messages.
struct UntimedLogTests {
    private let folder: TemporaryFolder
    private let archive: Archive
    /// 2026-12-01.
    private static let now = Timestamp(microseconds: 1_796_083_200_000_000)

    init() throws {
        folder = try TemporaryFolder()
        archive = Archive(folder: folder.path + "/data")
    }

    private struct Outcome {
        var tally: ImportTally
        var assumptions: [String]
        /// The number of rooms for which another clock is reported.
        var clocks: Int
        var shift: ImportShift?
    }

    /// Imports a log as the command does.
    private func store(
        _ text: String, as format: any LogFormat.Type = IrcIIFormat.self, path: String = "irc.log",
        into name: String = "old", now: Timestamp = Self.now
    ) async throws -> Outcome {
        let bytes = Array(text.utf8)
        let file = ImportFile(container: "", name: path, size: 0)
        let options = ImportOptions(format: format, room: nil, zone: .gmt, folding: .rfc1459)
        var reader = SourceReader(ImportSource(file, as: format), options: options, now: now)
        if var survey = format.survey(now: now) {
            for line in bytes.split(separator: 0x0A) { survey.inspectLine(line) }
            reader.survey = survey
        }
        reader.begin(file)
        let lines = try reader.readChunk(bytes[...]) + reader.endFile() + reader.finish()
        let (alignment, shifts) = try archive.compareImport(into: name, writes: true)
        let shift = try await shifts.find(in: lines.map(\.content))
        let (rest, removed) = try await alignment.align(lines.map(\.content), beginnings: [0])
        let writer = try await archive.openWriter(AccountIdentity(name: name, network: "log"))
        let tally = try await writer.importLines(rest, at: now)
        try await writer.close()
        return Outcome(
            tally: ImportTally(known: removed.count) + tally, assumptions: reader.assumptions,
            clocks: await alignment.distances.count, shift: shift)
    }

    /// Two sessions, with equal lines.
    private static let log = """
        IRC log started Sat Nov 21 06:23:11 2026
        *** me (~me@host) has joined channel #example
        *** Users on #example: me alice bob
        <alice> hi
        <alice> hi
        > hello
        *** me (~me@host) has joined channel #other
        <alice:#example> hi
        *alice* psst
        *** Signoff: alice (bye)
        *** alice (~alice@host) has joined channel #example
        *** Signoff: alice (bye)
        IRC log ended Sat Nov 21 09:30:02 2026
        IRC log started Sat Nov 21 09:30:40 2026
        *** me (~me@host) has joined channel #example
        <alice> hi
        <alice> hi
        * bob waves
        <alice> hi
        IRC log ended Sun Nov 22 00:02:02 2026

        """

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a log that has grown by any line adds only its new lines`() async throws {
        let lines = Self.log.split(separator: "\n")
        let whole = try await store(Self.log).tally.new
        #expect(whole == 16)
        for count in 1..<lines.count {
            let (name, part) = ("grown\(count)", lines.prefix(count).joined(separator: "\n") + "\n")
            let before = try await store(part, into: name).tally
            #expect(before.known == 0 && before.failed == 0)
            #expect(try await store(part, into: name).tally == ImportTally(known: before.new))
            let after = try await store(Self.log, into: name).tally
            #expect((after.new, after.known) == (whole - before.new, before.new), "after line \(count)")
            #expect(try await store(Self.log, into: name).tally == ImportTally(known: whole))
        }
        #expect(try archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `a log without years adds nothing in a later year`() async throws {
        let log = ["Sat Nov 21", "Tue Dec 15", "Fri Mar  1", "Sat Nov 28"].map {
            "IRC log started \($0) 06:23\n*** me (~me@host) has joined channel #example\n<alice> hi\n"
        }
        #expect(try await store(log.joined()).tally == ImportTally(new: 8))
        // 2027-02-01: another 15th of December was a Tuesday.
        let later = Timestamp(microseconds: 1_801_440_000_000_000)
        #expect(try await store(log.joined(), now: later).tally == ImportTally(known: 8))
    }

    @Test func `beside a log with times, messages are stored twice, and the report says so`() async throws {
        // A quarter of an hour after the session began, as another zone would have it.
        let texts = (0..<12).map { "[06:38:\($0 + 10)] <alice> text \($0)" }
        let other = try await store(
            texts.joined(separator: "\n") + "\n", as: ZNCFormat.self, path: "znc/libera/#example/2026-11-21.log")
        #expect(other.tally == ImportTally(new: 12))
        let log =
            "IRC log started Sat Nov 21 06:23:11 2026\n*** me (~me@host) has joined channel #example\n"
            + (0..<12).map { "<alice> text \($0)\n" }.joined()
        let result = try await store(log)
        #expect(result.tally == ImportTally(new: 13))
        #expect(result.assumptions.contains { $0.contains("is stored twice: 13") })
        #expect(result.shift == nil && result.clocks == 0)
        let again = try await store(log)
        #expect(again.tally == ImportTally(known: 13))
        #expect(again.shift == nil && again.clocks == 0)
    }

    @Test func `what was said in the minute in which the session began is stored once`() async throws {
        let texts = (0..<5).map { "[06:23:\($0 + 10)] <alice> text \($0)\n" }
        _ = try await store(texts.joined(), as: ZNCFormat.self, path: "znc/libera/#example/2026-11-21.log")
        let log =
            "IRC log started Sat Nov 21 06:23:11 2026\n*** me (~me@host) has joined channel #example\n"
            + (0..<9).map { "<alice> text \($0)\n" }.joined()
        #expect(try await store(log).tally == ImportTally(new: 5, known: 5))
        #expect(try await store(log).tally == ImportTally(known: 10))
    }
}

import ChatModel
import Foundation
import LogFormats
import Rendering
import Synchronization
import TestSupport
import Testing

@testable import Importing

/// The report of an import.
struct ImportReportTests: ImportFolder {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `lines and messages are counted under their own names`() throws {
        var done = ImportRun.Done()
        func counted(_ formats: any LogFormats.LogFormat.Type...) -> String {
            done.lines = formats.count
            done.formats = Dictionary(uniqueKeysWithValues: formats.map { ($0.name, ImportRun.Format($0)) })
            let summary = ImportReport(isRehearsal: false).summary(done)
            return String(summary.prefix { $0 != ":" })
        }
        #expect(counted(DiscordFormat.self) == "read 1 message")
        #expect(counted(DiscordFormat.self, SlackFormat.self) == "read 2 messages")
        #expect(counted(IrssiFormat.self, JSONLinesFormat.self) == "read 2 lines")
        #expect(counted(IrssiFormat.self, SlackFormat.self) == "read 2 entries")
    }

    @Test func `the report counts content of unknown kinds by name`() async throws {
        let message =
            #"{"id": 1, "type": "message", "date_unixtime": "1795242181", "from": "a", "from_id": "user7", "dice": 4}"#
        try write(#"{"name": "x", "type": "private_group", "id": 20, "messages": [\#(message)]}"#, to: "result.json")
        let search = search("result.json")
        let collected = CollectedLines()
        var run = ImportRun(options: search.options) { false }
        let store: ImportRun.Store = { collected.store($0) }
        for source in search.sources {
            try await run.importSource(source, store: store) { _ in
            } onError: { _ in
            }
        }
        let summary = ImportReport(isRehearsal: true).summary(run.done)
        #expect(summary.contains("\n  content of unknown kinds left out: dice (1 message)\n"))
    }

    @Test func `a dry run of several logs warns about shared messages`() {
        func summary(_ format: any LogFormats.LogFormat.Type, files: Int, isRehearsal: Bool = true) -> String {
            var done = ImportRun.Done()
            (done.lines, done.tally) = (3, ImportTally(new: 3))
            done.formats = [format.name: ImportRun.Format(format)]
            done.formats[format.name]?.files = files
            return ImportReport(isRehearsal: isRehearsal).summary(done)
        }
        let line = "\n  a message that several of these files have may count more than once\n"
        #expect(summary(WhatsAppFormat.self, files: 2).hasSuffix("; dry run, nothing stored" + line))
        #expect(!summary(WhatsAppFormat.self, files: 1).contains(line))
        #expect(!summary(DiscordFormat.self, files: 2).contains(line))
        #expect(!summary(WhatsAppFormat.self, files: 2, isRehearsal: false).contains(line))
    }

    @Test func `the report names the room or the number of rooms, the account and the zone`() {
        let new = ImportDestination(account: "kakaotalk", isNew: true, zone: "Asia/Seoul")
        #expect(new.text(rooms: ["가족"]) == "  into kakaotalk/가족 (new account), local times read in Asia/Seoul\n")
        let known = ImportDestination(account: "discord", isNew: false, zone: nil)
        #expect(known.text(rooms: ["a", "\u{1B}b"]) == "  into 2 rooms of discord\n")
        #expect(known.text(rooms: ["\u{1B}b"]) == "  into discord/\\u{1B}b\n")
        let many = Set((0..<ImportOutcome.maximumRooms).map { "\($0)" })
        #expect(known.text(rooms: many) == "  into 100 rooms or more of discord\n")
        #expect(known.text(rooms: []) == "")
    }

    @Test func `assumptions about the first sources are reported, with the number of others`() async throws {
        for index in 0..<23 { try write("x\n", to: "in/\(index)/index\(index)") }
        let search = search("in", format: LineCountFormat.self)
        #expect(search.sources.count == 23)
        var run = ImportRun(options: search.options) { false }
        let store: ImportRun.Store = { ImportTally(new: $0.lines.count) }
        for source in search.sources {
            try await run.importSource(source, store: store) { _ in
            } onError: { _ in
            }
        }
        try await run.finish(store: store) { _ in }
        let summary = search.report.summary(run.done).replacing(folder.path + "/", with: "")
        #expect(summary.contains("assumed:\n  in/0/index0: there were 1 lines\n"))
        #expect(summary.hasSuffix("  and in 3 more files\n"))
        #expect(summary.split(separator: "\n").count == 23)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `many skipped files are one line with the number and the first three`() throws {
        for index in 100..<207 { try write("words\n", to: "in/\(index).txt") }
        try write(Self.line, to: "in/2026-11-20.log")
        var search = search("in")
        #expect(
            summary(&search) == """
                in/2026-11-20.log: energymech
                107 files skipped (unrecognised format): in/100.txt, in/101.txt, in/102.txt and 104 more\n
                """)
    }

    @Test func `failed files are one line per reason, and the number of reasons is limited`() {
        var groups = FileGroups()
        groups.add("a.zip", reason: "encrypted", hint: "unpack it", code: "input")
        #expect(groups.text == "scrollback: a.zip: encrypted; unpack it [input]\n")
        groups.add("b.zip", reason: "encrypted", hint: "unpack it", code: "input")
        groups.add("c.zip", reason: "damaged")
        #expect(
            groups.text == """
                scrollback: 2 files: encrypted: a.zip, b.zip; unpack it [input]
                1 file skipped (damaged): c.zip\n
                """)
        for index in 0..<30 { groups.add("\(index)", reason: "reason \(index)") }
        #expect(groups.text.hasSuffix("12 more files with other reasons\n"))
        #expect(groups.text.split(separator: "\n").count == 21)
        #expect(groups.count == 33)
    }

    @Test func `a file that many messages name is listed once`() {
        var groups = FileGroups()
        for name in ["a.pdf", "a.pdf", "a.pdf", "b.pdf", "c.pdf", "d.pdf", "a.pdf"] { groups.add(name, reason: "lost") }
        #expect(groups.groups.map(\.files) == ["a.pdf, b.pdf, c.pdf and 4 more"])
    }

    @Test func `invalid lines are one line per reason, with the first three places`() async throws {
        let lines = (0..<107).map { "nonsense \($0)\n" }.joined()
        try write(Self.line + lines, to: "2026-11-20.log")
        let search = search("2026-11-20.log")
        var run = ImportRun(options: search.options) { false }
        let store: ImportRun.Store = { ImportTally(new: 1, failed: $0.lines.count - 2) }
        try await run.importSource(try #require(search.sources.first), store: store) { _ in
        } onError: { _ in
        }
        try await run.finish(store: store) { _ in }
        #expect(
            search.report.summary(run.done).replacing(folder.path + "/", with: "").hasPrefix(
                """
                read 108 lines: 1 new message, 0 already stored, 107 invalid
                  107 lines invalid (not a valid energymech line): 2026-11-20.log:2, 2026-11-20.log:3, 2026-11-20.log:4 \
                and 104 more
                  each is kept in the account's table "failure"
                """))
    }

    @Test func `a large import gets an estimate from its beginning`() throws {
        #expect(
            ImportEstimate(bytes: 120_000_000, lines: 1_987_654).text == "about 1,900,000 lines (120.0 MB), about 56 s"
        )
        #expect(ImportEstimate(bytes: 120_000_000, lines: 100_000).text == nil)
        try write(String(repeating: Self.line, count: 10_000), to: "2026-11-20.log")
        let search = search("2026-11-20.log")
        let (sources, options) = (search.sources, search.options)
        let estimate = try #require(ImportEstimate(sources, bytes: sources.size, options: options))
        #expect(abs(estimate.lines - 10_000) < 100)
        #expect(ImportEstimate(ImportSources(), bytes: 0, options: options) == nil)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `no request exceeds a listener's limit, whatever the lines`() async throws {
        let tiny = (0..<40_000).map { _ in "[03:41] <a> b" }
        let long = (0..<40).map { _ in "[03:41] <a> " + String(repeating: "b", count: 60_000) }
        try write((tiny + long).joined(separator: "\n"), to: "2026-11-20.log")
        let search = search("2026-11-20.log")
        var run = ImportRun(options: search.options) { false }
        let requests = Mutex<[[ImportedLine]]>([])
        let store: ImportRun.Store = { batch in
            #expect(batch.requests.count <= ImportRun.batchRequests)
            requests.withLock { $0 += batch.requests.map { Array(batch.lines[$0]) } }
            return ImportTally(new: batch.lines.count)
        }
        for source in search.sources {
            try await run.importSource(source, store: store) { _ in
            } onError: { _ in
            }
        }
        try await run.finish(store: store) { _ in }
        // With the span of the room.
        let sizes = requests.withLock { $0.map(\.count) }
        #expect((sizes.max(), sizes.reduce(0, +)) == (1000, 40_041))
        let bytes = requests.withLock { requests in
            requests.map { lines in
                lines.map { if case .message(let message) = $0 { message.body?.utf8.count ?? 0 } else { 0 } }
                    .reduce(0, +)
            }
        }
        #expect(bytes.allSatisfy { $0 <= ImportRun.requestTexts + 64 * 1024 })
    }
}

import ChatModel
import Foundation
import LogFormats
import Rendering
import Synchronization
import TestSupport
import Testing
import TextEncodings

@testable import Exporting
@testable import Importing
@testable import Scrollback

/// What an import finds in folders and archives, and what it reads it as.
struct ImportSearchTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        let file = URL(filePath: folder.path + "/" + name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    private func write(_ text: String, to name: String) throws {
        try write(Array(text.utf8), to: name)
    }

    private func search(_ paths: String..., format: (any LogFormats.LogFormat.Type)? = nil) -> ImportSearch {
        var search = ImportSearch(
            options: ImportOptions(format: format, room: "#example", zone: .gmt, folding: .rfc1459),
            report: ImportReport(isRehearsal: false))
        for path in paths { search.find(folder.path + "/" + path) }
        return search
    }

    /// What was found, without the folder of the test.
    private func found(_ search: ImportSearch) -> [String] {
        search.sources.map { source in
            "\(source.format.name): "
                + source.files.map { $0.shown.replacing(folder.path + "/", with: "") }.joined(separator: " ")
        }
    }

    /// What a source says, line by line, and what could not be read of it.
    private func read(_ search: ImportSearch) async throws -> (bodies: [String], troubles: [String]) {
        var run = ImportRun(options: search.options) { false }
        var troubles: [String] = []
        let collected = CollectedLines()
        let store: ImportRun.Store = { collected.store($0) }
        for source in search.sources {
            try await run.importSource(source, store: store) { _ in
            } onError: {
                troubles.append($0.description.replacing(folder.path + "/", with: ""))
            }
        }
        try await run.finish(store: store) { _ in }
        return (collected.bodies, troubles)
    }

    private static let line = "[03:41] <alice> hi\n"

    /// The found formats and the skipped files.
    private func summary(_ search: inout ImportSearch) -> String {
        search.skipUnrecognised()
        return (search.summary + search.report.skippedText).replacing(folder.path + "/", with: "")
    }

    @Test func `a folder's files are sorted by path, and recognised or skipped`() async throws {
        try write(Self.line, to: "logs/2026-11-20.log")
        try write(Packed.gzip(Self.line) + Packed.gzip("[03:42] <bob> 안녕\n"), to: "logs/b/c/2026-11-21.log.gz")
        try write(#"{"id": "2026-11-21T06:23:01.000000Z", "kind": "message", "body": "hi"}"#, to: "logs/a/x.jsonl")
        try write([0xFF, 0xD8, 0, 1], to: "logs/b/2026-11-20.jpg")
        try write("some words\n", to: "logs/notes.txt")
        try write("", to: "logs/empty.log")
        try write(Self.line, to: "logs/.hidden/2026-11-20.log")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/logs/b/up", withDestinationPath: folder.path + "/logs")
        var search = search("logs")
        #expect(
            found(search) == [
                "energymech: logs/2026-11-20.log", "jsonl: logs/a/x.jsonl", "energymech: logs/b/c/2026-11-21.log.gz",
            ])
        let told = summary(&search)
        #expect(
            told == """
                logs/a/x.jsonl: jsonl
                2 files: energymech
                1 file skipped (unrecognised format): logs/notes.txt
                1 file skipped (image): logs/b/2026-11-20.jpg; messages that name it keep its name\n
                """)
        #expect(search.report.troubles == 0)
        #expect(search.report.isIncomplete)
        #expect(try await read(search).bodies == ["hi", "hi", "hi", "안녕"])
    }

    @Test func `links in a folder are not followed, and those that lead out of it are reported`() throws {
        try write(Self.line, to: "logs/a/2026-11-20.log")
        try write(Self.line, to: "logs-old/2026-11-19.log")
        for (link, target) in [
            ("logs/latest-2026-11-20.log", "a/2026-11-20.log"), ("logs/a/up", ".."),
            ("logs/gone.log", "2026-11-18.log"),
            ("logs/old.log", "../logs-old/2026-11-19.log"), ("logs/old", folder.path + "/logs-old"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/" + link, withDestinationPath: target)
        }
        var search = search("logs")
        #expect(found(search) == ["energymech: logs/a/2026-11-20.log"])
        let skipped = summary(&search).split(separator: "\n").dropFirst()
        #expect(skipped.count == 1 && skipped.first?.hasPrefix("2 files skipped (link out of the folder): ") == true)
        #expect(skipped.first?.hasSuffix("; to import its target, name the link") == true)
        #expect(found(self.search("logs/old", "logs/latest-2026-11-20.log")).count == 2)
    }

    @Test func `the list of an export of several accounts is not reported as skipped`() throws {
        let list = try JSONEncoder().encode(ExportCollection(format: "jsonl", hasAll: true))
        try write([UInt8](list), to: "out/accounts.json")
        try write(#"{"id": "2026-11-21T06:23:01.000000Z", "kind": "message", "body": "hi"}"#, to: "out/a/x.jsonl")
        var search = search("out")
        #expect(found(search) == ["jsonl: out/a/x.jsonl"])
        #expect(!summary(&search).contains("skipped"))
        #expect(found(self.search("out", format: JSONLinesFormat.self)) == ["jsonl: out/a/x.jsonl"])
    }

    @Test func `a folder's own WeeChat log is skipped with a line, and the import is complete`() throws {
        for name in ["core.weechat", "irc.libera.#example", "irc.server.libera"] {
            try write("2026-11-21 06:23:11\talice\thi\n", to: "logs/\(name).weechatlog")
        }
        let printed = Watched("")
        var search = ImportSearch(
            options: ImportOptions(format: nil, room: nil, zone: .gmt, folding: .rfc1459),
            report: ImportReport(
                isRehearsal: false, output: ImportOutput(print: { text in printed.change { $0 += text } })))
        search.find(folder.path + "/logs")
        #expect(
            found(search) == [
                "weechat: logs/irc.libera.#example.weechatlog", "weechat: logs/irc.server.libera.weechatlog",
            ])
        #expect(printed.value == "\(folder.path)/logs/core.weechat.weechatlog: skipped (weechat's own messages)\n")
        search.skipUnrecognised()
        #expect(!search.report.isIncomplete)
    }

    @Test func `the other files of a Slack export leave the import complete`() throws {
        try write(#"[{"id": "U1", "name": "alice"}]"#, to: "in/users.json")
        try write(#"[{"id": "C1", "name": "general"}]"#, to: "in/channels.json")
        try write("[]", to: "in/canvases.json")
        try write("[]", to: "in/integration_logs.json")
        try write("[]", to: "in/general/2026-11-21.json")
        var search = search("in")
        #expect(summary(&search) == "in: slack\n")
        #expect(!search.report.isIncomplete)
    }

    @Test func `an archive is read like its folder, and its names lead nowhere`() async throws {
        let inner = Array("[03:42] <bob> 안녕\n".utf8)
        var stored = ZipFile.Entry("b/2026-11-21.log", inner)
        stored.isDeflated = false
        var large = ZipFile.Entry("c/2026-11-22.log", Self.line)
        large.isLarge = true
        let zip = ZipFile([
            stored, .init("b/", ""), .init("../../etc/2026-11-20.log", Self.line), large, .init("x.jpg", [0xFF, 0]),
            .init("__MACOSX/b/2026-11-21.log", Self.line), .init(".DS_Store", "x"),
        ])
        try zip.write(to: folder.path + "/logs.zip")
        let search = search("logs.zip")
        #expect(
            found(search) == [
                "energymech: logs.zip/b/2026-11-21.log", "energymech: logs.zip/c/2026-11-22.log",
                "energymech: logs.zip/etc/2026-11-20.log",
            ])
        #expect(search.sources.first?.files.first?.unpackedPath == folder.path + "/logs/b/2026-11-21.log")
        #expect(search.sources.map(\.size) == [Int64(inner.count), Int64(Self.line.utf8.count), 19])
        #expect(try await read(search).bodies == ["안녕", "hi", "hi"])
        try write(zip.bytes, to: "folder/inner.zip")
        #expect(found(self.search("folder")).first == "energymech: folder/inner.zip/b/2026-11-21.log")
    }

    @Test func `a Windows archive can have backslashes between folders`() async throws {
        let zip = ZipFile([.init("logs\\", ""), .init("logs\\b\\2026-11-21.log", Self.line)])
        try zip.write(to: folder.path + "/x.zip")
        #expect(found(search("x.zip")) == ["energymech: x.zip/logs/b/2026-11-21.log"])
    }

    @Test(arguments: [nil, TextEncoding.cp949])
    func `names in CP949, as Windows writes them, are readable`(encoding: TextEncoding?) throws {
        let names = ["대화/가족 모임.2026-11-20.log", "대화/도서관 친구들.2026-11-21.log"]
        let zip = ZipFile(
            try names.map { name in
                var entry = ZipFile.Entry(name, Self.line)
                entry.nameBytes = try name.encoded(as: "CP949")
                return entry
            })
        try zip.write(to: folder.path + "/x.zip")
        var search = ImportSearch(
            options: ImportOptions(room: "#example", zone: .gmt, encoding: encoding),
            report: ImportReport(isRehearsal: false))
        search.find(folder.path + "/x.zip")
        #expect(found(search) == names.map { "energymech: x.zip/\($0)" })
    }

    @Test func `an unreadable entry is reported, and the others are read`() async throws {
        func entry(_ name: String, _ change: (inout ZipFile.Entry) -> Void) -> ZipFile.Entry {
            var entry = ZipFile.Entry("2006-12-1\(name).log", Self.line)
            change(&entry)
            return entry
        }
        let zip = ZipFile([
            entry("0-good") { _ in },
            entry("1-encrypted") { $0.flags = 1 },
            entry("2-method") { $0.method = 12 },
            entry("3-checksum") { $0.checksum = 7 },
            entry("4-longer") { $0.claimedSize = 3 },
            entry("5-shorter") { $0.claimedSize = 300 },
            entry("6-noise") { ($0.isDeflated, $0.method) = (false, 8) },
            entry("7-good") { _ in },
        ])
        try zip.write(to: folder.path + "/x.zip")
        let search = search("x.zip", format: EnergymechFormat.self)
        let (bodies, troubles) = try await read(search)
        #expect(search.report.troubles == 4)
        #expect(bodies == ["hi", "hi", "hi", "hi"])
        #expect(
            troubles == [
                "x.zip/2006-12-13-checksum.log: checksum differs from the archive's; check that it is complete",
                "x.zip/2006-12-15-shorter.log: ends too early; check that it is complete",
            ])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a damaged archive never traps`() async throws {
        var large = ZipFile.Entry("b/2026-11-21.log", Self.line)
        large.isLarge = true
        for whole in [ZipFile([.init("2026-11-20.log", Self.line), large]).bytes, Packed.gzip(Self.line)] {
            var generator = SeededGenerator(seed: 7)
            for index in whole.indices {
                var bytes = whole
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
                try write(bytes, to: "damaged/2026-11-20.log")
                try write(Array(whole[..<index]), to: "cut/2026-11-20.log")
                for name in ["damaged", "cut"] {
                    let search = search(name + "/2026-11-20.log", format: EnergymechFormat.self)
                    _ = try await read(search)
                }
            }
        }
        #expect(search("cut/2026-11-20.log").report.troubles == 0)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `compressed content is unpacked in pieces of any size`() throws {
        let zeros = [UInt8](repeating: 0x20, count: 30_000_000)
        try ZipFile([.init("bomb", zeros)]).write(to: folder.path + "/bomb.zip")
        var generator = SeededGenerator(seed: 1)
        let noise = (0..<300_000).map { _ in UInt8.random(in: 0...20, using: &generator) }
        try ZipFile([.init("noise", noise)]).write(to: folder.path + "/noise.zip")
        for (name, content) in [("bomb", zeros), ("noise", noise)] {
            var files = FoundFiles()
            try files.addFiles(inArchive: folder.path + "/\(name).zip")
            let file = try files[0].open { false }
            var (bytes, largest) = ([UInt8](), 0)
            while case let more = try file.next(), !more.isEmpty {
                bytes += more
                largest = max(largest, more.count)
            }
            #expect(bytes == content)
            #expect(largest <= 64 * 1024)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `content over 200 times its compressed size is refused after 64 MiB`() throws {
        try ZipFile([.init("bomb", [UInt8](repeating: 0x20, count: 80 << 20))]).write(to: folder.path + "/bomb.zip")
        var files = FoundFiles()
        try files.addFiles(inArchive: folder.path + "/bomb.zip")
        let file = try files[0].open { false }
        var count = 0
        let error = #expect(throws: ImportError.self) {
            while case let more = try file.next(), !more.isEmpty { count += more.count }
        }
        #expect(error?.reason == "unpacks to more than 200 times its size")
        #expect(count <= 64 << 20)
    }

    @Test func `overlapping files of an archive are named and not read`() throws {
        var zip = ZipFile([.init("a.log", "[06:23] <alice> hi\n"), .init("b.log", "[06:23] <alice> hi\n")])
        zip.entries[1].claimedPlace = 0
        try zip.write(to: folder.path + "/overlap.zip")
        var files = FoundFiles()
        let error = #expect(throws: UnreadableBytes.self) {
            try files.addFiles(inArchive: folder.path + "/overlap.zip")
        }
        #expect(error?.reason == "files a.log and b.log overlap")
    }

    @Test func `the hint for a log without a room fits its program`() {
        let chat = ImportError(.noRoom, of: "a.txt", as: KakaoTalkFormat.self)
        #expect(chat.description == "a.txt: can't tell which room this log belongs to; add --room NAME")
        #expect(ImportError(.noRoom, of: "a.log", as: EnergymechFormat.self).hint == "add --room '#example'")
    }

    @Test func `an unusable source is an error with advice`() throws {
        try write("some words\n", to: "notes.txt")
        try write("some words\n", to: "folder/notes.txt")
        try write([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 1], to: "2026-11-20.log.xz")
        try write([0x50, 0x4B, 3, 4, 0, 0], to: "broken.zip")
        try FileManager.default.createDirectory(atPath: folder.path + "/empty", withIntermediateDirectories: false)
        for name in ["notes.txt", "folder", "2026-11-20.log.xz", "broken.zip", "empty", "none"] {
            let search = search(name)
            #expect(search.report.troubles == 1, "\(name)")
            #expect(search.sources.isEmpty, "\(name)")
        }
    }

    @Test func `a folder of another program's logs is an error with its name`() throws {
        try write("some words\n", to: "logs/a.txt")
        try write([0xFF, 0xD8, 0xFF, 1], to: "logs/b.jpg")
        try write("### Log session started at Sat Nov 21 06:23:11 2026 ###\n<alice> hi\n", to: "logs/irc.log")
        let printed = Watched("")
        var search = ImportSearch(
            options: ImportOptions(format: nil, room: nil, zone: .gmt, folding: .rfc1459),
            report: ImportReport(
                isRehearsal: false, output: ImportOutput(print: { text in printed.change { $0 += text } })))
        search.find(folder.path + "/logs")
        search.report.printErrors()
        #expect(
            printed.value.contains(
                "none of its files has a known format; irc.log is a log of KVIrc 3; "
            ),
            "\(printed.value)")
    }

    /// A line of it is a message; `index` lists its files, the last first.
    private struct ExportFormat: LogFormats.LogFormat {
        static let name = "export"
        static let programs = "export"
        static let maximumLine = 1000
        static let hasLocalTimes = false
        private var file = ""
        private var lines = 0

        static func recognises(_ source: LogSource) -> Bool { false }
        static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
            guard paths.contains("index") else { return nil }
            return paths.enumerated().filter { $0.element.hasSuffix(".txt") }.map(\.offset).reversed()
        }
        init(_ source: LogSource) throws(LogSourceError) {}
        mutating func begin(file path: String) { file = path }
        mutating func parseLine(_ line: LogLine) -> ParsedLine {
            lines += 1
            let body = "\(lines) \(file):\(line.number) \(String(decoding: line.bytes, as: UTF8.self))"
            return .message(
                ImportedMessage(
                    room: "r", kind: .message, sender: nil, body: body, time: sampleTime, resolution: .second))
        }
        mutating func finish() -> ParsedLine { .unreadable("held back") }
        var assumptions: [String] { ["there were \(lines) lines"] }
    }

    @Test func `an export of several files is one source in its format's order`() async throws {
        let files = [("s/a/1.txt", "one"), ("s/b.txt", "two\nthree\n"), ("s/index", ""), ("s/x.jpg", "")]
        for (name, text) in files { try write(text, to: "in/" + name) }
        try ZipFile(files.map { .init($0.0, $0.1) }).write(to: folder.path + "/in.zip")
        for container in ["in", "in.zip"] {
            var search = search(container, format: ExportFormat.self)
            #expect(found(search) == ["export: \(container)/s/a/1.txt \(container)/s/b.txt"])
            #expect(search.sources.first?.shown == "\(folder.path)/\(container)/s")
            #expect(summary(&search).hasPrefix("2 files skipped (not export): "))
            #expect(try await read(search).bodies == ["1 a/1.txt:1 one", "2 b.txt:1 two", "3 b.txt:2 three"])
        }
    }

    @Test func `files beside an export are not skipped`() async throws {
        for (name, text) in [("s/1.txt", "one"), ("s/index", ""), ("t/x", "three")] {
            try write(text, to: "in/" + name)
        }
        let search = search("in/", format: ExportFormat.self)
        #expect(found(search) == ["export: in/s/1.txt", "export: in/t/x"])
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
        let search = search("in", format: ExportFormat.self)
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

    @Test func `a recognised log with zero bytes is read, and a picture never`() async throws {
        try write([0, 0] + Array("\n\(Self.line)".utf8), to: "in/2026-11-20.log")
        try write([0xFF, 0xD8, 0, 1], to: "in/2026-11-21.jpg")
        for format in [nil, EnergymechFormat.self] as [(any LogFormats.LogFormat.Type)?] {
            var search = search("in", format: format)
            #expect(found(search) == ["energymech: in/2026-11-20.log"])
            search.skipUnrecognised()
            #expect(search.report.skipped.count == 1)
            #expect(try await read(search).bodies == ["hi"])
        }
    }

    @Test func `an mIRC log is not taken for another's`() async throws {
        let log = """
            Session Start: Sat Nov 21 06:23:11 2026
            Session Ident: #example
            [06:23] * Now talking in #example
            [06:24] <alice> hi
            """
        try write(log, to: "in/#example.20261121.log")
        try write(Self.line, to: "in/2026-11-20.log")
        let search = search("in")
        #expect(found(search) == ["mirc: in/#example.20261121.log", "energymech: in/2026-11-20.log"])
        #expect(!search.report.isIncomplete)
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

    @Test func `the first word is a format unless it must be a file`() throws {
        func words(_ words: String..., files: [String] = []) throws -> [String] {
            let found = try ImportWords(words) { files.contains($0) }
            return [found.format?.name ?? "-"] + found.paths
        }
        #expect(try words("jsonl", "x") == ["jsonl", "x"])
        #expect(try words("jsonl", "x", files: ["jsonl", "x"]) == ["jsonl", "x"])
        #expect(try words("./jsonl", "x", files: ["./jsonl"]) == ["-", "./jsonl", "x"])
        #expect(try words("jsonl", files: ["jsonl"]) == ["-", "jsonl"])
        #expect(try words("x", "jsonl") == ["-", "x", "jsonl"])
        #expect(try words("-") == ["-", "-"])
        #expect(try words("jsonk") == ["-", "jsonk"])
        #expect(try words("jsonk", "x", files: ["jsonk"]) == ["-", "jsonk", "x"])
        for wrong in [["jsonl"], [], ["jsonk", "x"]] {
            #expect(throws: (any Error).self) { try ImportWords(wrong) { _ in false } }
        }
    }
}

import Archive
import ChatModel
import Foundation
import Reading
import Scrollback
import TestSupport
import Testing

@testable import Exporting

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct ExportTests {
    private static let formats = KnownExportFormats.names

    @Test(.disabled(if: QuickCheck.isRunning), arguments: formats)
    func `an export has every message once, in files by month, and is valid`(name: String) async throws {
        let fixture = try await ExportFixture()
        try await fixture.say(lines: 0..<1200)
        fixture.pass(.seconds(86_400 * 40))
        try await fixture.say(lines: 1200..<2500)
        let report = try await fixture.export(try KnownExportFormats.named(name), to: "out")
        #expect(report.trailer.messages == 2500)
        let verification = try fixture.verification(of: "out")
        #expect(verification.isValid)
        #expect(verification.otherCount == 0)
        let months = try #require(verification.manifest).files.compactMap(\.month)
        #expect(Set(months.map(\.month)) == ["2026-01", "2026-03"])
        #expect(months.reduce(0) { $0 + $1.messages } == 2500)
        let text = try fixture.files(of: "out").values.map { String(decoding: $0, as: UTF8.self) }.joined()
        let numbers = text.components(separatedBy: "line ").dropFirst().map { $0.prefix { $0.isNumber } }
        #expect(Set(numbers.compactMap { Int($0) }) == Set(0..<2500))
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: formats, 0..<2)
    func `a continued export equals a new one`(name: String, seed: UInt64) async throws {
        let format = try KnownExportFormats.named(name)
        let fixture = try await ExportFixture()
        var random = SeededGenerator(seed: seed)
        for round in 0..<3 {
            for _ in 0..<40 { try await fixture.happen(&random) }
            try await fixture.export(format, to: "continued")
            try await fixture.export(format, to: "new \(round)")
            #expect(try fixture.verification(of: "continued").isValid)
            let (continued, new) = (try fixture.files(of: "continued"), try fixture.files(of: "new \(round)"))
            #expect(continued.keys.sorted() == new.keys.sorted())
            for (path, bytes) in new {
                #expect(
                    continued[path].map { String(decoding: $0, as: UTF8.self) }
                        == String(decoding: bytes, as: UTF8.self), "\(path)")
            }
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: formats)
    func `exporting the same again changes no file`(name: String) async throws {
        let format = try KnownExportFormats.named(name)
        let fixture = try await ExportFixture()
        var random = SeededGenerator(seed: 7)
        for _ in 0..<60 { try await fixture.happen(&random) }
        try await fixture.export(format, to: "out")
        let files = try fixture.files(of: "out")
        let report = try await fixture.export(format, to: "out")
        #expect(report.written == 0)
        #expect(try fixture.files(of: "out") == files)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: formats)
    func `an export stopped anywhere is invalid, and its continuation equals a complete one`(name: String) async throws
    {
        let format = try KnownExportFormats.named(name)
        let fixture = try await ExportFixture()
        var random = SeededGenerator(seed: 11)
        for _ in 0..<60 { try await fixture.happen(&random) }
        try await fixture.export(format, to: "whole")
        var (stops, isWhole) = (0, false)
        while !isWhole {
            var left = stops
            let name = "stopped \(stops)"
            do {
                try await fixture.export(format, to: name) {
                    left -= 1
                    return left < 0
                }
                isWhole = true
            } catch is ExportStopped {
                #expect(try !fixture.verification(of: name).isValid)
                let report = try await fixture.export(format, to: name)
                #expect(report.kept + report.written > 0)
            }
            #expect(try fixture.verification(of: name).isValid)
            #expect(try fixture.files(of: name) == fixture.files(of: "whole"))
            stops += 1
        }
        #expect(stops > 5)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `the manifest's incomplete last line is rewritten after a kill`() async throws {
        let fixture = try await ExportFixture()
        try await fixture.say(lines: 0..<10)
        try await fixture.export(CSVExport.self, to: "whole")
        let manifest = try Data(contentsOf: URL(filePath: fixture.folder.path + "/whole/manifest.jsonl"))
        for length in stride(from: 200, to: manifest.count, by: 97) {
            let path = fixture.folder.path + "/cut \(length)"
            try FileManager.default.copyItem(atPath: fixture.folder.path + "/whole", toPath: path)
            try manifest.prefix(length).write(to: URL(filePath: path + "/manifest.jsonl"))
            #expect(try !fixture.verification(of: "cut \(length)").isValid)
            try await fixture.export(CSVExport.self, to: "cut \(length)")
            #expect(try fixture.verification(of: "cut \(length)").isValid)
            #expect(try fixture.files(of: "cut \(length)") == fixture.files(of: "whole"))
        }
    }

    @Test func `months follow the zone`() async throws {
        let fixture = try await ExportFixture()
        fixture.pass(.seconds(86_400 * 2 - 3600))
        try await fixture.say("an hour before February in UTC")
        try await fixture.export(CSVExport.self, to: "utc")
        let seoul = try #require(Zone(identifier: "Asia/Seoul"))
        try await fixture.export(CSVExport.self, to: "seoul", request: fixture.request(CSVExport.self, zone: seoul))
        #expect(try fixture.files(of: "utc").keys.contains { $0.hasSuffix("2026-01.csv") })
        #expect(try fixture.files(of: "seoul").keys.contains { $0.hasSuffix("2026-02.csv") })
    }

    @Test func `only messages of the chosen rooms and times are exported`() async throws {
        let fixture = try await ExportFixture()
        try await fixture.say(lines: 0..<9)
        var request = fixture.request(CSVExport.self)
        request.after = MessageID(ExportFixture.start.advanced(by: .seconds(1)))
        request.before = MessageID(ExportFixture.start.advanced(by: .seconds(9)))
        request.rooms = [try #require(try fixture.archive.reading().rooms().first { $0.name == "#example" }?.id)]
        try await fixture.export(CSVExport.self, to: "out", request: request)
        let text = try fixture.files(of: "out").values.map { String(decoding: $0, as: UTF8.self) }.joined()
        #expect((0..<9).filter { text.contains("line \($0)") } == [3, 6])
    }

    @Test func `a room's folder has the room's name and stays inside the export`() async throws {
        let fixture = try await ExportFixture()
        for room in ExportFixture.rooms { try await fixture.say("hi", in: room) }
        try await fixture.export(CSVExport.self, to: "out")
        let paths = try fixture.files(of: "out").keys.sorted()
        #expect(
            paths == ["#example/2026-01.csv", "#다른방/2026-01.csv", "_._.._evil/2026-01.csv", "index.csv"], "\(paths)")
    }

    @Test func `text, CSV and Markdown have an index with each room, its facts and its files`() async throws {
        let fixture = try await ExportFixture()
        for room in ["#example", "#다른방"] { try await fixture.say("hi", in: room) }
        func index(_ format: any ExportFormat.Type) async throws -> String {
            try await fixture.export(format, to: format.name)
            let path = "index." + (format.name == "text" ? "txt" : format.fileExtension)
            return String(decoding: try #require(fixture.files(of: format.name)[path]), as: UTF8.self)
        }
        let text = try await index(TextExport.self)
        #expect(text.hasPrefix("--- account: demo (irc)\n--- times: GMT\n--- 3 rooms, 2 messages\n"), "\(text)")
        #expect(text.contains("\n#다른방: 1 message, 2026-01-30, 1 gap\n  #다른방/2026-01.log\n"), "\(text)")
        let markdown = try await index(MarkdownExport.self)
        #expect(markdown.contains("](<%23example/2026-01.md>): 1 message\n"), "\(markdown)")
        let csv = try await index(CSVExport.self)
        #expect(csv.hasPrefix("account,room,month,file,messages,first,last,gaps\r\n"))
        #expect(csv.contains("demo,#다른방,2026-01,#다른방/2026-01.csv,1,"), "\(csv)")
    }

    @Test func `an export continues in the folders from its manifest`() async throws {
        let fixture = try await ExportFixture()
        try await fixture.say("hi")
        try await fixture.export(CSVExport.self, to: "out")
        let path = fixture.folder.path + "/out/"
        var manifest = try String(contentsOfFile: path + "manifest.jsonl", encoding: .utf8)
        // As an interrupted export of an earlier version, whose folders were called otherwise.
        manifest =
            manifest.split(separator: "\n").filter { !$0.contains("trailer") && !$0.contains("index.csv") }
            .joined(separator: "\n").replacing("#example/", with: "example-1/") + "\n"
        try manifest.write(toFile: path + "manifest.jsonl", atomically: true, encoding: .utf8)
        try FileManager.default.moveItem(atPath: path + "#example", toPath: path + "example-1")
        try await fixture.export(CSVExport.self, to: "out")
        #expect(try fixture.files(of: "out").keys.sorted() == ["example-1/2026-01.csv", "index.csv"])
        #expect(try fixture.verification(of: "out").isValid)
    }

    @Test func `a gap appears once, in the manifest and in its place`() async throws {
        let fixture = try await ExportFixture()
        try await fixture.say("before")
        fixture.pass(.seconds(3600))
        try await fixture.connect()
        fixture.pass(.seconds(86_400 * 60))
        try await fixture.say("after")
        try await fixture.export(TextExport.self, to: "out")
        let gaps = try #require(fixture.verification(of: "out").manifest).gaps.filter {
            $0.name == "#example" && $0.to != nil
        }
        #expect(gaps.count == 1)
        let texts = try fixture.files(of: "out").filter { $0.key.hasPrefix("#example") }
            .mapValues { String(decoding: $0, as: UTF8.self) }
        #expect(texts.keys.sorted().map { ($0 as NSString).lastPathComponent } == ["2026-01.log", "2026-03.log"])
        #expect(texts.first { $0.key.hasSuffix("2026-01.log") }?.value.contains("gap") ?? false)
    }
}

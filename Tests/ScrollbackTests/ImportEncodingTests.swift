import ChatModel
import Foundation
import LogFormats
import TestSupport
import Testing
import TextEncodings

@testable import Importing

/// Logs in other encodings than UTF-8: their texts, flags and kept bytes, and the report.
struct ImportEncodingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let korean = ["오늘 저녁에 뭐 먹을까?", "아까 보낸 파일 봤어?", "네 알겠습니다. 비가 오면 우산을 가져갈게요"]
    private static let japanese = ["今日の夜は何を食べますか？", "さっき送ったファイルを見ましたか", "明日の午後三時に図書館の前で会いましょう"]

    private func log(_ texts: [String]) -> String {
        texts.map { "[03:41] <alice> \($0)\n" }.joined()
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: folder.path + "/" + name))
    }

    private struct Imported {
        var messages: [ImportedMessage] = []
        var summary = ""

        var bodies: [String] { messages.map { $0.body ?? "" } }
    }

    private func read(
        _ paths: String..., format: (any LogFormats.LogFormat.Type)? = nil, encoding: TextEncoding? = nil
    ) async throws -> Imported {
        let options = ImportOptions(format: format, room: "#example", zone: .gmt, encoding: encoding)
        var search = ImportSearch(options: options, report: ImportReport(isRehearsal: false))
        for path in paths { search.find(path.hasPrefix("/") ? path : folder.path + "/" + path) }
        var run = ImportRun(options: search.options) { false }
        var imported = Imported()
        let collected = CollectedLines()
        let store: ImportRun.Store = { batch in
            _ = collected.store(batch)
            return ImportTally(new: batch.lines.count { if case .message = $0 { true } else { false } })
        }
        for source in search.sources {
            try await run.importSource(source, store: store) { _ in
            } onError: {
                Issue.record("\($0)")
            }
        }
        try await run.finish(store: store) { _ in }
        imported.messages = collected.messages
        imported.summary = search.report.summary(run.done).replacing(folder.path + "/", with: "")
        return imported
    }

    @Test(
        arguments: [
            (korean, "CP949", "CP949"), (japanese, "CP932", "Shift_JIS"), (japanese, "EUC-JP", "EUC-JP"),
            (japanese, "ISO-2022-JP", "ISO-2022-JP"), (korean, "UTF-16LE", "UTF-16"), (japanese, "UTF-16BE", "UTF-16"),
        ])
    func `a log is decoded without flags, and the encoding is reported`(
        texts: [String], name: String, title: String
    ) async throws {
        try write(try log(texts).encoded(as: name), to: "2026-11-20.log")
        let imported = try await read("2026-11-20.log")
        #expect(imported.bodies == texts)
        #expect(imported.messages.allSatisfy { $0.flags.isEmpty && $0.raw == nil })
        #expect(imported.summary.contains("  1 file decoded from \(title): 2026-11-20.log\n"))
        #expect(imported.summary.hasPrefix("read 3 lines: 3 new messages, 0 already stored, 0 invalid\n"))
    }

    @Test func `files are listed by encoding, including compressed ones`() async throws {
        for day in 10..<15 { try write(try log(Self.korean).encoded(as: "CP949"), to: "2026-11-\(day).log") }
        try write(Packed.gzip(try log(Self.japanese).encoded(as: "EUC-JP")), to: "2026-11-20.log.gz")
        try write(Array(log(Self.korean).utf8), to: "2026-11-21.log")
        let imported = try await read(folder.path)
        #expect(imported.bodies == Array(repeating: Self.korean, count: 5).joined() + Self.japanese + Self.korean)
        #expect(
            imported.summary.contains(
                """
                  5 files decoded from CP949: 2026-11-10.log, 2026-11-11.log, 2026-11-12.log and 2 more
                  1 file decoded from EUC-JP: 2026-11-20.log.gz\n
                """))
    }

    @Test func `a log that mixes UTF-8 with another encoding is decoded line by line`() async throws {
        let lines = try log(Self.korean).encoded(as: "CP949") + Array(log(Self.korean + Self.japanese).utf8)
        try write(lines, to: "2026-11-20.log")
        let imported = try await read("2026-11-20.log")
        #expect(imported.bodies == Self.korean + Self.korean + Self.japanese)
        #expect(imported.messages.allSatisfy { $0.flags.isEmpty })
        #expect(imported.summary.contains("  1 file decoded from CP949, mixed with UTF-8: 2026-11-20.log\n"))
    }

    @Test func `an undecodable line keeps its bytes, and is flagged, counted and reported`() async throws {
        let bad = Array("[03:41] <bob> ".utf8) + [0xFF, 0xFF, 0x81, 0xFF]
        try write(try log(Self.korean).encoded(as: "CP949") + bad + [0x0A], to: "2026-11-20.log")
        try write(Array(log(["hi"]).utf8) + bad + [0x0A], to: "2026-11-21.log")
        let imported = try await read("2026-11-20.log", "2026-11-21.log", encoding: .utf8)
        let both = try await read("2026-11-20.log")
        #expect(both.bodies == Self.korean + ["\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"])
        #expect(both.messages.map(\.raw) == [nil, nil, nil, bad])
        #expect(both.messages.map(\.flags.names) == [[], [], [], ["invalid_utf8"]])
        #expect(both.summary.hasPrefix("read 4 lines: 4 new messages, 0 already stored, 0 invalid, 1 undecodable\n"))
        #expect(both.summary.contains("warning: can't decode 1 message in 1 file: 2026-11-20.log (1)\n"))
        #expect(imported.messages.count { $0.raw != nil } == 5)
        #expect(
            imported.summary.contains(
                "warning: can't decode 5 messages in 2 files: 2026-11-20.log (4), 2026-11-21.log (1)\n"))
    }

    @Test func `an uncertain encoding is reported, and the messages' bytes are kept`() async throws {
        let lines = try log(["où es-tu"]).encoded(as: "CP1252")
        try write(lines + Array(log(["ici"]).utf8), to: "2026-11-20.log")
        let imported = try await read("2026-11-20.log")
        #expect(imported.bodies == ["où es-tu", "ici"])
        #expect(imported.messages.map(\.raw) == [Array(lines.dropLast()), nil])
        #expect(imported.messages.map(\.flags.names) == [["invalid_utf8"], []])
        #expect(imported.summary.contains("assumed:\n  2026-11-20.log: decoded from Windows-1252 (uncertain: may be "))
        #expect(imported.summary.contains("); to choose: --encoding NAME\n"))
    }

    @Test func `a named encoding is used, unless a byte order mark precedes`() async throws {
        try write(try log(["żółć", "Łódź"]).encoded(as: "CP1250"), to: "2026-11-20.log")
        try write(try ("\u{FEFF}" + log(Self.korean)).encoded(as: "UTF-16LE"), to: "2026-11-21.log")
        let imported = try await read("2026-11-20.log", "2026-11-21.log", encoding: .windows1250)
        #expect(imported.bodies == ["żółć", "Łódź"] + Self.korean)
        #expect(imported.messages.allSatisfy { $0.flags.isEmpty })
        #expect(!imported.summary.contains("assumed"))
    }

    @Test func `JSON is UTF-8, or UTF-16 with a mark`() async throws {
        let line = #"{"id": "2026-11-21T06:23:01.000000Z", "kind": "message", "room": "r", "body": "안녕 👋"}"# + "\n"
        try write(try ("\u{FEFF}" + line).encoded(as: "UTF-16BE"), to: "a.jsonl")
        #expect(try await read("a.jsonl").bodies == ["안녕 👋"])
        try write(try line.replacing("👋", with: "").encoded(as: "CP949"), to: "b.jsonl")
        #expect(try await read("b.jsonl", encoding: .cp949).bodies.isEmpty, "it is not a valid line")
    }

    @Test func `lines that continue a message keep their bytes with it`() async throws {
        let text = "2026. 11. 21. 오후 6:23 - alice: 안녕하세요 여러분\n오늘 저녁에 뭐 먹을까요\n"
        let bytes = try text.encoded(as: "CP949")
        let bad: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0x0A]
        try write(bytes + bad + bytes, to: "WhatsApp Chat with Minsu.txt")
        let imported = try await read("WhatsApp Chat with Minsu.txt")
        #expect(imported.messages.count == 2)
        #expect(imported.messages.first?.body?.hasPrefix("안녕하세요 여러분\n오늘 저녁에 뭐 먹을까요\n\u{FFFD}") == true)
        #expect(imported.messages.first?.raw == bytes + bad.dropLast())
        #expect(imported.messages.last?.flags.contains(.invalidUTF8) == false)
    }

    @Test(arguments: ["CP949", "UTF-16LE", "UTF-16BE", "UTF-8"])
    func `an import is the same in any chunks`(name: String) throws {
        let bytes = try ("\u{FEFF}" + log(Self.korean + ["👋🏽 x"])).replacing(
            name == "CP949" ? "\u{FEFF}" : "", with: ""
        ).replacing(name == "CP949" ? "👋🏽" : "", with: "").encoded(as: name)
        let file = ImportFile(container: "", name: "2026-11-20.log", size: 0)
        let options = ImportOptions(format: EnergymechFormat.self, room: "#example", zone: .gmt)
        func contents(by size: Int) throws -> [ImportedLine] {
            var reader = SourceReader(ImportSource(file, as: EnergymechFormat.self), options: options, now: sampleTime)
            reader.begin(file, in: FileEncoding(ofBeginning: bytes, given: nil))
            var lines: [SourceReader.Line] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                lines += try reader.readChunk(bytes[start..<min(start + size, bytes.count)])
            }
            return try (lines + reader.endFile() + reader.finish()).map(\.content)
        }
        let whole = try contents(by: .max / 2)
        #expect(whole.count == 5)
        for size in 1..<bytes.count { #expect(try contents(by: size) == whole) }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `any bytes are imported or invalid, whatever their encoding`() async throws {
        var random = SeededGenerator(seed: 17)
        for number in 0..<20 {
            let noise = (0..<4000).map { _ in
                Bool.random(using: &random) ? 0x0A : UInt8.random(in: 0...255, using: &random)
            }
            let lines = noise.split(separator: 0x0A).flatMap { line -> [UInt8] in
                Array("[03:41] <alice> ".utf8) + line + [0x0A]
            }
            try write(lines, to: "2026-11-20.log")
            for encoding in [nil, .cp949, .iso2022JP, .utf16, .windows1251] as [TextEncoding?] {
                let imported = try await read("2026-11-20.log", format: EnergymechFormat.self, encoding: encoding)
                #expect(imported.summary.hasPrefix("read "), "\(number)")
            }
        }
    }
}

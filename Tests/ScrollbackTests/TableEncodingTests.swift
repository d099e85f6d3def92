import ChatModel
import Foundation
import LogFormats
import TestSupport
import Testing
import TextEncodings

@testable import Importing

/// Tables in other encodings than UTF-8, as spreadsheets save them.
struct TableEncodingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let korean = ["오늘 저녁에 뭐 먹을까?", "아까 보낸 파일,\r\n봤어? \"네\"", "네 알겠습니다.\n\n비가 오면 우산을 가져갈게요"]
    private static let japanese = ["今日の夜は何を食べますか？", "さっき送った\r\nファイルを見ましたか", "レポート、ポスト \"表\" を明日の午後三時に図書館で"]
    private static let columns = "time=1,sender=2,text=3"

    /// A table whose texts are quoted, with a record after them.
    private func table(_ header: String, _ name: String, _ texts: [String]) -> String {
        let rows = texts.enumerated().map { index, text in
            "2026-11-21 06:23:1\(index),\(name),\"\(text.replacing("\"", with: "\"\""))\"\r\n"
        }
        return header + "\r\n" + rows.joined() + "2026-11-21 06:23:30,\(name),last\r\n"
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: folder.path + "/" + name))
    }

    private struct Imported {
        var messages: [ImportedMessage] = []
        var invalid: [UnreadableLine] = []
        var summary = ""

        var bodies: [String] { messages.map { $0.body ?? "" } }
    }

    private func read(
        _ name: String, columns: String? = Self.columns, encoding: TextEncoding? = nil
    ) async throws -> Imported {
        var options = ImportOptions(
            format: columns == nil ? nil : CSVFormat.self, room: "#example", zone: .gmt, encoding: encoding)
        options.choices.columns = try columns.map { try ColumnMapping($0) }
        var search = ImportSearch(options: options, report: ImportReport(isRehearsal: false))
        search.find(folder.path + "/" + name)
        var run = ImportRun(options: search.options) { false }
        var imported = Imported()
        let collected = CollectedLines()
        let store: ImportRun.Store = { collected.store($0) }
        for source in search.sources {
            try await run.importSource(source, store: store) { _ in
            } onError: {
                Issue.record("\($0)")
            }
        }
        try await run.finish(store: store) { _ in }
        imported.messages = collected.messages
        imported.invalid = collected.lines.compactMap { if case .unreadable(let line) = $0 { line } else { nil } }
        imported.summary = search.report.summary(run.done).replacing(folder.path + "/", with: "")
        return imported
    }

    @Test(
        arguments: [
            ("날짜,보낸사람,내용", "민수", korean, "CP949", "CP949"), ("日時,名前,本文", "花子", japanese, "CP932", "Shift_JIS"),
            ("日時;レポート;ポスト", "花子", japanese, "CP932", "Shift_JIS"), ("日時,名前,本文", "花子", japanese, "EUC-JP", "EUC-JP"),
            ("日時,名前,本文", "花子", japanese, "ISO-2022-JP", "ISO-2022-JP"),
            ("日時,名前,本文", "花子", japanese, "UTF-16LE", "UTF-16"),
        ])
    func `a table is decoded by the whole file without flags, even records of several lines`(
        header: String, name: String, texts: [String], encoding: String, title: String
    ) async throws {
        let separator = header.contains(";") ? ";" : ","
        let text = table(header, name, texts).replacing("\(name),", with: "\(name)\(separator)").replacing(
            /(:[0-9]{2}),/, with: { $0.output.1 + separator })
        try write(try text.encoded(as: encoding), to: "chat.csv")
        let imported = try await read("chat.csv")
        #expect(imported.bodies == texts.map { $0.replacing("\r\n", with: "\n") } + ["last"])
        #expect(imported.messages.allSatisfy { $0.sender == name && $0.flags.isEmpty && $0.raw == nil })
        #expect(imported.invalid.isEmpty)
        #expect(imported.summary.contains("  1 file decoded from \(title): chat.csv\n"), "\(imported.summary)")
    }

    @Test func `columns have the decoded header's names, and the encoding can be given`() async throws {
        let header = "Datum,Größe,Übersicht"
        try write(try table(header, "Zoë", ["où es-tu"]).encoded(as: "CP1252"), to: "chat.csv")
        let imported = try await read(
            "chat.csv", columns: "time=Datum,sender=Größe,text=Übersicht", encoding: .windows1252)
        #expect(imported.bodies == ["où es-tu", "last"])
        #expect(imported.messages.allSatisfy { $0.sender == "Zoë" && $0.flags.isEmpty })
    }

    @Test func `a record with an undecodable line keeps its bytes and is flagged`() async throws {
        let good = try table("날짜,보낸사람,내용", "민수", Self.korean).encoded(as: "CP949")
        let bad = try "2026-11-21 06:23:40,민수,\"첫째 줄은 읽을 수 있어요\n".encoded(as: "CP949") + [0xFF, 0xFF, 0x81, 0xFF]
        let end = Array("\nend\"".utf8)
        let after = try "\r\n2026-11-21 06:23:50,민수,안녕하세요\r\n".encoded(as: "CP949")
        try write(good + bad + end + after, to: "chat.csv")
        let imported = try await read("chat.csv")
        #expect(imported.messages.count == 6)
        let message = try #require(imported.messages.dropLast().last)
        #expect(message.body == "첫째 줄은 읽을 수 있어요\n\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\nend")
        #expect(message.raw == bad + end)
        #expect(message.flags.names == ["invalid_utf8"])
        #expect(imported.messages.count { !$0.flags.isEmpty } == 1)
        #expect(imported.summary.contains("warning: can't decode 1 message in 1 file: chat.csv (1)\n"))
    }

    @Test func `an invalid record keeps its original bytes`() async throws {
        let bad = try "2026-11-21 06:23:40,민수,안녕,하나 더".encoded(as: "CP949")
        let good = try table("날짜,보낸사람,내용", "민수", Self.korean).encoded(as: "CP949")
        try write(good + bad + [0x0D, 0x0A], to: "chat.csv")
        let imported = try await read("chat.csv", encoding: .cp949)
        #expect(imported.bodies.count == 4)
        #expect(imported.invalid.map(\.payload) == [bad])
        #expect(imported.invalid.first?.reason.contains("chat.csv:9: ") == true, "\(imported.invalid)")
    }

    @Test func `KakaoTalk rows from macOS are decoded, even those of several lines`() async throws {
        let text = "Date,User,Message\r\n2026-11-21 00:05:09,\"민수\",\"안녕하세요 여러분\n오늘 저녁에 뭐 먹을까요\"\r\n"
        let name = "KakaoTalk_Chat_가족_2026-11-22-12-40-45.csv"
        try write(try (text + "2026-11-21 00:05:10,\"지은\",\"비가 오면 우산을 가져갈게요\"\r\n").encoded(as: "CP949"), to: name)
        let imported = try await read(name, columns: nil)
        #expect(imported.bodies == ["안녕하세요 여러분\n오늘 저녁에 뭐 먹을까요", "비가 오면 우산을 가져갈게요"])
        #expect(imported.messages.map(\.sender) == ["민수", "지은"])
        #expect(imported.messages.allSatisfy { $0.flags.isEmpty })
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: ["CP949", "ISO-2022-JP", "UTF-16BE"])
    func `a table is the same in any chunks`(encoding: String) throws {
        let isKorean = encoding == "CP949"
        let bytes = try table("a,b,c", isKorean ? "민수" : "花子", isKorean ? Self.korean : Self.japanese).encoded(
            as: encoding)
        let file = ImportFile(container: "", name: "chat.csv", size: 0)
        var options = ImportOptions(format: CSVFormat.self, room: "#example", zone: .gmt)
        options.choices.columns = try ColumnMapping(Self.columns)
        func contents(by size: Int) throws -> [ImportedLine] {
            var reader = SourceReader(ImportSource(file, as: CSVFormat.self), options: options, now: sampleTime)
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
    func `a line of megabytes without an end is invalid, and the next records are read`() async throws {
        let good = try table("날짜,보낸사람,내용", "민수", Self.korean).encoded(as: "CP949")
        let long = Array(repeating: try "안녕".encoded(as: "CP949"), count: 1_000_000).joined()
        try write(good + long + [0x0A] + good, to: "chat.csv")
        let imported = try await read("chat.csv", encoding: .cp949)
        #expect(imported.bodies.count == 8)
        #expect(imported.invalid.count == 2, "the long line, and the second header")
    }
}

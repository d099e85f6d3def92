import Foundation
import TestSupport

/// Large files of single formats, each imported into a fresh archive and then again.
///
/// - Throws: ``BenchmarkError`` when a line is invalid, or the second import finds anything new.
func runImportFiles() throws {
    Table.title("Import of one large file: lines a second, MB a second, again, and resident at most")
    let chat = try SampleChat(generating: 20_000)
    let lines = Scale.choose("lines of the IRC log", 200_000, long: 10_000_000)
    try LargeFile.irssi.measure(chat, lines: lines)
    try LargeFile.kakaoTalk.measure(chat, lines: Scale.choose("messages of KakaoTalk", 100_000, long: 1_000_000))
    try LargeFile.telegram.measure(chat, lines: Scale.choose("messages of Telegram", 100_000, long: 8_000_000))
}

/// A large file, imported into a fresh archive.
struct LargeImport {
    let lines: Int
    /// The size of the file.
    let bytes: Int
    let first: Program.Peak
    private let folder: TemporaryFolder
    private let data: TemporaryFolder
    private let arguments: [String]

    /// - Throws: ``BenchmarkError`` when a line is invalid.
    init(_ kind: LargeFile, _ chat: SampleChat, lines: Int) throws {
        (folder, data) = (try TemporaryFolder(), try TemporaryFolder())
        let path = "\(folder.path)/\(kind == .telegram ? "result.json" : "large.log")"
        bytes = try kind.write(chat, lines: lines, to: path)
        arguments =
            ["import", kind.rawValue, path, "-a", "log", "--room", "room", "--data", data.path]
            + (kind == .telegram ? [] : ["--timezone", "UTC"])
        first = try Program().watch(arguments)
        self.lines = lines
        guard first.said.contains(" 0 invalid") else { throw BenchmarkError("the import says: \(first.said)") }
    }

    /// Lines a second.
    var rate: Int { Int(Double(lines) / first.seconds) }

    /// Imports the file once more.
    ///
    /// - Throws: ``BenchmarkError`` when it finds anything new.
    func again() throws -> Program.Peak {
        let second = try Program().watch(arguments)
        guard second.said.contains(" 0 new") else { throw BenchmarkError("imported again, it says: \(second.said)") }
        return second
    }

    /// Returns how many of the same rows a bare loop over SQLite's C API writes a second.
    func bareRate() throws -> Int {
        let rows = try ImportedRows(file: try SampleArchive.file(in: data.path))
        return Int(Double(rows.messages) / (try rows.write()).total)
    }
}

/// A kind of file that is written for a measurement. The text of a message is that of ``SampleChat``, in turn.
enum LargeFile: String {
    case irssi, kakaoTalk = "kakaotalk", telegram

    private static let begin = 1_262_304_000

    func measure(_ chat: SampleChat, lines: Int) throws {
        let run = try LargeImport(self, chat, lines: lines)
        let (first, bytes, second) = (run.first, run.bytes, try run.again())
        Table.row(
            rawValue,
            "\(run.rate) lines/s, \(Int(Double(bytes) / 1e6 / first.seconds)) MB/s, "
                + "again \(Int(Double(lines) / second.seconds)) lines/s",
            "of \(lines) lines in \(bytes / 1_000_000) MB; \(first.memory) KiB, again \(second.memory)")
        if self == .irssi { Table.row("bare C API, the same rows", "\(try run.bareRate()) rows/s") }
    }

    /// - Returns: the size in bytes.
    fileprivate func write(_ chat: SampleChat, lines: Int, to path: String) throws -> Int {
        guard let file = fopen(path, "w") else { throw BenchmarkError("can't write \(path)") }
        defer { fclose(file) }
        fputs(head, file)
        var day = 0
        for number in 0..<lines {
            let seconds = Self.begin + number * 4
            if self != .telegram, seconds / 86_400 != day {
                day = seconds / 86_400
                fputs(self.day(seconds), file)
            }
            let isKorean = self == .kakaoTalk
            let text =
                isKorean ? chat.korean[number % chat.korean.count] : chat.latin[number % chat.latin.count].text
            fputs(
                line(number, seconds, chat.latin[number % chat.latin.count].nick, text, isLast: number == lines - 1),
                file)
        }
        fputs(tail, file)
        return ftell(file)
    }

    private var head: String {
        switch self {
        case .irssi: ""
        case .kakaoTalk: "room 님과 카카오톡 대화\n저장한 날짜 : 2026-01-01 00:00:00\n"
        case .telegram: "{\"name\":\"room\",\"type\":\"private_group\",\"id\":7,\"messages\":[\n"
        }
    }

    private var tail: String { self == .telegram ? "]}\n" : "" }

    private func time(_ seconds: Int) -> tm {
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        return parts
    }

    private func day(_ seconds: Int) -> String {
        let parts = time(seconds)
        switch self {
        case .irssi:
            let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
            let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
            return "--- Day changed \(days[Int(parts.tm_wday)]) \(months[Int(parts.tm_mon)]) "
                + String(format: "%02d %d\n", parts.tm_mday, parts.tm_year + 1900)
        case .kakaoTalk:
            let days = ["일", "월", "화", "수", "목", "금", "토"]
            return "--------------- \(parts.tm_year + 1900)년 \(parts.tm_mon + 1)월 \(parts.tm_mday)일 "
                + "\(days[Int(parts.tm_wday)])요일 ---------------\n"
        case .telegram: return ""
        }
    }

    /// Returns the same number for the same nick.
    private func id(of nick: String) -> Int { nick.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF } }

    private func line(_ number: Int, _ seconds: Int, _ nick: String, _ text: String, isLast: Bool) -> String {
        let parts = time(seconds)
        switch self {
        case .irssi:
            return String(format: "%02d:%02d:%02d", parts.tm_hour, parts.tm_min, parts.tm_sec) + " <\(nick)> \(text)\n"
        case .kakaoTalk:
            let hour = (Int(parts.tm_hour) + 11) % 12 + 1
            return "[\(nick)] [\(parts.tm_hour < 12 ? "오전" : "오후") \(hour):" + String(format: "%02d", parts.tm_min)
                + "] \(text)\n"
        case .telegram:
            return "{\"id\":\(number + 1),\"type\":\"message\",\"date\":\"2010-01-01T00:00:00\","
                + "\"date_unixtime\":\"\(seconds)\",\"from\":\"\(nick)\",\"from_id\":\"user\(id(of: nick))\","
                + "\"text\":\"\(text)\",\"text_entities\":[{\"type\":\"plain\",\"text\":\"\(text)\"}]}\(isLast ? "\n" : ",\n")"
        }
    }
}

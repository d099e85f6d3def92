import ChatModel
import Foundation
import TestSupport
import Testing

@testable import LogFormats

@Suite(.disabled(if: QuickCheck.isRunning))
struct HostileLogTests {
    private static let formats: [any LogFormat.Type] = KnownLogFormats.all.filter { $0.cutter() is LineCutter }
    private static let names = formats.map { $0.name }

    private static let pieces = [
        "[06:23] ", "[06:23:11] ", "06:23 ", "2026-11-21 06:23:11\t", "21/11/2026, 06:23 - ", "[21/11/2026, 06:23:11] ",
        "2026년 11월 21일 오전 6:23, ", "--- Log opened Sat Nov 21 06:23:11 2026", "--- Day changed ", "<alice> ", "< @> ",
        "* ", "*** ",
        "=== ", "-!- ", "-->\t", "--\t", "\t", "Alice: ", " : ", "-a:#b- ", " has joined #x", " [a@b]", " (", ")", "[",
        "]", "<",
        ">", "'", "\"", " to \"", "mode/", " by ", " was kicked ", " is now known as ", "..[topic/", "] :", "Joins: ",
        "99999999999",
        "-9", "\u{200E}", "\u{202F}", "\u{301}", "민수", "\0", "\r", " ", "<attached: ", "00000001-a.b>",
        " (file attached)",
        "<This message was edited>", "\u{1F468}\u{200D}\u{1F469}", "[민수] [오전 9:00] ", "2026. 11. 21. 오후 1:01, 민수 : ",
        "--------------- 2026년 11월 21일 토요일 ---------------", "Nov 21, 2026 at 19:12: ", "오후 8:36, ", "님이 나갔습니다.",
        "2026-11-21 06:23:11,\"민수\",\"", "Date,User,Message", "님을 초대했습니다.", "님이 ", "파일: a.b", "2026년 11월 21일 토요일",
        "12:08\t花子\t\"", "2026/11/21(土)", "12:08 花子 ", "[LINE] ", "Fri, 04/18/2025", "が", "を招待しました", "카카오톡 대화",
        "Session Start: Sat Nov 21 06:23:11 2026", "Session Ident: #b", "Session ", "* alice ", "sets mode: +o",
        "Quit (",
        "\u{3}03", "\u{2}", "**** BEGIN LOGGING AT Sat Nov 21 06:23:11 2026", "Nov 21 06:23:11 ", "Jan 01 06:23:11 ",
        "11월 21 06:23:11 ", "*\t", "<alice>\t", "gives voice to", " has kicked ", " from ",
    ]

    /// The beginnings with which a format reads its lines in different ways.
    private static let beginnings = [
        "kakaotalk": [
            "--------------- 2026년 11월 21일 토요일 ---------------\n", "Date,User,Message\n",
            "2026년 11월 21일 토요일\n오후 8:36, 민수 : hi\n", "2026년 11월 21일 오전 6:23, 민수 : hi\n",
        ],
        "line": ["2026/11/21(土)\n12:08\t花子\thi\n", "2026/11/21(土)\n12:08 花子 hi\n"],
    ]
    // Irssi has no day otherwise.
    private static let otherBeginning = "--- Log opened Sat Nov 21 06:23:11 2026\n"

    private func format(_ name: String) throws -> any LogFormat.Type {
        try #require(Self.formats.first { $0.name == name })
    }

    private func check(_ format: any LogFormat.Type, _ bytes: [UInt8]) throws {
        let read = try LogReading(
            format, bytes, path: "#example_2026-11-21.log", room: "#example", zone: "Europe/Berlin")
        var last: Timestamp?
        for message in read.messages where format.hasLocalTimes {
            let place = message.place ?? message.time
            #expect(message.sender != "" && message.time <= place)
            if let last { #expect(last <= place) }
            last = place
        }
        _ = format.recognises(LogReading.source(bytes, path: "a/2026-11-21.log"))
    }

    @Test(arguments: names)
    func `no bytes trap, and lines keep their order`(name: String) throws {
        let format = try format(name)
        var generator = SystemRandomNumberGenerator()
        let beginnings = Self.beginnings[name] ?? [Self.otherBeginning]
        for round in 0..<60 {
            let beginning = beginnings[round % beginnings.count]
            let bytes = (0..<400).map { _ in UInt8.random(in: 0...255, using: &generator) }
            try check(format, Array(beginning.utf8) + bytes)
            var text = beginning
            for _ in 0..<80 {
                text += Self.pieces.randomElement(using: &generator) ?? ""
                if Int.random(in: 0..<4, using: &generator) == 0 { text += "\n" }
            }
            try check(format, Array(text.utf8))
            // Cut anywhere, also within a character.
            try check(format, Array(text.utf8.prefix(Int.random(in: 0..<text.utf8.count, using: &generator))))
        }
    }

    @Test(arguments: names)
    func `each line with content is a message, an error or a continuation`(name: String)
        throws
    {
        let format = try format(name)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let line = (0..<6).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
            var reader = try format.init(
                LogReading.source([], path: "#example_2026-11-21.log", room: "#example"))
            var parsed = [reader.parseLine(LogLine(number: 1, bytes: Array(line.utf8)[...]))]
            parsed.append(reader.finish())
            let isSaid = parsed.contains { $0 != .nothing }
            let isDate = IrssiDateLine(Array(line.utf8)[...]) != nil && format == IrssiFormat.self
            let isMark =
                line.utf8.allSatisfy { $0 == 0x20 } || WhatsAppHeader(Array(line.utf8)[...])?.text.isEmpty ?? false
            let bytes = Array(line.utf8)[...]
            let isSession =
                (format == MIRCFormat.self && MIRCSessionLine(MIRCLine.unpainted(bytes)) != nil)
                || (format == MIRCFormat.self && MIRCLine.isRule(MIRCLine.unpainted(bytes)))
                || (format == HexChatFormat.self && line.hasPrefix("**** BEGIN"))
                || (format == KonversationFormat.self && line.hasPrefix("*** "))
            let isEmptyColumn = format == WeeChatFormat.self && line.hasPrefix("2026")
            let isOther = isTitleOrDay(Array(line.utf8)[...], format)
            #expect(isSaid || isDate || isMark || isSession || isEmptyColumn || isOther, "\(line.debugDescription)")
        }
    }

    /// Whether a line says only which room or day a KakaoTalk or LINE text is of.
    private func isTitleOrDay(_ line: ArraySlice<UInt8>, _ format: any LogFormat.Type) -> Bool {
        if format == LINEFormat.self {
            if case .day? = LINELine(line, separator: 0x09) { return true }
            return line.starts(with: "[LINE]")
        }
        guard format == KakaoTalkFormat.self else { return false }
        if case .day? = KakaoTalkLine(line, shape: .dated) { return true }
        return KakaoTalkHeader(line) != nil
    }

    @Test(arguments: names)
    func `the beginning of a grown file is read the same`(name: String) throws {
        let format = try format(name)
        let headers = [
            "energymech": "[%] <a> ", "znc": "[%] <a> ", "irssi": "% < a> ", "weechat": "2026-11-21 %\ta\t",
            "whatsapp": "21/11/2026, % - a: ", "kakaotalk": "2026년 11월 21일 %, a : ", "line": "2026/11/21(土) %\ta\t",
            "mirc": "[%] <a> ", "hexchat": "Nov 21 % <a>\t",
        ]
        guard let header = headers[name] else { return }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            let lines = (0..<40).map { index in
                let time = String(format: "%02d:%02d:00", Int.random(in: 0..<24, using: &generator), index)
                return header.replacingOccurrences(of: "%", with: time) + "line \(index)"
            }
            func messages(_ count: Int) throws -> [ImportedMessage] {
                let start = name == "hexchat" ? "**** BEGIN LOGGING AT Sat Nov 21 06:23:11 2026\n" : ""
                let text = start + lines.prefix(count).joined(separator: "\n") + "\n"
                return try LogReading(
                    format, text, path: "#example_2026-11-21.log", room: "#example", zone: "Europe/Berlin"
                ).messages
            }
            let whole = try messages(40)
            #expect(whole.count == 40)
            #expect(try messages(17) == Array(whole.prefix(17)))
        }
    }

    @Test(arguments: FormatSample.all.filter { sample in formats.contains { $0.name == sample.format } })
    func `a truncated file is read up to its end`(sample: FormatSample) throws {
        let format = try format(sample.format)
        func messages(_ count: Int) throws -> [ImportedMessage] {
            do {
                return try LogReading(format, Array(sample.bytes.prefix(count)), path: sample.path, room: "x").messages
            } catch LogSourceError.noDate {
                return []
            }
        }
        let whole = try messages(.max)
        for count in sample.bytes.indices {
            let some = try messages(count)
            #expect(some.count <= whole.count)
            #expect(some.dropLast() == whole.prefix(max(0, some.count - 1)))
        }
    }

    @Test(arguments: names)
    func `a line that is too long is cut`(name: String) throws {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 300_000)
        let read = try LogReading(
            format(name), Array("[06:23:11] <alice> ".utf8) + long + [10] + long, path: "#example_2026-11-21.log",
            room: "#example")
        #expect(read.messages.allSatisfy { ($0.body?.utf8.count ?? 0) <= 64 * 1024 })
        #expect(!read.unreadable.isEmpty)
    }
}

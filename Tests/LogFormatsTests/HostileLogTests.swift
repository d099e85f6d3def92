import ChatModel
import Foundation
import Testing

@testable import LogFormats

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
        "<This message was edited>", "\u{1F468}\u{200D}\u{1F469}",
    ]

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
    func `whatever the bytes are, nothing traps, and order is kept`(name: String) throws {
        let format = try format(name)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<60 {
            let bytes = (0..<400).map { _ in UInt8.random(in: 0...255, using: &generator) }
            // Irssi has no day otherwise.
            try check(format, Array("--- Log opened Sat Nov 21 06:23:11 2026\n".utf8) + bytes)
            var text = "--- Log opened Sat Nov 21 06:23:11 2026\n"
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
    func `each line that says something is a message, told as not understood, or goes on with a message`(name: String)
        throws
    {
        let format = try format(name)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let line = (0..<6).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
            var reader = try format.init(
                LogReading.source([], path: "#example_2026-11-21.log", room: "#example"))
            var parsed = [reader.read(LogLine(number: 1, bytes: Array(line.utf8)[...]))]
            parsed.append(reader.finish())
            let isSaid = parsed.contains { $0 != .nothing }
            let isDate = IrssiDateLine(Array(line.utf8)[...]) != nil && format == IrssiFormat.self
            let isMark =
                line.utf8.allSatisfy { $0 == 0x20 } || WhatsAppHeader(Array(line.utf8)[...])?.text.isEmpty ?? false
            let isEmptyColumn = format == WeeChatFormat.self && line.hasPrefix("2026")
            #expect(isSaid || isDate || isMark || isEmptyColumn, "\(line.debugDescription)")
        }
    }

    @Test(arguments: names)
    func `a file that has grown is read as it was before`(name: String) throws {
        let format = try format(name)
        let headers = [
            "energymech": "[%] <a> ", "znc": "[%] <a> ", "irssi": "% < a> ", "weechat": "2026-11-21 %\ta\t",
            "whatsapp": "21/11/2026, % - a: ",
        ]
        guard let header = headers[name] else { return }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            let lines = (0..<40).map { index in
                let time = String(format: "%02d:%02d:00", Int.random(in: 0..<24, using: &generator), index)
                return header.replacingOccurrences(of: "%", with: time) + "line \(index)"
            }
            func messages(_ count: Int) throws -> [ImportedMessage] {
                let text = lines.prefix(count).joined(separator: "\n") + "\n"
                return try LogReading(format, text, path: "#example_2026-11-21.log", zone: "Europe/Berlin").messages
            }
            let whole = try messages(40)
            #expect(whole.count == 40)
            #expect(try messages(17) == Array(whole.prefix(17)))
        }
    }

    @Test(arguments: names)
    func `a line that is too long is bounded`(name: String) throws {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 300_000)
        let read = try LogReading(
            format(name), Array("[06:23:11] <alice> ".utf8) + long + [10] + long, path: "#example_2026-11-21.log",
            room: "#example")
        #expect(read.messages.allSatisfy { ($0.body?.utf8.count ?? 0) <= 64 * 1024 })
        #expect(!read.unreadable.isEmpty)
    }
}

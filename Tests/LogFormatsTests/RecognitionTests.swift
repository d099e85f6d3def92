import Bytes
import ChatModel
import Foundation
import TestSupport
import Testing

@testable import LogFormats

struct RecognitionTests {
    private func recognition(
        _ source: LogSource, among formats: [any LogFormat.Type] = KnownLogFormats.all
    ) -> (formats: [String], doubt: String?) {
        switch Recognition(source, among: formats) {
        case .sure(let format): ([format.name], nil)
        case .unsure(let formats, let doubt): (formats.map { $0.name }, doubt)
        case .unknown: ([], nil)
        }
    }

    @Test(arguments: FormatSample.all)
    func `only a sample's own format claims it`(sample: FormatSample) {
        #expect(recognition(LogReading.source(sample.bytes, path: sample.path)).formats == [sample.format])
    }

    @Test func `every format that recognises files has a sample, and every folder of samples a format`() {
        let formats = KnownLogFormats.all.filter { format in !KnownLogFormats.tables.contains { $0 == format } }
        #expect(Set(FormatSample.all.map(\.format)) == Set(formats.map { $0.name }))
        #expect(FormatSample.all.count == FormatSample.files.count)
    }

    /// A format that claims every text.
    private struct PlainFormat: LogFormat {
        static let name = "plain"
        static let programs = "plain"
        static let precedence = IrssiFormat.precedence
        static let maximumLine = 1000
        static let hasLocalTimes = false
        static func recognises(_ source: LogSource) -> Bool { true }
        init(_ source: LogSource) throws(LogSourceError) {}
        mutating func parseLine(_ line: LogLine) -> ParsedLine { .nothing }
    }

    @Test func `a file that several formats claim is ambiguous, and all of them are named`() {
        let source = LogReading.source(Array("06:23 <@alice> hi".utf8), path: "#example.2026-11-21.log")
        #expect(recognition(source, among: KnownLogFormats.all + [PlainFormat.self]).formats == ["irssi", "plain"])
    }

    @Test(arguments: [
        "[06:23] * Now talking in #example", "[06:23] * Topic is 'hi'", "[06:23:11] * Set by alice on Sat Nov 21",
        "[06:23] * alice (~alice@host) has joined #example", "[06:23] * alice (~alice@host) Quit (bye)",
        "[06:23] * Joins: alice (~alice@host)", "[06:23] * alice sets mode: +o bob", "Session Ident: #example",
    ])
    func `an mIRC event anywhere in its beginning makes a log mIRC's`(line: String) throws {
        let text = String(repeating: "[06:20:00] <bob> hi\n", count: 100) + line + "\n"
        let source = LogReading.source(Array(text.utf8), path: "#example.20261121.log")
        #expect(recognition(source).formats == ["mirc"])
    }

    /// Actions with the words of events, as the client that wrote a log would add them.
    private static func forgeries(_ sample: FormatSample) -> [String] {
        let last = String(decoding: sample.bytes, as: UTF8.self).split(separator: "\n").last ?? ""
        let before =
            switch sample.format {
            case "irssi": "06:24  * bob "
            case "weechat": "2026-11-21 06:24:11\t *\tbob "
            case "hexchat": "Nov 21 06:24:11 *\tbob "
            default: "\(last.prefix { $0 != "]" })] * bob "
            }
        return [
            "has joined #example", "sets mode: +o bob", "(~bob@host) Quit (bye)", "is now known as alice",
            "*** Joins: alice (~alice@host)", "-!- alice [a@b] has joined #example", "Session Start: now",
        ].map { before + $0 }
    }

    @Test(arguments: FormatSample.of("irssi", "weechat", "znc", "hexchat", "energymech", "catgirl", "circe"))
    func `a log keeps its format when an action in it reads like another program's event`(sample: FormatSample) {
        for forgery in Self.forgeries(sample) {
            let grown = sample.bytes + Array("\n\(forgery)\n".utf8)
            #expect(recognition(LogReading.source(grown, path: sample.path)).formats == [sample.format], "\(forgery)")
        }
    }

    private static let said = "[10:00:00] <alice> hi\n"

    @Test(arguments: [
        // An action, which a person writes with /me.
        ("libera/#example/2026-11-21.log", said + "[10:00:01] * bob has joined #example", "znc"),
        ("libera/#example/2026-11-21.log", said + "[10:00:01] * bob sets mode: +o bob", "znc"),
        ("libera/bob/2026-11-21.log", said + "[10:00:01] * bob (~bob@host) Quit (bye)", "znc"),
        ("user_libera_#example_20261121.log", said + "[10:00:01] * bob sets mode: +o bob", "znc"),
        (
            "user_libera_#example_20261121.log",
            "[10:00:00] *** Joins: carol (~carol@host)\n[10:00:01] * bob (~bob@host) has joined #example", "znc"
        ),
        ("libera/#example/2026-11-21.log", "[10:00] <alice> hi\n[10:01] * bob has joined #example", "energymech"),
        ("libera/status/2026-11-21.log", "[10:00:00] Connected to IRC (irc.example.net 6697)", "znc"),
        (
            "#example_2026-11-21.txt", "[10:00:00] *** Join: bob (~bob@host)\n[10:00:01] * bob has joined #example",
            "circe"
        ),
        ("alice_2026-11-21.txt", said + "[10:00:01] * alice has joined #example", "circe"),
        ("127.0.0.1:6667_2026-11-21.txt", "[10:00:00] *** Connecting...", "circe"),
        (
            "libera/#example/2026-11-21.log",
            "[2026-11-21T10:00:00-0930] bob arrives in #example\n[2026-11-21T10:00:01-0930] * bob has joined #example",
            "catgirl"
        ),
        // Messages of the program, which no person writes.
        ("libera/#example/2026-11-21.log", said + "[10:00:01] * Now talking in #example", "mirc"),
        ("#example_20261121.log", said + "[10:00:01] * bob (~bob@host) has joined #example", "mirc"),
        ("#example.20261121.log", said + "[10:00:01] * bob sets mode: +o bob", "mirc"),
    ])
    func `words after /me don't change the format`(path: String, text: String, format: String) {
        #expect(recognition(LogReading.source(Array(text.utf8), path: path)).formats == [format])
    }

    @Test(
        arguments: FormatSample.of(
            "irssi", "weechat", "znc", "energymech", "whatsapp", "catgirl", "circe", "limnoria", "sopel"))
    func `no sample and no action in it raises a doubt`(sample: FormatSample) {
        let more = "\n[06:23] * alice waves (at bob)\n[06:23] * alice topic is 'hi'\n"
        let source = LogReading.source(sample.bytes + Array(more.utf8), path: sample.path)
        for format in KnownLogFormats.all { #expect(format.doubt(about: source) == nil) }
    }

    @Test(arguments: [
        ("#fosdem2025_2026-11-21.log", "#fosdem2025"), ("#fosdem2025.2026-11-21.log", "#fosdem2025"),
        ("#fosdem2025-20261121.log", "#fosdem2025"), ("#c1999_2026_11_21.log", "#c1999"),
        ("2026-11-21.#fosdem2025.raw.txt", "#fosdem2025"), ("#example20261121.log", "#example"),
    ])
    func `a room's name can end in digits, with the day behind or before it`(name: String, room: String) throws {
        let zone = Zone.gmt
        #expect(LocalDay(named: name, zone: zone) == LocalDay(CalendarDate(year: 2026, month: 11, day: 21), zone: zone))
        #expect(RoomName.inFileName(name) == room)
    }

    @Test(arguments: [
        "", "\n\n", "{}", "hello", "[1, 2]", "21/11/2026", "06:23 hello", "[INFO] started",
        "2026-11-21 06:23:11 INFO started",
        "2026-11-21 06:23:11 - INFO - started", "[2026-11-21 06:23:11] INFO: started", "\u{0}\u{1}", "<html>",
    ])
    func `another text is not a room's log`(text: String) {
        let source = LogReading.source(Array(text.utf8), path: "2026-11-21.log")
        #expect(recognition(source).formats == [])
    }

    @Test(arguments: FormatSample.of("irssi", "weechat", "znc", "energymech", "mirc", "hexchat"))
    func `pasted JSON does not change a log's format`(sample: FormatSample) {
        let pasted = [
            #"{"guild": {"id": "1"}, "channel": {"id": "20", "type": "GuildTextChat", "name": "a"}}"#,
            #"{"room_name": "a", "exported_by": "b"}"#, #"{"about": "a", "stories": [1]}"#,
        ]
        let line = Array(sample.bytes.split(separator: UInt8(ascii: "\n")).last ?? [])
        let text = sample.bytes + pasted.flatMap { Array("\n".utf8) + line + Array(" \($0)".utf8) }
        #expect(recognition(LogReading.source(text, path: sample.path)).formats == [sample.format])
    }

    @Test(arguments: [
        ("#example.log", "2026-11-21 10:00:00 <alice> hi\n2026-11-21 10:00:01 * bob has joined #example", "irssi"),
        ("#example.log", "[2026-11-21 10:00:00] <alice> hi\n[2026-11-21 10:00:01] * bob has joined #example", "znc"),
        ("#example.2026-11-21.log", "10:00:00 <alice> hi\n10:00:01 * bob sets mode: +o bob", "irssi"),
    ])
    func `an action like an mIRC event doesn't make a log with other times mIRC's`(
        path: String, text: String, format: String
    ) throws {
        let source = LogReading.source(Array(text.utf8), path: path)
        #expect(recognition(source).formats == [format])
    }

    @Test(arguments: [
        ("#node.js.log", "#node.js"), ("##c++.log", "##c++"), ("#c++_20261121.log", "#c++"),
        ("libera_#example.log", "#example"), ("libera-##c++.2026-11-21.log", "##c++"), ("&local.log", "&local"),
        ("#example_2026-11-21_libera.txt", "#example"), ("#example.2026-11-21-17.01.log.txt", "#example"),
        ("#example.log.1", "#example"), ("#example.log-20261121", "#example"), ("#example.21Nov2026", "#example"),
        ("#2026-11-27.log", nil), ("#20261127.log", nil), ("##2026-11-27.log", nil), ("R&D.log", nil), ("#.log", nil),
        ("#2600-2026-11-21.log", "#2600"), ("#a.log.bak", "#a"), ("+example.log", "+example"),
        ("!ABCDEexample_20261121.log", "!ABCDEexample"), ("+491701234567.log", nil),
        ("#release-2026-11-21-party.log", "#release-party"),
    ])
    func `a file's name gives a room, or none`(name: String, room: String?) {
        #expect(RoomName.inFileName(name) == room)
    }

    @Test(arguments: ["#2026-11-27.log", "#20261127.log", "##2026-11-27.log"])
    func `a channel's mark and a date name no room`(name: String) throws {
        let log = "--- Log opened Fri Nov 27 06:23:11 2026\n06:23 < alice> hi"
        #expect(throws: LogSourceError.noRoom) { try LogReading(IrssiFormat.self, log, path: "irclogs/libera/\(name)") }
        #expect(throws: LogSourceError.noRoom) {
            try LogReading(WeeChatFormat.self, "2026-11-27 06:23:11\talice\thi", path: "libera/\(name)")
        }
        #expect(throws: LogSourceError.noRoom) {
            try LogReading(WeeChatFormat.self, "2026-11-27 06:23:11\talice\thi", path: "logs/irc.libera.\(name)")
        }
        #expect(throws: LogSourceError.noRoom) {
            try LogReading(HexChatFormat.self, "2026-11-27 06:23:11 <alice>\thi", path: "libera/\(name)")
        }
        let joined = log + "\n06:24 -!- bob [~bob@host] has joined #example"
        #expect(
            try Set(LogReading(IrssiFormat.self, joined, path: name).messages.map(\.room)) == ["#example"])
    }

    @Test func `a meeting's log has the room and day from its name`() throws {
        let read = try LogReading(
            IrssiFormat.self, "17:01:22 <alice> #startmeeting", path: "example-dev.2026-11-21-17.01.log.txt")
        #expect(read.messages.map(\.room) == ["example-dev"])
        #expect(read.times == ["21T17:01:22"])
    }
}

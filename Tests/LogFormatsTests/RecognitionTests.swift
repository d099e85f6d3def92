import Bytes
import Foundation
import Testing

@testable import LogFormats

struct RecognitionTests {
    private static let samples: [(String, String, String)] = [
        ("jsonl", "export.jsonl", "{\"id\": \"2026-11-21T06:23:11.123456Z\", \"kind\": \"join\", \"room\": \"a\"}"),
        (
            "irssi", "irclogs/libera/#example.log",
            "--- Log opened Sat Nov 21 06:23:11 2026\n06:23 -!- a [b@c] has joined #example"
        ),
        ("irssi", "#example.2026-11-21.log", "06:23 <@alice> hi"),
        ("irssi", "#example.log", "2026-11-21 06:23:11 < alice> hi"),
        ("weechat", "irc.libera.#example.weechatlog", "2026-11-21 06:23:11\t@alice\thi"),
        ("weechat", "2026-11-21.log", "2026-11-21 06:23:11.123456Z\t-->\talice (a@b) has joined #example"),
        ("znc", "libera/#example/2026-11-21.log", "[06:23:11] <alice> hi\n[06:23:11] *** Joins: a (b@c)"),
        ("znc", "alice_libera_#example_20261121.log", "[06:23:11] <alice> hi"),
        ("energymech", "libera/#example/2026-11-21.log", "[06:23] <alice> hi"),
        ("energymech", "2026-11-21.txt", "=== alice [~a@host]  has joined #example\n[06:23] <bob> hi"),
        ("whatsapp", "WhatsApp Chat with Minsu.txt", "21/11/2026, 06:23 - Alice: hi"),
        ("whatsapp", "_chat.txt", "\u{FEFF}\u{200E}[21/11/2026, 06:23:11] Alice: \u{200E}hi"),
        ("whatsapp", "2026-11-21.txt", "[2026-11-21, 06:23:11] Alice: <hi>"),
        ("whatsapp", "2026-11-21.txt", "2026-11-21 06:23 - Alice: hi"),
        ("znc", "2026/2026-11-21.txt", "[2026-11-21 06:23:11] <alice> hi"),
    ]

    @Test(arguments: samples)
    func `each sample is recognised as what it is, and by no other`(format: String, path: String, text: String) {
        let source = LogReading.source(Array(text.utf8), path: path)
        let found = KnownLogFormats.all.filter { $0.recognises(source) }.map { $0.name }
        #expect(found.first == format)
        // What ZNC writes is energymech's too, and read alike.
        #expect(found.count == 1 || found == ["znc", "energymech"])
    }

    @Test(arguments: [
        "[06:23] * Now talking in #example", "[06:23] * Topic is 'hi'", "[06:23:11] * Set by alice on Sat Nov 21",
        "[06:23] * alice (~alice@host) has joined #example", "[06:23] * alice (~alice@host) Quit (bye)",
        "[06:23] * Joins: alice (~alice@host)", "[06:23] * alice sets mode: +o bob", "Session Ident: #example",
    ])
    func `a log that may be mIRC's is in doubt, wherever in its beginning that shows`(line: String) throws {
        let text = String(repeating: "[06:20:00] <bob> hi\n", count: 100) + line + "\n"
        let source = LogReading.source(Array(text.utf8), path: "#example/2026-11-21.log")
        let format = try #require(KnownLogFormats.all.first { $0.recognises(source) })
        #expect(format.doubt(about: source)?.contains("line 101") == true)
    }

    @Test(arguments: samples)
    func `no sample is in doubt, nor what people do in it`(format: String, path: String, text: String) {
        let source = LogReading.source(
            Array((text + "\n[06:23] * alice waves (at bob)\n[06:23] * alice topic is 'hi'\n").utf8), path: path)
        for format in KnownLogFormats.all { #expect(format.doubt(about: source) == nil) }
    }

    @Test(arguments: [
        ("#fosdem2025_2026-11-21.log", "#fosdem2025"), ("#fosdem2025.2026-11-21.log", "#fosdem2025"),
        ("#fosdem2025-20261121.log", "#fosdem2025"), ("#c1999_2026_11_21.log", "#c1999"),
        ("2026-11-21.#fosdem2025.raw.txt", "#fosdem2025"), ("#example20261121.log", "#example"),
    ])
    func `a room's name may end in digits, with its day behind or before it`(name: String, room: String) throws {
        let zone = TimeZone.gmt
        #expect(LocalDay(named: name, zone: zone) == LocalDay(CalendarDate(year: 2026, month: 11, day: 21), zone: zone))
        #expect(RoomName.inFileName(name) == room)
    }

    @Test(arguments: [
        "", "\n\n", "{}", "hello", "[1, 2]", "21/11/2026", "06:23 hello", "[INFO] started",
        "2026-11-21 06:23:11 INFO started",
        "2026-11-21 06:23:11 - INFO - started", "[2026-11-21 06:23:11] INFO: started", "\u{0}\u{1}", "<html>",
    ])
    func `no room's log is none`(text: String) {
        let source = LogReading.source(Array(text.utf8), path: "2026-11-21.log")
        let found = KnownLogFormats.all.filter { $0.recognises(source) }.map { $0.name }
        #expect(found.isEmpty, "\(found)")
    }
}

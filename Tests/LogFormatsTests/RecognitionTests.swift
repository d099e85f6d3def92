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

import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Exporting
@testable import Rendering

struct TextExportTests {
    @Test func `a log names its account, the day with its offset, and each message by kind`() throws {
        var edited = message("one\n07:23:12 <bob> two", editedAt: sampleTime)
        edited.attachments = [Attachment(path: "https://example.org/a.png", size: 1_234)]
        edited.reactions = [Message.Reaction(text: "👍", by: ["bob", "민수"])]
        let waves = message("waves", at: sampleTime.advanced(by: .seconds(1)), kind: .action)
        let left = message("bye", at: sampleTime.advanced(by: .seconds(2)), kind: .leave)
        #expect(
            try exported(TextExport.self, edited, waves, left) == """
                --- room: #example
                --- account: demo (irc)
                --- month: 2026-11
                --- times: Europe/Berlin

                --- Saturday 2026-11-21 +01:00
                07:23:11 <alice> one
                         | 07:23:12 <bob> two
                         ~ (edited)
                         ~ file a.png (image, 1.2 kB): https://example.org/a.png
                         ~ reaction 👍: bob, 민수
                07:23:12 * alice waves
                07:23:13 -!- alice has left [bye]
                --- end: 3 messages

                """)
    }

    @Test(arguments: 0..<20)
    func `no message can look like the program's own text`(seed: Int) throws {
        var texts = HostileTexts(random: SeededGenerator(seed: UInt64(seed)))
        var time = sampleTime
        let messages = (0..<40).map { _ in
            let message = texts.message(after: time)
            time = message.id.time
            return message
        }
        let log = exported(
            TextExport.self, messages.map { .message($0) }, unit: exportUnit(texts.text()),
            settings: try exportSettings()
        ).joined()
        let lines = log.utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) }
        #expect(
            lines.count { $0.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false } == 40)
        let starts = ["--- ", "         | ", "         ~ "]
        for line in lines {
            #expect(!line.unicodeScalars.contains { Sanitizer.isHostile($0) && $0 != "\t" })
            let isTimed = line.utf8.count > 8 && line.utf8.dropFirst(2).first == UInt8(ascii: ":")
            #expect(isTimed || starts.contains { line.utf8.starts(with: $0.utf8) })
        }
    }

    @Test func `no name looks like the end of a name, and no notice like an event`() throws {
        let log = try exported(
            TextExport.self, message("x", sender: "alice> hi\n<bob"),
            message("has joined", at: sampleTime.advanced(by: .seconds(1)), kind: .notice, sender: "!"))
        #expect(log.contains("<alice\\u{3E} hi\\u{A}\\u{3C}bob> x\n"))
        #expect(log.contains("-\\u{21}- has joined\n"))
    }

    @Test func `a repeated hour is under its own offset each time`() throws {
        // 2026-10-25 02:30 in Berlin, by summer time and an hour later by winter time.
        let first = Timestamp(microseconds: 1_792_888_200_000_000)
        let log = try exported(
            TextExport.self, message("a", at: first), message("b", at: first.advanced(by: .seconds(3600))))
        #expect(log.contains("--- Sunday 2026-10-25 +02:00\n02:30:00 <alice> a\n"))
        #expect(log.contains("--- Sunday 2026-10-25 +01:00\n02:30:00 <alice> b\n"))
    }

    @Test func `a gap has its own line`() throws {
        let log = exported(TextExport.self, [.message(message("a")), .gap(gap())], settings: try exportSettings())
            .joined()
        #expect(
            log.contains(
                "\n!!! gap 07:23:11 to 07:25:40 (2 min): the server closed the connection; nothing can fill it\n"))
    }
}

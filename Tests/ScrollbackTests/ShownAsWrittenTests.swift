import ChatModel
import Foundation
import SearchText
import TestSupport
import Testing

@testable import Exporting
@testable import Rendering

/// Invisible characters that a language needs, in every form that people read.
struct ShownAsWrittenTests {
    private static let texts = [
        "ខ្ញុំ\u{200B}ទៅ\u{200B}ផ្សារ", "ᠬᠠᠷ\u{180E}ᠠ", "Donau\u{AD}dampf", "שלום!\u{200F} עולם", "C\u{200E} שלום",
        "می\u{200C}خواهم",
        "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    ]

    @Test(arguments: texts)
    func `a message and a name are shown as they were written`(text: String) throws {
        let message = message(text, sender: text, room: text)
        var oneLine = TextRenderer(
            time: LocalTime(zone: .gmt), style: .plain, now: sampleTime,
            options: TextRenderer.Options(showsRooms: true, isOneLine: true))
        #expect(oneLine.render([message]) == "2026-11-21 06:23:11  demo/\(text)  \(text)  \(text)\n")
        var terminal = TextRenderer(
            time: LocalTime(zone: .gmt), style: Style(isColored: true), now: sampleTime, options: TextRenderer.Options()
        )
        #expect(terminal.render([message]).contains(text))
        #expect(CSV.record(JSONValue(message)).contains("\(text),\(text)"))
        #expect(try exported(TextExport.self, message).contains("<\(text)> \(text)\n"))
        #expect(try exported(CSVExport.self, message).contains(text))
        let pages = [try exported(HTMLExport.self, message), HTMLText.body(text).text, HTMLText.name(text).text]
        for page in pages { #expect(page.contains(text)) }
    }

    @Test func `a document of Markdown shows Khmer as it was written`() throws {
        #expect(try exported(MarkdownExport.self, message(Self.texts[0])).contains(": \(Self.texts[0])\n"))
    }

    @Test func `a hit in Khmer is marked, and its neighbours stay`() throws {
        let body = "ខ្ញុំ\u{200B}ទៅ\u{200B}ផ្សារ"
        let hit = try #require(body.firstRange(of: "ទៅ"))
        var terminal = TextRenderer(
            time: LocalTime(zone: .gmt), style: Style(isColored: true), now: sampleTime, options: TextRenderer.Options()
        )
        terminal.matches = { _ in [hit] }
        #expect(
            terminal.render([message(body)]).contains("ខ្ញុំ\u{200B}\u{1B}[1;33mទៅ\u{1B}[0m\u{200B}ផ្សារ\n"))
    }

    @Test(arguments: ["pass\u{200B}word", "שלום\u{202E}x", "ab\u{200F}cd", "🏴\u{E0065}\u{E0076}\u{E007F}"])
    func `other invisible characters are written out in every form`(text: String) throws {
        let message = message(text, sender: text)
        let documents = [
            CSV.record(JSONValue(message)), try exported(TextExport.self, message),
            try exported(HTMLExport.self, message),
            try exported(MarkdownExport.self, message),
        ]
        for document in documents {
            #expect(
                !document.unicodeScalars.contains { Sanitizer.isHostile($0) && !"\r\n\t".unicodeScalars.contains($0) })
        }
    }
}

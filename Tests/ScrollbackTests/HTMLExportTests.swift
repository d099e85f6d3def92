import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Exporting
@testable import Rendering

struct HTMLExportTests {
    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<8)
    func `a page has only the program's tags, whatever the messages`(seed: Int) throws {
        var texts = HostileTexts(random: SeededGenerator(seed: UInt64(seed)))
        var time = sampleTime
        let items = (0..<40).map { _ in
            let message = texts.message(after: time)
            time = message.id.time
            return ExportItem.message(message)
        }
        let unit = exportUnit(texts.text(), folder: "a#b?c/d", previous: CalendarMonth(year: 2026, month: 9))
        for page in exported(HTMLExport.self, items, unit: unit, settings: try exportSettings()) {
            let html = try StrictHTML(page)
            for tag in html.tags {
                #expect(tag.name == "a" || tag.attributes["href"] == nil)
                guard let href = tag.attributes["href"] else { continue }
                let isOwn = href.utf8.first == UInt8(ascii: "#") || !href.utf8.contains(UInt8(ascii: ":"))
                #expect(isOwn || BodyLink.isLink(href))
                #expect(isOwn || tag.attributes["rel"] == "noopener noreferrer nofollow")
            }
            #expect(
                Set(html.tags.compactMap { $0.attributes["id"] }).count
                    == html.tags.count { $0.attributes["id"] != nil })
            #expect(!html.text.unicodeScalars.contains { Sanitizer.isHostile($0) && $0 != "\n" && $0 != "\t" })
        }
    }

    @Test func `a page shows a body unchanged, with hidden characters escaped`() throws {
        let body = "<b>&amp;</b> \"it's\" \u{202E}\u{1B}\n\thttp://a.example/?x='y'&z"
        let page = try exported(HTMLExport.self, message(body))
        let text = try StrictHTML(page).text
        #expect(text.contains("<b>&amp;</b> \"it's\" \\u{202E}\\u{1B}\n\thttp://a.example/?x='y'&z"))
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            "\"", "\u{1B}", "irc://a ", "irc://a/'''''''''''''''' ", "민", "\u{2}\u{1D}\u{1F}\u{1E}\u{11}\u{3}4,15'",
            "\u{2}'",
        ])
    func `no page exceeds its limit, whatever its messages`(part: String) throws {
        var time = sampleTime
        var items: [ExportItem] = []
        for index in 0..<3 {
            time = time.advanced(by: .seconds(1))
            var one = message(String(repeating: part, count: 64 * 1024 / part.utf8.count), at: time)
            one.sender?.name = String(repeating: part, count: 1000)
            one.reactions = (0..<1000).map { _ in
                Message.Reaction(
                    text: String(repeating: part, count: 100), by: Array(repeating: one.sender?.name ?? "", count: 5))
            }
            one.attachments = (0..<500).map { _ in
                Attachment(path: "https://a.example/" + String(repeating: "'", count: 300))
            }
            items.append(index % 2 == 0 ? .message(one) : .message(message("hi", at: time)))
            items.append(.gap(gap(from: time, reason: String(repeating: part, count: 10))))
        }
        let unit = exportUnit(String(repeating: part, count: 1000))
        let pages = exported(HTMLExport.self, items, unit: unit, settings: try exportSettings())
        #expect(pages.allSatisfy { $0.utf8.count <= 1_000_000 })
        #expect(pages.joined().components(separatedBy: "<li class=\"m").count == 4)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `parts of a month and months are linked`() throws {
        let items = (0..<40).map { index in
            ExportItem.message(
                message(String(repeating: "민수 ", count: 9000), at: sampleTime.advanced(by: .seconds(Int64(index)))))
        }
        let unit = exportUnit(
            previous: CalendarMonth(year: 2026, month: 9), next: CalendarMonth(year: 2027, month: 1))
        let pages = exported(HTMLExport.self, items, unit: unit, settings: try exportSettings())
        #expect(pages.count == 3)
        let links = try pages.map { try StrictHTML($0).tags.filter { $0.attributes["rel"] != nil }.map(\.attributes) }
        #expect(links[0].map { $0["href"] } == ["2026-09.html", "2026-09.html", "2026-11.2.html"])
        #expect(links[1].map { $0["href"] } == ["2026-11.html", "2026-11.html", "2026-11.3.html"])
        #expect(links[2].map { $0["href"] } == ["2026-11.2.html", "2026-11.2.html", "2027-01.html"])
        #expect(pages[1].contains("<title>#example, November 2026, part 2</title>"))
    }

    @Test func `a message's anchor is its cursor, with its time in the zone`() throws {
        let page = try exported(HTMLExport.self, message("hi"))
        #expect(page.contains("<li class=\"m\" id=\"2026-11-21T06:23:11.123456Z\">"))
        #expect(page.contains("<a class=\"t\" href=\"#2026-11-21T06:23:11.123456Z\" title=\"07:23:11\">"))
        #expect(page.contains("<time datetime=\"2026-11-21T07:23:11+01:00\">07:23</time>"))
        #expect(page.contains("<time datetime=\"2026-11-21\">Saturday, 21 November 2026</time>"))
    }

    @Test func `a continuing speaker is not named again, except for screen readers`() throws {
        let later = sampleTime.advanced(by: .seconds(5))
        let page = try exported(HTMLExport.self, message("hi"), message("again", at: later))
        #expect(page.contains("<b class=\"n c7\"><bdi>alice</bdi></b> <div class=\"b\" dir=\"auto\">hi</div>"))
        #expect(page.contains("<b class=\"n c7 v\"><bdi>alice</bdi></b> <div class=\"b\" dir=\"auto\">again</div>"))
        let much = try exported(
            HTMLExport.self, message("hi"), message("again", at: sampleTime.advanced(by: .seconds(601))))
        #expect(!much.contains(" v\"><bdi>"))
    }

    @Test func `a reply links to its message in the same file`() throws {
        var answer = message("yes", at: sampleTime.advanced(by: .seconds(5)))
        answer.reply = Message.Reply(remoteID: "1", id: MessageID(sampleTime), sender: "bob", body: "there?")
        let both = try exported(HTMLExport.self, message("there?", sender: "bob"), answer)
        #expect(both.contains("<a class=\"r\" href=\"#2026-11-21T06:23:11.123456Z\">"))
        let alone = try exported(HTMLExport.self, answer)
        #expect(alone.contains("<span class=\"r\">") && alone.contains("bob: there?"))
    }

    @Test func `a file's link shows its host, and another path is only a name`() throws {
        var one = message("look")
        one.attachments = [
            Attachment(path: "https://files.example.org/a%20b.png", size: 1_234_567),
            Attachment(path: "javascript:alert(1)"),
        ]
        let page = try exported(HTMLExport.self, one)
        #expect(page.contains("<bdi>a b.png</bdi></a> (image, 1.2 MB, files.example.org)</li>"))
        #expect(page.contains("<li><bdi>javascript:alert(1)</bdi> (file)</li>"))
    }

    @Test func `most of a long run of joins is folded`() throws {
        let joins = (0..<30).map { index in
            ExportItem.message(message(nil, at: sampleTime.advanced(by: .seconds(Int64(index))), kind: .join))
        }
        let said = message("hi", at: sampleTime.advanced(by: .seconds(99)))
        let page = exported(HTMLExport.self, joins + [.message(said)], settings: try exportSettings()).joined()
        let parts = page.components(separatedBy: "<details>")
        #expect(parts.map { $0.components(separatedBy: "has joined").count - 1 } == [12, 18])
    }

    @Test func `gaps are described independently of the export's time`() throws {
        let gaps = [gap(), gap(to: nil, state: .current, reason: "silent", nextTry: sampleTime)]
        let page = exported(HTMLExport.self, gaps.map(ExportItem.gap), settings: try exportSettings()).joined()
        let text = try StrictHTML(page).text
        #expect(
            text.contains(
                "2026-11-21 07:23:11 to 07:25:40 (2 min): the server closed the connection; nothing can fill it"))
        #expect(text.contains("nothing received since 2026-11-21 07:23:11: the server fell silent\n"))
    }

    @Test func `unarchived time is described as missing`() throws {
        let gaps = [ExportItem.gap(gap(state: .notArchived, reason: nil))]
        let page = exported(HTMLExport.self, gaps, settings: try exportSettings()).joined()
        let text = try StrictHTML(page).text
        let expected = """
            Missing: not archived 2026-11-21 07:23:11 to 07:25:40 (2 min): after the imported log, before listening began
            """
        #expect(text.contains(expected), "\(text)")
    }

    @Test func `names are readable on light and dark`() {
        for color in HTMLStyle.nameColors {
            #expect(Self.contrast(color.light, HTMLStyle.ground.light) >= 4.5)
            #expect(Self.contrast(color.dark, HTMLStyle.ground.dark) >= 4.5)
        }
    }

    /// WCAG 2.2, "contrast ratio".
    private static func contrast(_ a: String, _ b: String) -> Double {
        let luminances = [a, b].map { color in
            let number = Int(color.dropFirst(), radix: 16) ?? 0
            let parts = [16, 8, 0].map { shift in
                let value = Double(number >> shift & 0xFF) / 255
                return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] + 0.05
        }.sorted()
        return luminances[1] / luminances[0]
    }
}

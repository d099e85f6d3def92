import ChatModel
import Foundation
import Testing

@testable import LogFormats

struct TelegramHTMLTests {
    private typealias Page = TelegramPage

    private func one(_ content: String, from name: String? = "alice") throws -> ImportedMessage {
        let export = try Export(TelegramHTMLFormat.self, Page.page(Page.day + Page.message(100, content, from: name)))
        #expect(export.unreadable.isEmpty)
        return try #require(export.messages.first)
    }

    @Test func `a message has its number, its sender and its time`() throws {
        let reply =
            "<div class=\"reply_to details\">\nIn reply to <a href=\"#go_to_message99\" onclick=\"return GoToMessage(99)\">this message</a>\n</div>"
        let time = try #require(Export.time("2026-11-21T06:23:11.000000Z"))
        #expect(
            try one(reply + Page.text("민수, hi"))
                == ImportedMessage(
                    room: "Example", roomKind: .group, kind: .message, sender: "alice", body: "민수, hi", time: time,
                    resolution: .second, remoteID: "100", replyTo: "99"))
        let elsewhere = "<div class=\"reply_to details\">\nIn reply to a message in another chat\n</div>"
        #expect(try one(elsewhere + Page.text("x")).replyTo == nil)
        #expect(
            try one("<div class=\"reply_to details\"><a href=\"messages2.html#go_to_message7\">x</a></div>").replyTo
                == "7")
    }

    @Test(
        arguments: [
            ("a<br>b<br><br>c", "a\nb\n\nc"),
            (
                "&lt;b&gt; &amp;amp; &quot;x&quot; &apos;y&apos; &#x1F44B; &#65; &nope;",
                "<b> &amp; \"x\" 'y' 👋 A &nope;"
            ),
            ("see <a href=\"https://example.org\">https://example.org</a>", "see https://example.org"),
            ("see <a href=\"https://example.org/?a=1&amp;b\">this</a>.", "see this (https://example.org/?a=1&b)."),
            (
                "<a href=\"mailto:a@example.org\">a@example.org</a> <a href=\"tel:+00 1\">+00 1</a>",
                "a@example.org +00 1"
            ),
            (
                "<a href=\"https://t.me/bob\">@bob</a> <a href=\"\" onclick=\"return ShowHashtag(&quot;x&quot;)\">#x</a>",
                "@bob #x"
            ),
            ("<a href=\"\" onclick=\"return ShowMentionName()\">bob</a>", "bob"),
            ("<a href = \"stickers/wave.tgs\">👋</a>", "👋"),
            (
                "<strong>a</strong><em>b</em><code>c</code><pre>d</pre><u>e</u><s>f</s><blockquote>g</blockquote>",
                "abcdefg"
            ),
            (
                "<span class=\"spoiler hidden\" onclick=\"ShowSpoiler(this)\"><span aria-hidden=\"true\">x</span></span>!",
                "x!"
            ),
            ("a < b > c", "a < b > c"), ("  x  ", "  x  "),
        ] as [(String, String)])
    func `the text is what the message says in words`(html: String, body: String) throws {
        #expect(try one(Page.text(html)).body == body)
        #expect(try one("<div class=\"text\">\(html)</div>").body == body)
    }

    @Test func `a joined message has the previous message's sender, even on the next page`() throws {
        let first = Page.page(Page.day + Page.message(1, Page.text("a")) + Page.message(2, Page.text("b"), from: nil))
        let second = Page.page(Page.message(3, Page.text("c"), from: "민수") + Page.message(4, Page.text("d"), from: nil))
        let export = try Export(
            TelegramHTMLFormat.self,
            files: [("messages.html", Array(first.utf8)), ("messages2.html", Array(second.utf8))])
        #expect(export.messages.map { "\($0.sender ?? "")\($0.body ?? "")" } == ["alicea", "aliceb", "민수c", "민수d"])
        let alone = try Export(TelegramHTMLFormat.self, Page.page(Page.message(2, Page.text("b"), from: nil)))
        #expect(alone.unreadable == ["it joins a message that is not there"])
    }

    @Test func `a forwarded message names its source, even if joined, and the helping bot`() throws {
        func forwarded(_ name: String?) -> String {
            let from = name.map {
                "<div class=\"from_name\">\n\($0) <span class=\"date details\" title=\"1\"> 20.11.2026</span>\n</div>"
            }
            return "<div class=\"forwarded body\">\(from ?? "")\(Page.text("x"))</div>"
        }
        let messages = Page.message(1, forwarded("bob ")) + Page.message(2, forwarded(nil), from: nil)
        let bots = Page.message(3, Page.text("x"), from: "alice  via @gif") + Page.message(4, Page.text("y"), from: nil)
        let both = Page.message(5, forwarded("bob via @gif"))
        let export = try Export(TelegramHTMLFormat.self, Page.page(messages + bots + both))
        #expect(
            export.messages.map(\.body) == [
                "[forwarded from bob]\nx", "[forwarded from bob]\nx", "[via @gif]\nx", "[via @gif]\ny",
                "[forwarded from bob]\n[via @gif]\nx",
            ])
        #expect(export.messages.allSatisfy { $0.sender == "alice" })
    }

    @Test func `an event has the time of the item before it, and such events are counted`() throws {
        let pinned = "alice pinned <a href=\"#go_to_message1\" onclick=\"return GoToMessage(1)\">this message</a>"
        let messages =
            Page.day + Page.service(1, "alice joined group by request") + Page.message(2, Page.text("x"))
            + Page.service(3, pinned) + Page.service(-2, "22 November 2026")
            + Page.service(4, "alice took a screenshot")
        let export = try Export(TelegramHTMLFormat.self, Page.page(messages), zone: .gmt)
        #expect(
            export.messages.map(\.time.description) == [
                "2026-11-21T00:00:00.000000Z", "2026-11-21T06:23:11.000000Z", "2026-11-21T06:23:11.000000Z",
                "2026-11-21T15:00:00.000000Z",
            ])
        #expect(export.messages.map(\.replyTo) == [nil, nil, "1", nil])
        #expect(
            export.assumptions == [
                "events, which these pages show without a time, have that of the message or day before: 3"
            ])
        let alone = try Export(TelegramHTMLFormat.self, Page.page(Page.service(1, "alice took a screenshot")))
        #expect(alone.unreadable == ["neither a message nor a day before it tells its time"])
    }

    @Test func `an older export's times are in the zone`() throws {
        let dates = ["25.10.2026 02:30:00", "25.10.2026 02:10:00", "25.10.2026 02:20:00"]
        let berlin = try #require(Zone(identifier: "Europe/Berlin"))
        let export = try Export(
            TelegramHTMLFormat.self,
            Page.page(dates.enumerated().map { Page.message($0, Page.text("x"), at: $1) }.joined()), zone: berlin)
        #expect(
            export.messages.map(\.time.description) == [
                "2026-10-25T00:30:00.000000Z", "2026-10-25T01:10:00.000000Z", "2026-10-25T01:20:00.000000Z",
            ])
        #expect(export.assumptions == ["times without a zone, read as Europe/Berlin: 3"])
    }
}

import ChatModel
import Foundation
import TestSupport
import Testing

@testable import LogFormats

struct TelegramHTMLPageTests {
    private typealias Page = TelegramPage

    /// The same chat in both kinds of export.
    static let json = TelegramTests.chat(
        """
        {"id": 1, "type": "service", \(TelegramTests.time), "actor": "alice", "actor_id": "user7", "action": "create_group",
         "title": "Example", "members": ["bob"]},
        {"id": 2, "type": "message", \(TelegramTests.time), "from": "alice", "from_id": "user7", "text": ["see ", {"type": "link", "text": "https://example.org"}, "\\nor ", {"type": "text_link", "text": "this", "href": "https://example.org"}]},
        {"id": 3, "type": "message", \(TelegramTests.time), "from": "alice", "from_id": "user7", "reply_to_message_id": 2, "forwarded_from": "bob", "photo": "photos/a.jpg", "text": "x"},
        {"id": 4, "type": "message", \(TelegramTests.time), "from": "민수", "from_id": "user8", "file": "stickers/a.webp", "media_type": "sticker", "sticker_emoji": "👋", "text": ""},
        {"id": 5, "type": "service", \(TelegramTests.time), "actor": "민수", "actor_id": "user8", "action": "invite_members", "members": ["bob", "carol"]}
        """)
    static let html = Page.page(
        Page.day + Page.service(1, "alice created group &laquo;Example&raquo; with members bob")
            + Page.message(
                2,
                Page.text(
                    "see <a href=\"https://example.org\">https://example.org</a><br>or <a href=\"https://example.org\">this</a>"
                ))
            + Page.message(
                3,
                "<div class=\"forwarded body\"><div class=\"from_name\">bob <span class=\"date details\" title=\"x\"> y</span></div><div class=\"reply_to details\">In reply to <a href=\"#go_to_message2\">this message</a></div><a class=\"photo_wrap\" href=\"photos/a.jpg\"></a>\(Page.text("x"))</div>",
                from: nil)
            + Page.message(4, "<a class=\"sticker_wrap clearfix pull_left\" href=\"stickers/a.webp\"></a>", from: "민수")
            + Page.service(5, "민수 invited bob and carol"))

    @Test func `both kinds of export have the same messages, except for sticker emoji`() throws {
        let (json, html) = (
            try Export(TelegramFormat.self, Self.json).messages, try Export(TelegramHTMLFormat.self, Self.html).messages
        )
        #expect(json.count == 5)
        #expect(html.map(\.remoteID) == json.map(\.remoteID))
        #expect(html.map(\.sender) == json.map(\.sender))
        #expect(html.map(\.kind) == json.map(\.kind))
        #expect(html.map(\.replyTo) == json.map(\.replyTo))
        #expect(html.map(\.files) == json.map(\.files))
        #expect(html.map(\.room) == json.map(\.room))
        #expect(html.map { $0.remoteID == "4" ? "👋" : $0.body } == json.map(\.body))
        #expect(html[1...3].map(\.time) == json[1...3].map(\.time))
    }

    @Test(arguments: [
        ("<div class=\"message default\" id=\"message1\"><div class=\"text\">x</div></div>", "it has no date"),
        (
            "<div class=\"message default\" id=\"message1\"><div class=\"date\" title=\"31.02.2026 00:00:00\"></div></div>",
            "its date is not a time"
        ),
        (
            "<div class=\"message default\" id=\"message1\"><div class=\"date\" title=\"soon\"></div></div>",
            "its date is not a time"
        ),
        ("<div class=\"message default\" id=\"messageX\"></div>", "its \"id\" is not a number"),
        ("<div class=\"message default\"></div>", "its \"id\" is not a number"),
        (
            "<div class=\"message default\" id=\"message1\"><div class=\"date\" title=\"21.11.2026 15:23:11 UTC\"></div></div>",
            "it names no sender"
        ),
        ("<div class=\"message default\" id=\"message1\"><div>", "the HTML of the message is not whole"),
        (
            "<div class=\"message default\" id=\"message1\">" + String(repeating: "<b>", count: 100),
            "more than 64 elements within each other"
        ),
    ])
    func `an invalid message is reported with the reason, and the next one is read`(html: String, reason: String) throws
    {
        let export = try Export(TelegramHTMLFormat.self, Page.page(html + "\n" + Page.message(2, Page.text("x"))))
        #expect(export.unreadable == [reason])
        #expect(export.messages.map(\.body) == ["x"])
    }

    @Test func `an HTML export is recognised by its beginning, and its pages are ordered by number`() {
        #expect(Export.recognising(Self.html, path: "messages.html") == ["telegram-html"])
        #expect(Export.recognising(Self.html.replacing("class=\"history\"", with: ""), path: "messages.html") == [])
        let paths = ["css/style.css", "messages.html", "messages10.html", "messages2.html", "messagesx.html"]
        #expect(TelegramHTMLFormat.files(among: paths.filter { !$0.contains("/") }) == [0, 2, 1])
        #expect(TelegramHTMLFormat.files(among: ["a.html", "chats/messages.html"]) == nil)
        #expect(TelegramHTMLFormat.accountName(in: LogReading.source([], path: "")) == "telegram")
    }

    @Test func `result.json is read instead of the pages beside it`() {
        #expect(TelegramFormat.files(among: ["messages.html", "result.json"]) == [1])
        #expect(
            TelegramFormat.files(among: ["export_results.html", "result.json", "chats/chat_01/messages.html"]) == [1])
        #expect(TelegramFormat.files(among: ["result.json", "photos/a.jpg"]) == nil)
        #expect(TelegramFormat.files(among: ["messages.html", "a/result.json"]) == nil)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a page that ends at any byte gives its complete messages and one error`() throws {
        let bytes = Array(Page.page(Page.day + Page.message(1, Page.text("x")) + Page.message(2, Page.text("x"))).utf8)
        let whole = try #require(bytes[...].lastRange(of: "</html>")).upperBound
        for end in 1..<whole {
            let export = try Export(TelegramHTMLFormat.self, files: [("messages.html", Array(bytes[..<end]))])
            #expect(export.unreadable.count == 1, "\(end)")
            #expect(export.messages.allSatisfy { $0.body == "x" })
        }
    }

    @Test func `a page gives the same pieces in any chunks`() {
        let bytes = Array(Self.html.utf8)
        let whole = JSONPieces.cut(bytes, by: nil, TelegramHTMLFormat.cutter())
        #expect(whole.map(\.place) == ["head"] + Array(repeating: "message", count: 6))
        for size in 1..<40 { #expect(JSONPieces.cut(bytes, by: size, TelegramHTMLFormat.cutter()) == whole) }
        let lines = Self.html.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(whole.dropFirst().allSatisfy { lines[$0.number - 1].contains("class=\"message ") })
        let cut = JSONPieces.cut(bytes, by: 7, PageCutter(marker: "<div class=\"message ", maximumPiece: 100))
        #expect(cut.count == whole.count)
        #expect(cut.allSatisfy { $0.isCut && $0.bytes.count <= 100 })
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<300)
    func `a damaged sample never traps, and each message gives a message or an error`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let bytes = Mutation.of(Array(Self.html.utf8), using: &random)
        let pieces = JSONPieces.cut(bytes, by: nil, TelegramHTMLFormat.cutter())
        let export = try Export(TelegramHTMLFormat.self, files: [("messages.html", bytes)])
        let days = pieces.count { String(decoding: $0.bytes, as: UTF8.self).contains("id=\"message-") }
        let messages = pieces.count { $0.place == "message" } - days
        #expect(export.messages.count + export.unreadable.count >= messages)
        #expect(export.parsed.count == pieces.count + 1)
    }
}

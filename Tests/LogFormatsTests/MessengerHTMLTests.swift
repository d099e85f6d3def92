import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/wesm/msgvault (internal/fbmessenger/html_parser.go), of
/// github.com/MinaroShikuchi/virtual-me (tools/extract_facebook.py), and of
/// github.com/NotSahilRamane/NotSahilRamane.github.io (parse_instagram_chats.py) for Instagram. That times are local times in
/// the account's language and texts are right is what github.com/DanielSnor/blog.sh (lib/import/meta_html.rb) found.
struct MessengerHTMLTests {
    private static let path = "your_facebook_activity/messages/inbox/bob_1234567890/message_1.html"

    private static func page(_ blocks: String..., title: String = "<title>Bob</title>") -> String {
        "<html><head><style>._a6-g{}</style>\(title)</head><body><main>\(blocks.joined())</main></body></html>"
    }

    private static func block(
        _ content: String, time: String = "Nov 21, 2026 3:23:11 pm",
        sender: String = "<h2 class=\"_2ph_ _a6-h _a6-i\">Bob</h2>"
    ) -> String {
        """
        <section class="_a6-g" aria-labelledby="a">\(sender)<div class="_2ph_ _a6-p"><div><div></div>\(content)</div></div>\
        <footer class="_3-94 _a6-o"><div class="_a72d">\(time)</div></footer></section>
        """
    }

    private func read(_ page: String, path: String = path, room: String? = nil) throws -> Export {
        try Export(MessengerHTMLFormat.self, page, path: path, room: room)
    }

    @Test func `a message has the page's title, the folder's number, its sender and its local time`() throws {
        let export = try read(Self.page(Self.block("<div>안녕 &amp; Ã©</div>")))
        let time = try #require(Export.time("2026-11-21T06:23:11.000000Z"))
        #expect(
            export.messages == [
                ImportedMessage(
                    room: "Bob", roomKey: "1234567890", roomKind: .group, kind: .message, sender: "Bob",
                    body: "안녕 & Ã©",
                    time: time, resolution: .second, place: time.advanced(byMicroseconds: 999_999))
            ])
        #expect(export.unreadable.isEmpty && export.assumptions == ["times without a zone, read as GMT+0900: 1"])
    }

    @Test(arguments: [
        // Messenger and Instagram, in English.
        "Nov 21, 2026 3:23 pm", "Nov 21, 2026, 3:23 PM", "Nov 21, 2026 at 3:23 PM", "21 Nov 2026, 15:23",
        "Nov 21, 2026 3:23pm",
        // Other languages.
        "11월 21, 2026 3:23 오후", "2026년 11월 21일 오후 3:23", "11月 21, 2026 3:23 PM", "2026/11/21 15:23",
        "nov. 21, 2026 3:23 pm",
        "21 de noviembre de 2026, 3:23 p. m.", "lis 21, 2026 3:23 odpol.", "พ.ย. 21, 2026 3:23 pm",
        "21. november 2026 kl. 15:23", "21.11.2026, 15:23",
    ])
    func `a time is read in the account's language`(text: String) throws {
        let export = try read(Self.page(Self.block("<div>hi</div>", time: text)))
        #expect(export.messages.map(\.time) == [Export.time("2026-11-21T06:23:00.000000Z")])
        #expect(export.messages.map(\.resolution) == [.minute] && export.unreadable.isEmpty)
    }

    @Test(arguments: [
        ("wat 21, 2026 3:23 pm", "can't read its time, \"wat 21, 2026 3:23 pm\""), ("", "it has no time"),
        ("Nov 31, 2026 3:23 pm", "can't read its time, \"Nov 31, 2026 3:23 pm\""),
        ("Nov 21, 2026", "can't read its time, \"Nov 21, 2026\""),
        ("Nov 21, 2026 15:23 pm", "can't read its time, \"Nov 21, 2026 15:23 pm\""),
        ("11/2/2026, 15:23", "day or month first in \"11/2/2026, 15:23\"? --date-order dmy or mdy says it"),
    ])
    func `a time that can't be read is reported`(text: String, reason: String) throws {
        let export = try read(Self.page(Self.block("<div>hi</div>", time: text), Self.block("<div>ho</div>")))
        #expect(export.unreadable == [reason] && export.messages.map(\.body) == ["ho"])
    }

    @Test(arguments: [(DateOrder.dmy, "2026-02-11T06:23:00.000000Z"), (.mdy, "2026-11-02T06:23:00.000000Z")])
    func `the user says whether day or month is first`(order: DateOrder, time: String) throws {
        let choices = SourceChoices(dateOrder: order)
        let page = Self.page(Self.block("<div>hi</div>", time: "11/2/2026, 15:23"))
        let reading = try LogReading(
            MessengerHTMLFormat.self, page, path: Self.path, zone: "Asia/Seoul", choices: choices)
        #expect(reading.messages.map(\.time) == [Export.time(time)])
    }

    @Test func `messages of one time keep their order, the newest first`() throws {
        let minute = "Nov 21, 2026 3:23 pm"
        let export = try read(
            Self.page(
                Self.block("<div>c</div>", time: minute), Self.block("<div>b</div>", time: minute),
                Self.block("<div>a</div>", time: "Nov 21, 2026 3:22 pm")))
        let sorted = export.messages.sorted { ($0.place ?? $0.time) < ($1.place ?? $1.time) }
        #expect(sorted.map(\.body) == ["a", "b", "c"])
        #expect(export.messages.allSatisfy { TimeResolution.minute.floor($0.place ?? $0.time) == $0.time })
    }

    @Test func `the later of two instants comes first when the clock is set back`() throws {
        let page = Self.page(
            Self.block("<div>c</div>", time: "Nov 1, 2026 1:10 am"),
            Self.block("<div>b</div>", time: "Nov 1, 2026 1:50 am"),
            Self.block("<div>a</div>", time: "Nov 1, 2026 1:40 am"))
        let reading = try LogReading(MessengerHTMLFormat.self, page, path: Self.path, zone: "America/New_York")
        #expect(reading.messages.map(\.time.short) == ["01T06:10:00", "01T05:50:00", "01T05:40:00"])
    }

    @Test(arguments: [
        ("<div>a<br />b<br /><br />c</div>", "a\nb\n\nc"), ("<div>a</div><div></div><div>b</div>", "a\nb"),
        ("<div>see <a href=\"http://a/\">this</a></div>", "see this (http://a/)"),
        (
            "<div>see <a href=\"http://a/b\">a/b</a> or <a href=\"http://c/\">that </a></div>",
            "see http://a/b or that (http://c/)"
        ),
        ("<div>see <a href=\"http://a/\"></a></div>", "see http://a/"),
        ("<div><a href=\"http://a/\">http://a/</a></div>", "http://a/"), ("<div>hi\n  there</div>", "hi there"),
        (
            "<div>hi</div><div><ul class=\"_a6-q\"><li><span>👍Al<span> (Nov 21, 2026 3:24 pm)</span></span></li></ul></div>",
            "hi"
        ),
        ("<div>hi</div><div>IP Address: 192.0.2.1</div>", "hi"),
        ("<div>IP Address: 192.0.2.1</div>", "IP Address: 192.0.2.1"),
        ("<div>a <img src=\"https://a/b.gif\" alt=\"😀\" /></div>", "a 😀"), ("<div>&lt;b&gt;</div>", "<b>"),
    ])
    func `a text has its lines and links, without reactions and addresses of machines`(content: String, body: String)
        throws
    {
        #expect(try read(Self.page(Self.block(content))).messages.map(\.body) == [body])
    }

    @Test func `reactions are counted, because the messages have no ids`() throws {
        let reactions = "<div><ul class=\"_a6-q\"><li>👍Al</li><li>👍Bob</li></ul></div>"
        let export = try read(Self.page(Self.block("<div>hi</div>" + reactions)))
        #expect(export.assumptions.last == "reactions skipped, because the messages have no ids: 2")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a message of thousands of links is read, and cut at the limit of a text`() throws {
        let links = (0..<3000).map { "<a href=\"http://example.org/\($0)/\">word \($0)</a> " }.joined()
        let message = try #require(read(Self.page(Self.block("<div>\(links)</div>"))).messages.first)
        #expect(message.body?.hasPrefix("word 0 (http://example.org/0/) word 1 (http://example.org/1/) ") ?? false)
        #expect(message.flags == .oversize)
    }

    @Test(arguments: [
        ("<a href=\"in/a.jpg\"><img src=\"in/a.jpg\" /></a>", ["in/a.jpg"]),
        ("<a href=\"in/a.pdf\">a.pdf</a>", ["in/a.pdf"]),
        ("<video src=\"in/a.mp4\"><a href=\"in/a.mp4\"><div>Click for video:</div></a></video>", ["in/a.mp4"]),
        ("<audio src=\"./in/a.mp3\"></audio>", ["in/a.mp3"]), ("<img src=\"data:image/png;base64,AA\" />", []),
    ])
    func `a file has its path in the download, and its words are no text`(content: String, paths: [String]) throws {
        let message = try #require(try read(Self.page(Self.block("<div>\(content)</div>"))).messages.first)
        #expect(message.files.map(\.path) == paths && message.body == nil)
    }

    @Test func `blocks about the conversation are no messages, and one without a heading is of the sender above`()
        throws
    {
        let participants = "<section class=\"_a6-g\"><h2 class=\"_a6-h\">Participants: Al and Bob</h2></section>"
        let export = try read(
            Self.page(participants, Self.block("<div>b</div>"), Self.block("<div>a</div>", sender: "")))
        #expect(export.messages.map(\.told) == ["Bob: b", "Bob: a"] && export.unreadable.isEmpty)
    }

    @Test(arguments: [
        ("<h2 class=\"_a6-h\"></h2>", "it names no sender"), ("<h2 class=\"_a6-h\">  </h2>", "it names no sender"),
    ])
    func `a message without a name is reported`(sender: String, reason: String) throws {
        let export = try read(Self.page(Self.block("<div>x</div>", sender: sender), Self.block("<div>hi</div>")))
        #expect(export.unreadable == [reason] && export.messages.map(\.body) == ["hi"])
    }

    @Test(
        arguments: [
            ("<title></title><h1 id=\"a\">B &amp; C</h1>", path, nil, "B & C"), ("", path, nil, "bob"),
            ("", "message_1.html", "x", "x"),
            ("<title>Bob</title>", "message_1.html", nil, "Bob"),
        ] as [(String, String, String?, String)])
    func `the room is the title, the heading or the folder`(title: String, path: String, room: String?, name: String)
        throws
    {
        #expect(
            try read(Self.page(Self.block("x"), title: title), path: path, room: room).messages.map(\.room) == [name])
    }

    @Test func `a page without a name of the conversation is reported`() throws {
        let export = try read(Self.page(Self.block("x"), title: ""), path: "message_1.html")
        #expect(export.unreadable == ["the page names no conversation before it"])
    }

    @Test(arguments: FormatSample.of("messenger-html"))
    func `pages of each year are read whole`(sample: FormatSample) throws {
        let export = try Export(MessengerHTMLFormat.self, files: [(nil, sample.bytes)], path: sample.path)
        let told = [
            "1234567890123456": ["Alice: two & more\nlines", "민수: 안녕"],
            "9876543210": ["bob: look\nhttps://www.instagram.com/reel/a/", "alice"],
        ]
        let key = export.messages.first?.roomKey
        #expect(export.messages.map(\.told) == key.map { told[$0] ?? [] } ?? ["bob: hi"])
        #expect(export.unreadable.isEmpty)
    }

    @Test func `the pages of a folder are one conversation, in the order of their numbers`() {
        let paths = ["message_10.html", "message_2.html", "message_1.html", "photos.html", "photos/message_3.html"]
        #expect(MessengerHTMLFormat.files(among: paths) == [2, 1, 0])
        #expect(MessengerHTMLFormat.files(among: ["message_1.json"]) == nil)
    }

    @Test func `a page is cut anywhere with the same result`() {
        let bytes = Array((Self.page(Self.block("<div>a</div>")) + FormatSample.of("messenger-html")[1].text).utf8)
        let whole = JSONPieces.cut(bytes, by: bytes.count, MessengerHTMLFormat.cutter())
        for size in [1, 2, 3, 7, 64] { #expect(JSONPieces.cut(bytes, by: size, MessengerHTMLFormat.cutter()) == whole) }
        #expect(whole.count == 4)
    }

    @Test func `a page that breaks off gives its whole messages and one error`() throws {
        let bytes = Array(Self.page(Self.block("<div>a</div>"), Self.block("<div>b</div>")).utf8)
        for end in stride(from: 60, to: bytes.count - 8, by: 7) {
            let export = try Export(MessengerHTMLFormat.self, files: [(nil, Array(bytes[..<end]))], path: Self.path)
            #expect(export.unreadable.count == 1, "\(end)")
        }
    }

    @Test func `a message that is too long is reported, and the next one read`() throws {
        let long = String(repeating: "x", count: MessengerHTMLFormat.maximumLine)
        let export = try read(Self.page(Self.block("<div>b</div>"), Self.block(long), Self.block("<div>a</div>")))
        #expect(export.unreadable == ["longer than \(MessengerHTMLFormat.maximumLine) bytes"])
        #expect(export.messages.map(\.body) == ["b", "a"])
    }

    @Test func `deep elements and many breaks take no memory of their own`() throws {
        let deep = String(repeating: "<div>", count: 20_000) + "hi" + String(repeating: "<br>", count: 30_000)
        let message = try #require(try read(Self.page(Self.block(deep))).messages.first)
        #expect(message.body == "hi")
    }

    @Test(arguments: 0..<100)
    func `a damaged page never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("messenger-html") {
            _ = try Export(
                MessengerHTMLFormat.self, files: [(nil, Mutation.of(sample.bytes, using: &random))], path: sample.path)
        }
    }

    @Test func `pages are recognised by their name and their classes`() {
        let page = Self.page(Self.block("x"))
        #expect(Export.recognising(page, path: "message_12.html") == ["messenger-html"])
        #expect(Export.recognising(page, path: "your_friends.html") == [])
        #expect(Export.recognising("<html><body>hi</body></html>", path: "message_1.html") == [])
    }
}

import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/lbeder/google-voice-takeout-merger (docs/samples/filter-call-logs) and of
/// github.com/timelinize/timelinize (datasources/googlevoice/googlevoice.go, googlevoice_test.go).
struct GoogleVoiceTests {
    private static func page(_ messages: String, head: String = "") -> String {
        """
        <?xml version="1.0" ?>
        <html xmlns="http://www.w3.org/1999/xhtml"><head><title>bob</title></head><body>\(head)<div class="hChatLog hfeed">
        \(messages)</div><div class="tags"><a rel="tag" href="http://www.google.com/voice#sms">Text</a></div></body></html>
        """
    }

    private static func message(_ text: String, _ more: String = "", name: String = "<span class=\"fn\">bob</span>")
        -> String
    {
        """
        <div class="message"><abbr class="dt" title="2026-11-21T15:23:11.123+09:00">Nov 21, 2026</abbr>:
        <cite class="sender vcard"><a class="tel" href="tel:+15550100">\(name)</a></cite>:
        <q>\(text)</q>\(more)</div>
        """
    }

    private func read(_ page: String, name: String = "bob - Text - 2026-11-21T06_23_11Z.html") throws -> Export {
        try Export(GoogleVoiceFormat.self, page, path: "Voice/Calls/\(name)")
    }

    @Test func `a message has the room of the file's name, and its sender's number`() throws {
        let export = try read(Self.page(Self.message("hi &amp;<br>ho")))
        #expect(export.unreadable.isEmpty)
        let time = try #require(Export.time("2026-11-21T06:23:11.123000Z"))
        #expect(
            export.messages == [
                ImportedMessage(
                    room: "bob", roomKind: .direct, kind: .message, sender: "bob", senderKey: "+15550100",
                    body: "hi &\nho", time: time, resolution: .microsecond)
            ])
        let own = try read(Self.page(Self.message("hi", name: "<abbr class=\"fn\" title=\"\">Me</abbr>")))
        #expect(own.messages.map(\.told) == ["Me: hi"] && own.messages.map(\.senderKey) == [nil])
    }

    @Test(arguments: ["22395", "bob@example.org", "+15550100"])
    func `a sender is known by a number, a short one or an address of mail`(number: String) throws {
        let page = Self.page(
            Self.message("hi", name: "<span class=\"fn\"></span>").replacing("+15550100", with: number))
        let message = try #require(try read(page).messages.first)
        #expect((message.sender, message.senderKey) == (number, number))
    }

    @Test func `a group is called by its people`() throws {
        func person(_ name: String) -> String {
            "<cite class=\"sender vcard\"><a class=\"tel\" href=\"tel:+1\"><span class=\"fn\">\(name)</span></a></cite>"
        }
        let head = "<div class=\"participants\">Group conversation with:\n\(person("bob")), \(person("carol"))</div>"
        let export = try read(
            Self.page(Self.message("hi"), head: head), name: "Group Conversation - 2026-11-21T06_23_11Z.html")
        #expect(export.messages.map(\.room) == ["bob, carol"] && export.messages.map(\.roomKind) == [.group])
    }

    @Test func `pictures lie beside the page, with an ending that it lacks`() throws {
        let image = "<div><img src=\"bob - Text - 1-2-1\" alt=\"Image MMS Attachment\" /></div>"
        let message = try #require(try read(Self.page(Self.message("MMS Sent", image))).messages.first)
        #expect(message.body == nil && message.files.map(\.path) == ["bob - Text - 1-2-1"])
        #expect(message.files.first?.copies?.first == "bob - Text - 1-2-1.jpg")
    }

    private static func call(_ label: String, _ more: String = "") -> String {
        """
        <?xml version="1.0" ?>
        <html xmlns="http://www.w3.org/1999/xhtml"><body><div class="haudio"><span class="fn">Call</span>
        <div class="contributor vcard"><a class="tel" href="tel:+15550100"><span class="fn">bob</span></a></div>
        <abbr class="published" title="2026-11-21T15:23:11.000+09:00">x</abbr>\(more)
        <a rel="tag" href="http://www.google.com/voice#\(label)">x</a></div></body></html>
        """
    }

    @Test(arguments: [
        ("placed", "<abbr class=\"duration\" title=\"PT1M35S\">x</abbr>", "action Me: called (95 seconds)"),
        ("received", "<abbr class=\"duration\" title=\"PT35S\">x</abbr>", "action bob: called (35 seconds)"),
        ("missed", "", "action bob: called: missed"),
        ("voicemail", "<span class=\"full-text\">call me</span>", "action bob: called: voicemail\ncall me"),
    ])
    func `a call is an action of the one who called`(label: String, more: String, told: String) throws {
        let export = try read(Self.call(label, more), name: "bob - Call - 2026-11-21T06_23_11Z.html")
        #expect(export.unreadable.isEmpty && export.messages.map(\.told) == [told])
    }

    @Test(arguments: [
        ("<div class=\"message\"><q>x</q></div>", "it names no sender"),
        (message("x").replacing("2026-11-21T15:23:11.123+09:00", with: "soon"), "its time can't be read"),
    ])
    func `an invalid message is reported once with the reason`(message: String, reason: String) throws {
        let export = try read(Self.page(message + Self.message("hi")))
        #expect(export.unreadable == [reason] && export.messages.map(\.body) == ["hi"])
    }

    @Test func `a page that breaks off is reported`() throws {
        let text = Self.page(Self.message("hi")).prefix { $0 != "T" } + "hChatLog"
        #expect(try read(String(text)).unreadable.last == "the file ends in the middle of its page")
    }

    @Test(arguments: 0..<100)
    func `a damaged page never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("google-voice") {
            _ = try Export(
                GoogleVoiceFormat.self, files: [(nil, Mutation.of(sample.bytes, using: &random))], path: sample.path)
        }
    }

    @Test func `pages are recognised by their parts`() {
        #expect(Export.recognising(Self.page(""), path: "a.html") == ["google-voice"])
        #expect(Export.recognising(Self.call("missed"), path: "a.html") == ["google-voice"])
        #expect(Export.recognising("<html><body><div class=\"haudio\"></div></body></html>", path: "a.html") == [])
    }
}

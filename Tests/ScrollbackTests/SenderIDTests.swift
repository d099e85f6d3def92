import ChatModel
import Testing

@testable import Exporting
@testable import Rendering

/// A name that another person of the room has as well is shown with the person's id.
struct SenderIDTests: MachineFormatSuite {
    private func said(isAmbiguous: Bool, key: String? = "@pia:x") -> Message {
        var message = message("hi", sender: "Pia")
        message.sender?.key = key
        message.sender?.isAmbiguous = isAmbiguous
        return message
    }

    @Test func `only an ambiguous name is shown with the id`() throws {
        #expect(MessageLine(said(isAmbiguous: true), zone: .gmt).name == "Pia (@pia:x)")
        #expect(MessageLine(said(isAmbiguous: false), zone: .gmt).name == "Pia")
        #expect(try StrictHTML(exported(HTMLExport.self, said(isAmbiguous: true))).text.contains("@pia:x"))
        #expect(try !StrictHTML(exported(HTMLExport.self, said(isAmbiguous: false))).text.contains("@pia:x"))
    }

    @Test func `exports as text and Markdown show the id, too`() throws {
        #expect(try exported(TextExport.self, said(isAmbiguous: true)).contains("<Pia (@pia:x)> hi\n"))
        #expect(try exported(TextExport.self, said(isAmbiguous: false)).contains("<Pia> hi\n"))
        #expect(try exported(MarkdownExport.self, said(isAmbiguous: true)).contains("**Pia (`@pia`:x)**: hi\n"))
        #expect(try exported(MarkdownExport.self, said(isAmbiguous: false)).contains("**Pia**: hi\n"))
    }

    @Test func `a full export has the id once`() throws {
        let message = said(isAmbiguous: true)
        let exact = ExactMessage(
            sourceTime: nil, roomKey: "!r:x", roomKind: .channel, sender: .key("@pia:x"), senderIsSelf: false)
        let lines = exported(JSONLinesExport.self, [.message(message, exact: exact)], settings: try exportSettings())
            .joined()
        #expect(lines.contains("sender_key") && lines.ranges(of: "@pia:x").count == 1)
    }

    @Test func `an id can't inject control characters or markup`() throws {
        let message = said(isAmbiguous: true, key: "<b>\u{1B}")
        #expect(MessageLine(message, zone: .gmt).name == "Pia (<b>\\u{1B})")
        #expect(try StrictHTML(exported(HTMLExport.self, message)).text.contains("<b>"))
    }

    @Test(arguments: [true, false]) func `JSON always has the id, and CSV never`(isAmbiguous: Bool) {
        let message = said(isAmbiguous: isAmbiguous)
        #expect(JSONValue(message).text.contains(#""is_self": false, "key": "@pia:x"}"#))
        var renderer = renderer(.csv)
        let rendered = renderer.render(Page(messages: [message], older: nil, newer: nil, gaps: [])).output
        #expect(rendered.contains(",Pia,hi,") && !rendered.contains("@pia:x"))
        #expect(!JSONValue(said(isAmbiguous: false, key: nil)).text.contains("\"key\""))
    }
}

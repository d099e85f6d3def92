import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Exporting

struct MarkdownExportTests {
    @Test func `a document has a heading for the month and each day, and an item for each message`() throws {
        var answer = message("yes,\n2. and no", at: sampleTime.advanced(by: .seconds(1)), editedAt: sampleTime)
        answer.reply = Message.Reply(remoteID: "1", id: MessageID(sampleTime), sender: "bob", body: "*there*?")
        answer.reactions = [Message.Reaction(text: "👍", by: ["bob"])]
        #expect(
            try exported(MarkdownExport.self, message("see https://example.org/a_b, @bob"), answer) == #"""
                # #example, November 2026

                Account demo on irc. Times are in Europe/Berlin.

                ## Saturday, 21 November 2026

                - 07:23:11 **alice**: see <https://example.org/a_b>, `@bob`
                - 07:23:12 **alice** *(edited; in reply to bob: \*there\*?)*: yes,\
                  2\. and no\
                  *reaction* 👍 (bob)

                """#)
    }

    @Test(arguments: [
        ("*a* _b_ snake_case ~c~", #"\*a\* \_b\_ snake_case \~c\~"#),
        ("[a](https://example.org)", #"\[a\](<https://example.org>)"#),
        ("<b>&amp;`x`</b> a|b $x$", #"\<b\>\&amp;\`x\`\</b\> a\|b \$x\$"#),
        ("https://user@evil.example www.example.org", #"https\://user`@evil`.example www\.example.org"#),
        ("@alice@bob @ me a@b.c", "`@alice@bob` @ me a`@b`.c"),
        ("\u{1B}[31m \\", #"\\u{1B}\[31m \\"#),
        (
            "a\n# b\n- c\n===\n+ d\n12) e\n    f\n\ng\n\n",
            "a\\\n\\# b\\\n\\- c\\\n\\===\\\n\\+ d\\\n12\\) e\\\nf\\\n\\\ng"
        ),
    ])
    func `Markdown's special characters are escaped`(body: String, markdown: String) {
        #expect(MarkdownText.lines(body, indent: "") == markdown)
    }

    @Test func `preformatted lines keep their form in a fence that they can't end`() throws {
        let code = "if a {\n\t```\n    <b>\n}"
        #expect(
            try exported(MarkdownExport.self, message(code)).hasSuffix("- 07:23:11 **alice**:\n\n````\n\(code)\n````\n")
        )
    }

    @Test(arguments: [" \u{3000}alice ", "**x**", "", " ", "a\nb"])
    func `a name's bold marks are always valid`(name: String) throws {
        let document = try exported(MarkdownExport.self, message("hi", sender: name))
        let line = try #require(document.utf8.split(separator: UInt8(ascii: "\n")).last.map { String(Substring($0)) })
        #expect(line.wholeMatch(of: /- 07:23:11 \*\*\S(.*\S)?\*\*: hi/) != nil)
    }
}

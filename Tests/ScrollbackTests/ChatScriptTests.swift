import Rendering
import Testing

@testable import ChatClient
@testable import Settings

struct ChatScriptTests {
    @Test(arguments: [
        ("a\nb\r\n\n가\n", ["a", "b", "", "가"]), ("a", ["a"]), ("", []), ("\n", [""]), ("a\r", ["a"]),
        ("a\rb\n", ["a\rb"]),
    ])
    func `lines end at LF or CRLF at every split`(text: String, expected: [String]) {
        let bytes = Array(text.utf8)
        for split in 0...bytes.count {
            var splitter = ScriptLineSplitter(maximumBytes: 100)
            var lines = splitter.split(Array(bytes[..<split])) + splitter.split(Array(bytes[split...]))
            if let last = splitter.finish() { lines.append(last) }
            #expect(lines == expected.map { .text($0) })
        }
    }

    @Test func `a line that is too long or invalid UTF-8 is reported, and the next is read`() {
        var splitter = ScriptLineSplitter(maximumBytes: 4)
        #expect(splitter.split(Array("1234\r\n12345\n1234\n".utf8)) == [.text("1234"), .tooLong, .text("1234")])
        #expect(splitter.split([0xFF, 0x0A, 0x61, 0x0A]) == [.notUTF8, .text("a")])
        for _ in 0..<100 { #expect(splitter.split([UInt8](repeating: 0x61, count: 4096)).isEmpty) }
        #expect(splitter.finish() == .tooLong)
        #expect(splitter.finish() == nil)
    }

    @Test func `refused lines are counted, and empty ones are not`() {
        var script = ChatScript()
        #expect(script.next(.text("hi")) == .send("hi"))
        #expect(script.next(.text("")) == .skip)
        #expect(
            script.next(.text("a::END"))
                == .refuse("line 3 was not sent: the message contains \"::END\", which StreamChat reserves"))
        #expect(script.next(.tooLong) == .refuse("line 4 was not sent: the message has over 16384 bytes"))
        #expect(script.next(.notUTF8) == .refuse("line 5 was not sent: the message is not UTF-8"))
        let report = ChatReport(ending: .left(hasArrived: true), script: script)
        #expect(report.error?.description == "3 of 4 lines were not sent; the reasons are above")
    }

    @Test func `a server without echoes is reported once`() {
        var script = ChatScript()
        _ = script.next(.text("hi"))
        #expect(script.wasNotConfirmed() == "line 1 was sent, but the server did not send it back; continuing")
        #expect(script.wasNotConfirmed() == nil)
    }

    @Test(arguments: ["a\nb", "a\u{0}", "\u{1B}[31m", "\u{9B}A", "a\r"])
    func `a text that a line can't carry is refused`(text: String) {
        #expect(ChatText.problem(text)?.hasPrefix("the message contains a control character, \\u{") == true)
    }

    @Test(arguments: ["a\tb", "  ", "a::b", "한국어", "\u{202E}x", String(repeating: "👨‍👩‍👧‍👦", count: 300)])
    func `any other text is accepted`(text: String) {
        #expect(ChatText.problem(text) == nil)
    }

    @Test func `300 Characters with too many marks exceed a frame`() {
        #expect(ChatText.problem("a" + String(repeating: "\u{301}", count: 9000))?.contains("bytes") == true)
    }

    @Test(arguments: ["", "elevenchars", "a::b", "a\nb", "\u{1B}"])
    func `an impossible name is refused`(name: String) {
        #expect(ChatText.problem(name: name) != nil)
    }
}

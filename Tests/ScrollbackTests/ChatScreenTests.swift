import TestSupport
import Testing

@testable import ChatClient
@testable import Rendering
@testable import Settings

struct ChatScreenTests {
    /// A screen, what it was told to write, and what it did with what was typed.
    private struct Trial {
        var screen: ChatScreen
        var model: ScreenModel
        var sent: [String] = []
        var actions: [ChatScreen.Action] = []

        init(columns: Int = 40) {
            screen = ChatScreen(columns: columns, style: .plain)
            model = ScreenModel(columns: columns)
            model.write(screen.open())
        }

        mutating func type(_ text: String, split: Bool = false) {
            for part in split ? text.utf8.map({ [$0] }) : [Array(text.utf8)] {
                var sent: [String] = []
                let (output, actions) = screen.typed(part) { text in
                    if let problem = ChatText.problem(text) { return problem }
                    sent.append(text)
                    return nil
                }
                model.write(output)
                self.sent += sent
                self.actions += actions
            }
        }

        mutating func show(_ text: String) {
            model.write(screen.show(text))
        }
    }

    @Test(arguments: [false, true])
    func `typed text is below arriving messages, with its length`(split: Bool) {
        var trial = Trial()
        trial.type("안녕", split: split)
        #expect(trial.model.lines == ["  2/300> 안녕"])
        trial.show("12:00  bob  hi\n")
        #expect(trial.model.lines == ["12:00  bob  hi", "  2/300> 안녕"])
        #expect(trial.model.column == 13)
        trial.type("하\r", split: split)
        #expect(trial.sent == ["안녕하"])
        trial.show("12:00  me  안녕하\n")
        #expect(trial.model.lines == ["12:00  bob  hi", "12:00  me  안녕하", "  0/300>"])
    }

    @Test func `length is counted in Characters, and backspace removes one`() {
        var trial = Trial()
        trial.type("한e\u{301}👨‍👩‍👧‍👦")
        #expect(trial.model.last.hasPrefix("  3/300> "))
        #expect(trial.model.column == 9 + 2 + 1 + 2)
        trial.type("\u{7F}")
        #expect(trial.model.last == "  2/300> 한e\u{301}")
        trial.type("\u{7F}\u{7F}\u{7F}")
        #expect(trial.model.last == "  0/300>")
    }

    @Test func `a text of 300 Characters is sent, and one of 301 is refused and stays`() {
        var trial = Trial(columns: 80)
        let longest = String(repeating: "가", count: 300)
        trial.type(longest + "\r")
        #expect(trial.sent == [longest])
        trial.type(longest + "나")
        #expect(trial.model.last.hasPrefix("301/300! "))
        trial.type("\r")
        #expect(trial.sent.count == 1)
        #expect(
            trial.model.lines.dropLast().joined(separator: " ").hasPrefix("not sent: the message has 301 characters"))
        trial.type("\u{7F}")
        #expect(trial.model.lines.count == 1, "the reason goes with the next key")
        trial.type("\r")
        #expect(trial.sent == [longest, longest])
    }

    @Test(arguments: ["::END", "USR_NAME::", "LEAVE::", "MSG::", "MSG::\u{301}"])
    func `a text with reserved parts is refused and can be corrected`(reserved: String) {
        var trial = Trial()
        trial.type("a\(reserved)\r")
        #expect(trial.sent.isEmpty)
        #expect(trial.model.lines.joined(separator: " ").hasPrefix("not sent: the message contains"))
        trial.show("12:00  bob  hi\n")
        #expect(trial.model.lines.joined().contains("not sent: "), "what arrives does not hide the reason")
        trial.type("\u{15}")
        #expect(trial.model.lines == ["12:00  bob  hi", "  0/300>"])
        trial.type("b\r")
        #expect(trial.sent == ["b"])
    }

    @Test func `a refused text is not sent with the rest of its read`() {
        var trial = Trial()
        trial.type("MSG::\rgood\r")
        #expect(trial.sent.isEmpty)
        #expect(trial.screen.text == "MSG::good")
    }

    @Test func `an empty line is not sent`() {
        var trial = Trial()
        trial.type("\r\r")
        #expect(trial.sent.isEmpty && trial.actions.isEmpty)
    }

    @Test func `a paste of several lines becomes one line and is not sent`() {
        var trial = Trial()
        #expect(trial.model.isPasteBracketed)
        trial.type("\u{1B}[200~one\r\ntwo\nthree\n\u{1B}[201~", split: true)
        #expect(trial.sent.isEmpty)
        #expect(trial.model.last == " 13/300> one two three")
        trial.type("\r")
        #expect(trial.sent == ["one two three"])
    }

    @Test func `Ctrl-D leaves only on an empty line, and Ctrl-C on any`() {
        var trial = Trial()
        trial.type("a\u{4}")
        #expect(trial.actions.isEmpty)
        #expect(trial.model.lines.first?.hasPrefix("Ctrl-D leaves when") == true)
        trial.type("\u{1}\u{4}")
        #expect(trial.screen.text.isEmpty)
        trial.type("\u{4}")
        #expect(trial.actions == [.leave])
        trial.type("b\u{3}\u{1A}")
        #expect(trial.actions == [.leave, .leave, .suspend])
    }

    @Test(
        .disabled(if: QuickCheck.isRunning), arguments: 1...40,
        [
            "가나다라마바사아자차카타파하", "abcdefghijklmnopqrstuvwxyz", "👨‍👩‍👧‍👦e\u{301}a👨‍👩‍👧‍👦b가e\u{301}\u{202E}x",
            "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}한글",
        ])
    func `a long line scrolls on one row, with the cursor visible and no Character cut`(columns: Int, text: String) {
        var trial = Trial(columns: columns)
        for character in text {
            trial.type(String(character))
            check(trial)
        }
        for key in Array(repeating: "\u{1B}[D", count: text.count + 1) + Array(repeating: "\u{1B}[C", count: text.count)
        {
            trial.type(key)
            check(trial)
        }
        for _ in text { trial.type("\u{7F}") }
        #expect(trial.screen.text.isEmpty)
        check(trial)
    }

    private func check(_ trial: Trial) {
        #expect(trial.model.lines.count == 1)
        #expect(DisplayWidth.of(trial.model.last) < max(2, trial.model.columns))
        #expect(trial.model.column < trial.model.columns)
        let seen = Set(trial.model.last.drop { $0 != ">" })
        #expect(seen.isSubset(of: Set("> …" + Sanitizer.line(trial.screen.text))))
    }

    @Test func `the end of the text before the cursor is visible`() {
        var trial = Trial(columns: 20)
        trial.type("가나다라마바사아자차카타파하")
        #expect(trial.model.last.hasSuffix("하"))
        #expect(trial.model.last.contains("> …"))
        trial.type("\u{1}")
        #expect(trial.model.last.hasPrefix(" 14/300> 가"))
        #expect(trial.model.last.hasSuffix("…"))
        #expect(trial.model.column == 9)
    }

    @Test func `a new width applies at once, and lines that it wrapped are erased`() {
        var trial = Trial(columns: 40)
        trial.show("12:00  bob  hi\n")
        trial.type("가나다라마바사아자차카타파하")
        #expect(trial.model.column == 37)
        // To 20 columns: the terminal makes two rows of the line, and the cursor stands in the second.
        let output = trial.screen.resized(columns: 20)
        #expect(output.hasPrefix("\u{1B}[1A\r\u{1B}[J"))
        #expect(
            DisplayWidth.of(
                output.split(separator: "\u{1B}[J").last?.split(separator: "\r").first.map(String.init) ?? "") < 20)
    }

    @Test func `Ctrl-L clears the screen and keeps the line`() {
        var trial = Trial()
        trial.show("12:00  bob  hi\n")
        trial.type("a\u{C}")
        #expect(trial.model.lines.first == "  1/300> a")
    }

    @Test func `after closing, the input line is gone, and arriving messages are still shown`() {
        var trial = Trial()
        trial.type("MSG::\r")
        trial.model.write(trial.screen.close())
        #expect(trial.model.lines == [""])
        #expect(!trial.model.isPasteBracketed)
        trial.show("12:00  bob  hi\n")
        #expect(trial.model.lines == ["12:00  bob  hi", ""])
        trial.model.write(trial.screen.open())
        #expect(trial.model.last == "  5/300> MSG::", "and it opens again")
    }

    @Test func `a full line is reported`() {
        var trial = Trial()
        trial.type(String(repeating: "a", count: LineEditor.maximumScalars + 1))
        #expect(trial.model.lines.joined().contains("the line is full"))
    }

    @Test func `the counter has the warning colour over the limit`() {
        var screen = ChatScreen(columns: 40, style: Style(isColored: true))
        _ = screen.open()
        #expect(screen.typed([UInt8](repeating: 0x61, count: 300)) { _ in nil }.output.contains("\u{1B}[2m300/300> "))
        #expect(screen.typed([0x61]) { _ in nil }.output.contains("\u{1B}[33m301/300! "))
    }
}

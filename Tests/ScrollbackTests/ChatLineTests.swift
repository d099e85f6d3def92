import Testing

@testable import ChatClient

struct ChatLineTests {
    @Test(arguments: [
        ("hello", ChatLine.message("hello")), (" /quit", .message(" /quit")), ("//quit", .message("/quit")),
        ("///", .message("//")), ("//", .message("/")), ("/me 웃는다", .message("*웃는다*")), ("/ME  x y", .message("*x y*")),
        ("/quit", .quit), ("/Quit now", .quit), ("/help", .help), ("/help me", .help), ("a /quit", .message("a /quit")),
        ("/me", .refused("/me needs a text")), ("/me ", .refused("/me needs a text")),
    ])
    func `a line that begins with one slash is a command, and any other a message`(text: String, line: ChatLine) {
        #expect(ChatLine(text) == line)
    }

    @Test(arguments: ["/", "/x", "/quiet", "/mew", "/etc/passwd is a file", "/종료", "/ quit"])
    func `an unknown command is refused with advice to send it as a message`(text: String) throws {
        guard case .refused(let reason) = ChatLine(text) else {
            Issue.record("\(text) is taken")
            return
        }
        #expect(reason.hasPrefix("no command /"))
        #expect(reason.hasSuffix("; to send the line, begin it with //"))
    }
}

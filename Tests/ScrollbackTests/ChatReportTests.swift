import Rendering
import Testing

@testable import ChatClient

struct ChatReportTests {
    @Test func `leaving with everything sent reports nothing`() {
        let report = ChatReport(ending: .left(hasArrived: true))
        #expect(report.error == nil && report.note == nil)
    }

    @Test func `unsent text is reported, whoever ended the chat`() {
        let left = ChatReport(ending: .left(hasArrived: true), unsent: ["안녕"])
        #expect(left.error == nil)
        #expect(left.note == "not sent: \"안녕\"")
        let lost = ChatReport(ending: .lost("the server closed the connection"), unconfirmed: ["one"], unsent: ["two"])
        #expect(
            lost.error?.description
                == "the server closed the connection; the server may not have received \"one\"; not sent: \"two\"")
        #expect(lost.note == nil)
    }

    @Test func `leaving with unconfirmed messages is reported`() {
        let report = ChatReport(ending: .left(hasArrived: false), unconfirmed: ["one"])
        #expect(report.error?.detail == "the server did not confirm what was sent last")
        #expect(ChatReport(ending: .left(hasArrived: false)).error == nil)
    }

    @Test func `a server that never answers is reported as possibly refusing`() {
        let report = ChatReport(ending: .lost("the server closed the connection"), wasAnswered: false)
        #expect(report.error?.hint == "the server may refuse the name, or be full")
    }

    @Test func `a script learns the line where it stopped`() {
        var script = ChatScript()
        _ = script.next(.text("a"))
        _ = script.next(.text("MSG::"))
        let report = ChatReport(ending: .lost("gone"), unconfirmed: ["a"], script: script)
        #expect(
            report.error?.description
                == "gone; lines refused: 1; the server may not have received \"a\"; the lines after line 2 of stdin were not sent"
        )
        script.fail("Is a directory")
        #expect(
            ChatReport(ending: .left(hasArrived: true), script: script).error?.description
                == "can't read stdin: Is a directory")
    }
}

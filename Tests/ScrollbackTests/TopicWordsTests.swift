import ChatModel
import Foundation
import Testing

@testable import Exporting
@testable import Rendering

/// Topics that are set, removed, or stood when the account joined, in the words of every document.
struct TopicWordsTests {
    private static func topic(
        _ body: String?, by sender: String? = "alice", flags: MessageFlags = [], setAt: Timestamp? = nil,
        deletedAt: Timestamp? = nil
    ) -> Message {
        var message = message(body, kind: .topic, sender: sender, flags: flags, deletedAt: deletedAt)
        message.sourceTime = setAt
        return message
    }

    /// 2023-11-14T22:13:20Z
    private static let setAt = Timestamp(microseconds: 1_700_000_000_000_000)

    private static let words: [(Message, String)] = [
        (topic("plans"), "alice sets the topic: plans"),
        (topic(""), "alice removes the topic"), (topic(nil), "alice removes the topic"),
        (topic(nil, flags: .wiped, deletedAt: sampleTime), "alice sets the topic:"),
        (topic("plans", flags: .standing, setAt: setAt), "the topic is: plans (set by alice, 2023-11-14 23:13)"),
        (topic("plans", flags: .standing), "the topic is: plans (set by alice)"),
        (topic("plans", by: nil, flags: .standing, setAt: setAt), "the topic is: plans (set 2023-11-14 23:13)"),
        (topic("plans", by: nil, flags: .standing), "the topic is: plans"),
        (topic("", by: nil, flags: .standing), "the topic was removed"),
    ]

    @Test(arguments: words)
    func `every document shows whether a topic is set, removed or standing`(message: Message, words: String) throws {
        let berlin = try zone("Europe/Berlin")
        let line = MessageLine(message, zone: berlin)
        #expect(line.text.text == "-- \(words)" && line.name.isEmpty)
        let marks = message.deletedAt == nil ? "" : "         ~ (deleted)\n"
        #expect(try exported(TextExport.self, message).contains("07:23:11 -!- \(words)\n\(marks)"))
        let markdown = try exported(MarkdownExport.self, message).replacing("*", with: "").replacing("\\", with: "")
        #expect(
            markdown.contains("07:23:11 \(words)" + (message.deletedAt == nil ? "\n" : " (deleted)\n")), "\(markdown)")
        let html = try StrictHTML(exported(HTMLExport.self, message)).text
        #expect(html.contains(words), "\(html)")
    }

    @Test func `a standing topic's name can't inject markup or control characters`() throws {
        let message = Self.topic("x", by: "<b>\u{1B}*", flags: .standing)
        #expect(MessageLine(message, zone: .gmt).text.text == "-- the topic is: x (set by <b>\\u{1B}*)")
        #expect(try StrictHTML(exported(HTMLExport.self, message)).text.contains("(set by <b>\\u{1B}*)"))
        #expect(try exported(MarkdownExport.self, message).contains(#"(set by \<b\>\\u{1B}\*)"#))
    }
}

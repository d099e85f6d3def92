import ChatModel
import Testing

@testable import LogFormats

struct IITests {
    private func read(_ lines: String..., path: String = "irc/irc.example.net/#example/out") throws -> LogReading {
        try LogReading(IIFormat.self, lines.map { "1795242191 \($0)\n" }.joined(), path: path, zone: "Asia/Seoul")
    }

    @Test(arguments: [
        ("<alice> hi: all", "alice: hi: all"), ("<alice> \u{1}ACTION waves\u{1}", "action alice: waves"),
        ("-!- bob(~bob@host) has joined #example", "join bob"), ("-!- bob(~bob@host) has left #example", "leave bob"),
        ("-!- bob(~bob@host) has quit \"\"bye\"\"", "leave bob: \"bye\""),
        ("-!- alice kicked bob (\"loud (really)\")", "kick alice: bob: loud (really)"),
        ("-!- alice kicked bob  (\"loud\")", "kick alice: bob: loud"),
        ("-!- bob changed nick to bob2", "rename bob: bob2"),
        ("-!- alice changed topic to \"a \"b\"\"", "topic alice: a \"b\""),
        ("-!- alice changed topic to \"\"", "topic alice: "),
        ("-!- alice changed mode/#example -> +o bob ", "mode alice: +o bob"), ("-!- \"psst\")", "system: \"psst\")"),
        ("Welcome", "system: Welcome"), ("<alice> -!- bob(~b@h) has joined #x", "alice: -!- bob(~b@h) has joined #x"),
    ])
    func `a line has its kind, sender and text, at its second`(line: String, told: String) throws {
        let read = try read(line)
        #expect(read.told == [told])
        #expect(read.times == ["21T06:23:11"])
        #expect(read.messages.allSatisfy { $0.room == "#example" && !$0.isDirect })
    }

    @Test(arguments: [
        ("irc/irc.example.net/#______/out", "-!- bob(~b@h) has joined #한국", "#한국", false),
        ("irc/irc.example.net/alice/out", "<alice> hi", "alice", true),
        ("irc/irc.example.net/out", "-!- bob changed nick to bob2", "irc.example.net", false),
        ("irc/localhost/out", "Welcome", "localhost", false),
    ])
    func `the folder or a join names the room`(path: String, line: String, room: String, isDirect: Bool) throws {
        let read = try read(line, path: path)
        #expect(read.messages.map(\.room) == [room])
        #expect(read.messages.map(\.isDirect) == [isDirect])
        let source = LogReading.source(Array("1795242191 \(line)".utf8), path: path)
        #expect(IIFormat.accountName(in: source) == (path.contains("localhost") ? "localhost" : "irc.example.net"))
    }

    @Test func `in a conversation of two, a notice is the other person's`() throws {
        #expect(
            try read("<alice> hi", "-!- \"psst\")", path: "irc/irc.example.net/alice/out").told.last
                == "notice alice: psst")
    }

    @Test func `another file of numbers is not a log`() {
        #expect(Export.recognising("1795242191 <alice> hi\n", path: "a.log") == [])
        #expect(Export.recognising("built\nlinked\n", path: "out") == [])
    }
}

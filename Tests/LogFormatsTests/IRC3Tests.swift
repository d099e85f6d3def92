import ChatModel
import Testing

@testable import LogFormats

struct IRC3Tests {
    @Test(arguments: [
        ("<alice> \u{1}ACTION waves\u{1}", "action alice: waves"), ("<alice> \u{1}PING\u{1}", "alice: \u{1}PING\u{1}"),
        ("alice has joined #example", "join alice"), ("alice has left #example (bye)", "leave alice: bye"),
        ("alice has quit (bye)", "leave alice: bye"), ("alice has set topic to: words", "topic alice: words"),
        ("alice has set topic to: ", "topic alice: "), ("alice has set sail", "system: alice has set sail"),
    ])
    func `irc3's lines are read`(line: String, told: String) throws {
        let read = try LogReading(IRC3Format.self, "06:22 <bob> hi\n06:23 \(line)", path: "#example-2026-11-21.log")
        #expect(read.told == ["bob: hi", told])
    }

    @Test(arguments: [
        ("06:23 <alice> hi\n06:24 bob has joined #example", "irc3"), ("06:23 < alice> hi", "irssi"),
        ("06:23 <@alice> hi", "irssi"), ("06:23 <alice> hi\n06:24 -!- bob [~b@host] has joined #example", "irssi"),
    ])
    func `a log with irssi's names or marks is irssi's`(text: String, format: String) {
        #expect(Export.recognising(text, path: "#example-2026-11-21.log") == [format])
    }

    @Test func `a channel with a slash is a folder and a file`() throws {
        let (path, text) = ("irc3/#Mix/ed-2026-11-21.log", "06:23 <alice> hi\n")
        #expect(Export.recognising(text, path: path) == ["irc3"])
        #expect(try LogReading(IRC3Format.self, text, path: path).messages.map(\.room) == ["#Mix/ed"])
    }
}

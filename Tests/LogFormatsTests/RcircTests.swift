import ChatModel
import Testing

@testable import LogFormats

struct RcircTests {
    private static let path = "#example@irc.example.net.2026-11-21"

    @Test(arguments: [
        ("<alice> hi", "alice: hi"), ("<alice> <bob> pasted", "alice: <bob> pasted"),
        ("[alice waves]", "action alice: waves"),
        ("[[al] acts with [brackets]]", "action [al]: acts with [brackets]"), ("-alice- psst", "notice alice: psst"),
        ("*** alice JOIN ", "join alice"), ("*** alice PART #example bye (now)", "leave alice: bye (now)"),
        ("*** alice PART #example ", "leave alice"), ("*** alice QUIT \"why\"", "leave alice: \"why\""),
        ("*** alice KICK bob #example loud (really)", "kick alice: bob: loud (really)"),
        ("*** alice NICK [al]", "rename alice: [al]"), ("*** alice TOPIC all: about", "topic alice: all: about"),
        ("*** alice TOPIC ", "topic alice: "), ("*** alice MODE +oo bob carol", "mode alice: +oo bob carol"),
        ("***  NAMES @alice bob", "system: ***  NAMES @alice bob"), ("/nick bob2", "system: /nick bob2"),
        ("[alice has joined #example]", "action alice: has joined #example"),
    ])
    func `rcirc's lines are read`(line: String, told: String) throws {
        let read = try LogReading(RcircFormat.self, "06:23 \(line)", path: Self.path)
        #expect(read.told == [told])
        #expect(read.messages.map { "\($0.room) \($0.isDirect)" } == ["#example false"])
        #expect(read.times == ["21T06:23:00"])
    }

    @Test(arguments: [
        ("rcirc-log/#Mix/ed@irc.example.net.2026-11-21", "#Mix/ed", false),
        ("rcirc-log/alice@irc.example.net.2026-11-21.log", "alice", true), ("#한국.2026-11-21.log", "#한국", false),
        ("irc.example.net.2026-11-21", "irc.example.net", false),
    ])
    func `the file's name has the room and the day of the first line`(path: String, room: String, isDirect: Bool) throws
    {
        let read = try LogReading(RcircFormat.self, "23:59 <alice> hi\n00:01 <alice> bye\n", path: path)
        #expect(read.messages.allSatisfy { $0.room == room && $0.isDirect == isDirect })
        #expect(read.times == ["21T23:59:00", "22T00:01:00"])
        #expect(read.assumptions.contains { $0.hasPrefix("days assumed to begin at midnight") })
    }

    @Test func `a conversation of two is rcirc's before its first event`() throws {
        let text = "06:23 <alice> hi\n06:24 <me> hello\n"
        #expect(Export.recognising(text, path: "alice@irc.example.net.2026-11-21") == ["rcirc"])
        let read = try LogReading(RcircFormat.self, text, path: "alice@irc.example.net.2026-11-21")
        #expect(read.messages.map { "\($0.room) \($0.isDirect)" } == ["alice true", "alice true"])
        #expect(read.told == ["alice: hi", "me: hello"])
    }

    @Test(arguments: [
        "irclogs/xmpp:me@example.org/alice@example.net.2026-11-21", "irclogs/example/alice@example.net.2026-11-21.log",
        "irclogs/example/alice.2026-11-21", "irclogs/example/alice.b@example.net.2026-11-21",
        "irclogs/example/alice@example.2026-11-21",
    ])
    func `a conversation of irssi stays irssi's`(path: String) {
        #expect(Export.recognising("06:23 <alice> hi\n06:24 <me> hello\n", path: path) == ["irssi"])
    }

    @Test func `without a date in the name, the error says to add one`() {
        let text = "06:23 *** alice JOIN \n06:23 <alice> hi\n"
        #expect(Export.recognising(text, path: "#example@irc.example.net") == ["rcirc"])
        #expect(
            throws: LogSourceError.unusable(
                reason: "logs of rcirc have no dates",
                hint: "rename the file after the day of its first line, such as #example@irc.example.net.2026-11-21")
        ) { try LogReading(RcircFormat.self, text, path: "#example@irc.example.net") }
    }

    @Test(arguments: [
        ("#example.2026-11-21.log", "06:23 -!- bob [~bob@host] has joined #example", "irssi"),
        ("#example.2026-11-21.log", "06:23 < bob> hi", "irssi"),
        ("#example-2026-11-21.log", "06:23 bob has joined #example", "irc3"),
        ("#example.2026-11-21", "06:23 <alice> hi\n06:23 *** alice QUIT bye", "rcirc"),
    ])
    func `only rcirc's lines make a log rcirc's`(path: String, text: String, format: String) {
        #expect(Export.recognising(text, path: path) == [format])
    }
}

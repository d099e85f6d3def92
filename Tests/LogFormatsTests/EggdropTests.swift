import ChatModel
import Testing

@testable import LogFormats

struct EggdropTests {
    private func read(_ lines: String..., path: String = "logs/#example.log.21Nov2026") throws -> LogReading {
        try LogReading(EggdropFormat.self, lines.map { "[06:23:11] \($0)\n" }.joined(), path: path)
    }

    @Test(arguments: [
        ("<alice> hi: all", "alice: hi: all"), ("Action: alice waves", "action alice: waves"),
        ("-alice:#example- psst", "notice alice: psst"), ("bob (~bob@host) joined #example.", "join bob"),
        ("bot joined #example.", "join bot"), ("bob (~bob@host) left #example.", "leave bob"),
        ("bob (~bob@host) left #example (bye (now)).", "leave bob: bye (now)"),
        ("bob (~bob@host) left irc: \"bye\"", "leave bob: \"bye\""),
        ("bob kicked from #example by alice: loud [yes]", "kick alice: bob: loud [yes]"),
        ("Nick change: bob -> bob2", "rename bob: bob2"),
        ("Topic changed on #example by alice!~alice@host: a: b", "topic alice: a: b"),
        ("Topic changed on #example by alice!~alice@host: ", "topic alice: "),
        ("#example: mode change '+tn ' by alice!~alice@host", "mode alice: +tn"),
        ("Last message repeated 2 time(s).", "system: Last message repeated 2 time(s)."),
        ("JOIN flood from @host!  Banning.", "system: JOIN flood from @host!  Banning."),
        // What people write is never an event.
        ("Action: alice joined #example.", "action alice: joined #example."),
        ("<alice> Nick change: bob -> eve", "alice: Nick change: bob -> eve"),
    ])
    func `a line has its kind, sender and text`(line: String, told: String) throws {
        let read = try read(line)
        #expect(read.told == [told])
        #expect(read.times == ["21T06:23:11"])
        #expect(read.messages.allSatisfy { $0.room == "#example" && !$0.isDirect })
    }

    @Test func `the first day is the one before the first line with a date`() throws {
        let text = "[23:59:59] <a> 1\n[00:00:00] --- Sun Nov 22 2026\n[00:00:01] bob (~bob@host) joined #example.\n"
        for padding in ["", String(repeating: "[23:59:59] <a> 1\n", count: 5000)] {
            let read = try LogReading(EggdropFormat.self, padding + text, path: "logs/example.log")
            #expect(Set(read.times.dropLast()) == ["21T23:59:59"])
            #expect(read.times.last == "22T00:00:01")
            #expect(read.messages.last?.room == "#example")
        }
        #expect(throws: LogSourceError.noDate) {
            try LogReading(EggdropFormat.self, "[23:59:59] Action: alice waves\n", path: "logs/example.log")
        }
    }

    @Test func `the bot's own log has events of several channels, and what people say to the bot`() throws {
        let read = try read(
            "bot joined #a.", "bot joined #b.", "[alice!~alice@host] hi", "Action to bot: alice waves",
            "-alice (~alice@host)- psst", "Writing user file...", path: "logs/eggdrop.log.21Nov2026")
        #expect(
            read.told == [
                "join bot", "join bot", "alice: hi", "action alice: waves", "notice alice: psst",
                "system: Writing user file...",
            ])
        #expect(read.messages.map(\.room) == ["#a", "#b", "alice", "alice", "alice", "eggdrop"])
        #expect(read.messages.map(\.isDirect) == [false, false, true, true, true, false])
    }

    @Test(arguments: [
        ("[06:23:11] <alice> hi\n[06:23:12] Nick change: a -> b", "eggdrop"), ("[06:23:11] <alice> hi", "znc"),
        ("[06:23] <alice> hi\n[06:24] <alice> Nick change: a -> b", "energymech"),
        ("[06:23:11] <alice> hi\n[06:23:12] * bob (~b@h) joined #example.", "znc"),
    ])
    func `only eggdrop's own lines make a log eggdrop's`(text: String, format: String) {
        #expect(Export.recognising(text, path: "#example_20261121.log") == [format])
    }
}

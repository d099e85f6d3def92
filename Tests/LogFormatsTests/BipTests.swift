import ChatModel
import Testing

@testable import LogFormats

struct BipTests {
    private static let path = "logs/carol/libera/2026-11/#example.21.log"

    private func read(_ lines: String..., path: String = path) throws -> LogReading {
        try LogReading(BipFormat.self, lines.map { "21-11-2026 06:23:11 \($0)\n" }.joined(), path: path)
    }

    @Test(arguments: [
        ("< alice!~alice@host: hi: all", "alice: hi: all"), ("> carol: hi", "carol: hi"),
        ("< alice!~a@2001:db8::1: hi", "alice: hi"),
        ("< * alice!~alice@host waves", "action alice: waves"), ("> * carol waves", "action carol: waves"),
        ("-!- bob!~bob@host has joined #example", "join bob"), ("-!- bob!~bob@host has left #example []", "leave bob"),
        ("-!- bob!~bob@host has left #example [bye [now]]", "leave bob: bye [now]"),
        ("-!- bob!~bob@host has quit [\"bye\"]", "leave bob: \"bye\""),
        ("-!- bob has been kicked by alice!~alice@host [loud]", "kick alice: bob: loud"),
        ("-!- bob is now known as bob2", "rename bob: bob2"),
        ("-!- alice!~alice@host changed topic of #example to: a: b", "topic alice: a: b"),
        ("-!- alice!~alice@host changed topic of #example to: ", "topic alice: "),
        ("-!- mode/#example [+b *!*@[a]] by alice!~alice@host", "mode alice: +b *!*@[a]"),
        ("-!- something else", "system: something else"), ("words", "system: words"),
        // What people write is never an event.
        ("< * alice!~alice@host has joined #example", "action alice: has joined #example"),
        ("< alice!~alice@host: -!- bob has joined", "alice: -!- bob has joined"),
    ])
    func `a line has its kind, sender and text`(line: String, told: String) throws {
        let read = try read(line)
        #expect(read.told == [told])
        #expect(read.times == ["21T06:23:11"])
        #expect(read.messages.allSatisfy { $0.room == "#example" && !$0.isDirect && $0.resolution == .second })
    }

    @Test(arguments: [
        (path, "#example", false), ("logs/carol/libera/2026-11/#mix/ed.21.log", "#Mix/ed", false),
        ("logs/carol/libera/2026-11/alice.21.log", "alice", true), ("bip/#example.2026-11-21.log", "#example", false),
    ])
    func `the path names the room and the network`(path: String, room: String, isDirect: Bool) throws {
        let joined = path.contains("mix") ? "-!- bob!~bob@host has joined #Mix/ed" : "< alice!~a@host: hi"
        let read = try read("< alice!~a@host: hi", joined, path: path)
        #expect(Set(read.messages.map(\.room)) == [room])
        #expect(read.messages.map(\.isDirect) == [isDirect, isDirect])
        let source = LogReading.source(Array("21-11-2026 06:23:11 < alice!~a@host: hi".utf8), path: path)
        #expect(Recognition.claims(on: source).map { $0.name } == ["bip"])
        #expect(BipFormat.accountName(in: source) == (path.hasPrefix("logs") ? "libera" : "bip"))
    }
}

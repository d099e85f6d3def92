import ChatModel
import Testing

@testable import LogFormats

struct KVIrcTests {
    private static let path = "log/channel_#example.libera_2026.11.21.log"
    private static func nick(_ name: String) -> String { "\r!n\r\(name)\r" }
    private static func who(_ name: String) -> String { nick(name) + " [~\(name)@\r!h\rhost\r]" }

    private func read(_ lines: String..., path: String = path) throws -> LogReading {
        try LogReading(KVIrcFormat.self, lines.map { $0 + "\n" }.joined(), path: path)
    }

    private static let cases = [
        ("25 [06:23:11] <\u{3}10@\r!nc\ralice\r\u{3}> hi: all", "alice: hi: all"),
        ("24 [06:23:11] <\u{3}1,8\r!nc\rcarol\r\u{3}> hi", "carol: hi"),
        ("25 [06:23:11] <\u{3}5\r!nc\r[a]\r\u{3}> \(nick("bob")): <b> *c*", "[a]: bob: <b> *c*"),
        ("77 [06:23:11] *\u{3}5\r!nc\rbob\r\u{3}* psst", "notice bob: psst"),
        ("32 [06:23:11] \(nick("alice")) waves at \(nick("bob"))", "action alice: waves at bob"),
        ("20 [06:23:11] \(who("bob")) has joined \r!c\r#example\r", "join bob"),
        ("21 [06:23:11] \(who("bob")) ha lasciato \r!c\r#example\r: bye: now", "leave bob: bye: now"),
        ("21 [06:23:11] \(who("[b]")) has left \r!c\r#example\r", "leave [b]"),
        ("34 [06:23:11] \(who("bob")) has quit IRC: \"bye\"", "leave bob: \"bye\""),
        ("37 [06:23:11] \(who("bob")) is now known as \(nick("bob2"))", "rename bob: bob2"),
        (
            "71 [06:23:11] \(who("bob")) has been kicked from \r!c\r#example\r by \(who("alice")): loud [yes]: \(nick("bob"))",
            "kick alice: bob: loud [yes]: bob"
        ),
        ("23 [06:23:11] \(who("alice")) has changed topic to \"a \"b\" c\u{F}\"", "topic alice: a \"b\" c"),
        ("23 [06:23:11] \(who("alice")) has changed topic to \"\u{F}\"", "topic alice: "),
        (
            "38 [06:23:11] \(who("alice")) has set mode \r!c\r+oo\r \(nick("bob")) \(nick("eve"))",
            "mode alice: +oo bob eve"
        ),
        ("46 [06:23:11] \(who("alice")) has set mode -b \r!m+b *!*@h\r*!*@h\r", "mode alice: -b *!*@h"),
        ("15 [06:23:11] Channel synchronized", "system: Channel synchronized"),
    ]

    @Test(arguments: cases)
    func `the number of a line gives its kind in every language`(line: String, told: String) throws {
        let read = try read("144 [06:23:10] ### Log session started ###", line)
        #expect(read.told == [told])
        #expect(read.times == ["21T06:23:11"])
        #expect(read.messages.allSatisfy { $0.room == "#example" && !$0.isDirect })
    }

    @Test(arguments: [
        (path, "#example", "libera"), ("channel_#mix%2fed.my network_2026.11.21.log", "#mix/ed", "my network"),
        ("query_alice.irc.example.net_2026.11.21.log", "alice", "irc.example.net"),
        ("console_libera_2026.11.21.log", "libera", "libera"),
    ])
    func `the file's name has the window and the network`(path: String, room: String, network: String) throws {
        let line = "25 [06:23:11] <\u{3}5\r!nc\ralice\r\u{3}> hi"
        let read = try read(line, path: path)
        #expect(read.messages.map(\.room) == [room])
        #expect(read.messages.map(\.isDirect) == [path.hasPrefix("query")])
        #expect(KVIrcFormat.accountName(in: LogReading.source(Array(line.utf8), path: path)) == network)
    }

    @Test func `a channel with a point is written as the lines link to it`() throws {
        let read = try read(
            "20 [06:23:11] \(Self.who("bob")) has joined \r!c\r#Node.js\r",
            path: "channel_#node.js.libera_2026.11.21.log")
        #expect(read.messages.map(\.room) == ["#Node.js"])
    }

    @Test(arguments: [
        "25 [06:23:11] <\r!n", "25 [06:23:11] <\r!nc\ralice", "25 [06:23:11] \r\r\r", "71 [06:23:11] \r!n\r\r",
        "20 [06:23:11] \r!",
    ])
    func `a cut link is not an error`(line: String) throws {
        #expect(try read(line).messages.count == 1)
    }
}

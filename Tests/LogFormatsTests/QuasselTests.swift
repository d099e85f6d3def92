import ChatModel
import Testing

@testable import LogFormats

struct QuasselTests {
    private func row(
        _ type: Int, _ text: String, sender: String = "alice!~a@host", buffer: String = "#example", kind: Int = 2,
        time: Int = 1_795_242_191_123
    ) -> String {
        #"""
        {"network":"1","buffer":"\#(buffer)","buffer_type":"\#(kind)","time":"\#(time)","type":"\#(type)","flags":"0","sender":"\#(sender)","message":"\#(text)"}
        """#
    }

    private func read(_ rows: String...) throws -> LogReading { try DatabaseRowsTests.read(QuasselFormat.self, rows) }

    @Test(arguments: [
        (0x1, "hi", "alice: hi"), (0x1, "", "alice: "), (0x2, "psst", "notice alice: psst"),
        (0x4, "waves", "action alice: waves"),
        (0x8, "bob", "rename alice: bob"), (0x8, "alice", "system: You are now known as alice"),
        (0x10, "#example +o bob", "mode alice: +o bob"), (0x20, "#example", "join alice"),
        (0x40, "bye", "leave alice: bye"),
        (0x80, "", "leave alice"), (0x100, "bob too loud", "kick alice: bob: too loud"),
        (0x100, "bob", "kick alice: bob"),
        (0x400, "Welcome", "system: Welcome"), (0x1000, "No such nick", "system: No such nick"),
        (0x4000, #"alice has changed topic for #example to: \"all \"about\" it\""#, #"topic alice: all "about" it"#),
        (0x4000, #"Topic for #example is \"words\""#, #"system: Topic for #example is "words""#),
        (0x8000, "a!x@y#:#b!x@y#:#one.net two.net", "system: netsplit joins (one.net two.net): a, b"),
        (0x10000, "a!x@y#:#one.net two.net", "system: netsplit quits (one.net two.net): a"),
        (0x20000, "alice invited you", "system: alice invited you"), (0x40000, "new", "system: new"),
    ])
    func `each row has its kind, sender and text`(type: Int, text: String, told: String) throws {
        let read = try read(row(type, text))
        #expect(read.told == [told] && read.unreadable == [])
    }

    @Test func `times are milliseconds, or seconds in older databases`() throws {
        let messages = try read(
            row(1, "a"), row(1, "b", time: 1_795_242_191), row(1, "c", time: 1_795_242_191_000)
        ).messages
        #expect(
            messages.map(\.time.description).map { $0.dropFirst(17) } == ["11.123000Z", "11.000000Z", "11.000000Z"])
        #expect(messages.map(\.resolution) == [.microsecond, .second, .second])
    }

    @Test func `a buffer is a channel, a conversation or the network's own`() throws {
        let messages = try read(
            row(1, "a"), row(1, "b", buffer: "bob", kind: 4),
            row(0x400, "c", sender: "irc.example.net", buffer: "", kind: 1)
        ).messages
        #expect(messages.map(\.room) == ["#example", "bob", "libera"])
        #expect(messages.map(\.isDirect) == [false, true, false])
    }
}

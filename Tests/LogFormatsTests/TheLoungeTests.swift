import ChatModel
import Testing

@testable import LogFormats

struct TheLoungeTests {
    private func row(_ type: String, _ message: String, channel: String = "#example", time: String = "1795242191123")
        -> String
    {
        #"{"network":"1","channel":"\#(channel)","time":"\#(time)","type":"\#(type)","msg":\#(message)}"#
    }

    private func read(_ rows: String...) throws -> LogReading { try DatabaseRowsTests.read(TheLoungeFormat.self, rows) }

    private static let alice = #""from":{"mode":"@","nick":"alice"}"#

    @Test(arguments: [
        ("message", #"{\#(alice),"text":"hi  \u0003","self":false}"#, "alice: hi  \u{3}"),
        ("message", #"{"from":"alice","text":""}"#, "alice: "),
        ("action", #"{\#(alice),"text":"waves"}"#, "action alice: waves"),
        ("notice", #"{\#(alice),"text":"psst"}"#, "notice alice: psst"),
        ("join", #"{\#(alice),"hostmask":"a@b","self":true}"#, "join alice"),
        ("part", #"{\#(alice),"text":"bye"}"#, "leave alice: bye"),
        ("quit", #"{\#(alice),"text":""}"#, "leave alice"),
        ("kick", #"{\#(alice),"target":{"nick":"bob"},"text":"loud"}"#, "kick alice: bob: loud"),
        ("kick", #"{\#(alice),"target":{"nick":"bob"}}"#, "kick alice: bob"),
        ("nick", #"{\#(alice),"new_nick":"bob"}"#, "rename alice: bob"),
        ("mode", #"{\#(alice),"text":"+o bob "}"#, "mode alice: +o bob"),
        ("topic", #"{\#(alice),"text":"words"}"#, "topic alice: words"),
        ("invite", #"{\#(alice),"target":{"nick":"bob"},"channel":"&example"}"#, "invite alice: bob"),
        ("away", #"{\#(alice),"text":"lunch"}"#, "system: alice is away: lunch"),
        ("back", #"{\#(alice)}"#, "system: alice is back"),
        ("chghost", #"{\#(alice),"new_ident":"i","new_host":"h"}"#, "system: alice has changed to i@h"),
        ("ctcp", #"{\#(alice),"ctcpMessage":"VERSION x"}"#, "system: CTCP VERSION x (alice)"),
        ("login", #"{"text":"words"}"#, "system: words"),
        ("new kind", "{}", "system: new kind"),
    ])
    func `each row has its kind, sender and text`(type: String, message: String, told: String) throws {
        let read = try read(row(type, message))
        #expect(read.told == [told] && read.unreadable == [])
        #expect(read.messages.first?.time.description == "2026-11-21T06:23:11.123000Z")
        #expect(read.messages.first?.resolution == .microsecond)
    }

    @Test func `a window that is not a channel is a conversation, except the network's own`() throws {
        let message = #"{\#(Self.alice),"text":"hi"}"#
        let messages = try read(
            row("message", message), row("message", message, channel: "bob"), row("notice", message, channel: "libera")
        ).messages
        #expect(messages.map(\.room) == ["#example", "bob", "libera"])
        #expect(messages.map(\.isDirect) == [false, true, false])
    }

    @Test func `newer versions have ids, replies and reactions`() throws {
        let rows = [
            row("message", #"{\#(Self.alice),"text":"hi","msgid":"m1","reactions":{"👍":["bob","carol"]}}"#),
            row("message", #"{\#(Self.alice),"text":"ho","msgid":"m2","replyTo":"m1"}"#),
            #"{"network":"1","channel":"&a","time":"1795242191123","type":"message","msg":{\#(Self.alice),"text":"x"},"msgid":"m3"}"#,
            row("message", #"{\#(Self.alice),"text":"x","reactions":{"👍":["bob"]}}"#),
        ]
        let messages = try DatabaseRowsTests.read(TheLoungeFormat.self, rows).messages
        #expect(messages.map(\.remoteID) == ["m1", "m2", "m3", nil])
        #expect(messages.map(\.replyTo) == [nil, "m1", nil, nil])
        #expect(messages[0].reactions.map(\.user) == ["bob", "carol"] && messages[3].reactions.isEmpty)
    }
}

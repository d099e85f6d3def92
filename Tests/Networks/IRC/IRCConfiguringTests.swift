import ChatModel
import IRCWire
import Testing
import TextEncodings

@testable import IRC

/// Another configuration for a session that goes on.
struct IRCConfiguringTests {
    private func joined(_ rooms: String..., change: (inout IRCConfiguration) -> Void = { _ in }) -> IRCSessionText {
        var text = IRCSessionText(rooms: rooms, change: change)
        for room in rooms { text.receive(":archiver!a@host JOIN \(room)") }
        text.forget()
        return text
    }

    @Test func `a new room is joined at once, and a removed one is left without a gap`() {
        var text = joined("#one", "#two")
        text.configure("#two", "#three")
        #expect(text.sent == ["PART #one", "JOIN #three"])
        #expect(text.liveChanges.isEmpty, "until the server says so")
        text.receive(":archiver!a@host PART #one", ":archiver!a@host JOIN #three")
        #expect(text.liveChanges == ["#one silent left", "#one unlisted", "#three live"])
        text.advance(to: .seconds(2000))
        #expect(text.sent.filter { $0 != "PING scrollback" } == ["PART #one", "JOIN #three"])
    }

    @Test func `the same rooms in another order and case change nothing`() {
        var text = joined("#one", "#two[")
        text.configure("#TWO{", "#One")
        #expect(text.sent.isEmpty && text.events.isEmpty && text.troubles.isEmpty)
    }

    @Test func `a removed room that could not be joined is not retried and has no gap`() {
        var text = IRCSessionText(rooms: ["#one", "#two", "&here"])
        text.receive(":irc.example 474 archiver #two :You are banned", ":archiver!a@host JOIN #one")
        text.forget()
        text.configure("#one")
        #expect(text.sent.isEmpty)
        #expect(text.liveChanges == ["#two unlisted", "&here unlisted"])
        text.advance(to: .seconds(2000))
        #expect(text.sent == ["PING scrollback"])
    }

    @Test func `a removed room with an unanswered join is left, whatever the answer`() {
        var text = IRCSessionText(rooms: ["#one", "#two"])
        text.forget()
        text.configure()
        #expect(text.sent == ["PART #one", "PART #two"])
        text.receive(
            ":archiver!a@host JOIN #one", ":irc.example 471 archiver #two :Full", ":archiver!a@host PART #one",
            ":irc.example 442 archiver #two :You're not on that channel")
        #expect(
            text.liveChanges == ["#one unlisted", "#two unlisted", "#one live", "#one silent left", "#one unlisted"])
        #expect(text.troubles.isEmpty)
    }

    @Test func `a room that returns before our leaving is answered is joined again`() {
        var text = joined("#one")
        text.configure()
        text.configure("#one")
        #expect(text.sent == ["PART #one"])
        text.receive(":archiver!a@host PART #one")
        text.advance(to: .seconds(20))
        #expect(text.sent == ["PART #one", "JOIN #one"])
        #expect(text.liveChanges == ["#one silent left"])
    }

    @Test func `a room with a key is joined with its configured key`() {
        var text = joined("#one")
        text.configure("#one", "#two") { $0.secrets.channelKeys = ["#two": "sesame"] }
        #expect(text.sent == ["JOIN #two sesame"])
        text.receive(":irc.example 475 archiver #two :Cannot join (+k)")
        text.configure("#one", "#two") { $0.secrets.channelKeys = ["#two": "open"] }
        text.advance(to: .seconds(3))
        #expect(text.sent == ["JOIN #two sesame", "JOIN #two open"])
    }

    @Test func `a room that we are already in stays joined`() {
        var text = joined("#one")
        text.receive(":archiver!a@host JOIN #bounced")
        text.forget()
        text.configure("#one", "#bounced")
        #expect(text.sent.isEmpty && text.events.isEmpty)
        text.receive(":alice!a@h KICK #bounced archiver :out")
        #expect(text.liveChanges == ["#bounced silent left"], "missed from here on")
    }

    @Test func `a bouncer's rooms stay joined when the configuration does not name them`() {
        var text = joined("#one") { $0.staysInAllRooms = true }
        text.configure()
        #expect(text.sent.isEmpty && text.events.isEmpty)
    }

    @Test func `a new fallback encoding and sign-of-life interval apply from then on`() {
        var text = joined("#one")
        let bytes = Array(":alice!a@h PRIVMSG #one :".utf8) + [0xA4, 0x0D, 0x0A]
        text.receive(bytes: bytes)
        text.configure("#one") {
            $0.fallback = .latin9
            $0.signOfLifeInterval = .seconds(2)
        }
        text.receive(bytes: bytes)
        #expect(text.messageTexts == ["#one message alice: ¤", "#one message alice: €"])
        #expect(text.session.due <= .seconds(6))
    }

    @Test func `archived rooms outside the configuration have no gap from the session's beginning`() {
        func room(_ name: String) -> RoomReference { RoomReference(key: name, name: name, kind: .channel) }
        let text = IRCSessionText(rooms: ["#One["], expected: [room("#one{"), room("#once")])
        #expect(text.liveChanges == ["#once unlisted"])
        let bouncer = IRCSessionText(rooms: [], expected: [room("#once")]) { $0.staysInAllRooms = true }
        #expect(bouncer.liveChanges.isEmpty)
    }
}

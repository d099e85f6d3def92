import ChatModel
import IRCWire
import TestSupport
import Testing
import TextEncodings

@testable import IRC
@testable import Sessions

/// What lines become.
struct IRCReceiverTests {
    private func joined(_ change: (inout IRCConfiguration) -> Void = { _ in }) -> IRCSessionText {
        var text = IRCSessionText(change: change)
        text.receive(
            ":archiver!a@host JOIN #example", ":irc.example 353 archiver = #example :archiver @alice bob",
            ":irc.example 366 archiver #example :End of NAMES")
        text.forget()
        return text
    }

    @Test func `each kind of message is stored in its room`() {
        var text = joined()
        text.receive(
            ":alice!a@host PRIVMSG #example :안녕하세요", ":alice!a@host PRIVMSG #example :\u{1}ACTION waves\u{1}",
            ":bob!b@host NOTICE #example :psst", ":bob!b@host PRIVMSG @#example :for operators",
            ":bob!b@host PRIVMSG archiver :나만", ":archiver!a@host PRIVMSG bob :mine",
            ":irc.example NOTICE archiver :hi",
            ":alice!a@host TOPIC #example :새 주제", ":alice!a@host MODE #example +o bob",
            ":alice!a@host INVITE archiver #other")
        #expect(
            text.messageTexts == [
                "#example message alice: 안녕하세요", "#example action alice: waves", "#example notice bob: psst",
                "#example message bob: for operators", "bob message bob: 나만", "bob message archiver: mine",
                "irc.example notice irc.example: hi", "#example topic alice: 새 주제", "#example mode alice: +o bob",
                "alice invite alice: #other",
            ])
        #expect(text.liveChanges == ["bob live", "alice live"])
        #expect(
            text.messages.map { $0.sender?.isSelf } == [false, false, false, false, false, true]
                + Array(repeating: false, count: 4))
        #expect(text.messages[0].raw == Array(":alice!a@host PRIVMSG #example :안녕하세요".utf8))
        #expect(text.messages.map(\.room.kind)[4...6] == [.direct, .direct, .server])
    }

    @Test func `a message to members with a mark belongs to the channel, even if the mark is a type`() {
        let welcome = IRCSessionText.welcome.replacing(
            "CHANTYPES=# PREFIX=(ov)@+ STATUSMSG=@+", with: "CHANTYPES=#&+ PREFIX=(qaohv)~&@%+ STATUSMSG=~&@%+")
        var text = IRCSessionText(rooms: ["#example", "&local", "+open", "&#both"], welcome: welcome)
        text.receive(
            ":archiver!a@host JOIN #example", ":archiver!a@host JOIN &local", ":archiver!a@host JOIN +open",
            ":archiver!a@host JOIN &#both")
        text.forget()
        let targets = [
            "@#example", "+#example", "&#example", "~&@%+#EXAMPLE", "&local", "@&Local", "&&local", "+open", "@+open",
            "&#both", "@&#both",
        ]
        for target in targets { text.receive(":alice!a@host PRIVMSG \(target) :hi") }
        #expect(
            text.messages.map(\.room.key) == Array(repeating: "#example", count: 4)
                + Array(repeating: "&local", count: 3) + ["+open", "+open", "&#both", "&#both"])
        #expect(text.messages.allSatisfy { $0.room.kind == .channel } && text.liveChanges.isEmpty)
    }

    @Test func `equivalent names are one room and one person, with their first spelling`() {
        var text = joined()
        text.receive(
            ":Al{ce!a@host PRIVMSG #EXAMPLE :1", ":aL[CE!a@host PRIVMSG #Example :2", ":c^d!c@h PRIVMSG archiver :3")
        text.receive(":C~D!c@h PRIVMSG archiver :4", ":archiver!a@host PRIVMSG c~D :5")
        #expect(text.messages.map(\.room.name) == ["#example", "#example", "c^d", "C~D", "C~D"])
        #expect(text.messages.map(\.sender?.key) == ["al{ce", "al{ce", "c^d", "c^d", "archiver"])
        #expect(text.messages.map(\.room.key) == ["#example", "#example", "c^d", "c^d", "c^d"])
        #expect(text.liveChanges == ["c^d live"])
    }

    /// A bouncer's history has our messages under the nick that we had.
    @Test func `our message under an earlier nick is ours, in the conversation whose history has it`() {
        var text = joined()
        text.receive(
            "BATCH +1 chathistory al{ce", "@batch=1;msgid=1 :before!a@host PRIVMSG aL[CE :mine",
            "@batch=1;msgid=2 :Al[ce!a@host PRIVMSG before :hers",
            "@batch=1;msgid=3 :archiver!a@host NOTICE al{ce :mine as well", "BATCH -1",
            "BATCH +2 chathistory archiver", "@batch=2;msgid=4 :bob!b@host PRIVMSG archiver :to us",
            "@batch=2;msgid=5 :archiver!a@host PRIVMSG archiver :to ourselves", "BATCH -2",
            "BATCH +3 chathistory #example", "@batch=3;msgid=6 :before!a@host PRIVMSG #example :to all", "BATCH -3")
        #expect(text.messages.map(\.room.key) == ["al{ce", "al{ce", "al{ce", "bob", "archiver", "#example"])
        #expect(text.messages.map { $0.sender?.isSelf } == [true, false, true, false, true, false])
        #expect(text.messages.first?.sender?.key == "before")
    }

    @Test func `a conversation is live from our registration, and known ones from the beginning`() {
        var text = IRCSessionText(partners: ["carol": UserReference(key: "carol", name: "Carol")])
        #expect(text.liveChanges == ["Carol live"])
        text.receive(":dave!d@host PRIVMSG archiver :hi")
        let since = text.events.compactMap { if case .roomLive(_, _, let at) = $0 { at } else { nil } }
        #expect(since == Array(repeating: IRCSessionText.epoch, count: 2))
    }

    @Test func `bytes that are not UTF-8 are read in the fallback encoding, flagged and kept`() {
        var text = joined { $0.fallback = .latin9 }
        let line = Array(":alice!a@host PRIVMSG #example :caf".utf8) + [0xE9, 0x20, 0xA4]
        text.receive(bytes: line + [0x0D, 0x0A])
        #expect(text.messageTexts == ["#example message alice: café €"])
        #expect(text.messages[0].flags == .invalidUTF8 && text.messages[0].raw == line)
    }

    @Test(
        arguments: [
            ("안녕하세요", "CP949", .cp949), ("привет", "KOI8-R", .koi8R), ("こんにちは", "ISO-2022-JP", .iso2022JP),
        ] as [(String, String, TextEncoding)])
    func `the fallback can be the encoding of any channel`(body: String, name: String, encoding: TextEncoding) throws {
        var text = joined { $0.fallback = encoding }
        let line = try Array(":alice!a@host PRIVMSG #example :".utf8) + body.encoded(as: name)
        text.receive(bytes: line + [0x0D, 0x0A])
        text.receive(":alice!a@host PRIVMSG #example :안녕 привет")
        #expect(text.messageTexts == ["#example message alice: \(body)", "#example message alice: 안녕 привет"])
        #expect(text.messages[0].flags == .invalidUTF8 && text.messages[0].raw == line)
        #expect(text.messages[1].flags == [])
    }

    @Test(arguments: ["bot", "draft/bot", "inspircd.org/bot"])
    func `lines of a marked bot are flagged, both messages and joins`(tag: String) {
        var text = joined()
        text.receive(
            "@\(tag);msgid=1 :feed!f@host JOIN #example", "@msgid=2;\(tag)= :feed!f@host PRIVMSG #example :news",
            "@+\(tag) :alice!a@host PRIVMSG #example :I am no bot")
        #expect(text.messages.map(\.flags) == [.bot, .bot, []])
    }

    @Test func `the network's ids and times are used, and retracted messages are deleted`() throws {
        var text = joined()
        text.receive(
            "@time=2026-11-21T06:23:11.123Z;msgid=a!B :alice!a@host PRIVMSG #example :one",
            ":alice!a@host REDACT #example a!B :oops")
        let message = try #require(text.messages.first)
        #expect(message.remoteID == "a!B" && message.sourceTime?.description == "2026-11-21T06:23:11.123000Z")
        guard case .deleted(let deletion) = try #require(text.events.last) else { throw CancellationError() }
        #expect(deletion.remoteID == "a!B" && deletion.room.key == "#example")
        let alice = UserReference(key: "alice", name: "alice")
        #expect(deletion.retraction == MessageDeletion.Retraction(by: alice, reason: "oops", wipes: false))
    }

    @Test func `a multiline message is one, and a netsplit batch is its lines`() {
        var text = joined()
        text.receive(
            "@msgid=m1 :alice!a@host BATCH +1 draft/multiline #example", "@batch=1 :alice!a@host PRIVMSG #example :하나",
            ":bob!b@host PRIVMSG #example :between", "@batch=1 :alice!a@host PRIVMSG #example :둘",
            ":irc.example BATCH -1", ":irc.example BATCH +2 netsplit a.example b.example",
            "@batch=2 :alice!a@host QUIT :a.example b.example", "@batch=2 :bob!b@host QUIT :a.example b.example")
        #expect(text.messageTexts == ["#example message bob: between", "#example message alice: 하나\n둘"])
        #expect(text.messages[1].remoteID == "m1")
        text.forget()
        let before = text.session.lastSignOfLife
        text.receive(":irc.example NOTICE archiver :an open batch is not vouched for")
        #expect(text.session.lastSignOfLife == before)
        text.receive(":irc.example BATCH -2")
        #expect(
            text.messageTexts.dropFirst() == [
                "#example leave alice: a.example b.example", "#example leave bob: a.example b.example",
            ])
        #expect(text.session.lastSignOfLife > before)
    }

    @Test func `a batch that the connection cuts off is kept as far as it came`() {
        var text = joined()
        text.receive(":irc.example BATCH +2 netsplit a b", "@batch=2 :alice!a@host QUIT :gone")
        text.ends()
        #expect(text.messageTexts == ["#example leave alice: gone"])
        guard case .sessionEnded = text.events.last else {
            Issue.record("the end is not last")
            return
        }
    }

    @Test func `an unreadable line is kept as received`() throws {
        var text = joined()
        text.receive("@only=tags", ":alice!a@host PRIVMSG #example :after")
        guard case .unreadable(let event) = try #require(text.events.first) else { throw CancellationError() }
        #expect(event.payload == Array("@only=tags".utf8) && event.room == nil)
        #expect(text.messageTexts == ["#example message alice: after"])
    }

    @Test func `a line without an end ends the session, and its beginning is kept`() {
        var text = joined()
        text.receive(bytes: [UInt8](repeating: 0x61, count: 20_000))
        #expect(text.end?.reason == .violation)
        #expect(text.events.count == 1)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a session cut at every byte gives the same events`() {
        let lines = """
            :archiver!a@host JOIN #example
            :irc.example 353 archiver = #example :archiver alice
            @time=2026-11-21T06:23:11.123Z;msgid=1 :alice!a@host PRIVMSG #example :안녕 🌳
            :alice!a@host NICK :앨리스
            :앨리스!a@host QUIT :bye

            """.replacing("\n", with: "\r\n").utf8
        var whole = IRCSessionText()
        whole.receive(bytes: Array(lines))
        for cut in 1..<lines.count {
            var text = IRCSessionText()
            text.receive(bytes: Array(lines.prefix(cut)))
            text.receive(bytes: Array(lines.dropFirst(cut)))
            #expect(text.messageTexts == whole.messageTexts && text.liveChanges == whole.liveChanges, "\(cut)")
        }
        #expect(
            whole.messageTexts.suffix(3) == [
                "#example message alice: 안녕 🌳", "#example rename alice: 앨리스", "#example leave 앨리스: bye",
            ])
    }
}

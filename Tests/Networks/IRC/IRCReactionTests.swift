import ChatModel
import IRCWire
import TestSupport
import Testing

@testable import IRC

/// Answers and reactions, and what other messages without a text become.
struct IRCReactionTests {
    private func joined() -> IRCSessionText {
        var text = IRCSessionText()
        text.receive(
            "@time=2026-11-21T06:00:00.500Z :archiver!a@host JOIN #example",
            ":irc.example 353 archiver = #example :archiver alice bob")
        text.forget()
        return text
    }

    private func reactions(_ text: IRCSessionText) -> [IncomingReaction] {
        text.events.compactMap { if case .reaction(let reaction) = $0 { reaction } else { nil } }
    }

    @Test func `a reply names its message, in one line or several`() {
        var text = joined()
        text.receive(
            "@msgid=2;+draft/reply=1 :bob!b@host PRIVMSG #example :yes",
            "@msgid=3;+reply=1 :bob!b@host NOTICE #example :noted",
            "@msgid=4;+reply=1 :bob!b@host BATCH +1 draft/multiline #example",
            "@batch=1 :bob!b@host PRIVMSG #example :a",
            "@batch=1 :bob!b@host PRIVMSG #example :b", ":irc.example BATCH -1")
        #expect(text.messages.map(\.replyTo) == ["1", "1", "1"])
        #expect(text.messages.map(\.remoteID) == ["2", "3", "4"])
    }

    @Test func `a reaction has its sender, target, room and time, and is not a message`() {
        var text = joined()
        text.receive(
            "@time=2026-11-21T06:23:11.123Z;msgid=9;+draft/reply=1;+draft/react=👍 :Bob!b@host TAGMSG @#Example",
            "@+reply=1;+draft/unreact=👍 :archiver!a@host TAGMSG alice")
        #expect(text.messages.isEmpty)
        let found = reactions(text)
        #expect(found.map(\.room.key) == ["#example", "alice"] && found.map(\.target) == ["1", "1"])
        #expect(found.map(\.sender.key) == ["bob", "archiver"] && found.map(\.sender.isSelf) == [false, true])
        #expect(found.map(\.text) == ["👍", "👍"] && found.map(\.isRemoved) == [false, true])
        #expect(
            found[0].sourceTime?.description == "2026-11-21T06:23:11.123000Z" && found[0].session == text.session.id)
    }

    @Test func `our reaction or retraction under an earlier nick is ours`() {
        var text = joined()
        text.receive(
            "BATCH +1 chathistory alice",
            "@batch=1;time=2026-11-21T05:00:00.500Z;+reply=1;+react=👍 :before!a@host TAGMSG alice",
            "@batch=1;time=2026-11-21T05:00:01.500Z :before!a@host REDACT alice 2", "BATCH -1")
        #expect(reactions(text).map(\.room.key) == ["alice"] && reactions(text).map(\.sender.isSelf) == [true])
        let deletions = text.events.compactMap { if case .deleted(let deletion) = $0 { deletion } else { nil } }
        #expect(deletions.map(\.room.key) == ["alice"] && deletions.map { $0.retraction?.by?.isSelf } == [true])
    }

    @Test func `a text with a reaction is kept, and a message without text is ignored`() {
        var text = joined()
        text.receive(
            "@+draft/reply=1;+draft/react=lol :bob!b@host PRIVMSG #example :lol",
            "@+draft/reply=1;+draft/react=:) :bob!b@host PRIVMSG #example",
            ":bob!b@host PRIVMSG #example :")
        #expect(text.messageTexts == ["#example message bob: lol", "#example message bob: "])
        #expect(reactions(text).map(\.text) == ["lol", ":)"] && text.messages[0].replyTo == "1")
    }

    @Test func `typing notices and empty tag messages leave no trace`() {
        var text = joined()
        text.receive(
            "@+typing=active :bob!b@host TAGMSG #example", "@+typing=active :carol!c@host TAGMSG archiver",
            "@+draft/react=👍 :bob!b@host TAGMSG #example", "@+reply=1;+react=👍 TAGMSG #example",
            "@+reply=1;+react=👍 TAGMSG", ":bob!b@host TAGMSG")
        #expect(text.events.isEmpty)
    }

    @Test func `CTCP requests and answers are stored as text, and never answered`() {
        var text = joined()
        text.receive(
            ":bob!b@host PRIVMSG archiver :\u{1}VERSION\u{1}", ":bob!b@host PRIVMSG #example :\u{1}ping 12 3\u{1}",
            ":bob!b@host NOTICE #example :\u{1}VERSION irssi 1.4\u{1}",
            ":bob!b@host NOTICE #example :\u{1}ACTION is told\u{1}",
            ":bob!b@host PRIVMSG archiver :\u{1}DCC SEND \"a b.txt\" 2130706433 5000 12\u{1}",
            ":bob!b@host PRIVMSG #example :\u{1}\u{1}")
        #expect(
            text.messageTexts == [
                "bob message bob: CTCP VERSION", "#example message bob: CTCP PING 12 3",
                "#example notice bob: CTCP VERSION irssi 1.4", "#example notice bob: CTCP ACTION is told",
                "bob message bob: CTCP DCC SEND \"a b.txt\" 2130706433 5000 12", "#example message bob: \u{1}\u{1}",
            ])
        #expect(
            text.sent.isEmpty && text.messages[0].raw == Array(":bob!b@host PRIVMSG archiver :\u{1}VERSION\u{1}".utf8))
    }

    @Test func `bytes that are not UTF-8 are read in the fallback encoding`() {
        var text = joined()
        text.receive(
            bytes: Array("@+reply=".utf8) + [0xE9] + Array(";+react=".utf8) + [0xE9]
                + Array(" :b TAGMSG #example\r\n".utf8))
        #expect(reactions(text).map(\.text) == ["é"] && reactions(text).map(\.target) == ["é"])
    }

    @Test func `a reaction from history has no session, and one without a time is ignored`() {
        var text = joined()
        text.receive(
            ":irc.example BATCH +h chathistory #example",
            "@batch=h;time=2026-11-21T05:00:00.000Z;+reply=1;+react=👍 :bob!b@host TAGMSG #example",
            "@batch=h;+reply=1;+react=🎉 :bob!b@host TAGMSG #example", ":irc.example BATCH -h",
            "@time=2026-11-21T05:00:01.000Z;+reply=1;+react=❤ :bob!b@host TAGMSG #example")
        #expect(reactions(text).map(\.text) == ["👍", "❤"])
        #expect(reactions(text).allSatisfy { $0.session == nil })
    }
}

/// The same with an archive and a socket.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct IRCReactionSocketTests {
    @Test(.disabled(if: QuickCheck.isRunning))
    func `a retracted message is wiped if so configured, and a replay doesn't restore it`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            $0.wipesRedacted = true
        } _: {
            for round in 1...2 {
                let socket = try await server.registered()
                for line in [
                    ":irc.example BATCH +h chathistory #example",
                    "@batch=h;time=2026-11-21T06:00:09.000Z :alice!a@h REDACT #example 2 :later",
                    "@batch=h;time=2026-11-21T06:00:01.000Z;msgid=1 :alice!a@h PRIVMSG #example :secret one",
                    "@batch=h;time=2026-11-21T06:00:02.000Z;msgid=2 :alice!a@h PRIVMSG #example :secret two",
                    ":irc.example BATCH -h", ":alice!a@h REDACT #example 1 :typo",
                    ":alice!a@h PRIVMSG #example :round \(round)",
                ] { try socket.line(line) }
                try await all.holds("#example alice: round \(round)")
            }
        }
        let messages = try await all.messages().filter { $0.remoteID != nil }
        #expect(messages.map(\.remoteID) == ["1", "2"] && messages.map(\.sender?.name) == ["alice", "alice"])
        #expect(messages.allSatisfy { $0.body == nil && $0.deletedAt != nil && $0.flags.contains(.wiped) })
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `repeated reactions and replies are stored once`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            let huge = String(repeating: "가", count: 2500)
            for round in 1...3 {
                let socket = try await server.registered()
                for line in [
                    "@time=2026-11-21T06:00:01.250Z;msgid=1 :alice!a@h PRIVMSG #example :밥?",
                    "@time=2026-11-21T06:00:02.250Z;+reply=1;+draft/react=👍 :bob!b@h TAGMSG #example",
                    "@time=2026-11-21T06:00:02.500Z;+reply=1;+draft/react=🎉 :bob!b@h TAGMSG #example",
                    "@time=2026-11-21T06:00:02.750Z;+reply=1;+draft/unreact=🎉 :bob!b@h TAGMSG #example",
                    "@time=2026-11-21T06:00:03.000Z;+reply=1;+draft/react=\(huge) :carol!c@h TAGMSG #example",
                    "@time=2026-11-21T06:00:04.250Z;msgid=2;+reply=1 :bob!b@h PRIVMSG #example :네",
                    ":irc.example BATCH +h chathistory #example",
                    "@batch=h;time=2026-11-21T06:00:01.000Z;msgid=1 :alice!a@h PRIVMSG #example :밥?",
                    "@batch=h;time=2026-11-21T06:00:02.000Z;+reply=1;+draft/react=👍 :bob!b@h TAGMSG #example",
                    "@batch=h;time=2026-11-21T06:00:02.000Z;+reply=1;+draft/react=🎉 :bob!b@h TAGMSG #example",
                    "@batch=h;time=2026-11-21T06:00:02.000Z;+reply=1;+draft/unreact=🎉 :bob!b@h TAGMSG #example",
                    "@batch=h;time=2026-11-21T06:00:04.000Z;msgid=2;+reply=1 :bob!b@h PRIVMSG #example :네",
                    ":irc.example BATCH -h", ":alice!a@h PRIVMSG #example :round \(round)",
                ] { try socket.line(line) }
                try await all.holds("#example alice: round \(round)")
            }
            let messages = try await all.messages().filter { $0.remoteID != nil }
            #expect(messages.map(\.body) == ["밥?", "네"])
            #expect(messages[1].reply?.id == messages[0].id && messages[1].reply?.body == "밥?")
            #expect(messages[0].reactions.map(\.by) == [["bob"], ["carol"]])
            #expect(messages[0].reactions.first?.text == "👍")
            #expect(messages[0].reactions.last?.text.utf8.count == 999, "cut at a thousand bytes, between characters")
        }
    }
}

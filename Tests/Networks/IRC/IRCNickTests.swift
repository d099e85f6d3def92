import ChatModel
import Testing

@testable import IRC

/// The nick that somebody else has, and getting it back.
struct IRCNickTests {
    private func welcomed(after code: String = "433", change: (inout IRCConfiguration) -> Void = { _ in })
        -> IRCSessionText
    {
        let welcome = """
            :irc.example CAP * LS :server-time
            :irc.example \(code) * archiver :not to be had
            :irc.example CAP * ACK :server-time
            :irc.example 001 archiver_ :Welcome
            :irc.example 005 archiver_ CASEMAPPING=rfc1459 CHANTYPES=# :are supported
            :irc.example 376 archiver_ :End of MOTD

            """
        var text = IRCSessionText(welcome: welcome, change: change)
        text.receive(":archiver_!a@host JOIN #example", ":irc.example 353 archiver_ = #example :archiver_ Archiver bob")
        text.forget()
        return text
    }

    @Test(arguments: [":Archiver!x@host QUIT :bye", ":Archiver!x@host NICK away"])
    func `a nick is requested at once when its holder leaves it`(line: String) {
        var text = welcomed()
        text.receive(line)
        #expect(text.sent == ["NICK archiver"])
        text.receive(":archiver_!a@host NICK archiver", ":archiver!a@host PRIVMSG #example :me")
        #expect(text.messages.last?.sender?.isSelf == true)
        text.advance(to: .seconds(10_000))
        #expect(text.sent.filter { $0.hasPrefix("NICK") }.count == 1)
    }

    @Test func `a nick is requested every five minutes, and its errors don't count for a join`() {
        var text = welcomed()
        text.receive(":archiver_!a@host PART #example")
        text.advance(to: .seconds(14))
        #expect(text.sent == ["JOIN #example"])
        for time in [299, 300, 301, 599, 601] { text.advance(to: .seconds(time)) }
        text.receive(":irc.example 433 archiver_ archiver :in use", ":irc.example 437 archiver_ Archiver :for a while")
        text.advance(to: .seconds(901))
        #expect(text.sent.filter { $0 == "NICK archiver" }.count == 3)
        #expect(text.notJoined.allSatisfy { $0.hasSuffix("the server does not answer") || $0.hasSuffix("left") })
    }

    @Test(arguments: [
        ":irc.example 447 archiver_ :Can not change nickname while on #example (+N)",
        ":irc.example 435 archiver_ archiver #example :Cannot change nickname while banned",
        ":irc.example 432 archiver_ archiver :Erroneous nickname",
    ])
    func `a forbidden nick change is retried an hour later`(line: String) {
        var text = welcomed()
        text.advance(to: .seconds(300))
        text.receive(line)
        text.advance(to: .seconds(3890))
        #expect(text.sent.filter { $0 == "NICK archiver" }.count == 1)
        #expect(text.notJoined.isEmpty)
        text.advance(to: .seconds(3910))
        #expect(text.sent.filter { $0 == "NICK archiver" }.count == 2)
    }

    @Test func `a person who takes and leaves the nick repeatedly is not followed`() {
        var text = welcomed()
        for _ in 0..<10 {
            text.receive(":Archiver!x@host NICK other", ":other!x@host NICK Archiver")
            text.receive(":irc.example 433 archiver_ archiver :in use")
        }
        #expect(text.sent.count == 1)
        text.advance(to: .seconds(50))
        #expect(text.sent.filter { $0 == "NICK archiver" }.count == 2)
    }

    @Test func `a nick that the server assigns is kept`() {
        var text = welcomed()
        text.receive(":archiver_!a@host NICK Guest123", ":Archiver!x@host QUIT :bye")
        text.advance(to: .seconds(10_000))
        #expect(!text.sent.contains { $0.hasPrefix("NICK") })
    }

    @Test func `a nick that the server forbids, or a bouncer's, is not requested`() {
        for var text in [welcomed(after: "432"), welcomed { $0.staysInAllRooms = true }] {
            text.receive(":Archiver!x@host QUIT :bye")
            text.advance(to: .seconds(10_000))
            #expect(!text.sent.contains { $0.hasPrefix("NICK") })
        }
    }
}

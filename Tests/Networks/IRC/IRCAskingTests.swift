import IRCWire
import TestSupport
import Testing

@testable import IRC

/// Asking for many rooms, at the pace of servers, and for rooms with keys.
struct IRCAskingTests {
    /// A server that answers each line so many seconds after it was sent.
    private struct SlowServer {
        var text: IRCSessionText
        var outbox = IRCOutbox()
        private(set) var lines: [(second: Int, line: String)] = []
        let delay: Int

        init(_ text: IRCSessionText, delay: Int) {
            (self.text, self.delay) = (text, delay)
        }

        mutating func pass(_ second: Int, answer: (_ room: Substring) -> String) {
            text.advance(to: .seconds(second))
            var session = Optional(text.session)
            let sent = outbox.nextBytes(at: .seconds(second), for: &session).bytes
            if let session { text.session = session }
            lines += String(decoding: sent, as: UTF8.self).split(separator: "\r\n").map { (second, String($0)) }
            let asked = lines.filter { $0.second == second - delay && $0.line.hasPrefix("JOIN ") }
            let answers = asked.flatMap { $0.line.dropFirst(5).split(separator: ",") }.map { answer($0) + "\r\n" }
            if !answers.isEmpty { text.receive(bytes: Array(answers.joined().utf8)) }
        }
    }

    private let rooms = (1...1000).map { "#a-room-of-the-network-\($0)" }

    @Test func `a thousand rooms are joined line by line, and none times out while its line waits`() {
        var server = SlowServer(IRCSessionText(rooms: rooms, isPaced: true), delay: 50)
        for second in 0...300 { server.pass(second) { ":archiver!a@host JOIN \($0)" } }
        #expect(server.text.notJoined.isEmpty)
        #expect(server.text.liveChanges.filter { $0.hasSuffix(" live") }.count == 1000)
        let joins = server.lines.filter { $0.line.hasPrefix("JOIN ") }
        #expect(joins.flatMap { $0.line.dropFirst(5).split(separator: ",").map(String.init) } == rooms)
        #expect(
            joins.count < 60 && joins.last?.second == 2 * (joins.count - 5), "five at once, then one in two seconds")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a thousand refused rooms are retried in full lines at the paced rate`() {
        var server = SlowServer(IRCSessionText(rooms: rooms, isPaced: true), delay: 1)
        for second in 0...1000 { server.pass(second) { ":irc.example 474 archiver \($0) :Cannot join (+b)" } }
        let joins = server.lines.filter { $0.line.hasPrefix("JOIN ") }
        #expect(joins.count <= 5 + 500)
        #expect(joins.flatMap { $0.line.dropFirst(5).split(separator: ",") }.count >= 5000)
        #expect(server.text.troubles.count == 1000)
    }

    @Test func `other lines get every second turn`() {
        var text = IRCSessionText(rooms: rooms, isPaced: true)
        var outbox = IRCOutbox()
        for _ in 0..<3 { _ = outbox.post(.init("AWAY", [])) }
        var session = Optional(text.session)
        let (bytes, deadline) = outbox.nextBytes(at: .zero, for: &session)
        let verbs = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map { $0.prefix(4) }
        #expect(verbs == ["JOIN", "AWAY", "JOIN", "AWAY", "JOIN"])
        #expect(deadline == .seconds(2))
        if let session { text.session = session }
        #expect(text.session.receiver.joining.hasDue)
    }

    @Test func `a room that is joined before its line is sent is not requested`() {
        var text = IRCSessionText(rooms: ["#one", "#two"], isPaced: true)
        text.receive(":archiver!a@host JOIN #one")
        #expect(text.session.nextQuestion(at: .seconds(1))?.params == [Array("#two".utf8)])
        let none = text.session.nextQuestion(at: .seconds(1))
        #expect(none == nil && !text.session.receiver.joining.hasDue)
    }

    @Test func `rooms are joined with their keys in any spelling`() {
        let text = IRCSessionText(rooms: ["#one", "#{two}"], keys: ["#[TWO]": "sesame", "#else": "x"])
        #expect(text.sent == ["JOIN #{two},#one sesame"])
    }

    @Test func `a room with a wrong key is retried as soon as the key changes`() {
        var text = IRCSessionText(rooms: ["#one", "#two"], keys: ["#one": "wrong"])
        #expect(!text.session.lacksKey)
        text.receive(
            ":irc.example 475 archiver #one :Cannot join (+k)", ":irc.example 473 archiver #two :Cannot join (+i)")
        #expect(text.notJoined.map { $0.prefix(12) } == ["#one bad_key", "#two invite_"])
        #expect(text.session.lacksKey)
        text.session.renew(keys: ["#one": "wrong"], at: .seconds(2))
        text.advance(to: .seconds(2))
        #expect(text.sent.count == 1)
        text.session.renew(keys: ["#one": "right", "#two": "new"], at: .seconds(3))
        text.advance(to: .seconds(3))
        #expect(text.sent.last == "JOIN #one right")
        text.receive(":archiver!a@host JOIN #one")
        #expect(!text.session.lacksKey)
        #expect(!(text.troubles + text.notJoined).joined().contains("right"))
    }
}

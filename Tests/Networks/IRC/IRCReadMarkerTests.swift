import Archive
import ChatModel
import IRCWire
import Reading
import TestSupport
import Testing

@testable import IRC
@testable import Sessions

/// What the account's owner reads in another client (soju's `MARKREAD`, scripted).
struct IRCReadMarkerTests {
    private func reads(_ text: IRCSessionText) -> [String] {
        text.events.compactMap { event in
            guard case .read(let room, let id, let time) = event else { return nil }
            return "\(room.name) \(id)\(time.since(IRCSessionText.epoch).components.seconds)"
        }
    }

    @Test func `only a marker of a live room counts`() {
        var text = IRCSessionText(
            rooms: [], partners: ["carol": UserReference(key: "carol", name: "carol")]
        ) { $0.staysInAllRooms = true }
        text.receive(":archiver!a@host JOIN #Example")
        func mark(_ target: String, _ words: String = "timestamp=2026-09-21T14:13:40.000Z") -> String {
            ":archiver!a@host MARKREAD \(target) \(words)"
        }
        text.receive(mark("#example"), mark("carol"), mark("#other"), mark("bob"))
        text.receive(mark("#example", "*"), mark("#example", "timestamp=never"), ":irc.example MARKREAD", mark(":"))
        #expect(reads(text) == ["#Example 20", "carol 20"])
    }

    @Test func `a marker counts again after the history that is stored behind it`() {
        var server = IRCHistoryServerText()
        var pages = 0
        server.page = { _ in
            pages += 1
            guard pages == 1 else { return [] }
            return ["@time=\(IRCHistoryServerText.time(-5000));batch={};msgid=m :alice!a@h PRIVMSG #example :missed"]
        }
        let join = IRCHistoryServerText.time(0)
        server.text.receive("@time=\(join) :archiver!a@host JOIN #example")
        server.text.receive(":irc.example MARKREAD #example timestamp=\(IRCHistoryServerText.time(-4000))")
        server.learns(.room(server.known("#example", last: -60_000, until: -50_000)))
        #expect(reads(server.text).count == 1)
        server.answersAll()
        #expect(reads(server.text).count > 1)
        let last = server.text.events.lastIndex { if case .message = $0 { true } else { false } }
        let read = server.text.events.lastIndex { if case .read = $0 { true } else { false } }
        #expect(last.map { message in read.map { $0 > message } ?? false } == true)
    }

    @Test(.timeLimit(.minutes(MachineSpeed.minutes(1))))
    func `messages read in another client are read in the archive, and never unread again`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            let socket = try await server.registered()
            let first = Timestamp.now().milliseconds
            func time(_ number: Int64) -> String {
                ServerTime.text(milliseconds: first + number).map { String(UnicodeScalar($0)) }.joined()
            }
            for number in 0..<3 {
                try socket.line("@time=\(time(Int64(number))) :alice!a@h PRIVMSG #example :\(number)")
            }
            try socket.line(":irc.example MARKREAD #example timestamp=\(time(1))")
            try socket.line(":irc.example MARKREAD #example timestamp=\(time(0))")
            try socket.line("@time=\(time(3)) :alice!a@h PRIVMSG #example :3")
            try await all.holds("#example alice: 3")
            let unread = try all.archive.reading().unread(accounts: ["chat"]).filter { $0.room == "#example" }
            #expect(unread.map(\.unread) == [2])
        }
    }
}

import ChatModel
import IRCWire
import TestSupport
import Testing

@testable import IRC

/// What a server's answers prove: neither that it lists nothing nor that it gives nothing does.
struct IRCHistoryProofTests {
    private let away: Int64 = -3_600_000

    /// Two conversations, of which the archive has all up to an hour ago.
    private func withConversations(
        _ listed: [(name: String, at: Int64)], page: @escaping ([String]) -> [String] = { _ in [] }
    ) -> IRCHistoryServerText {
        var server = IRCHistoryServerText(rooms: [], partners: ["bob", "carol"])
        (server.listed, server.page) = (listed, page)
        let known = [
            server.known("bob", last: away - 90_000, until: away),
            server.known("carol", last: away - 5000, until: away),
        ]
        server.learns(.directRooms(known, complete: IRCSessionText.epoch.advanced(byMicroseconds: away * 1000)))
        server.answersAll()
        return server
    }

    @Test func `a conversation that the server does not list is a gap with a reason`() {
        let server = withConversations([])
        #expect(server.fetched.isEmpty)
        let reason = "limit: the server's history does not have this conversation"
        #expect(server.unfilled.sorted() == ["bob \(reason)", "carol \(reason)"])
    }

    @Test func `a listed conversation with its last archived message is complete without a request`() {
        let server = withConversations([("bob", away - 90_000), ("carol", away - 5000)])
        #expect(server.fetched.sorted() == ["bob \(away)...999", "carol \(away)...999"])
        #expect(server.pages.isEmpty && server.unfilled.isEmpty)
        let from = IRCHistoryServerText.time(away - 100_000)
        #expect(server.requests.first?.hasPrefix("TARGETS timestamp=\(from) ") == true, "from before the oldest")
    }

    @Test func `a listed conversation with news is fetched, and a page with its last message closes it`() {
        let news = IRCHistoryServerText.line("archiver", "n1", at: away + 1000)
        let last = IRCHistoryServerText.line("archiver", "last", at: away - 5000)
        let server = withConversations([("bob", away - 90_000), ("carol", away + 1000)]) { _ in [last, news] }
        #expect(server.pages == ["LATEST carol * 50"])
        #expect(server.fetched.sorted() == ["bob \(away)...999", "carol \(away - 5000)...999"])
    }

    @Test func `a list without the last archived message proves nothing for that conversation`() {
        let server = withConversations([("bob", away - 91_000), ("carol", away - 5000)])
        #expect(server.pages == ["LATEST bob * 50"])
        #expect(server.fetched == ["carol \(away)...999"])
        #expect(server.unfilled.count == 1)
    }

    @Test func `if a list is cut within one time, its conversations are requested`() {
        let (away, last) = (away, away - 90_000)
        var server = IRCHistoryServerText(rooms: [], partners: ["bob", "carol"], tokens: "CHATHISTORY=2")
        server.listed = [("al", last), ("alan", last), ("bob", last), ("carol", away - 5000)]
        server.page = { request in
            request[1] == "bob" ? [IRCHistoryServerText.line("archiver", "last", at: last)] : []
        }
        let known = [
            server.known("bob", last: last, until: away), server.known("carol", last: away - 5000, until: away),
        ]
        server.learns(.directRooms(known, complete: nil))
        server.answersAll()
        #expect(server.pages.sorted() == ["LATEST al * 2", "LATEST alan * 2", "LATEST bob * 2"])
        #expect(server.fetched.sorted() == ["bob \(last)...999", "carol \(away)...999"])
        #expect(server.requests.count == 6 && server.unfilled.isEmpty && server.text.troubles.count == 1)
    }

    @Test func `a list proves nothing if another message can share the last one's millisecond`() {
        var server = IRCHistoryServerText(rooms: [], partners: ["bob"])
        server.listed = [("bob", away)]
        server.page = { _ in
            ["last", "n1"].map { IRCHistoryServerText.line("archiver", $0, at: -3_600_000) }
        }
        server.learns(.directRooms([server.known("bob", last: away, until: away)], complete: nil))
        server.answersAll()
        #expect(server.pages == ["LATEST bob * 50"])
        #expect(server.text.messages.compactMap(\.remoteID) == ["last", "n1"])
        #expect(server.fetched == ["bob \(away)...999"])
    }

    /// A dead connection of ours has the nick until the server finds that out.
    @Test func `while another person has our nick, no conversation is complete, and all are fetched later`() {
        var server = IRCHistoryServerText(rooms: [], partners: ["bob"], nick: "archiver_")
        server.text.receive("@time=\(IRCHistoryServerText.time(500)) :dave!u@h PRIVMSG archiver_ :to the other nick")
        #expect(server.text.liveChanges.isEmpty)
        let known = server.known("bob", last: away - 5000, until: away)
        server.learns(.directRooms([known], complete: nil))
        server.answersAll()
        #expect(server.fetched.isEmpty && server.unfilled.count == 1)
        server.text.receive("@time=\(IRCHistoryServerText.time(9000)) :archiver_!u@h NICK archiver")
        #expect(server.text.liveChanges == ["bob live", "dave live"])
        server.listed = [("bob", away - 5000)]
        server.learns(.directRooms([known], complete: nil))
        server.answersAll()
        #expect(server.fetched.count == 1 && server.fetched.first?.hasPrefix("bob \(away)...") == true)
    }

    /// With nothing archived that it could hold, a history proves nothing.
    @Test func `a room without archived messages is not complete because its history is empty`() {
        var server = IRCHistoryServerText()
        server.text.receive("@time=\(IRCHistoryServerText.time(1000)) :archiver!a@h JOIN #example")
        var known = server.known("#example", last: away, until: away)
        known.start?.anchors = []
        known.start?.latest = nil
        server.learns(.room(known))
        server.answersAll()
        #expect(server.fetched.isEmpty)
        #expect(server.unfilled == ["#example limit: the server's history has nothing older"])
    }

    // MARK: - Answers that are too large

    /// A page of 2 MiB and more is not read, and the same messages come in smaller ones.
    @Test(.disabled(if: QuickCheck.isRunning))
    func `a page that is too large is requested by halves, and its rest is ignored`() {
        var server = IRCHistoryServerText()
        server.text.receive("@time=\(IRCHistoryServerText.time(1000)) :archiver!a@h JOIN #example")
        let text = String(repeating: "가", count: 250)
        server.page = { request in
            let end = request[0] == "BEFORE" ? request[2].dropFirst("msgid=n".count) : "1300"
            let count = Int(request.last ?? "") ?? 0
            // By time, it is from before the second message.
            return (0..<(Int(end) ?? 1)).suffix(count).flatMap { number in
                let time = IRCHistoryServerText.time(-10_000_000 + Int64(number) * 1000)
                let tags = "batch={};msgid=n\(number);time=\(time)"
                let line = "@batch=m\(number) :alice!u@h PRIVMSG #example :\(text)"
                let begin = "@\(tags) :alice!u@h BATCH +m\(number) draft/multiline #example"
                return [begin, line, line, "BATCH -m\(number)"]
            }
        }
        var known = server.known("#example", last: 0, until: 0)
        known.start = nil
        server.learns(.room(known))
        server.answersAll()
        #expect(
            server.requests == [
                "LATEST #example * 1000", "LATEST #example * 500", "BEFORE #example msgid=n800 500",
                "BEFORE #example msgid=n300 500", "BEFORE #example msgid=n0 500",
                "BEFORE #example timestamp=\(IRCHistoryServerText.time(-10_000_000 + 1)) 500",
            ])
        #expect(Set(server.text.messages.compactMap(\.remoteID)) == Set((0..<1300).map { "n\($0)" }))
        #expect(server.text.areReplays.filter { !$0 }.count == 2, "only the greeting and our join are heard live")
        #expect(server.fetched.last == "#example -9999999...1999")
        #expect(server.unfilled.isEmpty)
    }

    // MARK: - Quiet rooms

    private static let rooms = (0..<200).map { "#room-\($0)" }

    /// All join at once, and the archive answers of each; time goes on in quarters of a second.
    private func seconds(
        lists: Bool, tokens: String = "", news: Set<String> = []
    ) -> (seconds: Double, server: IRCHistoryServerText) {
        var server = IRCHistoryServerText(rooms: Self.rooms, tokens: tokens)
        let away = away
        let joins = Self.rooms.map { "@time=\(IRCHistoryServerText.time(1000)) :archiver!a@h JOIN \($0)\r\n" }
        server.text.receive(bytes: Array(joins.joined().utf8))
        server.page = { request in
            [IRCHistoryServerText.line(request[1], "last", at: away - 5000)]
                + (news.contains(request[1]) ? [IRCHistoryServerText.line(request[1], "new", at: away + 5000)] : [])
        }
        server.listed = Self.rooms.map { room in
            (room, !lists ? 1000 : news.contains(room) ? away + 5000 : away - 5000)
        }
        for room in Self.rooms {
            let known = server.known(room, last: away - 5000, until: away)
            server.learns(.room(known))
        }
        var outbox = IRCOutbox()
        var quarters = 0
        while server.text.session.hasQuestion, quarters < 10_000 {
            quarters += 1
            var session = Optional(server.text.session)
            let sent = outbox.nextBytes(at: .milliseconds(quarters * 250), for: &session).bytes
            if let session { server.text.session = session }
            for line in String(decoding: sent, as: UTF8.self).split(separator: "\r\n") { server.answer(String(line)) }
        }
        return (Double(quarters) / 4, server)
    }

    @Test func `two hundred quiet listed rooms cost two requests`() {
        let (seconds, server) = seconds(lists: true)
        #expect(seconds < 2 && server.requests.count == 2 && server.pages.isEmpty)
        #expect(server.fetched.count == 200 && server.unfilled.isEmpty)
    }

    @Test func `a bouncer's rooms are requested one by one, whatever it lists`() {
        let (seconds, server) = seconds(lists: true, tokens: "BOUNCER_NETID=1 soju.im/SAFERATE")
        #expect(seconds < 60 && server.requests.count == 200 && server.pages.count == 200)
    }

    @Test func `only the rooms with news of two hundred are requested`() {
        let (seconds, server) = seconds(lists: true, news: ["#room-7", "#room-99"])
        #expect(server.pages == ["LATEST #room-7 * 50", "LATEST #room-99 * 50"])
        #expect(seconds < 2 && Set(server.fetched).count == 200)
    }

    @Test func `two hundred rooms whose last event is our own join cost a request each`() {
        let (seconds, server) = seconds(lists: false)
        #expect(server.pages.count == 200 && seconds > 390 && seconds < 400)
        #expect(server.fetched.count == 200 && server.unfilled.isEmpty)
    }

    @Test func `a server without pacing is asked as fast as it answers`() {
        let (seconds, server) = seconds(lists: false, tokens: "soju.im/SAFERATE")
        #expect(server.pages.count == 200 && seconds < 60)
        #expect(server.fetched.count == 200)
    }
}

import Archive
import ChatModel
import Foundation
import TestSupport
import Testing
import Writing

@testable import Serving

struct RoomPageTests {
    private static func id(_ second: Int64) -> String {
        PagesFixture.start.advanced(by: .seconds(second)).description
    }

    @Test func `a room shows its messages below the day's heading`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { [.live($0), .said("hello", at: 1, in: $0), .said("again", at: 2, in: $0)] }
        let page = try await fixture.page("/room/demo/1")
        #expect(page.contains("<time datetime=\"2026-11-21\">Saturday, 21 November 2026</time>"))
        #expect(page.contains("<div class=\"b\" dir=\"auto\">hello</div>"))
        #expect(page.contains("<li class=\"m f\" id=\"\(Self.id(2))\">"))
        #expect(page.contains("href=\"/room/demo/1?around=\(Self.id(1))#\(Self.id(1))\""))
        #expect(page.contains("This is the beginning of"))
        _ = try PageMarkup(page)
    }

    @Test func `times are in the zone of the reader's cookie, which the page names`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { [.live($0), .said("hello", at: 1, in: $0)] }
        let page = try await fixture.page("/room/demo/1", zone: "Asia%2FSeoul")
        #expect(page.contains(">18:00</time>") && page.contains("Times in Asia/Seoul."))
        let other = try await fixture.page("/room/demo/1", zone: "..%2F..%2Fetc%2Fpasswd")
        #expect(!other.contains("passwd"))
    }

    @Test func `links at both ends lead to older and newer messages`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { session in
            [.live(session)] + (0..<30).map { .said("line \($0)", at: $0, in: session) }
        }
        let page = try await fixture.page("/room/demo/1?around=\(Self.id(15))&limit=10&hide=joins")
        #expect(page.contains("rel=\"prev\" href=\"/room/demo/1?limit=10&amp;hide=joins&amp;before="))
        #expect(page.contains("rel=\"next\" href=\"/room/demo/1?limit=10&amp;hide=joins&amp;after="))
        #expect(page.contains("class=\"m f here\" id=\"\(Self.id(15))\""))
        let last = try await fixture.page("/room/demo/1?limit=10")
        #expect(!last.contains("rel=\"next\"") && last.contains(" data-live"))
    }

    @Test func `a room with only removed messages doesn't look like an empty one`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { [.live($0), .said("hello", at: 1, in: $0), .said("again", at: 7200, in: $0)] }
        for (hour, words) in [
            (Int64(2), "Earlier messages of <bdi>lobby</bdi> were removed."), (9, "No messages are left"),
        ] {
            let writer = try await fixture.archive.openWriter(AccountIdentity(name: "demo", network: "streamchat"))
            let age = RetentionAge(text: "1h", duration: .seconds(3600))
            let rules = RetentionRules(tables: [RetentionRules.Table(ages: [.messages: age])])
            var place: PurgePlace?
            repeat {
                let now = PagesFixture.start.advanced(by: .seconds(hour * 3600))
                place = try await writer.retention.purge(rules, from: place, at: now).next
            } while place != nil
            try await writer.close()
            let page = try await fixture.page("/room/demo/1")
            #expect(page.contains(words) && page.contains("1 message expired on ") == (hour == 2), "\(page)")
            #expect(!page.contains("This is the beginning") && !page.contains("No messages yet"), "\(page)")
        }
        let list = try await fixture.page("/")
        #expect(list.contains("messages were removed") && !list.contains("no messages yet"), "\(list)")
    }

    /// A room with 30 messages on the 21st, and one on each of the 22nd and the 24th.
    private func days() async throws -> PagesFixture {
        let fixture = try PagesFixture()
        try await fixture.store { session in
            [.live(session)] + (0..<30).map { .said("line \($0)", at: $0, in: session) }
                + [1, 3].map { .said("day \($0)", at: $0 * 86_400, in: session) }
        }
        return fixture
    }

    @Test func `a day's page ends with its day, and links to the days around it`() async throws {
        for address in ["/room/demo/1", "/account/demo"] {
            let page = try await days().page("\(address)?day=2026-11-22")
            #expect(page.contains("day 1") && !page.contains("day 3") && !page.contains("line 29"))
            #expect(!page.contains("data-live") && !page.contains("rel=\"next\"") && !page.contains("beginning"))
            let end = try #require(page.components(separatedBy: "aria-label=\"Other days\"").dropFirst().first)
            for part in ["?day=2026-11-21\"", "?day=2026-11-24\"", "\(address)#end\">Newest"] {
                #expect(end.contains(part), "\(part)")
            }
            _ = try PageMarkup(page)
        }
    }

    @Test func `a day with several pages stays within the day`() async throws {
        let fixture = try await days()
        var page = try await fixture.page("/room/demo/1?day=2026-11-21&limit=20")
        #expect(page.contains("data-bounded") && page.contains("line 19") && !page.contains("line 20"))
        let link = try #require(page.firstMatch(of: /rel="next" href="([^"]*)"/)?.1)
        let next = String(link).replacing("&amp;", with: "&")
        #expect(next.hasSuffix("&before=2026-11-22"))
        page = try await fixture.page(next)
        #expect(page.contains("line 20") && page.contains("line 29") && !page.contains("day 1"))
        #expect(!page.contains("rel=\"next\"") && !page.contains("data-live") && !page.contains("beginning"))
        let fragment = try await fixture.page(next + "&fragment=1")
        #expect(!fragment.contains("rel=\"next\""))
    }

    @Test func `an empty day links to the nearest days with messages`() async throws {
        for address in ["/room/demo/1", "/merged"] {
            let page = try await days().page("\(address)?day=2026-11-23")
            #expect(page.contains("No messages on Monday, 23 November 2026."), "\(page)")
            #expect(!page.contains("data-live"))
            #expect(page.contains("?day=2026-11-22\"") && page.contains("?day=2026-11-24\""))
        }
    }

    @Test func `a page follows the feed from its own position`()
        async throws
    {
        let page = try await days().page("/room/demo/1")
        #expect(page.contains(/data-feeds="\?account=demo&amp;room=1&amp;after=[0-9a-f-]{36}%3A[0-9]+"/))
        let fragment = try await days().page("/room/demo/1?fragment=1")
        #expect(!fragment.contains("data-feeds"))
    }

    @Test func `an address with a room's name redirects to the room`() async throws {
        let fixture = try await days()
        let page = try await fixture.page("/room/demo/lobby?day=2026-11-22")
        #expect(page.isEmpty, "a redirect")
        #expect(try await fixture.page("/room/demo/elsewhere").contains("elsewhere"))
    }

    @Test func `the address of a merged room redirects to the one with its messages`() async throws {
        let fixture = try PagesFixture()
        let room = RoomReference(key: "#a", name: "#a", kind: .channel)
        try await fixture.store { [.said("hello", at: 1, in: $0), .said("there", at: 2, in: $0, room: room)] }
        let writer = try await fixture.archive.openWriter(AccountIdentity(name: "demo", network: "streamchat"))
        var place: MergingPlace?
        repeat {
            place = try await writer.merge(
                Merging(.rooms, from: 1, into: 2), from: place, at: PagesFixture.start
            ).next
        } while place != nil
        try await writer.close()
        #expect(try await fixture.page("/room/demo/1").isEmpty, "a redirect")
        let page = try await fixture.page("/room/demo/2")
        #expect(page.contains("hello") && page.contains("there"))
    }

    @Test func `a fragment has only the messages`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { session in
            [.live(session)] + (0..<5).map { .said("line \($0)", at: $0, in: session) }
        }
        let part = try await fixture.page("/room/demo/1?after=\(Self.id(2))&fragment=1")
        #expect(
            !part.contains("<html") && part.contains("line 3") && part.contains("line 4") && !part.contains("line 2"))
        _ = try PageMarkup(part)
    }

    @Test
    func `a reply links to its message on the page or elsewhere, or says that it is missing`()
        async throws
    {
        let fixture = try PagesFixture()
        try await fixture.store { session in
            [
                .live(session), .said("question", at: 0, in: session, id: "q"),
                .said("answer", at: 1, in: session, id: "a", replyTo: "q"),
                .said("to nothing", at: 2, in: session, id: "b", replyTo: "gone"),
            ]
        }
        let page = try await fixture.page("/room/demo/1")
        #expect(page.contains("<a class=\"r\" href=\"#\(Self.id(0))\">"))
        #expect(page.contains("a message that is not in the archive"))
        let alone = try await fixture.page("/room/demo/1?after=\(Self.id(0))&limit=1")
        #expect(alone.contains("<a class=\"r\" href=\"/room/demo/1?around=\(Self.id(0))#\(Self.id(0))\">"))
    }

    @Test func `a page of only replies to missing messages works`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { session in
            [.live(session)]
                + (0..<100).map { .said("answer", at: $0, in: session, id: "a\($0)", replyTo: "gone\($0)") }
        }
        let page = try await fixture.page("/room/demo/1")
        #expect(page.components(separatedBy: "not in the archive").count == 101)
        _ = try PageMarkup(page)
    }

    @Test func `a gap is a block with its length and reason, even at the edge of a page`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { session in
            [
                .live(session), .said("before", at: 10, in: session),
                .sessionEnded(
                    session: session, at: PagesFixture.start.advanced(by: .seconds(60)), reason: .lost, detail: nil),
            ]
        }
        let writer = try await fixture.archive.openWriter(AccountIdentity(name: "demo", network: "streamchat"))
        let later = PagesFixture.start.advanced(by: .seconds(7260))
        guard case .new(let id)? = try await writer.append([.sessionOpened(at: later)]).first else {
            throw PagesFailure()
        }
        let session = SessionID(rawValue: id)
        _ = try await writer.append([
            .roomLive(session: session, room: PagesFixture.lobby, at: later), .said("after", at: 7300, in: session),
            .signOfLife(session: session, at: later.advanced(by: .seconds(60))),
        ])
        try await writer.close()
        let page = try await fixture.page("/room/demo/1")
        #expect(page.contains("<b>Gap of 2 h</b>The connection was lost"))
        let edge = try await fixture.page("/room/demo/1?after=\(Self.id(10))&limit=1")
        #expect(edge.contains("<b>Gap of 2 h</b>"))
        let earlier = try await fixture.page("/room/demo/1?before=\(Self.id(7300))&limit=1")
        #expect(earlier.contains("<b>Gap of 2 h</b>"))
    }

    @Test func `unarchived time is a calm block, even on the page of the log's last day`()
        async throws
    {
        let fixture = try PagesFixture()
        try await fixture.store { [.live($0), .said("heard", at: 1, in: $0)] }
        let end = PagesFixture.start.advanced(by: .seconds(-5 * 86_400))
        let writer = try await fixture.archive.openWriter(AccountIdentity(name: "demo", network: "streamchat"))
        _ = try await writer.importLines(
            [
                .message(
                    ImportedMessage(
                        room: "lobby", kind: .message, sender: "alice", body: "logged", time: end,
                        resolution: .microsecond)),
                .imported(ImportedSpan(room: "lobby", roomKey: nil, from: end, to: end)),
            ], at: PagesFixture.start)
        try await writer.close()
        let block = """
            <li class="g calm" lang="en"><b>Not archived for 5 days</b>After the imported log, before listening began\
            <small>2026-11-16 09:00:00 to 2026-11-21 09:00:00</small></li>
            """
        for address in ["/room/demo/1", "/room/demo/1?day=2026-11-16"] {
            let page = try await fixture.page(address)
            #expect(page.contains("logged") && page.contains(block), "\(page)")
            _ = try PageMarkup(page)
        }
        let later = try await fixture.page("/room/demo/1?after=\(Self.id(1))")
        #expect(!later.contains("Not archived for"))
    }

    @Test func `a long run of joins is one line with counts`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { session in
            [.live(session)]
                + (0..<5).map { .said(nil, at: $0, by: "user\($0)", in: session, kind: .join) }
                + [.said(nil, at: 6, by: "user1", in: session, kind: .leave), .said("hi", at: 7, in: session)]
        }
        let page = try await fixture.page("/room/demo/1")
        #expect(
            page.contains("<details><summary lang=\"en\">5 joined, 1 left: <bdi>user0</bdi>, <bdi>user1</bdi>, "))
        let hidden = try await fixture.page("/room/demo/1?hide=joins")
        #expect(!hidden.contains("has joined") && hidden.contains("Show joins"))
    }

    @Test func `lurkers' joins and bots' messages are hidden, and links show them`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { session in
            [.live(session)] + (0..<5).map { .said(nil, at: $0, by: "user\($0)", in: session, kind: .join) }
                + [.said("hi", at: 7, by: "user1", in: session)]
                + [.said("bulletin", at: 8, by: "feed", in: session, flags: .bot)]
        }
        let all = try await fixture.page("/room/demo/1")
        #expect(
            all.contains("href=\"/room/demo/1?hide=lurkers\">Hide joins of lurkers</a>") && all.contains(">bulletin<"))
        let spoken = try await fixture.page("/room/demo/1?hide=lurkers")
        #expect(spoken.contains("has joined") && spoken.contains("user1") && !spoken.contains("user2"))
        #expect(spoken.contains("href=\"/room/demo/1\">Show joins</a>"))
        #expect(
            spoken.components(separatedBy: "<li class=\"q\" lang=\"en\">").map { $0.prefix(15) }.dropFirst() == [
                "1 event hidden<", "3 events hidden",
            ])
        #expect(!all.contains(" hidden<"))
        let both = try await fixture.page("/room/demo/1?hide=lurkers&hide=bots")
        #expect(both.contains("user1") && !both.contains("user2") && !both.contains(">bulletin<"))
        #expect(both.contains("href=\"/room/demo/1?hide=lurkers\">Show bots</a>"))
        let comma = try await fixture.page("/room/demo/1?hide=lurkers,bots")
        #expect(comma.contains("href=\"/room/demo/1?hide=lurkers\">Show bots</a>") && !comma.contains(">bulletin<"))
        let merged = try await fixture.page("/merged?room=demo/1&hide=bots")
        #expect(merged.contains("user2") && !merged.contains(">bulletin<"))
        let file = try await fixture.page("/room/demo/1/download?hide=bots&hide=joins")
        #expect(file.contains("hi") && !file.contains("bulletin") && !file.contains("has joined"))
    }

    @Test func `a right-to-left name is isolated from the text around it`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { [.live($0), .said("hi", at: 1, by: "עברית\u{202E}x", in: $0)] }
        let page = try await fixture.page("/room/demo/1")
        #expect(page.contains("<bdi>עברית\\u{202E}x</bdi>") && !page.contains("\u{202E}"))
    }

    @Test func `unread messages are below a line, and a form marks them as read`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { session in
            [.live(session)] + (0..<10).map { .said("line \($0)", at: $0, in: session) }
        }
        let writer = try await fixture.archive.openWriter(AccountIdentity(name: "demo", network: "streamchat"))
        try await writer.markRead(
            rooms: [1], through: MessageID(PagesFixture.start.advanced(by: .seconds(6))), at: PagesFixture.start)
        try await writer.close()
        let page = try await fixture.page("/room/demo/1")
        let parts = page.components(separatedBy: "id=\"unread\"")
        #expect(parts.count == 2 && parts[1].contains("3 unread messages") && parts[1].contains("line 7"))
        #expect(parts[0].contains("line 6"))
        #expect(page.contains("name=\"to\" value=\"\(Self.id(9))\"") && page.contains("value=\"/room/demo/1#end\""))
        let read = try await fixture.page("/room/demo/1?oldest=1&limit=3")
        #expect(read.contains("line 2") && !read.contains("read-marks"), "the page was read already")
    }

    @Test func `a day links to its neighbours with messages`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { session in
            [.live(session)] + [0, 3, 9].map { .said("day \($0)", at: $0 * 86_400, in: session) }
        }
        let page = try await fixture.page("/room/demo/1?day=2026-11-24")
        #expect(page.contains("id=\"previous-day\" href=\"/room/demo/1?day=2026-11-21\""))
        #expect(page.contains("id=\"next-day\" href=\"/room/demo/1?day=2026-11-30\""))
        let none = try await fixture.page("/room/demo/1?day=2026-11-25")
        #expect(none.contains("No messages on Wednesday, 25 November 2026."))
    }

    @Test func `the shown day links to its place in the calendar`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { [.live($0), .said("hi", at: 1, in: $0)] }
        let page = try await fixture.page("/room/demo/1")
        let address = "/room/demo/1/calendar?year=2026"
        #expect(
            page.contains("id=\"day\" title=\"Calendar\" href=\"\(address)#day-2026-11-21\">21 Nov 2026</a>"), "\(page)"
        )
        #expect(try await fixture.page(address).contains("id=\"day-2026-11-21\""))
    }

    @Test func `a room's page has its topic and its setter until it is removed`() async throws {
        let fixture = try PagesFixture()
        let other = RoomReference(key: "other", name: "other", kind: .channel)
        try await fixture.store { session in
            [
                .live(session), .live(session, room: other), .said("old", at: 0, by: "bob", in: session, kind: .topic),
                .said("\u{2}오늘\u{2} <b> https://example.org/x", at: 1, in: session, kind: .topic),
                .said("hi", at: 2, in: session), .said("elsewhere", at: 3, in: session, kind: .topic, room: other),
            ]
        }
        let page = try await fixture.page("/room/demo/1?after=2026-11-21T09:00:01Z")
        #expect(page.contains("><bdi>오늘 &lt;b&gt; https://example.org/x</bdi></a>"), "\(page)")
        #expect(page.contains(" href=\"https://example.org/x\">https://example.org/x</a></bdi>"))
        #expect(page.contains("Topic, set by <bdi>alice</bdi> on 21 Nov 2026"))
        _ = try PageMarkup(page)
        try await fixture.store { [.live($0), .said("", at: 9, in: $0, kind: .topic)] }
        #expect(!(try await fixture.page("/room/demo/1")).contains("Topic, set"))
        #expect(try await fixture.page("/room/demo/2").contains("elsewhere"))
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            (Timestamp(microseconds: 1_700_000_000_000_000), "set by <bdi>alice</bdi> on 14 Nov 2023", "plans"),
            (nil, "seen on 21 Nov 2026", "plans"), (nil, nil, ""),
        ] as [(Timestamp?, String?, String)])
    func `a topic that stood at the join belongs to the room since it was set`(
        since: Timestamp?, words: String?, topic: String
    )
        async throws
    {
        let fixture = try PagesFixture()
        try await fixture.store { session in
            let message = IncomingMessage(
                session: session, room: PagesFixture.lobby, kind: .topic,
                sender: topic.isEmpty ? nil : UserReference(key: "alice", name: "alice"), body: topic,
                receivedAt: PagesFixture.start.advanced(by: .seconds(60)))
            return [
                .live(session), .said("before", at: 1, in: session, kind: .topic),
                .message(message, .standing(since: since)),
            ]
        }
        let page = try await fixture.page("/room/demo/1")
        #expect(page.contains("Topic, ") == (words != nil))
        if let words { #expect(page.contains("Topic, \(words)<"), "\(page)") }
        let rooms = try await fixture.page("/")
        #expect(rooms.contains(topic.isEmpty ? "the topic was removed" : "the topic is: <bdi>plans"), "\(rooms)")
    }

    @Test func `several rooms are one list with the room's name above each run`() async throws {
        let fixture = try PagesFixture()
        let other = RoomReference(key: "other", name: "other", kind: .channel)
        try await fixture.store { session in
            [
                .live(session), .live(session, room: other), .said("one", at: 0, in: session),
                .said("two", at: 1, in: session, room: other), .said("three", at: 2, in: session),
            ]
        }
        for address in ["/merged?room=demo/1&room=demo/2", "/account/demo"] {
            let page = try await fixture.page(address)
            #expect(page.components(separatedBy: "<li class=\"w\">").count == 4)
            _ = try PageMarkup(page)
        }
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: ["/room/demo/2", "/room/nobody/1", "/room/demo/x", "/message/demo/2026-11-21T00:00:00.000000Z"])
    func `an unknown address gets a page that says so`(address: String) async throws {
        let fixture = try PagesFixture()
        try await fixture.store { [.live($0), .said("hello", at: 1, in: $0)] }
        let page = try await fixture.page(address)
        #expect(page.contains("class=\"notice\""))
        _ = try PageMarkup(page)
    }
}

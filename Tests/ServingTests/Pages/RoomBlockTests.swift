import Archive
import ChatModel
import Foundation
import TestSupport
import Testing
import Writing

@testable import Serving

/// Tests the parts of a page beside messages: gaps, joins, topics and the number of unread messages.
struct RoomBlockTests {
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
        let edge = try await fixture.page("/room/demo/1?after=\(PagesFixture.id(10))&limit=1")
        #expect(edge.contains("<b>Gap of 2 h</b>"))
        let earlier = try await fixture.page("/room/demo/1?before=\(PagesFixture.id(7300))&limit=1")
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
        let later = try await fixture.page("/room/demo/1?after=\(PagesFixture.id(1))")
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
        #expect(page.contains("name=\"to\" value=\"\(PagesFixture.id(9))\""))
        #expect(page.contains("value=\"/room/demo/1#end\""))
        let read = try await fixture.page("/room/demo/1?oldest=1&limit=3")
        #expect(read.contains("line 2") && !read.contains("read-marks"), "the page was read already")
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
}

import Archive
import ChatModel
import Foundation
import TestSupport
import Testing
import Writing

@testable import Serving

/// The page of a room, and its addresses.
struct RoomPageTests {
    @Test func `a room shows its messages below the day's heading`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { [.live($0), .said("hello", at: 1, in: $0), .said("again", at: 2, in: $0)] }
        let page = try await fixture.page("/room/demo/1")
        #expect(page.contains("<time datetime=\"2026-11-21\">Saturday, 21 November 2026</time>"))
        #expect(page.contains("<div class=\"b\" dir=\"auto\">hello</div>"))
        #expect(page.contains("<li class=\"m f\" id=\"\(PagesFixture.id(2))\">"))
        #expect(page.contains("href=\"/room/demo/1?around=\(PagesFixture.id(1))#\(PagesFixture.id(1))\""))
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
        let page = try await fixture.page("/room/demo/1?around=\(PagesFixture.id(15))&limit=10&hide=joins")
        #expect(page.contains("rel=\"prev\" href=\"/room/demo/1?limit=10&amp;hide=joins&amp;before="))
        #expect(page.contains("rel=\"next\" href=\"/room/demo/1?limit=10&amp;hide=joins&amp;after="))
        #expect(page.contains("class=\"m f here\" id=\"\(PagesFixture.id(15))\""))
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

    @Test func `a page follows the feed from its own position`()
        async throws
    {
        let page = try await PagesFixture.days().page("/room/demo/1")
        #expect(page.contains(/data-feeds="\?account=demo&amp;room=1&amp;after=[0-9a-f-]{36}%3A[0-9]+"/))
        let fragment = try await PagesFixture.days().page("/room/demo/1?fragment=1")
        #expect(!fragment.contains("data-feeds"))
    }

    @Test func `an address with a room's name redirects to the room`() async throws {
        let fixture = try await PagesFixture.days()
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
        let part = try await fixture.page("/room/demo/1?after=\(PagesFixture.id(2))&fragment=1")
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
        #expect(page.contains("<a class=\"r\" href=\"#\(PagesFixture.id(0))\">"))
        #expect(page.contains("a message that is not in the archive"))
        let alone = try await fixture.page("/room/demo/1?after=\(PagesFixture.id(0))&limit=1")
        let first = PagesFixture.id(0)
        #expect(alone.contains("<a class=\"r\" href=\"/room/demo/1?around=\(first)#\(first)\">"))
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

    @Test func `a right-to-left name is isolated from the text around it`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { [.live($0), .said("hi", at: 1, by: "עברית\u{202E}x", in: $0)] }
        let page = try await fixture.page("/room/demo/1")
        #expect(page.contains("<bdi>עברית\\u{202E}x</bdi>") && !page.contains("\u{202E}"))
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

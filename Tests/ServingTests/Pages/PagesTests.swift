import Archive
import ChatModel
import Foundation
import Rendering
import TestSupport
import Testing

@testable import Serving

struct PagesTests {
    @Test func `a search shows how far back its index reaches`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { [.live($0), .said("hello", at: 1, in: $0)] }
        #expect(!(try await fixture.page("/search?q=hello")).contains("in the search index"))
        try fixture.execute("UPDATE search_index SET from_us = 9000000000000000")
        #expect(try await fixture.page("/search?q=hello").contains("in the search index; to add the rest"))
    }

    private static let first = PagesFixture.start.description

    @Test func `an empty archive shows the commands that fill it`() async throws {
        let fixture = try PagesFixture()
        let page = try await fixture.page("/")
        for command in ["scrollback import", "scrollback init", "scrollback listen", "scrollback demo"] {
            #expect(page.contains(command))
        }
        _ = try PageMarkup(page)
    }

    @Test func `rooms of all accounts are in one list, the latest messages first`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store("one") { [.live($0), .said("old", at: 1, in: $0)] }
        try await fixture.store("two") { [.live($0), .said("new", at: 2, by: "bob", in: $0)] }
        let page = try await fixture.page("/")
        let parts = page.components(separatedBy: "<ul class=\"room-list\"")
        #expect(parts.count == 2)
        let (old, new) = (parts[1].range(of: "/room/one/1"), parts[1].range(of: "/room/two/1"))
        #expect(try #require(new).lowerBound < #require(old).lowerBound)
        #expect(page.contains("<b><bdi>bob</bdi></b>: <bdi>new</bdi>") && page.contains("<span class=\"unread\">1<"))
        let filtered = try await fixture.page("/?filter=TWO")
        #expect(filtered.contains("/room/two/1") && !filtered.contains("/room/one/1"))
        _ = try PageMarkup(page)
    }

    @Test func `a search highlights its words and links to each hit`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { session in
            [.live(session), .said("the Server is down", at: 0, in: session), .said("새서버가 죽었다", at: 1, in: session)]
        }
        let page = try await fixture.page("/search?q=server")
        #expect(page.contains("the <mark>Server</mark> is down"))
        #expect(page.contains("href=\"/room/demo/1?around=\(Self.first)#\(Self.first)\""))
        #expect(page.contains("data-facets=\"/search?q=server&amp;facets=1&amp;fragment=1\""))
        let korean = try await fixture.page("/search?q=%EC%84%9C%EB%B2%84")
        #expect(korean.contains("새<mark>서버</mark>가 죽었다"))
        let facets = try await fixture.page("/search?q=server&facets=1")
        #expect(facets.contains("q=server%20from%3A%22alice%22") && facets.contains("<b>1 hit</b>"))
        for page in [page, korean, facets] { _ = try PageMarkup(page) }
    }

    @Test(arguments: ["", "q=server&"])
    func `a search of one room names it and links to a search everywhere`(query: String) async throws {
        let fixture = try PagesFixture()
        try await fixture.store { [.live($0), .said("the server is down", at: 1, in: $0)] }
        for room in ["1&account=demo", "lobby", "demo/lobby"] {
            let page = try await fixture.page("/search?\(query)room=\(room)")
            #expect(page.contains("Only in <bdi>demo/lobby</bdi>."), "\(page)")
            #expect(page.contains(/<a href="\/search\?[^"]*">Search everywhere<\/a>/))
        }
        #expect(!(try await fixture.page("/search?\(query)")).contains("Only in"))
    }

    @Test func `an empty result gives the reason and a search with hits`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { [.live($0), .said("gruesome", at: 0, in: $0)] }
        let page = try await fixture.page("/search?q=gru")
        #expect(page.contains("No message matches") && page.contains("href=\"/search?q=gru%2A\""))
        let unknown = try await fixture.page("/search?q=from:alise")
        #expect(unknown.contains("did you mean from:alice?"))
        let condition = try await fixture.page("/search?q=has:cat")
        #expect(condition.contains("unknown condition has:cat") && condition.contains("has:image"))
        let mistake = try await fixture.page("/search?q=on:sometime")
        #expect(mistake.contains("as a time") && mistake.contains("role=\"alert\"") && !mistake.contains("[bad-time]"))
    }

    @Test func `a message's page has its versions with word differences`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { session in
            [.live(session), .said("see you at ten", at: 0, in: session, id: "1")]
        }
        try await fixture.store { session in
            [
                .message(
                    IncomingMessage(
                        session: session, room: PagesFixture.lobby, kind: .message,
                        sender: UserReference(key: "alice", name: "alice"), body: "see you at eleven", remoteID: "1",
                        receivedAt: PagesFixture.start.advanced(by: .seconds(60)),
                        editedAt: PagesFixture.start.advanced(by: .seconds(60))), .edit)
            ]
        }
        let page = try await fixture.page("/message/demo/\(Self.first)")
        #expect(page.contains("see you at <del>ten</del><ins>eleven</ins>") && page.contains("2 versions"))
        #expect(page.contains("<dt>room</dt><dd dir=\"auto\">demo/lobby</dd>"))
        let room = try await fixture.page("/room/demo/1")
        #expect(room.contains("href=\"/message/demo/\(Self.first)\">(edited)</a>"))
        _ = try PageMarkup(page)
    }

    @Test func `a message's page shows it once, in its thread if there is one`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { session in
            [
                .live(session), .said("alone here", at: 0, in: session, id: "a"),
                .said("a question", at: 1, in: session, id: "q"),
                .said("its answer", at: 2, in: session, id: "w", replyTo: "q"),
            ]
        }
        func page(_ second: Int64) async throws -> String {
            let time = PagesFixture.start.advanced(by: .seconds(second)).description.replacing(":", with: "%3A")
            return try await fixture.page("/message/demo/\(time)")
        }
        #expect(try await page(0).components(separatedBy: "alone here").count == 2)
        let answered = try await page(2)
        #expect(answered.components(separatedBy: "<span class=\"b\"").count >= 1)
        #expect(answered.components(separatedBy: ">its answer<").count == 2, "\(answered)")
        #expect(answered.contains("m here\"") && !answered.contains("Details and versions"))
        _ = try PageMarkup(answered)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a long thread has pages, and the first one shows the message itself`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { session in
            [.live(session), .said("root", at: 0, in: session, id: "root")]
                + (1...250).map { .said("reply \($0).", at: $0, in: session, id: "\($0)", replyTo: "root") }
        }
        func id(_ second: Int64) -> String {
            PagesFixture.start.advanced(by: .seconds(second)).description.replacing(":", with: "%3A")
        }
        let address = "/message/demo/\(id(250))"
        let page = try await fixture.page(address)
        let conversation = page.components(separatedBy: "id=\"conversation\"").last ?? ""
        #expect(conversation.contains("Conversation of 251 messages") && conversation.contains("reply 250."))
        #expect(conversation.contains("rel=\"prev\" href=\"\(address)?before=\(id(51))#conversation\""))
        #expect(!conversation.contains("reply 50.") && !conversation.contains("rel=\"next\""))
        let older = try await fixture.page("\(address)?before=\(id(51))")
        #expect(older.contains("reply 50.") && !older.contains("reply 51.") && !older.contains("rel=\"prev\""))
        #expect(older.contains("rel=\"next\" href=\"\(address)?after=\(id(50))#conversation\""))
        for page in [page, older] { _ = try PageMarkup(page) }
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            ("/search?q=hello&count=1", "Unknown parameter &quot;count&quot;"),
            ("/search?q=hello&by=room", "Unknown parameter &quot;by&quot;"),
            ("/room/demo/1?account=demo", "Unknown parameter &quot;account&quot;"),
            ("/account/demo?account=demo", "Unknown parameter &quot;account&quot;"),
            ("/merged?room=demo/1&account=demo", "Room and account can&#39;t be combined"),
            ("/account/demo?room=demo/1", "Room and account can&#39;t be combined"),
            ("/merged?room=demo/1&room=demo/1", "Room &quot;demo/1&quot; is named twice"),
        ])
    func `a page refuses a parameter without meaning there`(address: String, reason: String) async throws {
        let fixture = try PagesFixture()
        try await fixture.store { [.live($0), .said("hello", at: 1, in: $0)] }
        let page = try await fixture.page(address)
        #expect(page.contains("class=\"notice\"") && page.contains(reason), "\(page)")
    }

    @Test func `a calendar links to each day with messages and shows their number`() async throws {
        let fixture = try PagesFixture()
        try await fixture.store { [.live($0), .said("a", at: 0, in: $0), .said("b", at: 1, in: $0)] }
        let page = try await fixture.page("/room/demo/1/calendar?year=2026")
        #expect(page.contains("href=\"/room/demo/1?day=2026-11-21\""))
        #expect(page.contains("aria-label=\"21 November 2026, 2 messages"))
        #expect(page.components(separatedBy: "<table").count == 13)
        _ = try PageMarkup(page)
    }

    @Test(arguments: ["/help", "/search", "/search?q="])
    func `the help and the empty search explain the query language`(address: String) async throws {
        let page = try await PagesFixture().page(address)
        #expect(page.contains("from:alice"))
        _ = try PageMarkup(page)
    }

    @Test func `a difference shows the words of both texts`() {
        #expect(WordDifference(from: "a <b> c", to: "a <d> c").html == "a &lt;<del>b</del><ins>d</ins>&gt; c")
        #expect(WordDifference(from: "회의는 10시", to: "회의는 11시").html == "회의는 <del>10시</del><ins>11시</ins>")
        let long = String(repeating: "x ", count: 20_000)
        #expect(WordDifference(from: long, to: "y").html.text.hasSuffix("<ins>y</ins>"))
    }
}

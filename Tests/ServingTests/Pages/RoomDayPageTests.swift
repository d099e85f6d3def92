import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Serving

/// Pages of days.
struct RoomDayPageTests {
    @Test func `a day's page ends with its day, and links to the days around it`() async throws {
        for address in ["/room/demo/1", "/account/demo"] {
            let page = try await PagesFixture.days().page("\(address)?day=2026-11-22")
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
        let fixture = try await PagesFixture.days()
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
            let page = try await PagesFixture.days().page("\(address)?day=2026-11-23")
            #expect(page.contains("No messages on Monday, 23 November 2026."), "\(page)")
            #expect(!page.contains("data-live"))
            #expect(page.contains("?day=2026-11-22\"") && page.contains("?day=2026-11-24\""))
        }
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
}

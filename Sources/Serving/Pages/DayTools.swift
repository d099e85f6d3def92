import Archive
import ChatModel
import Foundation
import Operations
import Rendering

/// The links to other days: a date field, and the nearest days with messages.
struct DayTools {
    let day: Page.Day
    let address: PageAddress

    /// Returns the day of a page with its neighbours; nil if the page has no day and no messages.
    static func day(
        of page: Page, here: MessageID?, _ query: MessageQuery, zone: TimeZone, in reading: ArchiveReading
    ) async throws -> Page.Day? {
        if let day = page.day { return day }
        let message = here.flatMap { id in page.messages.first { $0.id == id } } ?? start(of: page, query)
        guard let message else { return nil }
        let day = CivilDay(containing: message.time, in: zone)
        return try await reading.page(query.with(anchor: .day(day), limit: 1)).day
    }

    /// Returns the message that a reader sees first: the last one of a page that ends at its place.
    private static func start(of page: Page, _ query: MessageQuery) -> Message? {
        switch query.anchor {
        case .latest, .before: page.messages.last
        case .oldest, .after, .around, .between, .day: page.messages.first
        }
    }

    var html: String {
        "<div class=\"days\">" + link(day.previous, id: "previous-day", name: "Previous day", "← ", "")
            + "<form action=\"\(HTMLText.escape(address.path))\">\(address.fields)"
            + "<input type=\"date\" id=\"date\" name=\"day\" aria-label=\"Go to a day\" value=\"\(day.day.name)\" required>"
            + "<button>Go</button></form>" + link(day.next, id: "next-day", name: "Next day", "", " →") + "</div>\n"
    }

    private func link(_ day: CivilDay?, id: String, name: String, _ before: String, _ after: String) -> String {
        guard let day else { return "" }
        let moment = LocalMoment(day.span.lowerBound, in: day.zone)
        return "<a class=\"button\" id=\"\(id)\" href=\"\(address.with("day", day.name))\" "
            + "aria-label=\"\(name) with messages: \(moment.dayInWords)\">\(before)<span>\(moment.dayAndMonth)</span>\(after)</a>"
    }
}

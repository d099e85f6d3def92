import ChatModel
import FoundationEssentials
import Operations
import Reading
import Rendering

/// The links to other days: the nearest days with messages, and between them the day in view.
struct DayTools {
    let day: Page.Day
    let address: PageAddress
    /// The address of the calendar to which the day in view leads; nil for a field with the date in its place.
    var calendar: String?

    /// Returns the day of a page with its neighbours; nil if the page has no day and no messages.
    static func day(
        of page: Page, here: MessageID?, _ query: MessageQuery, zone: Zone, in reading: ArchiveReading
    ) throws -> Page.Day? {
        if let day = page.day { return day }
        let message = here.flatMap { id in page.messages.first { $0.id == id } } ?? start(of: page, query)
        guard let message else { return nil }
        let day = CivilDay(containing: message.time, in: zone)
        return try reading.page(query.with(anchor: .day(day), limit: 1)).day
    }

    /// Returns the message that a reader sees first: the last one of a page that ends at its place.
    private static func start(of page: Page, _ query: MessageQuery) -> Message? {
        switch query.anchor {
        case .latest, .before: page.messages.last
        case .oldest, .after, .around, .between, .day: page.messages.first
        }
    }

    /// Returns the words for a page without messages, of a day or of another time.
    static func nothing(on day: Page.Day?) -> HTML {
        guard let day = day?.day else { return "No messages here." }
        return "No messages on \(LocalMoment(day.span.lowerBound, in: day.zone).dayInWords)."
    }

    var html: HTML {
        "<div class=\"days\">" + link(day.previous, id: "previous-day", name: "Previous day", "← ", "")
            + (calendar.map(pill) ?? field) + link(day.next, id: "next-day", name: "Next day", "", " →") + "</div>\n"
    }

    /// A form with a date field.
    var field: HTML { Self.field(address, value: day.day.name) }

    /// Returns a form with a date field.
    ///
    /// - Parameter value: The date in it; empty for none.
    static func field(_ address: PageAddress, value: String) -> HTML {
        "<form action=\"\(address.path)\">\(address.fields)"
            + "<input type=\"date\" id=\"date\" name=\"day\" aria-label=\"Go to a day\" value=\"\(value)\" required>"
            + "<button>Go</button></form>"
    }

    private func pill(_ calendar: String) -> HTML {
        let moment = LocalMoment(day.day.span.lowerBound, in: day.day.zone)
        return "<a class=\"button\" id=\"day\" title=\"Calendar\" href=\"\(calendar)\">\(moment.dayMonthYear)</a>"
    }

    /// Returns the place of a day in the calendar.
    static func calendar(_ path: String, of day: CivilDay?) -> String {
        path + "/calendar" + (day.map { "?year=\($0.name.prefix(4))#day-\($0.name)" } ?? "")
    }

    /// The links below the messages of a day.
    var end: HTML {
        let links = [
            link(day.previous, name: "Previous day", "← ", ""), link(day.next, name: "Next day", "", " →"),
            address.newest,
        ]
        return
            "<nav class=\"edge\" aria-label=\"Other days\">\(links.filter { !$0.isEmpty }.joined(separator: " "))</nav>\n"
    }

    private func link(
        _ day: CivilDay?, id: String? = nil, name: String, _ before: String, _ after: String
    ) -> HTML {
        guard let day else { return "" }
        let moment = LocalMoment(day.span.lowerBound, in: day.zone)
        let id: HTML = id.map { " id=\"\($0)\"" } ?? ""
        return "<a class=\"button\"\(id) href=\"\(address.with("day", day.name))\" "
            + "aria-label=\"\(name) with messages: \(moment.dayInWords)\">\(before)<span>\(moment.dayAndMonth)</span>\(after)</a>"
    }
}

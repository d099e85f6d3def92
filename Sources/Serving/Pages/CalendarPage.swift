import ChatModel
import FoundationEssentials
import Hummingbird
import Operations
import Options
import Reading
import Rendering

/// A year of a room: the number of messages of each day, and the days that are proven complete.
struct CalendarPage {
    let visit: PageVisit
    let key: RoomKey
    let side: SideRooms

    private static let year = Parameter(
        "year", .number(1970...9999), "The year (default: the year of the last message).")

    func response() throws -> Response {
        let parameters = try visit.parameters([Self.year])
        let zone = parameters.has("utc") ? .gmt : visit.zone
        let found = try visit.site.readInPlace(as: visit.visitor, cold: parameters.has("cold")) { reading in
            try find(year: parameters.number("year"), zone: zone, in: reading)
        }
        guard let found else { throw Problem.notFound }
        let room = found.room
        let name = RoomWords.name(room)
        var frame = PageFrame(
            title: "\(found.year) in \(room.name)",
            heading:
                "<a href=\"\(HTMLAddress.room(room.account, room.id))#end\"><bdi>\(name)</bdi></a><small>Calendar</small>"
        )
        (frame.zone, frame.copy) = (zone, visit.copy)
        frame.search(room)
        frame.side = try side.html(for: visit.visitor, current: .room(room))
        return visit.respond(frame.page(content(found, zone: zone)))
    }

    private struct Found: Sendable {
        var room: Room
        var year: Int
        var days: [DayCount]
    }

    private func find(year: Int?, zone: Zone, in reading: ArchiveReading) throws -> Found? {
        guard let room = try reading.room(key)?.room else { return nil }
        let newest = LocalMoment(room.lastMessage?.time ?? .now(), in: zone)
        let year = year ?? Int(newest.day.prefix(4)) ?? 1970
        let calendar = MonthCalendar(zone: zone)
        let start = calendar.start(of: CalendarMonth(year: year, month: 1))
        let end = calendar.start(of: CalendarMonth(year: year + 1, month: 1))
        let last = CivilDay(containing: end.advanced(byMicroseconds: -1), in: zone).number
        let days = try reading.counts.days(
            of: key, days: CivilDay(containing: start, in: zone).number...last, zone: zone)
        return Found(room: room, year: year, days: days)
    }

    private func content(_ found: Found, zone: Zone) -> HTML {
        let address = HTMLAddress.room(key.account, key.id)
        let months = YearCalendar(year: found.year, days: found.days, address: address)
        let messages = found.days.reduce(0) { $0 + $1.messages }
        let active = found.days.count { $0.messages > 0 }
        let complete = found.days.count { $0.isComplete == true }
        return """
            <main id="main">
            \(years(found, address: address, zone: zone))\
            <div class="days">\(DayTools.field(PageAddress(path: address, items: []), value: ""))</div>
            <p class="facts">\(messages.of(.message)) on \(active.of("day")); \
            \(complete.of("day")) proven complete</p>
            <p class="legend"><span><i class="none"></i> no messages</span><span><i class="l1"></i> few</span>\
            <span><i class="l2"></i><i class="l3"></i><i class="l4"></i> many</span>\
            <span><i class="none full"></i> proven complete</span></p>
            <div class="months-grid">
            \(months.html)</div>
            </main>

            """
    }

    /// Returns links to the years beside this one, as far as the room has messages.
    private func years(_ found: Found, address: String, zone: Zone) -> HTML {
        func year(_ id: MessageID?) -> Int? { id.flatMap { Int(LocalMoment($0.time, in: zone).day.prefix(4)) } }
        let (first, last) = (year(found.room.firstMessage), year(found.room.lastMessage))
        let previous = first.map { $0 < found.year } ?? false ? found.year - 1 : nil
        let next = last.map { $0 > found.year } ?? false ? found.year + 1 : nil
        func link(_ year: Int?, _ id: String, _ relation: String, _ before: String, _ after: String) -> HTML {
            guard let year else { return "" }
            return
                "<a class=\"button\" id=\"\(id)\" rel=\"\(relation)\" href=\"\(address)/calendar?year=\(year)\">\(before)\(year)\(after)</a>"
        }
        return "<nav class=\"year\" aria-label=\"Years\">\(link(previous, "previous-day", "prev", "← ", ""))"
            + "<h2 class=\"page-title\">\(found.year)</h2>\(link(next, "next-day", "next", "", " →"))</nav>\n"
    }
}

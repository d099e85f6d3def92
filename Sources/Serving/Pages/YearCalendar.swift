import ChatModel
import Rendering

/// The months of a year as tables, with a link for each day that has messages.
///
/// The shade of a day shows its number of messages, and a check mark shows that it is proven complete. Both are also in
/// the day's title.
struct YearCalendar {
    let year: Int
    private let days: [String: DayCount]
    /// The highest count of a day.
    private let most: Int64
    /// The room's address.
    private let address: String

    init(year: Int, days: [DayCount], address: String) {
        (self.year, self.address) = (year, address)
        self.days = Dictionary(days.map { ($0.day, $0) }, uniquingKeysWith: { first, _ in first })
        most = days.map(\.messages).max() ?? 0
    }

    var html: HTML { (1...12).map(month).joined() }

    private static let weekdays = [
        ("Mo", "Monday"), ("Tu", "Tuesday"), ("We", "Wednesday"), ("Th", "Thursday"), ("Fr", "Friday"),
        ("Sa", "Saturday"),
        ("Su", "Sunday"),
    ]

    private func month(_ number: Int) -> HTML {
        let month = CalendarMonth(year: year, month: number)
        let offset = Self.weekday(year, number)
        let cells =
            Array(repeating: "<td></td>" as HTML, count: offset)
            + (1...Self.length(year, number)).map { cell(month, $0) }
        let rows = stride(from: 0, to: cells.count, by: 7).map { start -> HTML in
            "<tr>\(cells[start..<min(start + 7, cells.count)].joined())</tr>\n"
        }
        let heads = Self.weekdays.map { "<th scope=\"col\" abbr=\"\($1)\">\($0)</th>" as HTML }
        return
            "<table class=\"month\">\n<caption>\(month.inWords)</caption>\n<thead><tr>\(heads.joined())</tr></thead>\n"
            + "<tbody>\n\(rows.joined())</tbody>\n</table>\n"
    }

    private func cell(_ month: CalendarMonth, _ day: Int) -> HTML {
        let name = "\(month)-\(day < 10 ? "0" : "")\(day)"
        guard let count = days[name] else { return "<td>\(day)</td>" }
        let isFull = count.isComplete == true
        let classes = "day" + (count.messages > 0 ? " l\(level(count.messages))" : "") + (isFull ? " full" : "")
        let complete = isFull ? ", proven complete" : ""
        guard count.messages > 0 else {
            return "<td><span class=\"\(classes)\" title=\"no messages\(complete)\">\(day)</span></td>"
        }
        let words = "\(count.messages.of(.message))\(complete)"
        return "<td><a class=\"\(classes)\" id=\"day-\(name)\" href=\"\(address)?day=\(name)\" title=\"\(words)\" "
            + "aria-label=\"\(day) \(month.inWords), \(words)\">\(day)</a></td>"
    }

    /// Returns a level from 1 to 4. The level grows with the root of the count, because the counts of days differ
    /// widely.
    private func level(_ count: Int64) -> Int {
        let share = (Double(count) / Double(max(most, 1))).squareRoot()
        return max(1, min(4, Int((share * 4).rounded(.up))))
    }

    // MARK: The calendar

    private static func length(_ year: Int, _ month: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the weekday of a month's first day, from 0 for Monday (Sakamoto's method).
    private static func weekday(_ year: Int, _ month: Int) -> Int {
        let offsets = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]
        let year = month < 3 ? year - 1 : year
        let sunday = (year + year / 4 - year / 100 + year / 400 + offsets[month - 1] + 1) % 7
        return (sunday + 6) % 7
    }
}

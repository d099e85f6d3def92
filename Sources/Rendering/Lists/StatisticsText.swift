package import ChatModel

/// Statistics for people: totals, a picture of the days and the hours, and the people and rooms with the most messages.
package struct StatisticsText {
    package let time: LocalTime
    package let style: Style
    /// The number of people and rooms to show; nil for all.
    package let limit: Int?
    /// The terminal's width in cells; nil for lines as long as needed.
    package let width: Int?

    /// The number of months whose days are shown; earlier ones are shown in years.
    private static let months = 12

    package init(time: LocalTime, style: Style, limit: Int?, width: Int?) {
        (self.time, self.style, self.limit, self.width) = (time, style, limit, width)
    }

    package func text(_ statistics: Statistics) -> String {
        guard let first = statistics.first, let last = statistics.last else { return "" }
        let totals =
            [
                ("messages", statistics.messages.grouped), ("people", statistics.people.grouped),
                ("first", time.dayAndSecond(first.time)), ("last", time.dayAndSecond(last.time)),
            ] + complete(statistics)
        let head = totals.map { row($0.0, $0.1, indent: 10, named: style.dim) }.joined()
        let years = statistics.counts[.month, default: []].count > Self.months ? years(statistics) : ""
        let rooms = statistics.counts[.room, default: []]
        return [
            head, years, days(statistics), hours(statistics), table(statistics, .weekday), table(statistics, .user),
            rooms.count > 1 ? table(statistics, .room) : "",
        ].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Returns the number of days that are proven complete, of those that have ended; none if no day has.
    private func complete(_ statistics: Statistics) -> [(String, String)] {
        let ended = statistics.days.compactMap(\.isComplete)
        guard !ended.isEmpty else { return [] }
        let last = statistics.earlierDays > 0 ? "the last " : ""
        return [("complete", "\(ended.count { $0 }.grouped) of \(last)\(ended.count.of("day"))")]
    }

    private func counts(_ statistics: Statistics, _ property: Statistics.Property) -> [String: Int64] {
        Dictionary(
            statistics.counts[property, default: []].map { ($0.name ?? "", $0.count) }, uniquingKeysWith: +)
    }

    /// Returns a line for each year, with a cell for each month.
    private func years(_ statistics: Statistics) -> String {
        let months = counts(statistics, .month)
        let lines = statistics.counts[.year, default: []].map { year in
            let name = year.name ?? ""
            let cells = (1...12).map { months["\(name)-\(Self.two($0))", default: 0] }
            return row(name, Self.cells(cells, most: months.values.max() ?? 1) + "  " + year.count.grouped, indent: 6)
        }
        return style.bold("MONTHS OF THE YEAR") + "\n" + lines.joined()
    }

    /// Returns a line for each of the last months, with a cell for each day.
    private func days(_ statistics: Statistics) -> String {
        let days = counts(statistics, .day)
        let most = days.values.max() ?? 1
        let lines = statistics.counts[.month, default: []].suffix(Self.months).map { month in
            let name = month.name ?? ""
            let last = (29...31).last { days["\(name)-\($0)"] != nil } ?? 28
            let cells = (1...last).map { days["\(name)-\(Self.two($0))", default: 0] }
            return row(name, Self.cells(cells, most: most), indent: 9)
        }
        let (heading, scale) = ("DAYS OF THE MONTH", "(at most \(most.grouped) a day)")
        let isOneLine = width.map { heading.count + 1 + scale.count <= $0 } ?? true
        return style.bold(heading) + (isOneLine ? " " : "\n") + scale + "\n" + lines.joined()
    }

    private func hours(_ statistics: Statistics) -> String {
        let hours = counts(statistics, .hour)
        let cells = Self.cells((0..<24).map { hours[Self.two($0), default: 0] }, most: hours.values.max() ?? 1)
        return row("HOURS", "0     6     12    18", indent: 9, named: style.bold) + row("", cells, indent: 9)
    }

    private func table(_ statistics: Statistics, _ property: Statistics.Property) -> String {
        let all = statistics.counts[property, default: []]
        let shown = property == .weekday ? all[...] : all.prefix(limit ?? all.count)
        return HitCount.listing(
            by: property.rawValue, of: "MESSAGES", chart: shown.map(\.count).max(), cells: 10, among: all
        ).render(Array(shown), format: .text, style: style, width: width)
    }

    /// Returns a line of a name and a text, which continues below itself where the line is too long.
    private func row(_ name: String, _ text: String, indent: Int, named: (String) -> String = { $0 }) -> String {
        let lines = TextWrap.lines(of: text, width: width.map { $0 - indent })
        return named(DisplayWidth.pad(name, to: indent))
            + lines.joined(separator: "\n" + String(repeating: " ", count: indent)) + "\n"
    }

    private static func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// Returns a bar of one cell for each count, with eight heights; a dot for none.
    private static func cells(_ counts: [Int64], most: Int64) -> String {
        let bars = Array("▁▂▃▄▅▆▇█")
        return String(
            counts.map { count in
                count == 0 ? "." : bars[min(7, Int(Double(count) / Double(max(most, 1)) * 8))]
            })
    }
}

extension Statistics {
    /// - Parameter limit: The number of people and rooms; nil for all.
    package func json(limit: Int?, skipped: [SkippedAccount]) -> JSONValue {
        .object([
            "messages": .number(messages),
            "people": .number(Int64(people)),
            "first_message": JSONValue(first),
            "last_message": JSONValue(last),
            "counts": .array(rows(limit: limit).map(\.jsonValue)),
            "left_out": .array(skipped.map { JSONValue($0) }),
            "days": .array(days.map { JSONValue($0) }),
            "earlier_days": .number(earlierDays),
        ])
    }
}

extension DayCount: JSONRepresentable {
    package var jsonValue: JSONValue {
        .object([
            "day": .string(day), "messages": .number(messages),
            "complete": isComplete.map(JSONValue.bool) ?? .null,
        ])
    }
}

extension Statistics.Row {
    fileprivate var jsonValue: JSONValue {
        .object([
            "by": .string(property.rawValue), "account": JSONValue(count.account),
            "name": JSONValue(count.name), "count": .number(count.count),
            "complete": isComplete.map(JSONValue.bool) ?? .null, "id": JSONValue(count.id),
        ])
    }
}

extension Statistics {
    fileprivate struct Row {
        let property: Property
        let count: HitCount
        /// For a day in ``days``, true if it is proven complete; nil for other rows, and while the day lasts and
        /// nothing is missing.
        var isComplete: Bool?
    }

    fileprivate func rows(limit: Int?) -> [Row] {
        let complete = Dictionary(days.map { ($0.day, $0.isComplete) }, uniquingKeysWith: { first, _ in first })
        return Property.allCases.flatMap { property in
            let all = counts[property, default: []]
            let isLimited = property == .room || property == .user
            return all.prefix(isLimited ? limit ?? all.count : all.count).map { count in
                Row(
                    property: property, count: count,
                    isComplete: property == .day ? count.name.flatMap { complete[$0] ?? nil } : nil)
            }
        }
    }

    /// Returns the statistics in a machine format: one document, or a row for each count.
    package func render(_ format: OutputFormat, limit: Int?, skipped: [SkippedAccount]) -> String {
        let rows = rows(limit: limit)
        return switch format {
        case .text: ""
        case .json: json(limit: limit, skipped: skipped).text + "\n"
        case .jsonl: rows.map { $0.jsonValue.text + "\n" }.joined()
        case .csv:
            CSV.record(["by", "account", "name", "count", "complete", "id"])
                + rows.map { CSV.record($0.jsonValue) }.joined()
        }
    }
}

import Bytes
import ChatModel
import FoundationEssentials

/// A line with a date: `--- Log opened Sat Nov 21 06:23:11 2026`, `--- Day changed Sun Nov 22 2026` or `--- Log closed
/// …`.
struct IrssiDateLine {
    /// The date; nil if it can't be read. Only English months and numbers (`11월`) are known.
    let date: CalendarDate?
    /// False for the line at a log's end.
    let beginsDay: Bool
    /// True for a line within a log.
    let changesDay: Bool

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    init?(_ line: ArraySlice<UInt8>) {
        guard line.starts(with: "--- Log ") || line.starts(with: "--- Day ") else { return nil }
        let titles = ["--- Log opened ", "--- Day changed ", "--- Log closed "]
        guard let title = titles.first(where: { line.starts(with: $0) }) else { return nil }
        (beginsDay, changesDay) = (title != titles[2], title == titles[1])
        let rest = line.dropFirst(title.utf8.count).prefix(100)
        let readDate = Self.date(String(decoding: rest, as: UTF8.self).split(separator: " ").map(String.init))
        date = readDate.flatMap { LocalDay($0, zone: .gmt) == nil ? nil : $0 }
    }

    /// Returns the day of a log's lines before its first line with a date, as in a log that was cut: the day at the log's end,
    /// or the day before a new day, which is assumed. Nil if there are no such lines, or if a log was opened after them.
    static func firstDay(of lines: [ArraySlice<UInt8>]) -> (date: CalendarDate, isAssumed: Bool)? {
        guard let first = lines.first(where: { !$0.isBlank }), IrssiDateLine(first) == nil,
            let next = lines.lazy.compactMap(IrssiDateLine.init).first, let date = next.date
        else { return nil }
        guard next.beginsDay else { return (date, false) }
        guard next.changesDay, let number = date.daysSince1970 else { return nil }
        return (CalendarDate(daysSince1970: number - 1), true)
    }

    private static func date(_ words: [String]) -> CalendarDate? {
        for word in words {
            var scanner = ByteScanner(Array(word.utf8)[...])
            if let date = scanner.date(), scanner.rest.isEmpty { return date }
        }
        let year = words.last { $0.utf8.count == 4 && Int($0) != nil }
        let month = words.compactMap(month).first
        let day = words.lazy.compactMap { Int($0.trimmingSuffix(["일", "日", "."])) }.first { (1...31).contains($0) }
        guard let year = year.flatMap({ Int($0) }), let month, let day else { return nil }
        return CalendarDate(year: year, month: month, day: day)
    }

    private static func month(_ word: String) -> Int? {
        if let index = months.firstIndex(of: word.prefix(3).lowercased()), word.count == 3 { return index + 1 }
        return word.hasSuffix("월") || word.hasSuffix("月") ? Int(word.dropLast()) : nil
    }
}

extension String {
    fileprivate func trimmingSuffix(_ endings: [Character]) -> Substring {
        last.map { endings.contains($0) } ?? false ? dropLast() : self[...]
    }
}

import Bytes
import Foundation

/// The order of day and month in the dates of an export, which the export doesn't state.
///
/// A number above 12 is a day. Otherwise, if the days go back in one order only, the other order applies. Otherwise the
/// usual order applies: the month first for hours of 12 and a year of two digits, as in American English; the day first
/// in all other cases.
struct WhatsAppDateOrder: Sendable {
    private let isMonthFirst: Bool
    /// The assumption, for people; nil if the order is certain.
    let assumption: String?

    /// - Parameter beginning: The beginning of the file. A proven order stays as the file grows; an assumption may
    ///   change.
    init(_ beginning: [UInt8]) {
        let dates = IRCLog.lines(of: beginning).lazy.compactMap { WhatsAppHeader($0)?.date }.filter { !$0.isYearFirst }
        let proven = Self.isMonthFirst(in: dates)
        let first = dates.first
        isMonthFirst = proven ?? (first.map { $0.is12Hours && $0.yearDigits == 2 && $0.separator == "/" } ?? false)
        let isCertain = proven != nil || first == nil
        assumption =
            isCertain
            ? nil
            : "dates read with the \(isMonthFirst ? "month" : "day") first, because no date near the beginning shows the order"
    }

    private static func isMonthFirst(in dates: some Sequence<WhatsAppHeader.Numbers>) -> Bool? {
        var (byDay, byMonth) = ([0], [0])
        var byOrder: Bool?
        for date in dates {
            let (first, second, year) = (date.parts[0], date.parts[1], date.parts[2])
            if (13...31).contains(first), second <= 12 { return false }
            if (13...31).contains(second), first <= 12 { return true }
            let (next, nextByMonth) = ([year, second, first], [year, first, second])
            let goesBack = next.lexicographicallyPrecedes(byDay)
            let goesBackByMonth = nextByMonth.lexicographicallyPrecedes(byMonth)
            if byOrder == nil, goesBack != goesBackByMonth { byOrder = goesBack }
            (byDay, byMonth) = (next, nextByMonth)
        }
        return byOrder
    }

    /// Returns the date. Uses the other order when this one gives no date; nil if neither does.
    func date(_ numbers: WhatsAppHeader.Numbers) -> CalendarDate? {
        let parts = numbers.parts
        if numbers.isYearFirst { return Self.valid(parts[0], parts[1], parts[2]) }
        // Years of two digits are in this century, because WhatsApp is from 2009.
        let year = numbers.yearDigits == 2 ? 2000 + parts[2] : parts[2]
        let (day, month) = isMonthFirst ? (parts[1], parts[0]) : (parts[0], parts[1])
        return Self.valid(year, month, day) ?? Self.valid(year, day, month)
    }

    private static func valid(_ year: Int, _ month: Int, _ day: Int) -> CalendarDate? {
        let date = CalendarDate(year: year, month: month, day: day)
        return LocalDay(date, zone: .gmt) == nil ? nil : date
    }
}

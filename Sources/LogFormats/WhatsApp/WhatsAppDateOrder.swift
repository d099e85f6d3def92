import Bytes
import ChatModel

/// The order of day, month and year in the dates of an export, which the export doesn't state.
struct WhatsAppDateOrder: Sendable {
    private let order: DateOrder
    /// The assumption, for people; nil if the order is certain.
    let assumption: String?

    /// - Parameter given: The order that the user named; nil to use the dates.
    init(_ given: DateOrder?, _ dates: WhatsAppDates, language: String?) throws(LogSourceError) {
        switch given.map(WhatsAppDates.Decision.certain) ?? dates.decision(language: language) {
        case .certain(let order): (self.order, assumption) = (order, nil)
        case .assumed(let order):
            self.order = order
            assumption =
                "dates read with the \(order.first) first, because none shows the order; to choose: --date-order dmy, mdy or ymd"
        case .open(let example):
            throw .unusable(
                reason: "can't tell day, month and year in its dates apart, such as \(example)",
                hint: "name their order: --date-order dmy, mdy or ymd")
        }
    }

    /// Returns the date. Exchanges day and month when the order gives no date; nil if that gives none either.
    func date(_ numbers: WhatsAppHeader.Numbers) -> CalendarDate? {
        if numbers.isYearFirst { return DateOrder.ymd.date(numbers) }
        switch order {
        case .dmy: return DateOrder.dmy.date(numbers) ?? DateOrder.mdy.date(numbers)
        case .mdy: return DateOrder.mdy.date(numbers) ?? DateOrder.dmy.date(numbers)
        case .ymd: return DateOrder.ymd.date(numbers)
        }
    }
}

extension DateOrder {
    fileprivate var first: String {
        switch self {
        case .dmy: "day"
        case .mdy: "month"
        case .ymd: "year"
        }
    }

    /// Returns the date; nil if the year's number has neither two nor four digits, or the date is not in the calendar.
    fileprivate func date(_ numbers: WhatsAppHeader.Numbers) -> CalendarDate? {
        let (year, month, day) =
            switch self {
            case .dmy: (numbers.third, numbers.second, numbers.first)
            case .mdy: (numbers.third, numbers.first, numbers.second)
            case .ymd: (numbers.first, numbers.second, numbers.third)
            }
        guard year.digits == 2 || year.digits == 4 else { return nil }
        // Years of two digits are in this century, because WhatsApp is from 2009.
        let date = CalendarDate(
            year: year.digits == 2 ? 2000 + year.value : year.value, month: month.value, day: day.value)
        return date.year >= 1 && date.daysSince1970 != nil ? date : nil
    }
}

/// The dates of an export, as each order of day, month and year reads them.
///
/// The order with the fewest faults applies: dates that do not exist, before 2009, after the import, or before the date
/// above. If several orders have as few, the order applies that phones use in dates of this form, unless another one
/// makes the export four times as short.
struct WhatsAppDates: LogSurvey {
    enum Decision: Hashable {
        case certain(DateOrder), assumed(DateOrder)
        /// Several orders are left. The example is a date.
        case open(String)
    }

    private struct Reading {
        let order: DateOrder
        var faults = 0
        /// The sum of the steps between the dates, in days.
        var days = 0
        /// The last date without a fault, in days since 1970.
        var last: Int?
    }

    private var readings = DateOrder.allCases.map { Reading(order: $0) }
    private var last: WhatsAppHeader.Numbers?
    /// True if a date has another meaning with day and month exchanged.
    private var hasOpenMonth = false
    /// True if a day or month below 10 has two digits.
    private var isPadded = false
    private var isKorean = false
    /// The last day that is not after the import, in days since 1970.
    private let lastDay: Int

    /// 2009-01-01, in days since 1970. WhatsApp was published in that year.
    private static let firstDay = 14_245
    /// The number of faults by which an order leads when further dates no longer count.
    private static let lead = 20

    init(now: Timestamp) {
        // A day more, because of the time zones.
        lastDay = Int(now.microseconds / 86_400_000_000) + 1
    }

    mutating func inspectLine(_ line: ArraySlice<UInt8>) {
        guard let numbers = WhatsAppHeader(line)?.date, !numbers.isYearFirst, numbers != last else { return }
        last = numbers
        isKorean = isKorean || numbers.clock == .halfBefore
        isPadded = isPadded || [numbers.first, numbers.second].contains { $0.value < 10 && $0.digits == 2 }
        hasOpenMonth = hasOpenMonth || numbers.first.value != numbers.second.value
        for index in readings.indices { note(readings[index].order.date(numbers)?.daysSince1970, in: &readings[index]) }
    }

    private func note(_ day: Int?, in reading: inout Reading) {
        guard let day, (Self.firstDay...max(Self.firstDay, lastDay)).contains(day) else {
            reading.faults += 1
            return
        }
        if let last = reading.last {
            reading.days += abs(day - last)
            // A message may come a day late.
            if day < last - 1 { reading.faults += 1 }
        }
        reading.last = day
    }

    var isComplete: Bool {
        let faults = readings.map(\.faults).sorted()
        return faults[1] - faults[0] >= Self.lead
    }

    /// - Parameter language: The language of the file's name; nil if it is unknown.
    func decision(language: String?) -> Decision {
        guard let last else { return .certain(.dmy) }
        let least = readings.map(\.faults).min()
        let left = readings.filter { $0.faults == least }
        if left.count == 1 { return .certain(left[0].order) }
        let usual = written(like: last, language: language)
        let likely = usual.filter { order in left.contains { $0.order == order } }
        let shortest = left.first { one in left.allSatisfy { $0.order == one.order || $0.days > 4 * one.days } }?.order
        if likely.count == 1, shortest == nil || shortest == likely[0] { return .assumed(likely[0]) }
        if likely.count > 1, let shortest, likely.contains(shortest) { return .assumed(shortest) }
        if likely == [.dmy, .mdy], !hasOpenMonth { return .certain(.dmy) }
        return .open("\(last.first.value)\(last.separator)\(last.second.value)\(last.separator)\(last.third.value)")
    }

    /// Returns the orders in which phones write dates of this form, by the short dates of CLDR 48: `M/d/yy` in the
    /// United States and some countries near it, `yy. M. d.` in Korea. All other short dates have the day first, or a
    /// year of four digits. (Basque, Nepali and Yakut `yy/M/d` are in no WhatsApp.)
    private func written(like date: WhatsAppHeader.Numbers, language: String?) -> [DateOrder] {
        if isKorean || language == "ko" { return [.ymd] }
        if let language, language != "en", language != "fil" { return [.dmy] }
        if date.endsWithPoint { return [.dmy, .ymd] }
        guard date.separator == "/", date.third.digits == 2, !isPadded else { return [.dmy] }
        switch date.clock {
        case .upperHalfAfter: return [.mdy]
        case .otherHalf: return [.dmy]
        case .hours24, .halfBefore: return [.dmy, .mdy]
        }
    }
}

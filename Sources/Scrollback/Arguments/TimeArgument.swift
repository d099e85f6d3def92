import ChatModel
import Foundation
import Rendering

/// A place in time that a person typed: shortened, in words, or in a local zone. `WrittenTime` does not read these
/// forms.
enum TimeArgument: Sendable, Hashable {
    /// A message's id as printed. The message itself is excluded.
    case cursor(MessageID)
    /// The start of a date or time. A message at that instant comes after it.
    case instant(Timestamp)

    /// The exclusive lower bound of the messages after this place. It includes a message at the start of a date or
    /// time.
    var after: MessageID {
        switch self {
        case .cursor(let id): id
        case .instant(let time): MessageID(time.advanced(byMicroseconds: -1))
        }
    }

    /// The exclusive upper bound of the messages before this place. It excludes a message at that instant.
    var before: MessageID {
        instant
    }

    /// The instant itself.
    var instant: MessageID {
        switch self {
        case .cursor(let id): id
        case .instant(let time): MessageID(time)
        }
    }

    /// - Parameters:
    ///   - zone: The zone of dates and times without an offset.
    ///   - now: The instant from which durations count back.
    init(_ text: String, zone: TimeZone, now: Timestamp) throws(CommandError) {
        if let cursor = Timestamp(cursor: text) {
            self = .cursor(MessageID(cursor))
            return
        }
        let read = Reader(zone: zone, now: now)
        guard let time = read.word(text) ?? read.duration(text) ?? read.dateOrTime(text) else {
            throw CommandError(
                .badTime, "\"\(Sanitizer.line(text))\" is no time",
                hint: """
                    give a cursor (2026-11-21T06:23:11.123456Z), a date or time (2026, 2026-11, 2026-11-21, \
                    2026-11-21T06:23, "2026-11-21 06:23:11", with Z or +09:00 where it is not local), how long ago \
                    (45s, 30m, 2h, 7d, 1w), or today, yesterday, now
                    """)
        }
        self = .instant(time)
    }
}

extension TimeArgument {
    /// Returns the whole year, month, day, minute or second that a text names, without its end; nil for a text that
    /// names none.
    static func span(_ text: String, zone: TimeZone, now: Timestamp) -> Range<Timestamp>? {
        let read = Reader(zone: zone, now: now)
        guard Timestamp(cursor: text) == nil, let start = read.word(text) ?? read.dateOrTime(text) else { return nil }
        let unit: Calendar.Component? =
            switch text.count {
            case 4: .year
            case 7: .month
            case 16: .minute
            case 19: .second
            default: text.lowercased() == "now" ? nil : .day
            }
        guard let unit, let end = read.end(of: unit, from: start) else { return nil }
        return start..<end
    }

    private struct Reader {
        let calendar: Calendar
        let now: Timestamp

        init(zone: TimeZone, now: Timestamp) {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = zone
            self.calendar = calendar
            self.now = now
        }

        func word(_ text: String) -> Timestamp? {
            let date = Date(timeIntervalSince1970: Double(now.microseconds) / 1_000_000)
            switch text.lowercased() {
            case "now": return now
            case "today": return timestamp(calendar.startOfDay(for: date))
            case "yesterday":
                return calendar.date(byAdding: .day, value: -1, to: date).map {
                    timestamp(calendar.startOfDay(for: $0))
                }
            default: return nil
            }
        }

        func end(of unit: Calendar.Component, from start: Timestamp) -> Timestamp? {
            let date = Date(timeIntervalSince1970: Double(start.microseconds) / 1_000_000)
            return calendar.date(byAdding: unit, value: 1, to: date).map(timestamp)
        }

        /// Returns the instant a duration ago; nil if it is before 1583, as for dates.
        func duration(_ text: String) -> Timestamp? {
            guard let match = text.wholeMatch(of: /([0-9]{1,9})([smhdw])/), let count = Int64(match.1) else {
                return nil
            }
            let units: [Substring: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
            guard let seconds = units[match.2] else { return nil }
            let time = now.advanced(by: .seconds(-count * seconds))
            return time < Self.earliest ? nil : time
        }

        /// The earliest readable time, 1583-01-01 UTC.
        private static let earliest = Timestamp(microseconds: -12_212_553_600_000_000)

        /// Reads a date or time from 1583 on, the first whole year of the Gregorian calendar.
        func dateOrTime(_ text: String) -> Timestamp? {
            let form =
                /([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,6}))?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?)?)?/
            guard let match = text.wholeMatch(of: form), let year = Int(match.1), year >= 1583 else { return nil }
            let month = match.2.flatMap { Int($0) } ?? 1
            let day = match.3.flatMap { Int($0) } ?? 1
            let hour = match.4.flatMap { Int($0) } ?? 0
            let minute = match.5.flatMap { Int($0) } ?? 0
            let second = match.6.flatMap { Int($0) } ?? 0
            guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second),
                let start = startOfDay(year, month, day, zone: match.8.map(String.init))
            else { return nil }
            let fraction = match.7.map { $0 + String(repeating: "0", count: 6 - $0.count) }.flatMap { Int64($0) } ?? 0
            return instant(start, hour: hour, minute: minute, second: second).map {
                timestamp($0).advanced(byMicroseconds: fraction)
            }
        }

        private typealias Day = (date: DateComponents, calendar: Calendar)

        /// Returns the day; nil for a date that is not in the calendar, such as 31 February.
        private func startOfDay(_ year: Int, _ month: Int, _ day: Int, zone: String?) -> Day? {
            var calendar = calendar
            if let zone {
                guard let offset = Self.offset(zone) else { return nil }
                calendar.timeZone = offset
            }
            let components = DateComponents(calendar: calendar, year: year, month: month, day: day)
            return components.isValidDate ? (components, calendar) : nil
        }

        /// Returns the instant of a local time. For a time that clocks skip, it is the instant of the change; for a
        /// time that they show twice, the first.
        private func instant(_ day: Day, hour: Int, minute: Int, second: Int) -> Date? {
            guard let noon = day.calendar.date(from: day.date) else { return nil }
            guard hour != 0 || minute != 0 || second != 0 else { return day.calendar.startOfDay(for: noon) }
            var components = day.date
            components.hour = hour
            components.minute = minute
            components.second = second
            return day.calendar.date(from: components)
        }

        /// Reads `Z`, `+09:00` or `-0330`. RFC 3339 allows up to 23:59 either way; real zones end at 14:00.
        private static func offset(_ text: String) -> TimeZone? {
            guard text != "Z" else { return TimeZone(secondsFromGMT: 0) }
            let digits = text.dropFirst().filter(\.isNumber)
            guard let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)), hours <= 14, minutes < 60
            else { return nil }
            let seconds = hours * 3600 + minutes * 60
            return TimeZone(secondsFromGMT: text.hasPrefix("-") ? -seconds : seconds)
        }

        /// Rounds to a whole second. Every date from here has whole seconds, but its `Double` may be slightly off.
        private func timestamp(_ date: Date) -> Timestamp {
            Timestamp(microseconds: Int64(date.timeIntervalSince1970.rounded()) * 1_000_000)
        }
    }
}

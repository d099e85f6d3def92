import Bytes

/// Reads the forms of ``TimePhrase``.
struct TimePhraseReader {
    private let days: TimePhraseDays
    private let now: Timestamp

    init(zone: Zone, now: Timestamp) {
        days = TimePhraseDays(zone: zone, now: now)
        self.now = now
    }

    func read(_ text: String) throws(TimePhraseError) -> TimePhrase {
        let words = text.composed.lowercased()
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if ["now", "지금"].contains(words) { return .instant(now) }
        if let time = try ago(words) { return .instant(time) }
        if let time = try unixTime(words) { return .instant(time) }
        if let phrase = try clock(words) { return phrase }
        return .span(try days.read(words).span)
    }

    /// Reads `2 weeks ago`, `2w`, `an hour ago`, `3일 전`. Months and years are those of the calendar; the other units
    /// have a fixed length.
    private func ago(_ words: String) throws(TimePhraseError) -> Timestamp? {
        let form = /([0-9]{1,9}) ?([a-z]+)(?: ago)?|an? ([a-z]+) ago|([0-9]{1,9}) ?(초|분|시간|일|주일|주|개월|달|년) ?전/
        guard let match = words.wholeMatch(of: form),
            let unit = Self.units[String(match.2 ?? match.3 ?? match.5 ?? "")]
        else { return nil }
        let count = (match.1 ?? match.4).flatMap { Int64($0) } ?? 1
        let time =
            switch unit {
            case .seconds(let seconds): now.advanced(by: .seconds(-count * seconds))
            case .months(let months): days.monthsAgo(Int(count * months))
            }
        guard time >= TimePhraseDays.earliest else { throw TimePhraseDays.tooEarly }
        return time
    }

    private enum Unit {
        case seconds(Int64), months(Int64)
    }

    private static let units: [String: Unit] = {
        let names: [(String, Unit)] = [
            ("s sec secs second seconds 초", .seconds(1)), ("m min mins minute minutes 분", .seconds(60)),
            ("h hr hrs hour hours 시간", .seconds(3600)), ("d day days 일", .seconds(86_400)),
            ("w week weeks 주 주일", .seconds(604_800)), ("mo month months 달 개월", .months(1)),
            ("y yr year years 년", .months(12)),
        ]
        return names.reduce(into: [:]) { units, entry in
            for name in entry.0.split(separator: " ") { units[String(name)] = entry.1 }
        }
    }()

    /// Reads 9 or 10 digits as seconds since 1970, 13 as milliseconds. Four are a year and eight a date.
    private func unixTime(_ words: String) throws(TimePhraseError) -> Timestamp? {
        guard words.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        switch (words.utf8.count, Int64(words)) {
        case (4, _), (8, _), (0, _): return nil
        case (9, let seconds?), (10, let seconds?): return Timestamp(microseconds: seconds * 1_000_000)
        case (13, let milliseconds?): return Timestamp(microseconds: milliseconds * 1000)
        default:
            throw TimePhraseError(
                "digits alone are a year (4), a date (8) or a Unix time (9, 10, or 13 with milliseconds)")
        }
    }

    /// Reads a time of day, after a day or alone: `2026-11-21T06:23`, `yesterday 10:30`, `10:30`. A time alone is
    /// today's, or yesterday's when today has not reached it.
    private func clock(_ words: String) throws(TimePhraseError) -> TimePhrase? {
        let form =
            /(?:(.*?)[t ])?([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,6}))?)?(?: ?(z|[+-][0-9]{2}:?[0-9]{2}))?/
        guard let match = words.wholeMatch(of: form), let hour = Int(match.2), let minute = Int(match.3) else {
            return nil
        }
        let second = match.4.flatMap { Int($0) } ?? 0
        guard hour < 24, minute < 60, second < 60 else {
            throw TimePhraseError("a time of day is between 00:00 and 23:59:59")
        }
        var days = days
        if let zone = match.6 { days = try Self.days(at: String(zone), now: now) }
        func start(_ day: Range<Timestamp>) -> Timestamp { days.time(hour, minute, second, of: day) }
        var time: Timestamp
        if let words = match.1 {
            let day = try days.read(String(words))
            guard day.unit == .day else { throw TimePhraseError("a time of day needs a day before it") }
            time = start(day.span)
        } else {
            time = start(days.day(0))
            if time > now { time = start(days.day(-1)) }
        }
        if let digits = match.5 {
            let microseconds = Int64(digits + String(repeating: "0", count: 6 - digits.count)) ?? 0
            return .instant(time.advanced(byMicroseconds: microseconds))
        }
        return .span(time..<time.advanced(by: .seconds(match.4 == nil ? 60 : 1)))
    }

    /// Returns the days of a zone written `Z`, `+09:00` or `-0330`. RFC 3339 allows up to 23:59 either way; real zones
    /// end at 14:00.
    private static func days(at zone: String, now: Timestamp) throws(TimePhraseError) -> TimePhraseDays {
        let digits = zone.filter(\.isNumber)
        let (hours, minutes) = (Int(digits.prefix(2)) ?? 0, Int(digits.suffix(2)) ?? 0)
        let seconds = hours * 3600 + minutes * 60
        guard hours <= 14, minutes < 60,
            let zone = Zone(secondsFromGMT: zone.hasPrefix("-") ? -seconds : seconds)
        else { throw TimePhraseError("offsets from UTC are between -14:00 and +14:00") }
        return TimePhraseDays(zone: zone, now: now)
    }
}

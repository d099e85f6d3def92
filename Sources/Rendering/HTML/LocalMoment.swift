package import ChatModel

/// An instant on the calendar and the clock of a zone: like ``LocalTime``, but computed once a message.
package struct LocalMoment: Sendable {
    /// The zone's offset at that instant, in seconds east of UTC.
    package let offsetSeconds: Int
    let zone: Zone
    private let shifted: Timestamp
    /// The local time, written as if it were UTC.
    private let text: String

    package init(_ time: Timestamp, in zone: Zone) {
        self.zone = zone
        offsetSeconds = zone.secondsFromGMT(at: time)
        shifted = time.advanced(byMicroseconds: Int64(offsetSeconds) * 1_000_000)
        text = shifted.description
    }

    /// `2026-11-21`
    package var day: String { part(0, 10) }
    /// `06:23`
    package var minute: String { part(11, 5) }
    /// `06:23:11`
    package var second: String { part(11, 8) }

    /// `+09:00`
    package var offset: String {
        let minutes = abs(offsetSeconds) / 60
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return (offsetSeconds < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
    }

    /// For example `2026-11-21T06:23:11+09:00`, the form that HTML requires.
    package var machine: String { "\(day)T\(second)\(offset)" }

    /// `Saturday`
    package var weekday: String {
        // 1970-01-01 was a Thursday.
        let names = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
        let days = Int((Double(shifted.microseconds) / 86_400_000_000).rounded(.down))
        return names[((days % 7) + 7) % 7]
    }

    /// `Saturday, 21 November 2026`
    package var dayInWords: String {
        let month = CalendarMonth(year: Int(part(0, 4)) ?? 0, month: Int(part(5, 2)) ?? 0)
        return "\(weekday), \(Int(part(8, 2)) ?? 0) \(month.inWords)"
    }

    /// `21 Nov`
    package var dayAndMonth: String {
        let month = CalendarMonth(year: 0, month: Int(part(5, 2)) ?? 0)
        return "\(Int(part(8, 2)) ?? 0) \(month.inWords.prefix(3))"
    }

    /// `21 Nov 2026`
    package var dayMonthYear: String { "\(dayAndMonth) \(part(0, 4))" }

    private func part(_ start: Int, _ count: Int) -> String {
        String(Substring(text.utf8.dropFirst(start).prefix(count)))
    }
}

extension CalendarMonth {
    /// `November 2026`
    package var inWords: String {
        let names = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        guard names.indices.contains(month - 1) else { return description }
        return "\(names[month - 1]) \(year)"
    }
}

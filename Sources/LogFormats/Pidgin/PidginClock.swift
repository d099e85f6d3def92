import Bytes
import ChatModel

/// The times of a conversation, whose lines have no date. A window may be open for days.
struct PidginClock: Sendable {
    private var clock: LogClock
    private var day: CalendarDate
    private var lastSeconds: Int?
    private var daysAssumed = LineCount()

    /// Clocks are set back by an hour. Later than 20 minutes, a line has its date (`log_get_timestamp`).
    private static let largestStepBack = 3600

    /// - Returns: Nil if neither the file's name nor the title has a date.
    init?(_ source: LogSource, _ title: PidginTitle?) {
        let name = PidginName(source.name)
        guard
            let day = name?.date ?? NamedDate(in: source.name)?.date
                ?? title?.time.flatMap({ $0.date(nearest: CalendarDate(year: 2026, month: 1, day: 1)) })
        else { return nil }
        self.day = day
        lastSeconds = name?.seconds
        clock = LogClock(zone: Self.zone(of: source, name), now: source.now)
    }

    /// Returns the zone of the user, if the file's name has no offset or the offset of this zone; else the offset.
    private static func zone(of source: LogSource, _ name: PidginName?) -> Zone {
        guard let name, let offset = name.offset, let own = Zone(secondsFromGMT: offset),
            let start = LocalDay(name.date, zone: own)?.instants(of: name.seconds).first
        else { return source.zone }
        return Int(source.zone.secondsFromGMT(at: start.microseconds / 1_000_000)) == offset ? source.zone : own
    }

    mutating func resolve(_ time: LocaleTime, line: Int) -> LineTime? {
        var date = day
        if time.dates.isEmpty {
            if let last = lastSeconds, last - time.seconds > Self.largestStepBack, let number = day.daysSince1970 {
                date = CalendarDate(daysSince1970: number + 1)
                daysAssumed.note(line)
            }
            (day, lastSeconds) = (date, time.seconds)
        } else if let written = time.date(nearest: day) {
            // A late line does not change the day of the lines after it.
            if let (new, old) = written.daysSince1970.flatMap({ new in day.daysSince1970.map { (new, $0) } }), new > old
            {
                (day, lastSeconds) = (written, time.seconds)
            }
            date = written
        }
        return clock.resolve(
            LineStamp(date: date, seconds: time.seconds, resolution: time.resolution), line: line)
    }

    var assumptions: [String] {
        [daysAssumed.sentence("days assumed to begin where the time goes back, because lines have no date")]
            .compactMap(\.self) + clock.assumptions
    }
}

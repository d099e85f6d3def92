import Bytes
import ChatModel

/// Turns the times at the beginning of a log's lines into instants, and keeps the order of the lines.
///
/// A line may have a date. Otherwise its day comes from the file's name or from a line before it. When the clock jumps
/// back,
/// - the zone's clocks were set back, if it shows a time that occurs twice;
/// - the clock has 12 hours, if it jumps by ten to twelve hours and has shown no hour above 12 (11:59 is followed by
///   00:00, or 12:59 by 01:00). The half of the first day is unknown: 12:30 is read as noon;
/// - the next day has begun, if it jumps by more than 22 hours;
/// - otherwise the clock was set, or the lines are in no order (see ``LineOrder``).
struct LogClock: Sendable {
    private let zone: Zone
    private var day: LocalDay?
    /// True if no line gave the day, and only the clock passed midnight.
    private var isDayAssumed = false
    private var has24Hours = false
    private var has12Hours = false
    /// True while half a day is added to the hours of a clock of 12 hours.
    private var isAfternoon = false
    /// Seconds since the day's midnight, with half a day added where necessary.
    private var lastShown: Int?
    private var order: LineOrder
    private let now: Timestamp
    private var firstOf12Hours: Int?
    private var daysAssumed = LineCount()

    private static let hour = 3600
    private static let halfDay = 12 * hour
    /// A jump back of 10 to 12 hours, so less than two hours forward on a dial: lines are seldom further apart, and
    /// clocks are seldom set that far.
    private static let aroundTheDial = 10 * hour + 1..<halfDay
    private static let aroundTheClock = 22 * hour + 1

    /// - Parameter now: Times more than a day later are implausible; by default none is.
    init(day: LocalDay? = nil, zone: Zone, now: Timestamp = Timestamp(microseconds: .max)) {
        (self.day, self.zone, self.now) = (day, zone, now)
        order = LineOrder(now: now)
    }

    /// The time of the last line, for a line without a time.
    var last: LineTime? { order.last }

    /// Begins the day that a line gives; nil for a date that can't be read, after which the day is unknown until the
    /// next one.
    mutating func begin(_ date: CalendarDate?) {
        let newDay = date.flatMap { LocalDay($0, zone: zone) }
        isDayAssumed = false
        guard newDay != day || newDay == nil else { return }
        (day, lastShown, isAfternoon) = (newDay, nil, false)
    }

    /// Returns the time of a line; nil if its day is unknown or not in the calendar. An implausible time leaves the
    /// clock unchanged.
    ///
    /// - Parameter isInSession: True for a line of a session that may stay open overnight. If the clock jumps back by more
    ///   than an hour, such a line begins the next day.
    mutating func resolve(_ stamp: LineStamp, line: Int, isInSession: Bool = false) -> LineTime? {
        var copy = self
        if isInSession { copy.passNight(before: stamp, line: line) }
        guard let read = copy.settle(stamp, line: line) else { return nil }
        if read.time.isPlausible(at: now) { self = copy }
        return read
    }

    private mutating func settle(_ stamp: LineStamp, line: Int) -> LineTime? {
        if let date = stamp.date {
            guard let newDay = LocalDay(date, zone: zone) else { return nil }
            (day, lastShown, isAfternoon, isDayAssumed) = (newDay, stamp.seconds, false, false)
            guard let offset = stamp.offset else { return order.settle(newDay, stamp, line: line) }
            guard let utc = LocalDay(date, zone: .gmt) else { return nil }
            let time = utc.instants(of: stamp.seconds - offset).first.advanced(byMicroseconds: stamp.microseconds)
            return order.settle(time, stamp.resolution, line: line)
        }
        guard var day else { return nil }
        var stamp = stamp
        stamp.seconds = shown(stamp.seconds, &day, line: line)
        return order.settle(day, stamp, line: line)
    }

    /// Begins the next day if the clock jumps back by more than an hour. Leaves a time that occurs twice and a 12-hour
    /// clock to ``shown(_:_:line:)``.
    private mutating func passNight(before stamp: LineStamp, line: Int) {
        guard stamp.date == nil, !has12Hours, var day, let lastShown else { return }
        let step = lastShown - stamp.seconds
        guard step > Self.hour, step < Self.aroundTheClock, !isRepeated(stamp.seconds, of: day),
            has24Hours || !Self.aroundTheDial.contains(step)
        else { return }
        beginNextDay(&day, line: line)
        self.lastShown = nil
    }

    /// Returns the seconds since the midnight of `day`. Changes `day` if the clock has passed midnight.
    private mutating func shown(_ seconds: Int, _ day: inout LocalDay, line: Int) -> Int {
        if seconds >= Self.halfDay + Self.hour { note24Hours(&day, line: line) }
        var shown = seconds
        if has12Hours { shown = seconds % Self.halfDay + (isAfternoon ? Self.halfDay : 0) }
        // Without an earlier line, compares the time with itself.
        let last = lastShown ?? shown
        if last > shown, isRepeated(shown, of: day) {
            // The zone's clocks are set back.
        } else if !has24Hours, Self.aroundTheDial.contains(last - shown) {
            if !has12Hours { firstOf12Hours = line }
            has12Hours = true
            isAfternoon.toggle()
            if !isAfternoon { beginNextDay(&day, line: line) }
            shown = seconds % Self.halfDay + (isAfternoon ? Self.halfDay : 0)
        } else if last - shown >= Self.aroundTheClock {
            beginNextDay(&day, line: line)
        } else if shown - last >= Self.aroundTheClock, isDayAssumed {
            // The line came late and belongs to the day before, which only the clock has ended.
            day = day.previous
            lastShown = shown - 2 * Self.halfDay
            return shown
        }
        lastShown = shown
        return shown
    }

    /// Corrects a clock that was taken for one of 12 hours. The clock passed midnight when it seemed to pass noon.
    private mutating func note24Hours(_ day: inout LocalDay, line: Int) {
        has24Hours = true
        guard has12Hours else { return }
        has12Hours = false
        guard isAfternoon else { return }
        isAfternoon = false
        beginNextDay(&day, line: line)
        lastShown = nil
    }

    private mutating func beginNextDay(_ day: inout LocalDay, line: Int) {
        day = day.next
        self.day = day
        isDayAssumed = true
        daysAssumed.note(line)
    }

    private func isRepeated(_ seconds: Int, of day: LocalDay) -> Bool {
        guard let second = day.instants(of: seconds).second, let last else { return false }
        return second >= last.time
    }

    var assumptions: [String] {
        let clock = firstOf12Hours.map { "a 12-hour clock, seen at line \($0)" }
        let days = daysAssumed.sentence("days assumed to begin at midnight, because no line gives the date")
        return [clock, days].compactMap(\.self) + order.assumptions
    }
}

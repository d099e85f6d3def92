import Bytes
import ChatModel

/// The time that a line begins with: `Nov 21 06:23:11 `, in any of the languages of ``MonthName``.
struct HexChatStamp: Hashable {
    let month: Int
    let day: Int
    let clock: ClockTime

    /// Takes the time and the space after it. Nil if the line does not begin with a time; the line is unchanged in that
    /// case.
    init?(taking line: inout ArraySlice<UInt8>) {
        // The longest month in the table has ten bytes.
        let word = line.prefix(16).prefix { $0 != Byte.space }
        guard word.count < 16, let first = word.first, first > Byte.space,
            let month = MonthName.number(word)
        else { return nil }
        var scanner = ByteScanner(line[word.endIndex...])
        guard scanner.take(Byte.space),
            let day = scanner.take(Byte.space) ? scanner.number(of: 1) : scanner.number(of: 2),
            scanner.take(Byte.space), let clock = scanner.clockOfDay(), scanner.take(Byte.space)
        else { return nil }
        (self.month, self.day, self.clock) = (month, day, clock)
        line = scanner.rest
    }
}

/// The year of the lines of a log, which have only month and day.
struct HexChatYear: Sendable {
    private var year: Int
    private var month: Int

    init(_ date: CalendarDate) {
        (year, month) = (date.year, date.month)
    }

    /// Returns the stamp with its date: of the last year, the year before and the year after, the one in which the
    /// month is nearest to the last one.
    mutating func stamp(_ stamp: HexChatStamp) -> LineStamp {
        var year = year
        if stamp.month <= month - 6 { year += 1 } else if stamp.month > month + 6 { year -= 1 }
        // A line that comes late, such as a bouncer's, does not change the year of the lines after it.
        if (year, stamp.month) > (self.year, month) { (self.year, month) = (year, stamp.month) }
        return LineStamp(
            date: CalendarDate(year: year, month: stamp.month, day: stamp.day), seconds: stamp.clock.seconds,
            resolution: stamp.clock.second == nil ? .minute : .second)
    }
}

import Bytes
import ChatModel

/// Turns the times of a table into instants. Each row has its whole time, so the rows may be in any order.
struct TableClock: Sendable {
    enum Reading: Hashable {
        case time(Timestamp, TimeResolution)
        /// The reason why the time can't be read, for people.
        case unreadable(String)
    }

    private let pattern: TimePattern?
    private let order: DayOrder?
    private let zone: Zone
    private var day: (date: CalendarDate, local: LocalDay)?
    private var local = LineCount()
    private var repeated = LineCount()
    private var skipped = LineCount()

    /// - Parameters:
    ///   - samples: The times near the table's beginning, which may prove the order of day and month.
    /// - Throws: ``LogSourceError/unusable(reason:hint:)`` if they don't prove an order, and one is needed.
    init(_ source: LogSource, samples: some Sequence<ArraySlice<UInt8>>) throws(LogSourceError) {
        (pattern, zone) = (source.choices.timePattern, source.zone)
        order = pattern == nil ? try Self.order(of: samples) : nil
    }

    private static func order(of samples: some Sequence<ArraySlice<UInt8>>) throws(LogSourceError) -> DayOrder? {
        var (orders, open): (Set<DayOrder>, ArraySlice<UInt8>?) = ([], nil)
        for sample in samples {
            guard let time = FreeTime(sample.trimmed) else { continue }
            if let order = time.order { orders.insert(order) } else if time.isAmbiguous { open = open ?? sample }
        }
        guard orders.count != 1, let open = open ?? (orders.isEmpty ? nil : ArraySlice()) else { return orders.first }
        let example = open.isEmpty ? "" : " \"\(LogText(open.prefix(40)).string)\""
        throw .unusable(
            reason: "can't tell day and month in its dates apart" + example,
            hint: "say which is first, for example: --time-format '%d/%m/%Y %H:%M' or --time-format '%m/%d/%Y %H:%M'")
    }

    var assumptions: [String] {
        [
            local.sentence("times without a zone, read as \(zone.identifier)"),
            repeated.sentence("times that occur twice, read as the first"),
            skipped.sentence("times that the zone's clocks skip, moved later by the skipped span"),
        ].compactMap(\.self)
    }

    mutating func resolve(_ text: ArraySlice<UInt8>, line: Int) -> Reading {
        let text = text.trimmed
        guard !text.isEmpty else { return .unreadable("it has no time") }
        if let pattern {
            guard let time = pattern.match(text) else {
                return .unreadable("its time is not of the form of --time-format")
            }
            return settle(time, line: line)
        }
        if let time = ColumnTime(digits: text) { return settle(time, line: line) }
        guard let free = FreeTime(text) else { return .unreadable("can't read its time; --time-format gives the form") }
        guard let date = free.date(order) else {
            return .unreadable("can't tell day and month in its date apart; --time-format gives the form")
        }
        guard let time = ColumnTime(date, free.clock, offset: free.offset) else {
            return .unreadable("its date or its time of day does not exist")
        }
        return settle(time, line: line)
    }

    private mutating func settle(_ time: ColumnTime, line: Int) -> Reading {
        switch time {
        case .instant(let time, let resolution): return .time(time, resolution)
        case .shown(let date, let clock, let offset?):
            // The calendar has the date, so the number of days fits.
            let seconds = Int64(date.daysSince1970 ?? 0) * 86_400 + Int64(clock.seconds - offset)
            let time = Timestamp(seconds: seconds).advanced(byMicroseconds: clock.microseconds ?? 0)
            return .time(time, clock.resolution)
        case .shown(let date, let clock, nil):
            guard let day = localDay(date) else { return .unreadable("its date does not exist") }
            let instants = day.instants(of: clock.seconds)
            local.note(line)
            if instants.second != nil { repeated.note(line) }
            if instants.isSkipped { skipped.note(line) }
            return .time(instants.first.advanced(byMicroseconds: clock.microseconds ?? 0), clock.resolution)
        }
    }

    private mutating func localDay(_ date: CalendarDate) -> LocalDay? {
        if let day, day.date == date { return day.local }
        guard let local = LocalDay(date, zone: zone) else { return nil }
        day = (date, local)
        return local
    }
}

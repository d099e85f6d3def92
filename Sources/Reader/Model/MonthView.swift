import ChatModel

/// A month of a room, with the number of messages of each day.
struct MonthView: Sendable {
    let zone: Zone
    /// The number of the selected day, from 1970-01-01 on.
    private(set) var selected: Int64
    /// The numbers of the month's days.
    private(set) var days: ClosedRange<Int64>
    private var counts: [String: DayCount] = [:]

    init(containing day: CivilDay) {
        zone = day.zone
        selected = day.number
        days = Self.month(of: day.number)
    }

    /// The month as `2026-11`.
    var name: String { String(CivilDay.name(of: selected).prefix(7)) }

    func count(_ day: Int64) -> DayCount? { counts[CivilDay.name(of: day)] }

    mutating func take(_ found: [DayCount]) {
        for count in found { counts[count.day] = count }
    }

    /// The result of a key.
    enum Result: Sendable, Hashable {
        case stay, close
        /// Another month is shown, whose numbers are not known.
        case count
        case open(CivilDay)
    }

    /// Handles a key.
    mutating func press(_ key: ReaderKey) -> Result {
        switch key {
        case .left, .character("h"): return move(-1)
        case .right, .character("l"): return move(1)
        case .up, .character("k"): return move(-7)
        case .down, .character("j"): return move(7)
        case .pageUp, .character("["), .wheelUp: return moveMonth(isLater: false)
        case .pageDown, .character("]"), .wheelDown: return moveMonth(isLater: true)
        case .enter: return .open(CivilDay(number: selected, zone: zone))
        default: return .close
        }
    }

    private mutating func move(_ step: Int64) -> Result {
        selected += step
        guard !days.contains(selected) else { return .stay }
        days = Self.month(of: selected)
        counts = [:]
        return .count
    }

    /// Selects the first day of the next month, or of the one before.
    private mutating func moveMonth(isLater: Bool) -> Result {
        selected = isLater ? days.upperBound + 1 : Self.month(of: days.lowerBound - 1).lowerBound
        days = Self.month(of: selected)
        counts = [:]
        return .count
    }

    /// The day of the week of the month's first day, 0 for Monday.
    var firstWeekday: Int { Self.weekday(of: days.lowerBound) }

    /// 1970-01-01 was a Thursday.
    private static func weekday(of day: Int64) -> Int { Int(((day + 3) % 7 + 7) % 7) }

    private static func month(of day: Int64) -> ClosedRange<Int64> {
        let name = CivilDay.name(of: day)
        let first = day - (Int64(name.suffix(2)) ?? 1) + 1
        let last = (27...30).last { CivilDay.name(of: first + Int64($0)).prefix(7) == name.prefix(7) } ?? 27
        return first...(first + Int64(last))
    }
}

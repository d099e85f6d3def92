/// The numbers of messages of some rooms, by several properties. Joins, leaves, renames and modes don't count.
package struct Statistics: Sendable, Hashable {
    /// A property by which messages are counted.
    package enum Property: String, Sendable, Hashable, CaseIterable {
        case room, user, year, month, day, weekday, hour
    }

    package var messages: Int64 = 0
    /// The first and the last message; nil if there is none.
    package var first: MessageID?
    package var last: MessageID?
    /// The number of people who wrote.
    package var people = 0
    /// The counts by each property: rooms and users with the highest count first, times in order. Times without
    /// messages are left out.
    package var counts: [Property: [HitCount]] = [:]
    /// Every day of the counted time in order, days without messages included; at most the latest ``dayLimit``.
    package var days: [DayCount] = []
    /// The number of earlier days that ``days`` leaves out.
    package var earlierDays: Int64 = 0

    /// Ten years.
    package static let dayLimit: Int64 = 3660

    package init() {}
}

/// The number of messages on one day of a zone.
package struct DayCount: Sendable, Hashable {
    /// The day as `2026-11-21`.
    package var day: String
    package var messages: Int64
    /// True if every room that existed is proven complete for the whole day; nil while the day lasts and nothing is
    /// missing so far.
    package var isComplete: Bool?

    package init(day: String, messages: Int64, isComplete: Bool?) {
        (self.day, self.messages, self.isComplete) = (day, messages, isComplete)
    }
}

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
    /// The counts by each property: rooms and users with the highest count first, times in order. Times without messages
    /// are left out.
    package var counts: [Property: [HitCount]] = [:]

    package init() {}
}

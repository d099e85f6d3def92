/// A bound of time, its value as it was written: a day, a duration, a cursor.
package enum TimeFilter: Sendable, Hashable {
    case before(String)
    case after(String)
    case on(String)
}

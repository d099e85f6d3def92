/// A bound of time, with its value as it was written: a day, a duration or a cursor.
package enum TimeFilter: Sendable, Hashable {
    case before(String)
    case after(String)
    case on(String)
}

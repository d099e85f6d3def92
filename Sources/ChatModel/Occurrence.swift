/// The number of a message among the equal messages of its source: those with the same room, sender, kind and text, and
/// the same time at some resolution.
///
/// Numbers count from 1. At a resolution finer than the message's own, the number is 1.
package struct Occurrence: Sendable, Hashable, Codable {
    package var inMicrosecond = 1
    package var inSecond = 1
    package var inMinute = 1
    /// The number among the messages in the minute where the source's order puts this one; nil if its time is in that
    /// minute.
    package var inLaterMinute: Int?

    package init() {}
}

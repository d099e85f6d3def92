/// The number of a message among those of its source that are alike: equal room, sender, kind and text, and equal time
/// at some resolution.
///
/// Numbers count from 1. At a resolution finer than the message's own, the number is 1.
package struct Occurrence: Sendable, Hashable, Codable {
    package var inMicrosecond = 1
    package var inSecond = 1
    package var inMinute = 1
    /// The number among the messages that the source's order puts into the minute of its place; nil when its time is in
    /// that minute.
    package var inLaterMinute: Int?

    package init() {}
}

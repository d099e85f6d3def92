/// Which one a message is in its source of those that are alike: room, sender, kind and text are the same, and the time to
/// some resolution.
///
/// From 1; a resolution finer than the message's own counts as that.
package struct Occurrence: Sendable, Hashable, Codable {
    package var inMicrosecond = 1
    package var inSecond = 1
    package var inMinute = 1
    /// Its number among those that its source's order puts into the minute of its place; nil where its time is of that minute.
    package var inLaterMinute: Int?

    package init() {}
}

import ArgumentParser
import ChatModel
import Foundation
import Operations

/// The options for the place of a page in time: one of them, or both ends of a time.
struct AnchorOptions: ParsableArguments {
    @OptionGroup var times: TimeOptions

    @Option(help: ArgumentHelp("Show the messages around this time or cursor.", valueName: "time"))
    var around: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Show messages from the first time towards the second, which may be earlier.", valueName: "time"))
    var between: [String] = []

    @Option(
        help: ArgumentHelp(
            "Show a day from its first message on, such as 2026-11-21, today or monday.", valueName: "day"))
    var day: String?

    @Flag(help: "Show the oldest messages.")
    var oldest = false

    @Flag(help: "Show unread messages below a separator.")
    var unread = false

    /// Returns the third value of `--between A B ROOM`, which the parser reads as a time although it is the room.
    mutating func takeSurplus() -> String? {
        between.count == 3 ? between.removeLast() : nil
    }

    var place: TimePlace {
        TimePlace(
            bounds: times.bounds, around: around, between: between, day: day, isOldest: oldest, isUnread: unread)
    }

    /// Returns the anchor of the options. For `--unread` it is the beginning, because only the archive knows the
    /// marker.
    ///
    /// - Throws: ``ValidationError`` for a text that is not a time, and for options that can't be combined.
    func anchor(zone: TimeZone, now: Timestamp) throws -> MessageQuery.Anchor {
        try asUsage { try place.anchor(zone: zone, now: now) }
    }
}

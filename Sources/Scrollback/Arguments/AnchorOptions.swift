import ChatModel
import Operations
import Options

/// The options for the place of a page in time: one of them, or both ends of a time.
struct AnchorOptions: ParsableArguments {
    @OptionGroup var times: TimeOptions

    @Option(.around)
    var around: String?

    @Option(.between)
    var between: [String] = []

    @Option(.day)
    var day: String?

    @Flag(.oldest)
    var oldest = false

    @Flag(.unread)
    var unread = false

    var place: TimePlace {
        TimePlace(
            bounds: times.bounds, around: around, between: between, day: day, isOldest: oldest, isUnread: unread)
    }

    /// Returns the anchor of the options. For `--unread` it is the beginning, because only the archive knows the
    /// marker.
    ///
    /// - Throws: ``ValidationError`` for a text that is not a time, and for options that can't be combined.
    func anchor(zone: Zone, now: Timestamp) throws -> MessageQuery.Anchor {
        try asUsage { try place.anchor(zone: zone, now: now) }
    }
}

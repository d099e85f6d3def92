import ChatModel
import Operations
import Options

/// The options for a part of time: its start, its end, or both.
struct TimeOptions: ParsableArguments {
    @Option(.after)
    var after: String?

    @Option(.before)
    var before: String?

    var bounds: TimeBounds { TimeBounds(after: after, before: before) }

    /// The given start and end, when there are both.
    var both: (after: String, before: String)? { bounds.both }

    /// Returns the exclusive bounds.
    ///
    /// - Throws: ``ValidationError`` for a text that is not a time, and when no message can be within both.
    func bounds(zone: Zone, now: Timestamp = .now()) throws -> (after: MessageID?, before: MessageID?) {
        try asUsage { try bounds.ids(zone: zone, now: now) }
    }
}

import ArgumentParser
import ChatModel
import Foundation

/// The options for a part of time: its start, its end, or both.
struct TimeOptions: ParsableArguments {
    @Option(
        name: [.long, .customLong("since")],
        help: ArgumentHelp("Only from this time on, or after this cursor.", valueName: "time"))
    var after: String?

    @Option(
        name: [.long, .customLong("until")],
        help: ArgumentHelp("Only before this time or cursor.", valueName: "time"))
    var before: String?

    /// The given start and end, when there are both.
    var both: (after: String, before: String)? { after.flatMap { after in before.map { (after, $0) } } }

    /// Returns the exclusive bounds.
    ///
    /// - Throws: ``ValidationError`` for a text that is not a time, and when no message can be within both.
    func bounds(zone: TimeZone, now: Timestamp = .now()) throws -> (after: MessageID?, before: MessageID?) {
        let after = try after.map { try TimePhrase(option: $0, zone: zone, now: now).after }
        let before = try before.map { try TimePhrase(option: $0, zone: zone, now: now).before }
        if let after, let before, after >= before {
            throw ValidationError("--after must be earlier than --before")
        }
        return (after, before)
    }
}

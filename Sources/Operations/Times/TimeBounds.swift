package import ChatModel
import Rendering

/// A part of time, as given: its start, its end, or both.
package struct TimeBounds: Sendable, Hashable {
    package var after: String?
    package var before: String?

    package init(after: String? = nil, before: String? = nil) {
        (self.after, self.before) = (after, before)
    }

    /// Makes the time between two places, the later of which may come first. Includes the start of the earlier place, and
    /// excludes the start of the later one.
    ///
    /// - Throws: ``UsageError`` for another number of places, for a text that is not a time, and for equal places.
    init(between places: [String], zone: Zone, now: Timestamp) throws {
        try Self.requireTwo(places)
        let starts = try places.map { try TimePhrase(parameter: $0, zone: zone, now: now).start }
        guard starts[0] != starts[1] else { throw UsageError("--between takes two different times") }
        let isForward = starts[0] < starts[1]
        self.init(after: places[isForward ? 0 : 1], before: places[isForward ? 1 : 0])
    }

    /// - Throws: ``UsageError`` for another number of places than two.
    static func requireTwo(_ places: [String]) throws {
        guard places.count != 2 else { return }
        let advice = places.count == 1 ? advice(forRange: places[0]).map { "; \($0)" } : nil
        throw UsageError("--between takes two times, not \(places.count)\(advice ?? "")")
    }

    /// Returns how to write a text such as `2026-11-20..2026-11-21`; nil if it is not two parts with points between.
    static func advice(forRange text: String) -> String? {
        guard let points = text.firstRange(of: ".."), points.lowerBound > text.startIndex,
            points.upperBound < text.endIndex
        else { return nil }
        let ends = [text[..<points.lowerBound], text[points.upperBound...]].map { NextCommand.word(String($0)) }
        return "write two times: --between \(ends[0]) \(ends[1])"
    }

    /// The given start and end, when there are both.
    package var both: (after: String, before: String)? { after.flatMap { after in before.map { (after, $0) } } }

    /// Returns the exclusive bounds.
    ///
    /// - Throws: ``UsageError`` for a text that is not a time, and when no message can be within both.
    package func ids(zone: Zone, now: Timestamp = .now()) throws -> (after: MessageID?, before: MessageID?) {
        let after = try after.map { try TimePhrase(parameter: $0, zone: zone, now: now).after }
        let before = try before.map { try TimePhrase(parameter: $0, zone: zone, now: now).before }
        if let after, let before, after >= before {
            throw UsageError("--after must be earlier than --before")
        }
        return (after, before)
    }

    /// Returns the place of a page in a conversation; nil without bounds.
    ///
    /// - Throws: ``UsageError`` as ``ids(zone:now:)``.
    package func threadAnchor(zone: Zone, now: Timestamp = .now()) throws -> ThreadQuery.Anchor? {
        switch try ids(zone: zone, now: now) {
        case (let after?, let before?): .between(after, before)
        case (let after?, nil): .after(after)
        case (nil, let before?): .before(before)
        case (nil, nil): nil
        }
    }
}

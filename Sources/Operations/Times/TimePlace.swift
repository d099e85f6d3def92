package import ChatModel
import Rendering

/// The given limits of time that the commands and addresses for other pages keep.
package struct PageLimit: Sendable, Hashable {
    /// The start, for the pages of older messages of a search or of files.
    package var after: String?
    /// The end, for the pages of newer messages.
    package var before: String?
    /// The end of a time that is read backwards, for the pages of older messages.
    package var until: String?
    /// The order of a search whose times give it.
    package var order: String?

    package init(after: String? = nil, before: String? = nil, until: String? = nil) {
        (self.after, self.before, self.until) = (after, before, until)
    }

    /// Makes the limits of a time that has a start and an end; none for another.
    package init(_ bounds: TimeBounds) {
        (after, before) = (bounds.both?.after, bounds.both?.before)
    }
}

/// The place of a page in time, as given: one of these properties, or a start and an end. Without any, the newest
/// messages.
package struct TimePlace: Sendable, Hashable {
    package var bounds = TimeBounds()
    package var around: String?
    /// Two times, or none.
    package var between: [String] = []
    package var day: String?
    package var isOldest = false
    /// From the room's read marker on.
    package var isUnread = false

    package init(
        bounds: TimeBounds = TimeBounds(), around: String? = nil, between: [String] = [], day: String? = nil,
        isOldest: Bool = false, isUnread: Bool = false
    ) {
        (self.bounds, self.around, self.between, self.day) = (bounds, around, between, day)
        (self.isOldest, self.isUnread) = (isOldest, isUnread)
    }

    /// Returns the anchor. For an unread room it is the beginning, because only the archive knows the marker.
    ///
    /// - Throws: ``UsageError`` for a text that is not a time, and for places that can't be combined.
    package func anchor(zone: Zone, now: Timestamp) throws -> MessageQuery.Anchor {
        let given = [
            bounds.after != nil ? "--after" : bounds.before != nil ? "--before" : nil, around.map { _ in "--around" },
            between.isEmpty ? nil : "--between", day.map { _ in "--day" }, isOldest ? "--oldest" : nil,
            isUnread ? "--unread" : nil,
        ].compactMap(\.self)
        guard given.count <= 1 else {
            throw UsageError("\(given.joined(separator: " and ")) can't be combined; give one")
        }
        func time(_ text: String) throws -> TimePhrase {
            try TimePhrase(parameter: text, zone: zone, now: now)
        }
        switch try bounds.ids(zone: zone, now: now) {
        case (let after?, let before?): return .between(after, before)
        case (let after?, nil): return .after(after)
        case (nil, let before?): return .before(before)
        case (nil, nil): break
        }
        if let around { return .around(try time(around).start) }
        if let day { return .day(try Self.civilDay(day, zone: zone, now: now)) }
        if isOldest || isUnread { return .oldest }
        guard !between.isEmpty else { return .latest }
        try TimeBounds.requireTwo(between)
        return Self.between(try time(between[0]), try time(between[1]))
    }

    /// True if the place is a time with a start and an end, such as a day.
    package var isBounded: Bool { bounds.both != nil || day != nil || !between.isEmpty }

    /// Returns the limit for the pages that continue in the direction of this one; none for a page without an end.
    ///
    /// - Throws: ``UsageError`` for a text that is not a time.
    package func limit(zone: Zone, now: Timestamp) throws -> PageLimit {
        if let both = bounds.both { return PageLimit(before: both.before) }
        if let day { return PageLimit(before: try Self.civilDay(day, zone: zone, now: now).following.name) }
        guard between.count == 2 else { return PageLimit() }
        let starts = try between.map { try TimePhrase(parameter: $0, zone: zone, now: now).start }
        return starts[0] <= starts[1] ? PageLimit(before: between[1]) : PageLimit(until: between[1])
    }

    /// - Throws: ``UsageError`` for a text that is not one whole day.
    private static func civilDay(_ day: String, zone: Zone, now: Timestamp) throws -> CivilDay {
        let phrase = try TimePhrase(parameter: day, zone: zone, now: now)
        let civil = CivilDay(containing: phrase.start.time, in: zone)
        guard case .span(civil.span) = phrase else {
            throw UsageError(
                "--day takes one whole day, not \"\(Sanitizer.value(day))\"; try 2026-11-21, yesterday or monday")
        }
        return civil
    }

    /// Returns the time between two places in either order. Includes the start of the earlier place, and excludes the
    /// start of the later one.
    private static func between(_ a: TimePhrase, _ b: TimePhrase) -> MessageQuery.Anchor {
        a.start <= b.start ? .between(a.after, b.before) : .between(a.before, b.after)
    }
}

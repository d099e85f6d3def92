import ArgumentParser
import ChatModel
import Foundation
import Rendering

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

    /// Returns the anchor of the options. For `--unread` it is the beginning, because only the archive knows the
    /// marker.
    func anchor(zone: TimeZone, now: Timestamp) throws -> MessageQuery.Anchor {
        let given = [
            times.after != nil ? "--after" : times.before != nil ? "--before" : nil, around.map { _ in "--around" },
            between.isEmpty ? nil : "--between", day.map { _ in "--day" }, oldest ? "--oldest" : nil,
            unread ? "--unread" : nil,
        ].compactMap(\.self)
        guard given.count <= 1 else {
            throw ValidationError("\(given.joined(separator: " and ")) can't be combined; give one")
        }
        func time(_ text: String) throws -> TimePhrase {
            try TimePhrase(option: text, zone: zone, now: now)
        }
        switch try times.bounds(zone: zone, now: now) {
        case (let after?, let before?): return .between(after, before)
        case (let after?, nil): return .after(after)
        case (nil, let before?): return .before(before)
        case (nil, nil): break
        }
        if let around { return .around(try time(around).start) }
        if let day = try civilDay(zone: zone, now: now) { return .day(day) }
        if oldest || unread { return .oldest }
        guard !between.isEmpty else { return .latest }
        guard between.count == 2 else {
            throw ValidationError("--between takes two times, not \(between.count)")
        }
        return Self.between(try time(between[0]), try time(between[1]))
    }

    /// Returns the day of `--day`; nil without the option.
    ///
    /// - Throws: ``ValidationError`` for a text that is not one whole day.
    private func civilDay(zone: TimeZone, now: Timestamp) throws -> CivilDay? {
        guard let day else { return nil }
        let phrase = try TimePhrase(option: day, zone: zone, now: now)
        let civil = CivilDay(containing: phrase.start.time, in: zone)
        guard case .span(civil.span) = phrase else {
            throw ValidationError(
                "--day takes one whole day, not \"\(Sanitizer.line(day))\"; try 2026-11-21, yesterday or monday")
        }
        return civil
    }

    /// Returns the time between two places in either order. Includes the start of the earlier place, and excludes the
    /// start of the later one.
    private static func between(_ a: TimePhrase, _ b: TimePhrase) -> MessageQuery.Anchor {
        a.start <= b.start ? .between(a.after, b.before) : .between(a.before, b.after)
    }
}

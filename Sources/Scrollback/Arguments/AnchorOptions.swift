import ArgumentParser
import ChatModel
import Foundation
import Rendering

/// The options for the place of a page in time; at most one may be given.
struct AnchorOptions: ParsableArguments {
    @Option(help: ArgumentHelp("What came before: a cursor or a time.", valueName: "time"))
    var before: String?

    @Option(help: ArgumentHelp("What came after: a cursor or a time.", valueName: "time"))
    var after: String?

    @Option(help: ArgumentHelp("What came around: a cursor or a time.", valueName: "time"))
    var around: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("From one cursor or time towards another, which may be the earlier.", valueName: "time"))
    var between: [String] = []

    @Flag(help: "The beginning of the archive.")
    var oldest = false

    @Flag(help: "What nobody has marked as read, below a separator.")
    var unread = false

    /// Returns the third value of `--between A B ROOM`, which the parser reads as a time although it is the room.
    mutating func takeSurplus() -> String? {
        between.count == 3 ? between.removeLast() : nil
    }

    /// Returns the anchor of the options. For `--unread` it is the beginning, because only the archive knows the
    /// marker.
    func anchor(zone: TimeZone, now: Timestamp) throws -> MessageQuery.Anchor {
        let given = [
            before.map { _ in "--before" }, after.map { _ in "--after" }, around.map { _ in "--around" },
            between.isEmpty ? nil : "--between", oldest ? "--oldest" : nil,
            unread ? "--unread" : nil,
        ].compactMap(\.self)
        guard given.count <= 1 else {
            throw ValidationError("\(given.joined(separator: " and ")) exclude each other: give one")
        }
        func time(_ text: String) throws -> TimeArgument {
            try TimeArgument(option: text, zone: zone, now: now)
        }
        if let before { return .before(try time(before).before) }
        if let after { return .after(try time(after).after) }
        if let around { return .around(try time(around).instant) }
        if oldest || unread { return .oldest }
        guard !between.isEmpty else { return .latest }
        guard between.count == 2 else {
            throw ValidationError("--between takes two times, not \(between.count)")
        }
        return Self.between(try time(between[0]), try time(between[1]))
    }

    /// Returns the time between two places in either order: it includes the start of the earlier place, and excludes
    /// the start of the later one.
    private static func between(_ a: TimeArgument, _ b: TimeArgument) -> MessageQuery.Anchor {
        a.instant <= b.instant ? .between(a.after, b.before) : .between(a.before, b.after)
    }
}

extension TimeArgument {
    /// Reads the value of an option.
    ///
    /// - Throws: ``ValidationError`` for a text that is not a time.
    init(option text: String, zone: TimeZone, now: Timestamp) throws {
        do {
            self = try TimeArgument(text, zone: zone, now: now)
        } catch {
            throw ValidationError(error.sentence)
        }
    }
}

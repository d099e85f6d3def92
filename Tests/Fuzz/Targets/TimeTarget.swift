import Bytes
import ChatModel
import Foundation
import IRCWire

@testable import LogFormats

extension FuzzTarget {
    /// Times as people and programs write them.
    static let time = FuzzTarget("time", limit: 200) { input in
        let text = input.text
        let now = Timestamp(microseconds: 1_795_000_000_000_000)
        for zone in [Zone.gmt, Zone(identifier: "Europe/Berlin"), Zone(identifier: "Asia/Seoul")] {
            guard let phrase = try? TimePhrase(text, zone: zone ?? .gmt, now: now) else { continue }
            try require(phrase.after <= phrase.start && phrase.before == phrase.start, "the bounds of \(phrase)")
            if case .span(let span) = phrase { try require(!span.isEmpty, "an empty span of \(text)") }
            let day = CivilDay(containing: phrase.start.time, in: zone ?? .gmt)
            try require(day.span.contains(phrase.start.time), "the day of \(phrase)")
        }
        if let time = Timestamp(cursor: text) { try requireEqual(time.description, text, "a cursor") }
        if let time = WrittenTime(input), let microseconds = time.microseconds {
            let written = WrittenTime(WrittenTime.utc(microseconds: microseconds))
            try requireEqual(written?.microseconds, microseconds, "the time \(text) read again")
        }
        if let milliseconds = ServerTime.milliseconds(input) {
            let written = ServerTime.text(milliseconds: milliseconds)
            try requireEqual(ServerTime.milliseconds(written), milliseconds, "the server's time \(text) read again")
        }
        _ = (FeedPosition(text), FreeTime(input[...]))
        let (pattern, rest) = input.firstLine
        _ = try? TimePattern(pattern.text).match(rest[...])
        _ = (ColumnTime(digits: input[...]), try? ColumnMapping(text))
    }
}

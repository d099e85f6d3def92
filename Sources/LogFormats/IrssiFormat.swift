import Bytes
import ChatModel
import Foundation

/// The logs of the IRC client irssi, as `/LOG` and `autolog` write them with its default theme.
///
/// `--- Day changed Sun Nov 22 2026` gives the day of the lines after it: `06:23 <@alice> hi`, `06:23  * alice waves`,
/// `06:23 -!- alice [~alice@host] has joined #example`. Any other line with a time is a message of the client.
package struct IrssiFormat: LogFormat {
    package static let name = "irssi"
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true

    private var log: IRCLog

    package static func recognises(_ source: LogSource) -> Bool {
        guard let first = IRCLog.lines(of: source.beginning, first: 20).first(where: { !$0.isBlank }) else {
            return false
        }
        if IrssiDateLine(first) != nil { return true }
        var rest = first
        guard let stamp = LineStamp(taking: &rest, brackets: .none) else { return false }
        let hasDay = stamp.date != nil || LocalDay(named: source.name, zone: source.zone) != nil
        return hasDay && IRCLine(rest, isTimed: false) != nil && !MIRCFormat.recognises(source)
    }

    /// - Throws: ``LogSourceError`` if no room or no date can be found.
    package init(_ source: LogSource) throws(LogSourceError) {
        let hasDateLines = IRCLog.lines(of: source.beginning).contains { IrssiDateLine($0) != nil }
        guard let room = Self.room(of: source) else { throw .noRoom }
        log = try IRCLog(source, format: Self.name, brackets: .optional, room: room, hasDateLines: hasDateLines)
    }

    package var assumptions: [String] { log.assumptions }

    package mutating func read(_ line: LogLine) -> ParsedLine {
        guard let dateLine = IrssiDateLine(line.bytes) else { return log.read(line) }
        guard dateLine.beginsDay else { return .nothing }
        log.begin(dateLine.date)
        return dateLine.date == nil ? .unreadable("can't read its date") : .nothing
    }

    /// Returns the room. `autolog` names a file `irclogs/Network/#example.log`, or after the other person of a
    /// conversation.
    private static func room(of source: LogSource) -> IRCLog.Room? {
        let namedRoom =
            source.room ?? RoomName.inFileName(source.name) ?? RoomName.inFolders(source.folders)
            ?? IRCLog.room(in: source.beginning, brackets: .optional)
        if let namedRoom { return IRCLog.Room(name: namedRoom) }
        let stem = RoomName.stem(of: source.name)
        return stem.isEmpty ? nil : IRCLog.Room(name: stem, isDirect: source.folders.contains("irclogs"))
    }
}

/// A line with a date: `--- Log opened Sat Nov 21 06:23:11 2026`, `--- Day changed Sun Nov 22 2026` or `--- Log closed
/// …`.
struct IrssiDateLine {
    /// The date; nil if it can't be read. Only English months and numbers (`11월`) are known.
    let date: CalendarDate?
    /// False for the line at a log's end.
    let beginsDay: Bool

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    init?(_ line: ArraySlice<UInt8>) {
        let titles = ["--- Log opened ", "--- Day changed ", "--- Log closed "]
        guard let title = titles.first(where: { line.starts(with: $0) }) else { return nil }
        beginsDay = title != titles[2]
        let rest = line.dropFirst(title.utf8.count).prefix(100)
        let readDate = Self.date(String(decoding: rest, as: UTF8.self).split(separator: " ").map(String.init))
        date = readDate.flatMap { LocalDay($0, zone: .gmt) == nil ? nil : $0 }
    }

    private static func date(_ words: [String]) -> CalendarDate? {
        for word in words {
            var scanner = ByteScanner(Array(word.utf8)[...])
            if let date = scanner.date(), scanner.rest.isEmpty { return date }
        }
        let year = words.last { $0.utf8.count == 4 && Int($0) != nil }
        let month = words.compactMap(month).first
        let day = words.lazy.compactMap { Int($0.trimmingSuffix(["일", "日", "."])) }.first { (1...31).contains($0) }
        guard let year = year.flatMap({ Int($0) }), let month, let day else { return nil }
        return CalendarDate(year: year, month: month, day: day)
    }

    private static func month(_ word: String) -> Int? {
        if let index = months.firstIndex(of: word.prefix(3).lowercased()), word.count == 3 { return index + 1 }
        return word.hasSuffix("월") || word.hasSuffix("月") ? Int(word.dropLast()) : nil
    }
}

extension String {
    fileprivate func trimmingSuffix(_ endings: [Character]) -> Substring {
        last.map { endings.contains($0) } ?? false ? dropLast() : self[...]
    }
}

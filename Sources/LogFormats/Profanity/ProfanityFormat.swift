import Bytes
import ChatModel

/// The text logs of the XMPP client profanity, a file for each day of a room: `2026-11-21T06:23:11.123456+09:00 - alice:
/// hi`, `… - *alice waves`; before 0.6 `06:23:11 - alice: hi` (`src/log.c`).
///
/// `chatlogs/me_at_example.org/rooms/room_at_rooms.example.org/2026_11_21.log`
package struct ProfanityFormat: LogFormat {
    package static let name = "profanity"
    package static let programs = "profanity (text)"
    package static let keepsNames = true
    package static let maximumLine = UnreadableLine.maximumPayload
    package static let hasLocalTimes = true
    package static let ownerWords = ["me"]

    private let room: IRCLog.Room
    private let day: CalendarDate
    /// True if times have a date. A line with a time alone continues a message.
    private let isDated: Bool
    private var clock: LogClock
    private let names: SpacedNames
    private var held: HeldEntry<Void>?

    package static func recognises(_ source: LogSource) -> Bool {
        guard let day = day(of: source.name), let first = IRCLog.lines(of: source.beginning, first: 1).first,
            let text = entry(first, of: day, isDated: nil)?.text
        else { return false }
        return text.first == Byte.star || text.range(of: ": ") != nil
    }

    package static func isOwnName(_ name: String) -> Bool { day(of: name) != nil }

    /// - Throws: ``LogSourceError`` if the file's name has no date, or no folder names the room.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let day = Self.day(of: source.name) ?? NamedDate(in: source.name)?.date else { throw .noDate }
        guard let name = source.room ?? source.folders.last.map(Self.address) else { throw .noRoom }
        let isRoom = source.room != nil || source.folders.dropLast().last == "rooms"
        room = IRCLog.Room(name: name, isDirect: !isRoom)
        self.day = day
        let lines = IRCLog.eachLine(of: source.beginning)
        let isDated = lines.lazy.compactMap { Self.entry($0, of: day, isDated: nil) }.first?.stamp.date != nil
        self.isDated = isDated
        clock = LogClock(day: LocalDay(day, zone: source.zone), zone: source.zone, now: source.now)
        names = SpacedNames(
            lines.lazy.compactMap { Self.entry($0, of: day, isDated: isDated)?.text.parted(by: ": ")?.left })
    }

    package var assumptions: [String] { clock.assumptions }
    package var heldLine: LogLine? { held?.line }

    /// Returns `me@example.org` for `chatlogs/me_at_example.org/rooms/room_at_rooms.example.org/2026_11_21.log`.
    package static func accountName(in source: LogSource) -> String? {
        let folders = source.folders.dropLast()
        return (folders.last == "rooms" ? folders.dropLast() : folders).last.flatMap {
            $0.contains("_at_") ? address($0) : nil
        }
    }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard let (stamp, text) = Self.entry(line.bytes, of: day, isDated: isDated) else {
            guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
            guard held != nil else { return line.bytes.isBlank ? .nothing : .continuesNothing }
            held?.append(line.bytes)
            return .nothing
        }
        let before = finish()
        held = HeldEntry(line, at: clock.resolve(stamp, line: line.number), (), text)
        return before
    }

    package mutating func finish() -> ParsedLine {
        guard let held else { return .nothing }
        self.held = nil
        return held.message(in: room, maximum: Self.maximumLine) { content($0) }
    }

    private func content(_ text: ArraySlice<UInt8>) -> IRCLine {
        if let action = text.after("*") {
            let name = names.name(beginning: action)
            if !name.isEmpty { return IRCLine(.action, LogText(name), LogText(action[name.endIndex...].dropFirst())) }
        }
        guard let (name, words) = text.parted(by: ": "), !name.isEmpty else { return .system(text) }
        return IRCLine(.message, LogText(name), LogText(words))
    }

    /// Reads the time and the mark of a line. A line with the date of another day continues a text: all messages of a
    /// file are of its day.
    ///
    /// - Parameter isDated: True for times with a date, false for others, nil for both.
    private static func entry(
        _ line: ArraySlice<UInt8>, of day: CalendarDate, isDated: Bool?
    ) -> (stamp: LineStamp, text: ArraySlice<UInt8>)? {
        var rest = line
        guard let stamp = LineStamp(taking: &rest, brackets: .none), stamp.resolution != .minute,
            isDated.map({ $0 == (stamp.date != nil) }) ?? true, stamp.date == nil || stamp.date == day,
            let text = rest.after("- ")
        else { return nil }
        return (stamp, text)
    }

    /// Reads `2026_11_21.log`.
    private static func day(of name: String) -> CalendarDate? {
        var scanner = ByteScanner(Array(name.utf8)[...])
        let mark = UInt8(ascii: "_")
        guard let year = scanner.number(of: 4), scanner.take(mark), let month = scanner.number(of: 2),
            scanner.take(mark),
            let day = scanner.number(of: 2), scanner.rest.elementsEqual(".log".utf8)
        else { return nil }
        let date = CalendarDate(year: year, month: month, day: day)
        return LocalDay(date, zone: .gmt) == nil ? nil : date
    }

    /// Returns the address of a folder: `room@rooms.example.org/alice` for `room_at_rooms.example.org_alice`. No domain has
    /// an underscore.
    private static func address(_ folder: String) -> String {
        let bytes = Array(folder.utf8)[...]
        guard let at = bytes.lastRange(of: "_at_") else { return folder }
        let domain = bytes[at.upperBound...].prefix { $0 != UInt8(ascii: "_") }
        let resource = bytes[domain.endIndex...].dropFirst()
        let parts = [Array(bytes[..<at.lowerBound]), Array(domain)].map { String(decoding: $0, as: UTF8.self) }
        return parts.joined(separator: "@") + (resource.isEmpty ? "" : "/" + String(decoding: resource, as: UTF8.self))
    }
}

import Bytes
import ChatModel

/// The chat of a Zoom meeting, which Zoom saves as `meeting_saved_chat.txt`, `meeting_saved_new_chat.txt` or `chat.txt` in the
/// folder of the meeting (`2026-11-21 15.23.11 Plans 81234567890`).
///
/// Only the newest versions write dates. The day of the others is that of the folder.
package struct ZoomFormat: LogFormat {
    package static let name = "zoom"
    package static let programs = "Zoom (chats of meetings)"
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true
    package static let hidesOwner = true

    private let room: IRCLog.Room
    private var clock: LogClock
    private var held: HeldEntry<ZoomHeader>?

    // MARK: - Recognition

    /// Recognises a file that begins with a message of a known day.
    package static func recognises(_ source: LogSource) -> Bool {
        guard let header = first(of: source) else { return false }
        return header.stamp.date != nil || ZoomPlace(source).day != nil
    }

    private static func first(of source: LogSource) -> ZoomHeader? {
        IRCLog.eachLine(of: source.beginning).first { !$0.isBlank }.flatMap(ZoomHeader.init)
    }

    /// - Throws: ``LogSourceError`` if neither the user nor the folder names the room, or if the day is unknown.
    package init(_ source: LogSource) throws(LogSourceError) {
        let place = ZoomPlace(source)
        guard place.day != nil || Self.first(of: source)?.stamp.date != nil else { throw .noDate }
        guard let room = source.room ?? place.title else { throw .noRoom }
        self.room = IRCLog.Room(name: room)
        clock = LogClock(day: place.day, zone: source.zone, now: source.now)
    }

    package var heldLine: LogLine? { held?.line }
    package var assumptions: [String] { clock.assumptions }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        if let header = ZoomHeader(line.bytes) {
            let before = finish()
            held = HeldEntry(line, at: clock.resolve(header.stamp, line: line.number), header, header.text)
            return before
        }
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        guard let header = held?.content else { return line.bytes.isBlank ? .nothing : .continuesNothing }
        let isIndented = header.isAbove && line.bytes.first == Byte.tab
        held?.append(isIndented ? line.bytes.dropFirst() : line.bytes)
        return .nothing
    }

    package mutating func finish() -> ParsedLine {
        guard let held else { return .nothing }
        self.held = nil
        let header = held.content
        let parsed = held.message(in: room, maximum: Self.maximumLine) { text in
            let text = header.isAbove && text.first == Byte.lineFeed ? text.dropFirst() : text
            return IRCLine(.message, LogText(header.sender), text.isEmpty ? nil : LogText(text))
        }
        guard case .message(var message) = parsed else { return parsed }
        message.roomKind = .group
        if let receiver = header.receiver {
            let name = ExportText.name(LogText(receiver).string) ?? "?"
            let text = ExportText(lines: ["[to \(name)]", message.body])
            (message.body, message.flags) = (text.string, message.flags.union(text.flags))
        }
        return .message(message)
    }
}

/// The day and the title of a meeting, from its folder's name. A file outside of one may have the day in its own name.
private struct ZoomPlace {
    let day: LocalDay?
    let title: String?

    init(_ source: LogSource) {
        let folder = source.folders.last ?? ""
        let date = NamedDate(in: folder)
        title = date.flatMap { Self.title(folder[$0.range.upperBound...]) }
        day = (date ?? NamedDate(in: source.name)).flatMap { LocalDay($0.date, zone: source.zone) }
    }

    /// - Parameter rest: The folder's name after its date: ` 15.23.11 Plans 81234567890`, with the number of the meeting.
    private static func title(_ rest: Substring) -> String? {
        var words = rest.split(separator: " ")
        if let first = words.first, first.contains("."), first.utf8.allSatisfy({ Byte.isDigit($0) || $0 == Byte.dot }) {
            words.removeFirst()
        }
        if words.count > 1, let last = words.last, (9...11).contains(last.utf8.count),
            last.utf8.allSatisfy(Byte.isDigit)
        {
            words.removeLast()
        }
        return ExportText.name(words.joined(separator: " "))
    }
}

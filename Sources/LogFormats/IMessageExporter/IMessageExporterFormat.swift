import Bytes
import ChatModel

/// The text that imessage-exporter writes (`--format txt`), one file for each conversation: for each message a line with
/// its local time, a line with its sender, and the text.
///
/// Answers stand twice: indented below the answered message, and in their own place. Only the second one is read.
package struct IMessageExporterFormat: LogFormat {
    package static let name = "imessage-exporter"
    package static let programs = "imessage-exporter (text)"
    /// 64 KiB of text, and the indentation before it.
    package static let maximumLine = HeldText.maximumSize + 1024
    package static let hasLocalTimes = true
    package static let ownerWords = ["Me"]

    /// A message that may continue.
    private struct Held {
        var line: LogLine
        /// Nil for a date that is not in the calendar.
        var time: LineTime?
        /// Nil until the line after the time.
        var sender: ArraySlice<UInt8>?
        var text: HeldText?
    }

    private let room: String
    private var clock: LogClock
    private var held: Held?
    /// True in the copies of answers below a message, up to the next message.
    private var isInCopies = false
    private var tapbacks = 0

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        guard source.name.isEmpty || source.name.lowercased().hasSuffix(".txt") else { return false }
        let first = IRCLog.lines(of: source.beginning, first: 1).first
        return first.flatMap(Self.header) != nil
    }

    /// - Throws: ``LogSourceError/noRoom`` for a file without a name, unless a room is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        let stem = source.name.hasSuffix(".txt") ? String(source.name.dropLast(4)) : source.name
        guard let room = source.room ?? ExportText.name(stem) else { throw .noRoom }
        self.room = room.withoutNUL
        clock = LogClock(zone: source.zone, now: source.now)
    }

    package var heldLine: LogLine? { held?.line }

    package var assumptions: [String] {
        (tapbacks > 0 ? ["reactions skipped, because the messages have no ids: \(tapbacks)"] : []) + clock.assumptions
    }

    // MARK: - Reading

    /// Reads `Nov 21, 2026  6:23:11 AM`, and what stands behind it; nil for another line.
    private static func header(_ line: ArraySlice<UInt8>) -> (LineStamp, rest: ArraySlice<UInt8>)? {
        guard line.first != Byte.space else { return nil }
        var scanner = ByteScanner(line)
        guard let date = scanner.namedMonthDate(), scanner.take(Byte.space) else { return nil }
        scanner.takeSpaces()
        guard let hour = scanner.number(upTo: 2), (1...12).contains(hour), scanner.take(Byte.colon),
            let minute = scanner.number(of: 2), minute < 60, scanner.take(Byte.colon),
            let second = scanner.number(of: 2), second <= 60
        else { return nil }
        scanner.takeSpaces()
        let isAfternoon = scanner.take("PM")
        guard isAfternoon || scanner.take("AM"), scanner.rest.isEmpty || scanner.take(Byte.space) else { return nil }
        let seconds = (hour % 12 + (isAfternoon ? 12 : 0)) * 3600 + minute * 60 + second
        return (LineStamp(date: date, seconds: seconds, resolution: .second), scanner.rest)
    }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        if let (stamp, rest) = Self.header(line.bytes) { return begin(stamp, rest, line) }
        guard held != nil else {
            return line.bytes.isBlank || isInCopies ? .nothing : .unreadable("no line before it begins a message")
        }
        if let indented = line.bytes.after("    "), Self.header(indented) != nil { isInCopies = true }
        guard !isInCopies else { return .nothing }
        if held?.sender == nil {
            held?.sender = line.bytes
        } else if held?.text == nil {
            held?.text = HeldText(line.bytes, isCut: line.isCut)
        } else {
            held?.text?.append(line.bytes, isCut: line.isCut)
        }
        return .nothing
    }

    private mutating func begin(_ stamp: LineStamp, _ rest: ArraySlice<UInt8>, _ line: LogLine) -> ParsedLine {
        let before = finish()
        isInCopies = false
        held = Held(line: line, time: clock.resolve(stamp, line: line.number))
        // Behind the time of a message, a bracket says when it was read; anything else is an event.
        if !rest.isEmpty, rest.first != UInt8(ascii: "(") {
            held?.sender = []
            held?.text = HeldText(rest, isCut: line.isCut)
        }
        return before
    }

    package mutating func finish() -> ParsedLine {
        guard let held else { return .nothing }
        self.held = nil
        guard let time = held.time else { return .unreadable("its date does not exist") }
        var message = ImportedMessage(
            room: room, kind: .system, sender: nil, body: nil, time: time.time, resolution: .second, place: time.place,
            flags: held.text?.isCut ?? false ? .oversize : [])
        guard let sender = held.sender?.trimmed, !sender.isEmpty else {
            guard let text = held.text else { return .unreadable("it has no sender") }
            message.set(.system, nil, text.whole)
            return .message(message)
        }
        let content = IMessageExporterText(held.text?.whole ?? [])
        tapbacks += content.tapbacks
        message.set(.message, sender, content.text.isEmpty ? nil : content.text)
        message.files = content.files.map { ImportedMessage.File(path: $0) }
        if content.isUnsent { message.deletedAt = time.time }
        return .message(message)
    }
}

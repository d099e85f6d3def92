import Bytes
import ChatModel

/// The histories of the XMPP clients mcabber and poezio, one file for each address: `MR 20261121T06:23:11Z 001 <alice>
/// hi`, and as many further lines as the number says (`hbuf.c` and `histolog.c` of mcabber 1.1, `logger.py` of poezio
/// 0.14).
///
/// No other text log tells where a message of several lines ends.
package struct MCabberFormat: LogFormat {
    package static let name = "mcabber"
    package static let programs = "mcabber, poezio"
    package static let keepsNames = true
    package static let maximumLine = UnreadableLine.maximumPayload
    package static let hasLocalTimes = false
    /// In a conversation of two, mcabber marks one's own messages.
    package static let ownerWords = [MCabberEntry.own]

    private let room: IRCLog.Room
    private var clock: LogClock
    private var words = MCabberWords()
    private var held: HeldEntry<MCabberEntry>?
    /// The further lines of the held message that are still to come.
    private var remaining = 0

    package static func recognises(_ source: LogSource) -> Bool {
        IRCLog.eachLine(of: source.beginning).first { _ in true }.flatMap { MCabberEntry($0) } != nil
    }

    /// Returns true for poezio's file of the contacts' presence.
    package static func isProgramsOwn(_ name: String) -> Bool { name == "roster.log" }

    /// - Throws: ``LogSourceError/noRoom`` for a file without a name.
    package init(_ source: LogSource) throws(LogSourceError) {
        // poezio writes `\` for the `/` of `room@rooms.example.org/alice`.
        let address = source.name.replacing("\\", with: "/").composed.withoutNUL
        guard let name = source.room ?? (address.isEmpty ? nil : address) else { throw .noRoom }
        let isRoom = IRCLog.eachLine(of: source.beginning).contains { MCabberEntry($0)?.isOfRoom ?? false }
        room = IRCLog.Room(name: name, isDirect: source.room == nil && (!isRoom || address.contains("/")))
        clock = LogClock(zone: .gmt, now: source.now)
    }

    package var assumptions: [String] { clock.assumptions }
    package var heldLine: LogLine? { held?.line }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        if remaining > 0 {
            remaining -= 1
            guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
            let isIndented = held?.content.isOfPoezio ?? false
            held?.append(isIndented && line.bytes.first == Byte.space ? line.bytes.dropFirst() : line.bytes)
            return .nothing
        }
        guard let entry = MCabberEntry(line.bytes) else {
            return line.bytes.isBlank ? .nothing : .unreadable("not a valid mcabber line")
        }
        let before = finish()
        held = HeldEntry(line, at: clock.resolve(entry.stamp, line: line.number), entry, entry.text)
        remaining = entry.furtherLines
        return before
    }

    package mutating func finish() -> ParsedLine {
        guard let held else { return .nothing }
        (self.held, remaining) = (nil, 0)
        return held.message(in: room, maximum: Self.maximumLine) { text in
            words.content(of: held.content, text, in: room)
        }
    }
}

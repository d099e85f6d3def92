import Bytes
import ChatModel

/// The logs of the IRC client srain, a file for each day and window: `[06:23:11] <alice> hi`, `[06:23:11] = bob has joined`
/// (1.5.0). Notices look like messages.
///
/// `logs/libera/2026-11-21.#example.log`
package struct SrainFormat: LogFormat {
    package static let name = "srain"
    package static let programs = "srain"
    package static let isOfIRC = true
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true

    private let room: IRCLog.Room
    private var clock: LogClock
    private var held: HeldEntry<SrainLine>?

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        guard isOwnName(source.name) else { return false }
        let lines = IRCLog.lines(of: source.beginning, first: 20)
        return lines.first.map { SrainLine($0) != nil } ?? false
            && lines.allSatisfy { $0.first == Byte.tab || SrainLine($0) != nil }
    }

    /// Returns true for `2026-11-21.#example.log`.
    package static func isOwnName(_ name: String) -> Bool {
        // Every file of an import is asked for, so no regular expression is built.
        let (day, end) = ("0000-00-00.".utf8, ".log".utf8)
        guard name.utf8.count > day.count + end.count, name.utf8.suffix(end.count).elementsEqual(end) else {
            return false
        }
        return zip(name.utf8, day).allSatisfy { $1 == UInt8(ascii: "0") ? (0x30...0x39).contains($0) : $0 == $1 }
    }

    /// - Throws: ``LogSourceError`` if the name has no date, or no window and no room is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let day = LocalDay(named: source.name, zone: source.zone) else { throw .noDate }
        let window = RoomName.stem(of: source.name)
        guard let name = source.room ?? ExportText.name(window) else {
            throw .noRoom
        }
        let isOther = RoomName.isChannel(name) || source.room != nil || window == Self.accountName(in: source)
        room = IRCLog.Room(name: name.withoutNUL, isDirect: !isOther)
        clock = LogClock(day: day, zone: source.zone, now: source.now)
    }

    /// Returns `libera` for `logs/libera/2026-11-21.#example.log`.
    package static func accountName(in source: LogSource) -> String? { NetworkName.plausible(source.folders.last) }

    // MARK: - Reading

    package var assumptions: [String] { clock.assumptions }
    package var heldLine: LogLine? { held?.line }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard let read = SrainLine(line.bytes) else {
            if line.bytes.isBlank { return .nothing }
            guard line.bytes.first == Byte.tab, held != nil else { return .unreadable("not a valid srain line") }
            held?.append(line.bytes.dropFirst())
            return .nothing
        }
        let before = finish()
        held = HeldEntry(line, at: clock.resolve(read.stamp, line: line.number), read, read.text)
        return before
    }

    package mutating func finish() -> ParsedLine {
        guard let held else { return .nothing }
        self.held = nil
        return held.message(in: room, maximum: Self.maximumLine) { held.content.content($0) }
    }
}

/// A line of srain: its time, its mark, and the text after it.
struct SrainLine: Sendable {
    let stamp: LineStamp
    let text: ArraySlice<UInt8>

    /// - Returns: Nil for another line.
    init?(_ line: ArraySlice<UInt8>) {
        var rest = line
        guard let stamp = LineStamp(taking: &rest, brackets: .required), stamp.date == nil, stamp.resolution == .second,
            ["<", "* ", "= ", "! "].contains(where: { rest.starts(with: $0.utf8) })
        else { return nil }
        (self.stamp, text) = (stamp, rest)
    }

    /// Returns the content of the whole text, whose further lines begin with a tab in the file.
    func content(_ text: ArraySlice<UInt8>) -> IRCLine {
        if let event = text.after("= ") ?? text.after("! ") { return Self.event(event) ?? .system(event) }
        return IRCLine(text, isTimed: false) ?? .system(text)
    }

    private static func event(_ text: ArraySlice<UInt8>) -> IRCLine? {
        if let (name, topic) = text.parted(by: " changed topic to:") {
            return IRCLine.nick(name).map { IRCLine(.topic, $0, LogText(topic.drop { $0 == Byte.lineFeed })) }
        }
        if let (victim, rest) = text.parted(by: " are kicked by "), let victim = IRCLine.nick(victim) {
            let (by, why) = rest.parted(by: ":") ?? (rest, [])
            return IRCLine.nick(by).map { IRCLine.kick(victim, $0, why) }
        }
        if let mode = text.after("mode "), let (change, by) = mode.parted(by: " by ") {
            // `#example +v bob `, with a space behind the last argument.
            let modes = change.drop { $0 != Byte.space }.trimmed
            return IRCLine.nick(by).map { IRCLine(.mode, $0, LogText(modes)) }
        }
        if let (old, new) = text.parted(by: " is now known as "), let old = IRCLine.nick(old),
            let new = IRCLine.nick(new)
        {
            return IRCLine(.rename, old, new)
        }
        for words in [" has left", " has quit"] {
            guard let (name, rest) = text.parted(by: words), let nick = IRCLine.nick(name),
                rest.isEmpty || rest.first == Byte.colon
            else { continue }
            return IRCLine(.leave, nick, LogText(rest.dropFirst().trimmed))
        }
        guard text.suffix(11).elementsEqual(" has joined".utf8) else { return nil }
        return IRCLine.nick(text.dropLast(11)).map { IRCLine(.join, $0) }
    }
}

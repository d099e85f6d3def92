import Bytes
import ChatModel

/// The logs of libpurple, the library of Pidgin, finch and Gaim, as text or HTML: `(06:23:11) alice: hi`, `(06:23:11)
/// ***alice waves`, `(06:23:11) bob [~bob@host] entered the room.`
///
/// A file is a conversation, from the opening of its window: `logs/irc/alice@irc.example.net/#example.chat/2026-11-21.062311+0900KST.txt`
/// (`libpurple/log.c` of 2.14). Its name gives the first day and the zone; the lines have no date, except late ones.
package struct PidginFormat: LogFormat {
    package static let name = "pidgin"
    package static let programs = "Pidgin, finch, Gaim (libpurple, text and HTML)"
    package static let maximumLine = UnreadableLine.maximumPayload
    package static let hasLocalTimes = true

    private let isPage: Bool
    private let conversation: PidginConversation
    private var clock: PidginClock
    private var names: PidginNames
    private var held: HeldEntry<PidginEntry>?

    /// Recognises a file that begins with the title of a conversation, and a line with a time in a file that libpurple
    /// named.
    package static func recognises(_ source: LogSource) -> Bool {
        if PidginTitle(source.beginning) != nil { return true }
        let isPage = PidginEntry.isPage(source.beginning)
        return isOwnName(source.name)
            && IRCLog.lines(of: source.beginning, first: 20).contains { PidginEntry($0, isPage: isPage) != nil }
    }

    /// Returns true for `2026-11-21.062311+0900KST.txt`, `.html` and Gaim's `2005-11-21.062311.txt`.
    package static func isOwnName(_ name: String) -> Bool { PidginName(name) != nil }

    /// - Throws: ``LogSourceError`` if no room or no date can be found.
    package init(_ source: LogSource) throws(LogSourceError) {
        let title = PidginTitle(source.beginning)
        guard let clock = PidginClock(source, title) else { throw .noDate }
        guard let conversation = PidginConversation(source, title) else { throw .noRoom }
        isPage = PidginEntry.isPage(source.beginning)
        (self.clock, self.conversation) = (clock, conversation)
        names = PidginNames(source.beginning, conversation, isPage: isPage)
    }

    package var assumptions: [String] { clock.assumptions }
    package var heldLine: LogLine? { held?.line }

    /// Returns the server of an IRC account, and the account of another network: `irc.example.net`, `alice@example.org`.
    package static func accountName(in source: LogSource) -> String? {
        guard let title = PidginTitle(source.beginning) else { return nil }
        let account = title.account.prefix { $0 != "/" }
        guard title.network == "irc", let at = account.lastIndex(of: "@") else { return String(account) }
        return String(account[account.index(after: at)...])
    }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard let entry = PidginEntry(line.bytes, isPage: isPage) else { return resume(with: line) }
        let before = finish()
        held = HeldEntry(line, at: clock.resolve(entry.time, line: line.number), entry, entry.text[...])
        return before
    }

    /// Adds a line without a time to the text before it.
    private mutating func resume(with line: LogLine) -> ParsedLine {
        if line.number == 1, PidginTitle(Array(line.bytes)) != nil { return .nothing }
        if isPage, PidginEntry.isFrame(line.bytes) { return .nothing }
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        let bytes = isPage ? PidginEntry.text(line.bytes)[...] : line.bytes
        guard held != nil else { return bytes.isBlank ? .nothing : .continuesNothing }
        held?.append(bytes)
        return .nothing
    }

    package mutating func finish() -> ParsedLine {
        guard let held else { return .nothing }
        self.held = nil
        return held.message(in: conversation.room, maximum: Self.maximumLine) { text in
            held.content.content(text, in: conversation, &names)
        }
    }
}

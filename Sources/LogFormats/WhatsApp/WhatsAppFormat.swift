import Bytes
package import ChatModel

/// The text of WhatsApp's "Export chat": `21/11/2026, 06:23 - Alice: hi` or `[21/11/2026, 06:23:11] Alice: hi`, with
/// dates in the phone's language.
///
/// A message continues until the next line that begins with a date and a time. The sender's name ends at the first `:
/// `. A line without `: ` is a message of the app.
package struct WhatsAppFormat: LogFormat {
    package static let name = "whatsapp"
    package static let programs = "WhatsApp"
    package static let leavesDateOrderOpen = true
    /// 64 KiB of text, and the header before it.
    package static let maximumLine = HeldText.maximumSize + 1024
    package static let hasLocalTimes = true
    package static let hidesOwner = true

    /// A message that may continue.
    private struct Held {
        var line: LogLine
        /// Nil if the date is not in the calendar.
        var time: LineTime?
        var sender: String?
        var text: HeldText
    }

    private let room: String
    /// True if the room has the name of a person who writes in it, so that it is not a group.
    private let isPerson: Bool
    private let order: WhatsAppDateOrder
    private var clock: LogClock
    private var held: Held?
    private var places = SenderPlaces<String>()
    private var doubtful = LineCount()

    /// Returns true for a file with a name that the app gives: `_chat.txt`, `WhatsApp …` or `… ile WhatsApp
    /// Sohbeti.txt`.
    package static func isOwnName(_ name: String) -> Bool {
        name == "_chat.txt" || name.hasPrefix("WhatsApp ") || title(of: name) != nil
    }

    package static func survey(now: Timestamp) -> (any LogSurvey)? { WhatsAppDates(now: now) }

    /// Recognises a file whose first line has a date and a time, if a line has a sender or the app gave the file its
    /// name. KakaoTalk, too, writes ` : ` after a sender. The first lines of a group may all be of people who joined.
    package static func recognises(_ source: LogSource) -> Bool {
        guard source.name.isEmpty || source.name.lowercased().hasSuffix(".txt") else { return false }
        // Element writes such lines, too, but also edits and its own words (`UnsupportedKind`).
        guard !source.path.contains(" - Chat Export - ") else { return false }
        let isOwnName = isOwnName(source.name)
        let lines = IRCLog.lines(of: source.beginning).lazy.filter { !$0.isBlank }
        guard let first = lines.first, let beginning = WhatsAppHeader(first) else { return false }
        if isOwnName, !beginning.isSpaced { return true }
        // Logs of IRC have such times, too. After WhatsApp's, no text begins with a name in brackets or an arrow.
        let beginsAsIRC = lines.prefix(20).contains { line in WhatsAppHeader(line).map { isOfIRC($0.text) } ?? false }
        guard isOwnName || !beginsAsIRC else { return false }
        return lines.contains { line in
            guard let header = WhatsAppHeader(line), let start = header.text.first else { return false }
            return !"<*-".utf8.contains(start) && (isOwnName || !header.isSpaced) && Self.parted(header).sender != nil
        }
    }

    private static func isOfIRC(_ text: ArraySlice<UInt8>) -> Bool {
        text.first == UInt8(ascii: "<") && text.range(of: "> ") != nil || text.starts(with: "*** ")
            || IRCArrows.event(text) != nil
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        guard let room = source.room ?? Self.room(of: source) else { throw .noRoom }
        self.room = room.withoutNUL
        isPerson = IRCLog.lines(of: source.beginning).contains { line in
            guard let header = WhatsAppHeader(line) else { return false }
            let (sender, text) = Self.parted(header)
            return sender == room && !text.starts(with: Self.mark)
        }
        order = try WhatsAppDateOrder(
            source.choices.dateOrder, Self.dates(of: source), language: Self.named(source).flatMap(Self.title)?.language
        )
        clock = LogClock(zone: source.zone, now: source.now)
    }

    /// Returns the survey of the whole source, else of its beginning.
    private static func dates(of source: LogSource) -> WhatsAppDates {
        if let dates = source.survey as? WhatsAppDates { return dates }
        var dates = WhatsAppDates(now: source.now)
        for line in IRCLog.lines(of: source.beginning) { dates.inspectLine(line) }
        return dates
    }

    package var assumptions: [String] {
        [
            order.assumption,
            doubtful.sentence("lines that begin with a date and a time, read as text of the message above"),
        ]
        .compactMap(\.self) + clock.assumptions
    }
    package var doubtfulLines: Int { doubtful.count }
    package var heldLine: LogLine? { held?.line }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard let header = WhatsAppHeader(line.bytes) else {
            guard held != nil else {
                return line.bytes.isBlank
                    ? .nothing : .unreadable("it has no date and time, and no line before it has them")
            }
            if WhatsAppHeader.hasTime(line.bytes) { doubtful.note(line.number) }
            held?.text.append(line.bytes, isCut: line.isCut)
            return .nothing
        }
        let (before, time) = (finish(), time(of: header, line: line.number))
        // The line has only a date.
        guard !header.text.isEmpty || time == nil else { return before }
        let (sender, text) = Self.parted(header)
        held = Held(line: line, time: time, sender: sender, text: HeldText(text, isCut: line.isCut))
        return before
    }

    package mutating func finish() -> ParsedLine {
        guard let held else { return .nothing }
        self.held = nil
        guard let time = held.time else { return .unreadable("its date does not exist") }
        let text = LogText(held.text.whole)
        var content = WhatsAppText(text.string)
        // A group is the sender of messages about its own events, and a person of what they did in it: `Ann: Ann left`.
        let isOwn =
            held.text.whole.starts(with: Self.mark) && content.isPlain
            && (!isPerson && held.sender == room
                || held.sender.map { text.string.withoutMarks.hasPrefix($0 + " ") } ?? false)
        let sender = isOwn ? nil : held.sender
        if sender == nil { content = WhatsAppText(plain: text.string) }
        var message = ImportedMessage(
            room: room, roomKind: .group, kind: sender == nil ? .system : .message, sender: sender, body: content.body,
            time: time.time, resolution: time.resolution, place: time.place, flags: text.flags,
            files: content.files.map { ImportedMessage.File(path: $0) })
        if held.text.isCut { message.flags.insert(.oversize) }
        if content.isEdited { message.editedAt = time.time }
        let place = sender.map { places.place(of: $0, at: time.time) }
        if content.isDeleted {
            message.deletedAt = time.time
            message.placeOfDeleted = place
        }
        return .message(message)
    }

    private mutating func time(of header: WhatsAppHeader, line: Int) -> LineTime? {
        guard let date = order.date(header.date) else { return nil }
        return clock.resolve(LineStamp(date: date, seconds: header.seconds, resolution: header.resolution), line: line)
    }

    /// Splits off the name before the first `: `, unless the name would contain quotes.
    private static func parted(_ header: WhatsAppHeader) -> (sender: String?, text: ArraySlice<UInt8>) {
        let text = header.text
        let parts =
            text.parted(by: header.isSpaced ? " : " : ": ")
            ?? (text.last == UInt8(ascii: ":") ? (text.dropLast(), []) : nil)
        guard let (left, right) = parts, left.count <= longestName else { return (nil, text) }
        let written = LogText(left).string
        let name = written.withoutMarks
        // The app quotes the names and texts of groups, so an open quote before the colon is of its own sentence.
        guard name.count(where: { "\"“”„«»".contains($0) }) % 2 == 0 else { return (nil, text) }
        guard name.isEmpty else { return (name, right) }
        // A person may have a name of marks alone.
        return written.contains { $0 != " " } ? (written, right) : (nil, text)
    }

    /// The mark (U+200E) before messages of the app, on iPhones.
    private static let mark = "\u{200E}"
    /// The limit of a name in bytes. A profile's name has at most 25 characters; a name in the phone's address book may
    /// be longer.
    private static let longestName = 256
}

extension WhatsAppFormat {
    /// Returns the person or group in the name of the file, or of the folder or archive around `_chat.txt`.
    private static func room(of source: LogSource) -> String? {
        guard let name = named(source) else { return nil }
        if let title = title(of: name) { return title.room }
        let text = withoutCopyNumber(name.composed)
        let room = text.withoutMarks
        return room.isEmpty ? text : room
    }

    /// Returns the name of the file, or of the folder or archive around `_chat.txt`, without its ending.
    private static func named(_ source: LogSource) -> String? {
        let file = withoutEnding(source.name)
        let isNamed = !file.isEmpty && file != "_chat"
        return isNamed ? file : source.folders.last(where: { $0 != "." && $0 != ".." }).map(withoutEnding)
    }

    private static func title(of name: String) -> WhatsAppTitle? {
        WhatsAppTitle(withoutCopyNumber(withoutEnding(name).composed))
    }

    /// Removes ` (1)`, with which a browser names a second download. A number of more digits, such as a year, stays.
    private static func withoutCopyNumber(_ name: String) -> String {
        name.wholeMatch(of: /(.+) \([1-9][0-9]?\)/).map { String($0.1) } ?? name
    }

    private static func withoutEnding(_ name: String) -> String {
        [".txt", ".zip"].contains { name.lowercased().hasSuffix($0) } ? String(name.dropLast(4)) : name
    }
}

extension String {
    /// The text without direction marks and outer spaces, which WhatsApp puts around names; non-breaking spaces become
    /// plain ones.
    var withoutMarks: String {
        let kept = unicodeScalars.filter { !WhatsAppHeader.isMark($0) }
        let plain = kept.map { WhatsAppHeader.isSpace($0) ? " " : $0 }
        var name = String(String.UnicodeScalarView(plain))[...].drop { $0 == " " }
        // `~` marks a person who is not in the address book.
        if name.first == "~" { name = name.dropFirst().drop { $0 == " " } }
        while name.last == " " { name.removeLast() }
        return String(name)
    }
}

import Bytes
import ChatModel
import FoundationEssentials

/// The pages that Telegram Desktop writes for browsers: `messages.html`, `messages2.html` and so on are one chat.
package struct TelegramHTMLFormat: LogFormat {
    package static let name = "telegram-html"
    package static let programs = "Telegram Desktop (HTML)"
    /// 1 MiB: a message has about 4,096 characters with their tags, and its reactions.
    package static let maximumLine = 1024 * 1024
    /// Older exports have no zone in their times.
    package static let hasLocalTimes = true
    package static let hidesOwner = true

    private let givenRoom: String?
    private let zone: Zone
    private var room: String?
    /// The message before, whose sender a joined message has.
    private var last: (sender: String, forwardedFrom: String?, bot: String?)?
    /// The time of the message before, and the beginning of the day.
    private var (time, day): (Timestamp?, Timestamp?)
    /// The seconds east of UTC of the machine that exported; nil until a time gives them.
    private var offset: Int?
    private var isBreakReported = false
    private var omissions = ExportOmissions()
    private var events = 0

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        let beginning = source.beginning[...]
        return beginning.range(of: "<title>Exported Data</title>") != nil
            && beginning.range(of: "class=\"history\"") != nil
    }

    package static func cutter() -> any SourceCutter {
        PageCutter(marker: "<div class=\"message ", maximumPiece: maximumLine)
    }

    /// Returns a chat's pages in their order; nil for other folders.
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
        var pages: [(number: Int, index: Int)] = []
        for (index, path) in paths.enumerated() {
            guard !path.utf8.contains(UInt8(ascii: "/")) else { break }
            if let number = number(of: path) { pages.append((number, index)) }
        }
        return pages.isEmpty ? nil : pages.sorted { $0 < $1 }.map(\.index)
    }

    package static func saysNothing(_ path: some StringProtocol) -> Bool {
        ["css/", "js/", "images/"].contains { path.hasPrefix($0) }
    }

    /// Returns 12 for `messages12.html`, and 1 for `messages.html`.
    static func number(of name: String) -> Int? {
        guard name.hasPrefix("messages"), name.hasSuffix(".html") else { return nil }
        let digits = name.dropFirst("messages".count).dropLast(".html".count)
        return digits.isEmpty ? 1 : digits.utf8.allSatisfy(Byte.isDigit) ? Int(digits) : nil
    }

    /// Both kinds of Telegram's exports belong to one account.
    package static func accountName(in source: LogSource) -> String? { TelegramFormat.name }

    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
        zone = source.zone
    }

    package mutating func begin(file path: String) { isBreakReported = false }

    package var assumptions: [String] {
        let timeless = "events, which these pages show without a time, have that of the message or day before"
        return omissions.assumptions(zone: zone.identifier) + (events > 0 ? ["\(timeless): \(events)"] : [])
    }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            guard line.place != PageCutter.brokenPlace else {
                return isBreakReported ? .nothing : .unreadable("the file ends in the middle of its HTML")
            }
            guard line.place == PageCutter.messagePlace else {
                room = TelegramHTMLMessage.roomName(in: line.bytes) ?? room
                return .nothing
            }
            guard !line.isCut else { throw UnreadablePiece("longer than \(Self.maximumLine) bytes") }
            guard let message = try parseMessage(TelegramHTMLMessage(line.bytes)) else { return .nothing }
            return .message(message)
        } catch {
            isBreakReported = true
            return .unreadable(error.reason)
        }
    }

    /// Returns nil for the beginning of a day.
    private mutating func parseMessage(_ message: TelegramHTMLMessage) throws(UnreadablePiece) -> ImportedMessage? {
        isBreakReported = false
        if message.id.hasPrefix("-") {
            day = beginning(ofDay: message.event) ?? day
            return nil
        }
        let id = message.id
        guard !id.isEmpty, id.utf8.allSatisfy(Byte.isDigit) else { throw UnreadablePiece("its \"id\" is not a number") }
        guard let room = givenRoom ?? room.map(Self.shown) else {
            throw UnreadablePiece("the page names no chat before it")
        }
        return message.isService ? try event(message, in: room) : try said(message, in: room)
    }

    /// Returns a chat's name as result.json's import shows it.
    private static func shown(_ name: String) -> String { name == "Saved messages" ? "Saved Messages" : name }

    private mutating func event(_ message: TelegramHTMLMessage, in room: String) throws(UnreadablePiece)
        -> ImportedMessage
    {
        guard let time = [time, day].compactMap(\.self).max() else {
            throw UnreadablePiece("neither a message nor a day before it tells its time")
        }
        events += 1
        let event = TelegramHTMLEvent(message.event, room: room)
        let (actor, text) = (ExportText.name(event.actor), ExportText(lines: event.lines))
        return ImportedMessage(
            room: room, roomKind: .group, kind: actor == nil ? .system : event.kind, sender: actor, body: text.string,
            time: time,
            resolution: .second, remoteID: message.id, flags: text.flags, replyTo: message.answered,
            files: files(of: message))
    }

    private mutating func said(_ message: TelegramHTMLMessage, in room: String) throws(UnreadablePiece)
        -> ImportedMessage
    {
        let time = try time(of: message)
        let (sender, forwardedFrom, bot) = try people(of: message)
        last = (sender, forwardedFrom, bot)
        let content = TelegramHTMLContent(message)
        let marks = [forwardedFrom.map { "[forwarded from \($0)]" }, bot.map { "[via \($0)]" }]
        let text = ExportText(lines: content.kind == .action ? content.lines : marks + content.lines)
        return ImportedMessage(
            room: room, roomKind: .group, kind: content.kind, sender: sender, body: text.string, time: time,
            resolution: .second,
            remoteID: message.id, flags: text.flags, replyTo: message.answered, files: files(of: message),
            reactions: reactions(to: message))
    }

    // MARK: - Times

    private mutating func time(of message: TelegramHTMLMessage) throws(UnreadablePiece) -> Timestamp {
        guard let date = message.date else { throw UnreadablePiece("it has no date") }
        guard let written = Self.written(date), let first = written.instants(in: zone).first else {
            throw UnreadablePiece("its date is not a time")
        }
        offset = written.offset ?? offset
        if written.offset == nil { omissions.countTime() }
        // When the clock is set back, takes the second of the two instants once the chat has reached it.
        let found = written.instants(in: zone).first { $0 >= time ?? $0 } ?? first
        time = found
        return found
    }

    /// Reads `21.11.2026 15:23:11 UTC+09:00`, of which the zone may be missing.
    private static func written(_ text: String) -> WrittenTime? {
        let parts = text.split(separator: " ")
        guard parts.count == 2 || parts.count == 3 else { return nil }
        let date = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard date.count == 3 else { return nil }
        let zone = parts.count == 3 ? parts[2].hasPrefix("UTC") ? parts[2].dropFirst(3) : "?" : nil
        return WrittenTime("\(date[2])-\(date[1])-\(date[0])T\(parts[1])\(zone.map { $0.isEmpty ? "Z" : $0 } ?? "")")
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// Reads `21 November 2026`; nil for anything else.
    private func beginning(ofDay text: String) -> Timestamp? {
        let parts = text.split(separator: " ")
        guard parts.count == 3, let day = Int(parts[0]), let year = Int(parts[2]),
            let month = Self.months.firstIndex(of: String(parts[1]))
        else { return nil }
        let date = CalendarDate(year: year, month: month + 1, day: day)
        let midnight = LocalDay(date, zone: offset == nil ? zone : .gmt)?.instants(of: 0).first
        return midnight?.advanced(byMicroseconds: Int64(-(offset ?? 0)) * 1_000_000)
    }

    // MARK: - People

    private func people(
        of message: TelegramHTMLMessage
    ) throws(UnreadablePiece) -> (sender: String, forwardedFrom: String?, bot: String?) {
        let (name, bot) = Self.parted(message.name)
        let (other, otherBot) = Self.parted(message.forwardedName)
        let before = message.isJoined ? last : nil
        guard let sender = name ?? before?.sender else {
            throw UnreadablePiece(message.isJoined ? "it joins a message that is not there" : "it names no sender")
        }
        let forwardedFrom = message.isForwarded ? other ?? before?.forwardedFrom : nil
        return (sender, forwardedFrom, bot ?? otherBot ?? before?.bot)
    }

    /// Returns `alice` and `@gif` for `alice via @gif`.
    private static func parted(_ name: String?) -> (name: String?, bot: String?) {
        guard let name else { return (nil, nil) }
        let bytes = Array(name.utf8)[...]
        guard let range = bytes.lastRange(of: " via @") else { return (ExportText.name(name), nil) }
        let bot = String(decoding: bytes[(range.upperBound - 1)...], as: UTF8.self)
        let own = String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
        return (ExportText.name(own.trimmedOfBlanks), bot)
    }

    private mutating func reactions(to message: TelegramHTMLMessage) -> [ImportedMessage.Reaction] {
        var reactions: [ImportedMessage.Reaction] = []
        for reaction in message.reactions {
            omissions.count(reactions: reaction.count ?? 0, named: reaction.names.count)
            let text = ExportText.name(reaction.text) ?? "?"
            reactions += reaction.names.map { ImportedMessage.Reaction(text: text, user: $0) }
        }
        return reactions
    }

    private mutating func files(of message: TelegramHTMLMessage) -> [ImportedMessage.File] {
        message.media.compactMap { media in
            guard let file = TelegramHTMLContent.file(of: media) else { return nil }
            if !file.isThere { omissions.countFile() }
            return ImportedMessage.File(path: file.path.withoutNUL)
        }
    }
}

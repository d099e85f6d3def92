import Bytes
import ChatModel
import FoundationEssentials

/// The logs of the IRC client irssi, as `/LOG` and `autolog` write them with its default theme.
///
/// `--- Day changed Sun Nov 22 2026` gives the day of the lines after it: `06:23 <@alice> hi`, `06:23  * alice waves`,
/// `06:23 -!- alice [~alice@host] has joined #example`. Any other line with a time is a message of the client.
package struct IrssiFormat: LogFormat {
    package static let name = "irssi"
    package static let programs = "irssi, irssi-xmpp, BitlBee in irssi, MeetBot"
    package static let isOfIRC = true
    package static let precedence = Precedence.narrow
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true

    private var log: IRCLog
    package let roomBeforeDate: String?
    private let isOfXMPP: Bool
    /// True if the first lines are read as of the day before the first date.
    private let isFirstDayAssumed: Bool
    /// The two people of a conversation on XMPP, where a further line of a message may look like anybody's; empty for
    /// other logs.
    private let speakers: Set<String>

    /// Recognises a file that begins with a line with a date, or with a line in irssi's form whose day is known. A line in a
    /// form that only irssi has is enough: then ``init(_:)`` says that the day is missing.
    package static func recognises(_ source: LogSource) -> Bool {
        let lines = IRCLog.eachLine(of: source.beginning)
        guard let first = lines.prefix(20).first(where: { !$0.isBlank }) else { return false }
        if IrssiDateLine(first) != nil { return true }
        var rest = first
        guard let stamp = LineStamp(taking: &rest, brackets: .none),
            // WeeChat writes a tab.
            first[..<rest.startIndex].last != Byte.tab
        else { return false }
        let hasDay = stamp.date != nil || LocalDay(named: source.name, zone: source.zone) != nil
        // A log that was cut begins within a day.
        let isPlaced = hasDay || isOwnForm(rest) || lines.contains { IrssiDateLine($0)?.date != nil }
        return isPlaced && IRCLine(rest, isTimed: false) != nil && !isOfClog(source)
    }

    /// Returns true for `< alice> hi`, `<@alice> hi` and `-!- alice [~a@host] has joined #example`.
    private static func isOwnForm(_ text: ArraySlice<UInt8>) -> Bool {
        text.starts(with: "-!- ") || text.first == UInt8(ascii: "<") && IRCLine.isPadded(text)
    }

    /// Returns true for a log of the bot clog, which has `--- join: ` after a time.
    private static func isOfClog(_ source: LogSource) -> Bool {
        let events = ["--- join: ", "--- part: ", "--- quit: "]
        guard events.contains(where: { source.beginning[...].range(of: $0) != nil }) else { return false }
        return IRCLog.eachLine(of: source.beginning).contains { line in
            var line = line
            return LineStamp(taking: &line, brackets: .none) != nil && events.contains { line.starts(with: $0) }
        }
    }

    /// - Throws: ``LogSourceError`` if no room or no date can be found.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let (room, beforeDate) = Self.room(of: source) else { throw .noRoom }
        let lines = IRCLog.lines(of: source.beginning)
        isOfXMPP = Self.isOfXMPP(source)
        speakers = isOfXMPP && room.isDirect ? Self.speakers(room.name, lines, source) : []
        roomBeforeDate = beforeDate
        var options: IRCLog.Options = []
        if lines.contains(where: { IrssiDateLine($0) != nil }) { options.insert(.dateLines) }
        if isOfXMPP, Self.hasPaddedNames(lines) { options.insert(.paddedNames) }
        // Some bots write neither lines with days nor marks.
        if !options.contains(.dateLines), !lines.contains(where: Self.isMarked) { options.insert(.bareEvents) }
        let theme = options.contains(.dateLines) ? Self.theme(of: lines) : nil
        let firstDay = IrssiDateLine.firstDay(of: lines)
        isFirstDayAssumed = firstDay?.isAssumed == true && LocalDay(named: source.name, zone: source.zone) == nil
        log = try IRCLog(
            source, format: Self.name, brackets: .optional, room: room, options: options, theme: theme,
            firstDay: firstDay?.date)
    }

    private static func theme(of lines: [ArraySlice<UInt8>]) -> IRCTheme? {
        var texts: [ArraySlice<UInt8>] = []
        for var line in lines where IrssiDateLine(line) == nil {
            guard LineStamp(taking: &line, brackets: .optional) != nil || LineStamp(takingClockOf: &line) != nil else {
                continue
            }
            // A message in the usual form.
            if IRCTheme.hasUsualName(line) { return nil }
            texts.append(line)
        }
        return IRCTheme(texts)
    }

    private static let furtherLines =
        "each line of a message is a separate entry; one that looks like another person's message counts as theirs"

    /// Returns true for a log of irssi-xmpp, whose messages may have several lines, each with a time.
    private static func isOfXMPP(_ source: LogSource) -> Bool {
        source.folders.contains { $0.hasPrefix("xmpp:") }
    }

    private static func isMarked(_ line: ArraySlice<UInt8>) -> Bool {
        var line = line
        _ = LineStamp(taking: &line, brackets: .optional)
        return IRCLine.afterMark(line) != nil
    }

    /// Returns true if the first message's name has a mark or a space before it, as in channels.
    private static func hasPaddedNames(_ lines: [ArraySlice<UInt8>]) -> Bool {
        for var line in lines where LineStamp(taking: &line, brackets: .optional) != nil {
            if line.first == UInt8(ascii: "<") { return IRCLine.isPadded(line) }
        }
        return false
    }

    private static let firstLines = "the lines before the first date are read as of the day before it"

    package var assumptions: [String] {
        (isOfXMPP ? [Self.furtherLines] : []) + (isFirstDayAssumed ? [Self.firstLines] : []) + log.assumptions
    }

    /// Returns the other person, with and without their resource, and one's own nick: by default the account's name, as in
    /// `xmpp:bob@example.org`.
    private static func speakers(_ room: String, _ lines: [ArraySlice<UInt8>], _ source: LogSource) -> Set<String> {
        let nicks = lines.lazy.compactMap { line -> String? in
            var line = line
            guard LineStamp(taking: &line, brackets: .optional) != nil, line.first == UInt8(ascii: "<") else {
                return nil
            }
            return IRCLine(line, isTimed: true)?.sender?.string
        }
        let account = source.folders.last { $0.hasPrefix("xmpp:") }?.dropFirst("xmpp:".count)
        let name = account.map { String($0.prefix { $0 != "@" }) } ?? ""
        let own = nicks.contains(name) ? name : nicks.first { !$0.contains("@") } ?? name
        return [room, String(room.prefix { $0 != "/" }), own]
    }

    /// Returns a system line for a message whose sender can't be in this conversation.
    private func withoutStrangers(_ parsed: ParsedLine) -> ParsedLine {
        guard !speakers.isEmpty, case .message(var message) = parsed, message.kind == .message,
            let sender = message.sender, !speakers.contains(sender)
        else { return parsed }
        (message.kind, message.sender) = (.system, nil)
        message.body = "<\(sender)> \(message.body ?? "")"
        return .message(message)
    }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard let dateLine = IrssiDateLine(line.bytes) else { return withoutStrangers(log.parseLine(line)) }
        guard dateLine.beginsDay else { return .nothing }
        log.begin(dateLine.date)
        return dateLine.date == nil ? .unreadable("can't read its date") : .nothing
    }

    /// Returns the room, and its name if it stands before a date in the file's name. `autolog` names a file
    /// `irclogs/Network/#example.log`, or after the other person of a conversation.
    private static func room(of source: LogSource) -> (room: IRCLog.Room, beforeDate: String?)? {
        if let room = source.room { return (IRCLog.Room(name: room), nil) }
        let joined = IRCLog.rooms(in: source.beginning, brackets: .optional)
        if let named = NamedRoom(in: source, joined: joined, room: RoomName.inStem) {
            return (IRCLog.Room(name: named.name), named.nameBeforeDate)
        }
        if let room = RoomName.inFolders(source.folders) ?? joined.first(where: RoomName.isChannel) {
            return (IRCLog.Room(name: room), nil)
        }
        let queries = queries(in: source.beginning)
        let isOfPerson = source.folders.contains("irclogs") || !queries.isEmpty
        let named = NamedRoom(in: source, joined: joined + queries, room: RoomName.person)
        guard let named else {
            // A day of a conversation in a folder: `irclogs/Network/alice/2026-11-21.log`.
            guard isOfPerson, let name = NetworkName.plausible(source.folders.last { RoomName.person($0) != nil }),
                name != accountName(in: source)
            else { return nil }
            return (IRCLog.Room(name: name, isDirect: true), nil)
        }
        let isPerson = isOfPerson || joined.isEmpty && speaks(named.name, in: source.beginning)
        // The window of the network's own messages may have the network's name.
        let isOfNetwork = named.name.lowercased() == accountName(in: source)?.lowercased()
        let isDirect = isPerson && !joined.contains(named.name) && !isOfNetwork
        return (IRCLog.Room(name: named.name, isDirect: isDirect), named.nameBeforeDate)
    }

    /// irssi 1.4.3 writes `_` for all marks that Windows can't have in names, irssi 0.8 only for `/`.
    package static func namesInFiles(of room: String) -> [String] {
        [room.replacingEach(of: "/\\|*?\"<>:", with: "_"), room.replacingEach(of: "/", with: "_")]
    }

    /// Returns true if a person of that name writes a message or a private notice.
    private static func speaks(_ name: String, in beginning: [UInt8]) -> Bool {
        IRCLog.lines(of: beginning).contains { line in
            var line = line
            guard LineStamp(taking: &line, brackets: .optional) != nil else { return false }
            return ["<\(name)> ", "< \(name)> ", "-\(name)("].contains { line.starts(with: $0) }
        }
    }

    /// Returns the people of `-!- Irssi: Starting query in Network with alice`.
    private static func queries(in beginning: [UInt8]) -> [String] {
        IRCLog.lines(of: beginning).compactMap { line in
            var line = line
            _ = LineStamp(taking: &line, brackets: .optional)
            let query = line.after("-!- Irssi: Starting query in ")
            return query.flatMap { $0.parted(by: " with ") }.map { LogText($0.right.trimmed).string }
        }
    }

    /// Returns `libera` for `irclogs/libera/#example.log` and `irclogs/2026/libera/#example.11-21.log`.
    package static func accountName(in source: LogSource) -> String? {
        NetworkName.folder(after: "irclogs", in: source.folders)
            ?? NetworkName.plausible(source.folders.last { !RoomName.isChannel($0) })
    }
}

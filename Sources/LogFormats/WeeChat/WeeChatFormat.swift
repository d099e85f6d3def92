import Bytes
import ChatModel

/// The logs of the chat client WeeChat: `2026-11-21 06:23:11`, a tab, the sender or a mark (`@alice`, `-->`), a tab,
/// the text.
///
/// Since 4.8 times are in UTC and in microseconds: `2026-11-21 06:23:11.123456Z`. A line without a time continues the
/// message before it.
package struct WeeChatFormat: LogFormat {
    package static let name = "weechat"
    package static let programs = "WeeChat"
    package static let isOfIRC = true
    package static let maximumLine = UnreadableLine.maximumPayload
    package static let hasLocalTimes = true

    /// A line, with the lines without a time that continue it.
    private struct Held {
        var line: LogLine
        /// The line's content. A text may continue, an event may not.
        enum Content {
            case text(LineTime, MessageKind, LogText?, HeldText)
            case event(LineTime, IRCLine)
            /// The reason why the line can't be read. It also applies to the lines that continue it.
            case refused(String)
        }
        var content: Content
    }

    private let room: IRCLog.Room
    package let roomBeforeDate: String?
    private var clock: LogClock
    private let marks: WeeChatMarks
    private let brackets: LineStamp.Brackets
    /// True if times have a date. A line with a time alone continues a message.
    private let isDated: Bool
    private var held: Held?

    package static func recognises(_ source: LogSource) -> Bool {
        guard var line = IRCLog.lines(of: source.beginning, first: 20).first(where: { !$0.isBlank }) else {
            return false
        }
        let tab = UInt8(ascii: "\t")
        guard let end = line.firstIndex(of: tab),
            let stamp = LineStamp(taking: &line, brackets: brackets(of: line))
        else { return false }
        // The chat of a recording of Zoom, whose times count from its beginning: `10:00:01`, a tab, `Alice:`, a tab.
        if stamp.date == nil, line.prefix(while: { $0 != tab }).last == Byte.colon { return false }
        return line.startIndex == end + 1 && (line.contains(tab) || source.name.hasSuffix(".weechatlog"))
    }

    /// Returns the brackets around the times of a log with this first line (`logger.file.time_format`).
    private static func brackets(of line: ArraySlice<UInt8>) -> LineStamp.Brackets {
        line.first == Byte.listStart ? .required : .none
    }

    /// Returns true for `core.weechat.weechatlog`, the log of WeeChat's first buffer.
    package static func isProgramsOwn(_ name: String) -> Bool {
        name.hasPrefix("core.") && name.hasSuffix(".weechatlog")
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        let day = LocalDay(named: source.name, zone: source.zone)
        let first = IRCLog.eachLine(of: source.beginning).first { !$0.isBlank }
        brackets = first.map(Self.brackets) ?? .none
        let stamp = IRCLog.firstStamp(in: source.beginning, brackets: brackets)
        isDated = stamp?.date != nil
        guard day != nil || stamp == nil || isDated else { throw .noDate }
        guard let (room, beforeDate) = Self.room(of: source) else { throw .noRoom }
        self.room = room
        roomBeforeDate = beforeDate
        clock = LogClock(day: day, zone: source.zone, now: source.now)
        marks = WeeChatMarks(IRCLog.lines(of: source.beginning))
    }

    package var assumptions: [String] { clock.assumptions }
    package var heldLine: LogLine? { held?.line }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        var rest = line.bytes
        guard let stamp = LineStamp(taking: &rest, brackets: brackets), !isDated || stamp.date != nil else {
            return resume(with: line)
        }
        let before = finish()
        if line.isCut {
            held = Held(line: line, content: .refused(Self.isTooLong))
        } else if let time = clock.resolve(stamp, line: line.number) {
            held = content(rest, at: time).map { Held(line: line, content: $0) }
        } else {
            held = Held(line: line, content: .refused("its date does not exist"))
        }
        return before
    }

    /// Adds a line without a time to the message before it.
    private mutating func resume(with line: LogLine) -> ParsedLine {
        guard !line.isCut else { return .unreadable(Self.isTooLong) }
        switch held?.content {
        case .text(let time, let kind, let sender, var text):
            // Leaves the text with only one owner, so that it is not copied for each line.
            held?.content = .refused("")
            text.append(line.bytes, isCut: false)
            held?.content = .text(time, kind, sender, text)
            return .nothing
        case .refused:
            return .nothing
        case .event, nil:
            return line.bytes.isBlank
                ? .nothing : .unreadable("it has no time and continues no earlier message")
        }
    }

    private static let isTooLong = "longer than \(maximumLine) bytes"

    package mutating func finish() -> ParsedLine {
        guard let held else { return .nothing }
        self.held = nil
        switch held.content {
        case .refused(let reason):
            return .unreadable(reason)
        case .event(let time, let content):
            return .message(content.message(in: room, at: time))
        case .text(let time, let kind, let sender, let text):
            var message = IRCLine(kind, sender, LogText(text.whole)).message(in: room, at: time)
            if text.isCut { message.flags.insert(.oversize) }
            return .message(message)
        }
    }

    /// Returns nil for a line without content: `****  Beginning of log  ****`.
    private func content(_ line: ArraySlice<UInt8>, at time: LineTime) -> Held.Content? {
        func text(_ kind: MessageKind, _ sender: LogText?, _ body: ArraySlice<UInt8>) -> Held.Content {
            .text(time, kind, sender, HeldText(body, isCut: false))
        }
        guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else {
            return line.trimmed.isEmpty || line.starts(with: "****  ") ? nil : text(.system, nil, line.trimmed)
        }
        let (prefix, body) = (line[..<tab].trimmed, line[(tab + 1)...])
        if prefix.isEmpty { return text(.system, nil, body.trimmed) }
        guard let mark = marks.meaning(of: prefix) else {
            return text(.message, IRCLine.nick(prefix.unwrapped("<", ">")) ?? LogText(prefix), body)
        }
        if mark == .action {
            let words = body.drop { $0 == IRCLine.space }
            let end = words.firstIndex(of: IRCLine.space) ?? words.endIndex
            guard let name = IRCLine.nick(words[..<end]) else { return text(.system, nil, body.trimmed) }
            return text(.action, name, words[end...].dropFirst())
        }
        if let (sender, words) = Self.notice(body) { return text(.notice, sender, words) }
        return Self.event(body, mark).map { .event(time, $0) } ?? text(.system, nil, body.trimmed)
    }

    /// Reads an event in English. In other languages, reads what the mark and the order of the words tell: joins,
    /// leaves and modes.
    private static func event(_ text: ArraySlice<UInt8>, _ mark: WeeChatMarks.Meaning) -> IRCLine? {
        IRCLine.event(text)
            ?? (mark == .other
                ? IRCAnyLanguage.mode(text) : IRCAnyLanguage.movement(text, isJoin: mark == .join))
    }

    /// Reads `Notice(alice) -> #example: hi` and `Notice(alice): hi`.
    private static func notice(_ text: ArraySlice<UInt8>) -> (sender: LogText, text: ArraySlice<UInt8>)? {
        guard text.starts(with: "Notice("), let (name, rest) = text.dropFirst(7).parted(by: ")"),
            let (place, words) = rest.parted(by: ": "), place.isEmpty || place.starts(with: " -> "),
            let name = IRCLine.nick(name)
        else { return nil }
        return (name, words)
    }

    /// Returns `libera` for `irc.libera.#example.weechatlog`, `irc.libera.#example/2026-11-21.weechatlog` and
    /// `2026/irc/libera/#example-2026-11-21.weechatlog`.
    package static func accountName(in source: LogSource) -> String? {
        for name in [source.name, source.folders.last ?? ""] {
            let parts = name.split(separator: ".")
            guard parts.count > 2, parts[0] == "irc" else { continue }
            return NetworkName.plausible(String(parts[1] == "server" ? parts[2] : parts[1]))
        }
        return NetworkName.folder(after: "irc", in: source.folders)
    }
}

extension WeeChatFormat {
    /// Returns the room of `irc.libera.#example.weechatlog` and `2026/irc/libera/#example-2026-11-21.weechatlog`, and
    /// its name if it stands before a date in the file's name; for `irc.libera.alice.weechatlog`, `libera/alice.weechatlog` and
    /// `irc.libera.alice/2026-11-21.weechatlog` the other person of the conversation.
    private static func room(of source: LogSource) -> (room: IRCLog.Room, beforeDate: String?)? {
        if let room = source.room { return (IRCLog.Room(name: room), nil) }
        let joined = joinedRooms(in: source.beginning)
        if let named = NamedRoom(in: source, joined: joined, room: RoomName.inStem) {
            return (IRCLog.Room(name: named.name), named.nameBeforeDate)
        }
        if let room = RoomName.inFolders(source.folders) { return (IRCLog.Room(name: room), nil) }
        let network = source.folders.last { $0.contains(where: \.isLetter) }
        if let named = NamedRoom(in: source, joined: joined, room: person) {
            let isDirect = buffer(RoomName.stem(of: source.name))?.isDirect ?? isPerson(named.name, of: network)
            return (IRCLog.Room(name: named.name, isDirect: isDirect && !named.isJoined), named.nameBeforeDate)
        }
        // A day in a folder of the room: the mask `$plugin.$name/%Y-%m-%d`.
        let folders = source.folders.filter { RoomName.person($0) != nil }
        guard let folder = folders.last else { return nil }
        if let room = buffer(folder) { return (room, nil) }
        let outer = folders.dropLast().last
        guard NetworkName.folder(after: "irc", in: source.folders) == outer, isPerson(folder, of: outer) else {
            return nil
        }
        return (IRCLog.Room(name: folder, isDirect: true), nil)
    }

    /// WeeChat 3.8, by default (`logger.file.replacement_char`).
    package static func namesInFiles(of room: String) -> [String] { [room.replacingEach(of: "/", with: "_")] }

    /// Returns the room of a buffer, or another name that may be a person's.
    private static func person(_ stem: String) -> String? {
        buffer(stem)?.name
            ?? (stem.split(separator: ".").last.map(RoomName.isOnlyMarks) ?? true ? nil : RoomName.person(stem))
    }

    /// Returns the room of WeeChat's buffer `irc.libera.alice`, `irc.libera.#example` or `irc.server.libera`; nil for
    /// another name.
    private static func buffer(_ name: String) -> IRCLog.Room? {
        let parts = name.split(separator: ".", maxSplits: 2)
        guard parts.count == 3, parts[0] == "irc", !RoomName.isOnlyMarks(parts[2]) else { return nil }
        let room = String(parts[2])
        let isChannel = RoomName.isChannel(room) || RoomName.isOtherChannel(room)
        return IRCLog.Room(name: room, isDirect: parts[1] != "server" && !isChannel)
    }

    /// Returns true for a name in a network's folder that is not the network's own: the mask
    /// `$server/$channel.weechatlog`.
    private static func isPerson(_ name: String, of network: String?) -> Bool {
        guard let network = NetworkName.plausible(network) else { return false }
        return name.lowercased() != network.lowercased() && !name.lowercased().hasPrefix("server.")
            && !name.hasPrefix("core.")
    }

    /// Returns the channels that people join.
    private static func joinedRooms(in beginning: [UInt8]) -> [String] {
        var rooms: [String] = []
        for var line in IRCLog.eachLine(of: beginning) where line.range(of: "-->\t") != nil {
            guard LineStamp(taking: &line, brackets: .optional) != nil, let text = line.after("-->\t"),
                let room = IRCDialects.room(text), !rooms.contains(room)
            else { continue }
            rooms.append(room)
            if rooms.count == 100 { break }
        }
        return rooms
    }
}

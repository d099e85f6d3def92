import ChatModel

/// The logs of the chat client WeeChat: `2026-11-21 06:23:11`, a tab, who or what (`@alice`, `-->`), a tab, and what was said.
///
/// Since 4.8 times are in UTC and to the microsecond: `2026-11-21 06:23:11.123456Z`. A line without a time goes on with the
/// message before it.
package struct WeeChatFormat: LogFormat {
    package static let name = "weechat"
    package static let maximumLine = UnreadableLine.maximumPayload
    package static let hasLocalTimes = true

    /// A message, as long as it may go on.
    private struct Held {
        var line: LogLine
        var time: LineTime
        var prefix: ArraySlice<UInt8>
        var text: HeldText
    }

    private let room: IRCLog.Room
    private var clock: LogClock
    private var held: Held?

    package static func recognises(_ source: LogSource) -> Bool {
        guard var line = IRCLog.lines(of: source.beginning, first: 20).first(where: { !$0.isBlank }) else {
            return false
        }
        let tab = UInt8(ascii: "\t")
        guard let end = line.firstIndex(of: tab), LineStamp(taking: &line, brackets: .none) != nil else { return false }
        return line.startIndex == end + 1 && (line.contains(tab) || source.name.hasSuffix(".weechatlog"))
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        let day = LocalDay(named: source.name, zone: source.zone)
        let stamp = IRCLog.firstStamp(in: source.beginning, brackets: .none)
        guard day != nil || stamp == nil || stamp?.date != nil else { throw .noDate }
        guard let room = source.room.map({ IRCLog.Room(name: $0) }) ?? Self.room(of: source) else { throw .noRoom }
        self.room = IRCLog.Room(name: room.name.withoutNUL, isDirect: room.isDirect)
        clock = LogClock(day: day, zone: source.zone)
    }

    package var assumptions: [String] { clock.assumptions }
    package var heldLine: LogLine? { held?.line }

    package mutating func read(_ line: LogLine) -> ParsedLine {
        guard !line.isCut else { return .unreadable("it is longer than \(Self.maximumLine) bytes") }
        var rest = line.bytes
        guard let stamp = LineStamp(taking: &rest, brackets: .none) else {
            guard held != nil else {
                return rest.isBlank ? .nothing : .unreadable("it has no time, and no line before it has")
            }
            held?.text.append(rest, isCut: false)
            return .nothing
        }
        guard let time = clock.read(stamp, line: line.number) else {
            return .unreadable("its day is in no calendar")
        }
        let before = finish()
        guard let tab = rest.firstIndex(of: UInt8(ascii: "\t")) else {
            // `****  Beginning of log  ****`
            if !rest.trimmed.isEmpty, !rest.starts(with: "****  ") {
                held = Held(line: line, time: time, prefix: [], text: HeldText(rest, isCut: false))
            }
            return before
        }
        held = Held(line: line, time: time, prefix: rest[..<tab], text: HeldText(rest[(tab + 1)...], isCut: false))
        return before
    }

    package mutating func finish() -> ParsedLine {
        guard let held else { return .nothing }
        self.held = nil
        let said = Self.line(held.prefix, held.text.whole)
        var flags = (said.sender?.flags ?? []).union(said.body?.flags ?? [])
        if held.text.isCut { flags.insert(.oversize) }
        return .message(
            ImportedMessage(
                room: room.name, isDirect: room.isDirect, kind: said.kind, sender: said.sender?.string,
                body: said.body?.string, time: held.time.time, resolution: held.time.resolution,
                place: held.time.place, flags: flags))
    }

    private static func line(_ prefix: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> IRCLine {
        let prefix = prefix.trimmed
        switch String(decoding: prefix, as: UTF8.self) {
        case "": return .system(text)
        case "-->", "<--", "--", "=!=", "***", "===": return notice(text) ?? IRCLine.event(text) ?? .system(text)
        case "*":
            let words = text.drop { $0 == IRCLine.space }
            let end = words.firstIndex(of: IRCLine.space) ?? words.endIndex
            guard let name = IRCLine.nick(words[..<end]) else { return .system(text) }
            return IRCLine(.action, name, LogText(words[end...].dropFirst()))
        default:
            let nick = IRCLine.nick(prefix.unwrapped("<", ">")) ?? LogText(prefix)
            return IRCLine(.message, nick, LogText(text))
        }
    }

    /// `Notice(alice) -> #example: hi`, `Notice(alice): hi`.
    private static func notice(_ text: ArraySlice<UInt8>) -> IRCLine? {
        guard text.starts(with: "Notice("), let (name, rest) = text.dropFirst(7).parted(by: ")"),
            let (place, words) = rest.parted(by: ": "), place.isEmpty || place.starts(with: " -> "),
            let name = IRCLine.nick(name)
        else { return nil }
        return IRCLine(.notice, name, LogText(words))
    }
}

extension WeeChatFormat {
    /// `irc.libera.#example.weechatlog`, `2026/irc/libera/#example-2026-11-21.weechatlog`; who a conversation is with for
    /// `irc.libera.alice.weechatlog`.
    private static func room(of source: LogSource) -> IRCLog.Room? {
        if let channel = RoomName.inFileName(source.name) ?? RoomName.inFolders(source.folders) {
            return IRCLog.Room(name: channel)
        }
        let stem = RoomName.stem(of: source.name)
        let parts = stem.split(separator: ".", maxSplits: 2)
        if parts.count == 3, parts[0] == "irc" {
            return IRCLog.Room(name: String(parts[2]), isDirect: parts[1] != "server")
        }
        return stem.isEmpty ? nil : IRCLog.Room(name: stem)
    }
}

import Bytes
import ChatModel

/// The files from which HexChat fills its windows at the start: `T 1795242191 `, seconds since 1970, and the line with
/// its colours.
///
/// `scrollback/libera/#example.txt`. The colours give the kinds exactly, in any language; see ``HexChatPaintedLine``.
package struct HexChatScrollbackFormat: LogFormat {
    package static let name = "hexchat-scrollback"
    package static let programs = "HexChat (scrollback files)"
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = false
    package static let isOfIRC = true

    private let room: IRCLog.Room
    private var order: LineOrder
    private var people = HexChatPeople()

    package static func recognises(_ source: LogSource) -> Bool {
        let lines = IRCLog.lines(of: source.beginning, first: 20)
        return !lines.isEmpty && lines.allSatisfy { HexChatPaintedLine($0) != nil }
    }

    /// - Throws: ``LogSourceError/noRoom`` if neither the file's name nor a line names the room.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let room = Self.room(of: source) else { throw .noRoom }
        self.room = room
        order = LineOrder(now: source.now)
    }

    package var assumptions: [String] { order.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.bytes.isBlank else { return .nothing }
        guard let read = HexChatPaintedLine(line.bytes) else {
            return .unreadable("not a valid hexchat-scrollback line")
        }
        let time = order.settle(read.time, .second, line: line.number)
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        guard let content = read.content(among: &people) else { return .nothing }
        return .message(content.message(in: room, at: time))
    }

    /// Returns the channel as the lines write it, else as the file's name does, else the other person of a conversation.
    private static func room(of source: LogSource) -> IRCLog.Room? {
        if let room = source.room { return IRCLog.Room(name: room) }
        let joined = IRCLog.eachLine(of: source.beginning).lazy
            .compactMap { HexChatPaintedLine($0)?.joinedChannel }.first { _ in true }
        let stem = RoomName.stem(of: source.name)
        guard let named = RoomName.inStem(stem) else {
            if let joined { return IRCLog.Room(name: joined) }
            guard let name = RoomName.person(stem) else { return nil }
            let isOfNetwork = name.lowercased() == accountName(in: source)?.lowercased()
            return IRCLog.Room(name: name, isDirect: !isOfNetwork)
        }
        return IRCLog.Room(name: joined ?? named)
    }

    /// Returns `libera` for `scrollback/libera/#example.txt`.
    package static func accountName(in source: LogSource) -> String? {
        NetworkName.plausible(source.folders.last { !RoomName.isChannel($0) })
    }
}

/// The people that a file has named.
struct HexChatPeople: Sendable {
    /// The limit of names that are kept.
    private static let maximumCount = 10_000

    private var names: Set<String> = []

    mutating func note(_ name: LogText) {
        if names.count < Self.maximumCount { names.insert(name.string) }
    }

    /// Returns the person to whose name other letters are joined, as Korean does (`alice님이`), the longest name first.
    func named(in word: ArraySlice<UInt8>) -> LogText? {
        let text = LogText(word).string
        for end in text.indices.reversed() where names.contains(String(text[...end])) {
            return LogText(Array(text[...end].utf8)[...])
        }
        return nil
    }
}

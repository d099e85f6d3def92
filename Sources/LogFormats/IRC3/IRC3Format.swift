import Bytes
import ChatModel

/// The logs of the IRC bot library irc3, a file for each day of a channel: `06:23 <alice> hi`, `06:23 alice has joined
/// #example`; actions are the CTCP command `ACTION` (`plugins/logger.py` of 1.1).
///
/// `#example-2026-11-21.log`
package struct IRC3Format: LogFormat {
    package static let name = "irc3"
    package static let programs = "irc3"
    package static let isOfIRC = true
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true

    private var log: IRCLog

    /// Recognises a file with irc3's name, if its first lines have neither irssi's names nor its marks.
    package static func recognises(_ source: LogSource) -> Bool {
        guard let date = NamedDate(in: source.name), source.name[date.range].hasPrefix("-"), channel(of: source) != nil
        else {
            return false
        }
        let lines = IRCLog.lines(of: source.beginning, first: 20)
        return !lines.isEmpty
            && lines.allSatisfy { line in
                var rest = line
                guard let stamp = LineStamp(taking: &rest, brackets: .none), stamp.date == nil,
                    stamp.resolution == .minute,
                    IRCLine.afterMark(rest) == nil, rest.first != Byte.space, !IRCLine.isPadded(rest)
                else { return false }
                return IRCLine(rest, isTimed: false, isBare: true) != nil
            }
    }

    /// - Throws: ``LogSourceError`` if the name has no day or no channel.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let room = source.room ?? Self.channel(of: source) else { throw .noRoom }
        log = try IRCLog(
            source, format: Self.name, brackets: .none, room: IRCLog.Room(name: room), options: .bareEvents)
    }

    package var assumptions: [String] { log.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine { log.parseLine(line) }

    /// Returns the channel of `#example-2026-11-21.log`. For `#a/b`, irc3 makes a folder `#a`.
    private static func channel(of source: LogSource) -> String? {
        let start = source.folders.firstIndex(where: RoomName.isChannel) ?? source.folders.endIndex
        let name = (source.folders[start...] + [RoomName.stem(of: source.name)]).joined(separator: "/")
        return RoomName.isChannel(name) && !RoomName.isOnlyMarks(name) ? name : nil
    }

    package static func accountName(in source: LogSource) -> String? {
        NetworkName.plausible(source.folders.last { !RoomName.isChannel($0) })
    }
}

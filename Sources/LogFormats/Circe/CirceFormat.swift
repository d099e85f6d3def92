import Bytes
import ChatModel

/// The logs of the IRC client Circe (Emacs), a file for each day of a window: `[06:23:11] <alice> hi`, `[06:23:11] ***
/// Join: bob (~bob@host)`; one's own messages are `[06:23:11] > hi` (`lui-logging.el` of 2.11).
///
/// `#example_2026-11-21.txt`, with percent codes
package struct CirceFormat: LogFormat {
    package static let name = "circe"
    package static let programs = "Circe"
    package static let isOfIRC = true
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true
    package static let ownerWords = [IRCLog.ownMark]

    private var log: IRCLog

    /// Recognises a file with Circe's name, if it is a channel's or a server's, or a line shows the conversation.
    package static func recognises(_ source: LogSource) -> Bool {
        guard let window = window(of: source.name) else { return false }
        let lines = IRCLog.lines(of: source.beginning, first: 20)
        let texts = lines.compactMap { line in
            var rest = line
            guard let stamp = LineStamp(taking: &rest, brackets: .required), stamp.date == nil,
                stamp.resolution == .second
            else { return nil as ArraySlice<UInt8>? }
            return rest
        }
        guard let first = texts.first, texts.count == lines.count else { return false }
        return RoomName.isChannel(window) && IRCLog.isBracketed(source) || isServer(window) && !first.isBlank
            || texts.contains { $0.starts(with: "<\(window)> ") || $0.starts(with: "> ") }
    }

    package static func isOwnName(_ name: String) -> Bool { window(of: name) != nil }

    /// - Throws: ``LogSourceError`` if the file's name has no day or no window.
    package init(_ source: LogSource) throws(LogSourceError) {
        let stem = RoomName.stem(of: source.name)
        guard let name = source.room ?? (stem.isEmpty ? nil : stem) else { throw .noRoom }
        let isDirect = source.room == nil && !RoomName.isChannel(name) && !Self.isServer(name)
        log = try IRCLog(
            source, format: Self.name, brackets: .required, room: IRCLog.Room(name: name, isDirect: isDirect),
            options: .ownMarks)
    }

    package var assumptions: [String] { log.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine { log.parseLine(line) }

    package static func accountName(in source: LogSource) -> String? { NetworkName.plausible(source.folders.last) }

    /// Returns the window in a name such as `#example_2026-11-21.txt`; nil for another name.
    private static func window(of name: String) -> String? {
        guard let range = NamedDate(in: name)?.range, name[range].wholeMatch(of: /_[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil,
            name[range.upperBound...] == ".txt"
        else {
            return nil
        }
        let stem = RoomName.stem(of: name)
        return RoomName.isOnlyMarks(stem) ? nil : stem
    }

    /// Returns true for `irc.example.net:6697`.
    private static func isServer(_ window: String) -> Bool { window.contains(":") }
}

import Bytes
import ChatModel

/// The logs of the IRC client catgirl, a file for each day of a window: `[2026-11-21T06:23:11+0900] <alice> hi`. Events
/// have no mark (`log.c` of 2.1).
///
/// `log/irc.example.net/#example/2026-11-21.log`
package struct CatgirlFormat: LogFormat {
    package static let name = "catgirl"
    package static let programs = "catgirl"
    package static let isOfIRC = true
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true

    private var log: IRCLog

    /// Recognises a file that is named after its day alone, whose first lines have times with a zone in brackets.
    package static func recognises(_ source: LogSource) -> Bool {
        let lines = IRCLog.lines(of: source.beginning, first: 20)
        guard source.name.hasSuffix(".log"), NamedDate(in: source.name) != nil, RoomName.stem(of: source.name).isEmpty,
            !source.folders.isEmpty, !lines.isEmpty
        else { return false }
        return lines.allSatisfy { line in
            var rest = line
            guard let stamp = LineStamp(taking: &rest, brackets: .required) else { return false }
            return stamp.offset != nil && stamp.resolution == .second
        }
    }

    /// - Throws: ``LogSourceError`` if no folder names the room, or nothing gives the day.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let room = Self.room(of: source) else { throw .noRoom }
        log = try IRCLog(source, format: Self.name, brackets: .required, room: room)
    }

    package var assumptions: [String] { log.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine { log.parseLine(line) }

    /// Returns the folder's window, as the lines write it: `#Mix/ed` for the folder `#Mix_ed`.
    private static func room(of source: LogSource) -> IRCLog.Room? {
        if let room = source.room { return IRCLog.Room(name: room) }
        guard let folder = source.folders.last, !RoomName.isOnlyMarks(folder), folder != ".", folder != ".." else {
            return nil
        }
        guard RoomName.isChannel(folder) else { return IRCLog.Room(name: folder, isDirect: true) }
        let joined = IRCLog.rooms(in: source.beginning, brackets: .required)
        return IRCLog.Room(
            name: NamedRoom.written(folder, in: joined) ?? source.rooms.room(inFileName: folder) ?? folder)
    }

    /// catgirl 2.1.
    package static func namesInFiles(of room: String) -> [String] { [room.replacingEach(of: "/", with: "_")] }

    /// Returns `irc.example.net` for `log/irc.example.net/#example/2026-11-21.log`.
    package static func accountName(in source: LogSource) -> String? {
        NetworkName.plausible(source.folders.dropLast().last)
    }
}

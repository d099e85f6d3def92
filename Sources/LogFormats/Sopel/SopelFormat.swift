import Bytes
import ChatModel

/// The logs of sopel-chanlogs, a plugin of the IRC bot Sopel: `2026-11-21T06:23:11+00:00`, two spaces, `<alice> hi` (0.3).
///
/// `example-2026-11-21.log`, without the room's mark
package struct SopelFormat: LogFormat {
    package static let name = "sopel"
    package static let programs = "sopel-chanlogs"
    package static let isOfIRC = true
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true

    private var log: IRCLog

    package static func recognises(_ source: LogSource) -> Bool { BotStamp.begins(source, hasOffset: true) }

    /// - Throws: ``LogSourceError`` if nothing names the room.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let named = BotRoom(source) else { throw .noRoom }
        log = try IRCLog(source, format: Self.name, brackets: .none, room: named.room)
    }

    package var assumptions: [String] { log.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine { log.parseLine(line) }

    /// sopel-chanlogs 0.3.1.
    package static func namesInFiles(of room: String) -> [String] {
        [String(room.drop { $0 == "#" }).replacingEach(of: "/?%*:|\"<>. ", with: "__")]
    }

    package static func accountName(in source: LogSource) -> String? {
        NetworkName.plausible(source.folders.last { !RoomName.isChannel($0) })
    }
}

import Bytes
import ChatModel

/// The logs of the IRC bot Limnoria (Supybot): `2026-11-21T06:23:11`, two spaces, `<alice> hi` (`ChannelLogger` of 2023).
///
/// `ChannelLogger/libera/#example/#example.log`
package struct LimnoriaFormat: LogFormat {
    package static let name = "limnoria"
    package static let programs = "Limnoria, Supybot"
    package static let isOfIRC = true
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true

    private var log: IRCLog
    package let roomBeforeDate: String?

    package static func recognises(_ source: LogSource) -> Bool { BotStamp.begins(source, hasOffset: false) }

    /// - Throws: ``LogSourceError`` if nothing names the room.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let named = BotRoom(source) else { throw .noRoom }
        roomBeforeDate = named.beforeDate
        log = try IRCLog(source, format: Self.name, brackets: .none, room: named.room)
    }

    package var assumptions: [String] { log.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine { log.parseLine(line) }

    /// Limnoria 2023.1.28.
    package static func namesInFiles(of room: String) -> [String] { [room.replacingEach(of: "/", with: "")] }

    /// Returns `libera` for `ChannelLogger/libera/#example/#example.log`.
    package static func accountName(in source: LogSource) -> String? {
        NetworkName.folder(after: "ChannelLogger", in: source.folders)
            ?? NetworkName.plausible(source.folders.last { !RoomName.isChannel($0) })
    }
}

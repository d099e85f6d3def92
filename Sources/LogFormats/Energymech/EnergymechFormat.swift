/// The logs of the IRC bot energymech, original or republished.
///
/// A file has one day, which its name gives, of one room: `[03:41] <alice> hi`, `[03:41] * alice waves`, `[03:41]
/// -alice- hi`, with or without seconds. Everything else is `[03:41] *** …` or `=== …`; the latter has no time and gets
/// that of the line before it.
package struct EnergymechFormat: LogFormat {
    package static let name = "energymech"
    package static let programs = "energymech, LimeChat"
    package static let isOfIRC = true
    package static let precedence = Precedence.common
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true

    private var log: IRCLog

    /// Recognises a file named after its day whose first lines have a line of IRC.
    package static func recognises(_ source: LogSource) -> Bool {
        LocalDay(named: source.name, zone: source.zone) != nil && IRCLog.isBracketed(source)
    }

    /// - Throws: ``LogSourceError`` if the name has no date, or when no room can be found.
    package init(_ source: LogSource) throws(LogSourceError) {
        let room =
            source.room ?? RoomName.inFileName(source.name) ?? RoomName.inFolders(source.folders)
            ?? IRCLog.rooms(in: source.beginning, brackets: .required).first(where: RoomName.isChannel)
        guard let room else {
            throw LocalDay(named: source.name, zone: source.zone) == nil ? .noDate : .noRoom
        }
        log = try IRCLog(source, format: Self.name, brackets: .required, room: IRCLog.Room(name: room))
    }

    package var assumptions: [String] { log.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine { log.parseLine(line) }
}

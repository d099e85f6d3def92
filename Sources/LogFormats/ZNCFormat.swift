import ChatModel

/// The logs of ZNC's module `log`: `[06:23:11] <alice> hi`, `[06:23:11] *** Joins: alice (~alice@host)`.
///
/// A file is a day of one window, named by the module's layout: `network/#example/2026-11-21.log` (since 1.6), formerly
/// `#example_20261121.log` and `user_network_#example_20261121.log`. Its lines are like energymech's, except that all
/// times have seconds; its folders differ.
package struct ZNCFormat: LogFormat {
    package static let name = "znc"
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true

    private var log: IRCLog

    /// The window in which ZNC writes about its connections. All of its lines may be in ZNC's words.
    private static let status = "status"

    package static func recognises(_ source: LogSource) -> Bool {
        guard LocalDay(named: source.name, zone: source.zone) != nil, let room = room(of: source) else { return false }
        return IRCLog.lines(of: source.beginning, first: 20).allSatisfy { line in
            var rest = line
            return LineStamp(taking: &rest, brackets: .required).map { $0.resolution != .minute } ?? false
        } && (IRCLog.isBracketed(source) || room.name == status) && !MIRCFormat.recognises(source)
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        guard let room = source.room.map({ IRCLog.Room(name: $0) }) ?? Self.room(of: source) else {
            throw LocalDay(named: source.name, zone: source.zone) == nil ? .noDate : .noRoom
        }
        log = try IRCLog(source, format: Self.name, brackets: .required, room: room)
    }

    package var assumptions: [String] { log.assumptions }

    package mutating func read(_ line: LogLine) -> ParsedLine { log.read(line) }

    /// Returns the window in the path: a channel, or the other person of a conversation.
    private static func room(of source: LogSource) -> IRCLog.Room? {
        if let channel = RoomName.inFileName(source.name) ?? RoomName.inFolders(source.folders) {
            return IRCLog.Room(name: channel)
        }
        let stem = RoomName.stem(of: source.name)
        let window = stem.isEmpty ? source.folders.last : Self.window(stem, in: source.folders)
        return window.flatMap { name in
            name.isEmpty || name == "." || name == ".." ? nil : IRCLog.Room(name: name, isDirect: name != status)
        }
    }

    /// Returns `alice` for `user_network_alice`: the module of a network leaves out both prefixes, that of a user the
    /// first.
    private static func window(_ stem: String, in folders: [String]) -> String? {
        guard folders.contains("moddata") else { return nil }
        let others = folders.contains("networks") ? 0 : folders.contains("users") ? 1 : 2
        let parts = stem.split(separator: "_", maxSplits: others, omittingEmptySubsequences: false)
        return parts.count == others + 1 ? parts.last.map(String.init) : stem
    }
}

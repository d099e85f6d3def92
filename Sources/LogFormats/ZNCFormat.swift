import ChatModel

/// The logs of ZNC's module `log`: `[06:23:11] <alice> hi`, `[06:23:11] *** Joins: alice (~alice@host)`.
///
/// A file is a day of one window, named by the module's layout: `network/#example/2026-11-21.log` (since 1.6), formerly
/// `#example_20261121.log` and `user_network_#example_20261121.log`. Its lines are like energymech's, except that all
/// times have seconds; its folders differ. So are the logs of catgirl, whose events have no mark, and of Circe
/// (`#example_2026-11-21.txt`).
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
            return IRCLog.Room(name: written(channel, in: source))
        }
        let stem = RoomName.stem(of: source.name)
        let window = stem.isEmpty ? source.folders.last : Self.window(stem, in: source)
        return window.flatMap { name in
            guard !name.isEmpty, name != ".", name != ".." else { return nil }
            // Circe's own window is named after the server's address, with a port.
            return IRCLog.Room(name: name, isDirect: name != status && !name.contains(":"))
        }
    }

    /// Returns `alice` for `user_network_alice`: the module of a network leaves out both prefixes, that of a user the
    /// first. Returns `alice` for Circe's `alice_2026-11-21.txt`.
    private static func window(_ stem: String, in source: LogSource) -> String? {
        let folders = source.folders
        guard folders.contains("moddata") else { return circes(stem, in: source) }
        let others = folders.contains("networks") ? 0 : folders.contains("users") ? 1 : 2
        let parts = stem.split(separator: "_", maxSplits: others, omittingEmptySubsequences: false)
        return parts.count == others + 1 ? parts.last.map(String.init) : stem
    }

    /// Returns the window of a file that Circe names: its server, or a person who speaks in it.
    private static func circes(_ stem: String, in source: LogSource) -> String? {
        let name = source.name
        guard let range = NamedDate(in: name)?.range, name[range].hasPrefix("_"), name[range.upperBound...] == ".txt"
        else { return nil }
        let speaks = IRCLog.lines(of: source.beginning).contains { line in
            var line = line
            return LineStamp(taking: &line, brackets: .required) != nil && line.starts(with: "<\(stem)> ")
        }
        return speaks || stem.contains(":") ? stem : nil
    }

    /// Returns the channel as catgirl's lines write it: `#Mix/ed` for its folder `#Mix_ed`.
    private static func written(_ channel: String, in source: LogSource) -> String {
        let joined = IRCLog.rooms(in: source.beginning, brackets: .required)
        return NamedRoom.written(channel, in: joined) ?? channel
    }
}

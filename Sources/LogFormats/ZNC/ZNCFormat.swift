import Bytes
import ChatModel

/// The logs of ZNC's module `log`: `[06:23:11] <alice> hi`, `[06:23:11] *** Joins: alice (~alice@host)`.
///
/// A file is a day of one window, named by the module's layout: `network/#example/2026-11-21.log` (since 1.6), formerly
/// `#example_20261121.log` and `user_network_#example_20261121.log`. Its lines are like energymech's, except that all
/// times have seconds; its folders differ. So are the text logs of some clients.
package struct ZNCFormat: LogFormat {
    package static let name = "znc"
    package static let programs =
        "ZNC, soju (text logs), Textual, The Lounge (text logs), HydraIRC, ChatZilla, IRCCloud"
    package static let isOfIRC = true
    package static let precedence = Precedence.narrow
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true

    private var log: IRCLog

    /// The window in which ZNC writes about its connections. All of its lines may be in ZNC's words.
    private static let status = "status"

    /// Recognises a file whose first lines have times with seconds in brackets, and whose path has a day and a room.
    package static func recognises(_ source: LogSource) -> Bool {
        var areDated = true
        let haveSeconds = IRCLog.lines(of: source.beginning, first: 20).allSatisfy { line in
            var rest = line
            guard let stamp = LineStamp(taking: &rest, brackets: .required) else { return false }
            areDated = areDated && stamp.date != nil
            return stamp.resolution != .minute
        }
        guard haveSeconds, areDated || LocalDay(named: source.name, zone: source.zone) != nil,
            let room = room(of: source)
        else { return false }
        return room.name == status || IRCLog.isBracketed(source)
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        guard var room = source.room.map({ IRCLog.Room(name: $0) }) ?? Self.room(of: source) else {
            throw LocalDay(named: source.name, zone: source.zone) == nil ? .noDate : .noRoom
        }
        if source.room == nil, RoomName.isChannel(room.name) {
            room = IRCLog.Room(name: Self.written(room.name, in: source))
        }
        let isOfCloud =
            ["→ ", "← ", "⇐ "].contains { source.beginning[...].range(of: $0) != nil }
            && IRCLog.eachLine(of: source.beginning).contains { line in
                var line = line
                return LineStamp(taking: &line, brackets: .required) != nil && IRCArrows.isOfCloud(line)
            }
        log = try IRCLog(
            source, format: Self.name, brackets: .required, room: room, options: isOfCloud ? .cloud : [])
    }

    package var assumptions: [String] { log.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine { log.parseLine(line) }

    /// Returns the window in the path: a channel, or the other person of a conversation.
    private static func room(of source: LogSource) -> IRCLog.Room? {
        if let channel = RoomName.inFileName(source.name) ?? RoomName.inFolders(source.folders) {
            return IRCLog.Room(name: channel)
        }
        let stem = RoomName.stem(of: source.name)
        let window = stem.isEmpty ? source.folders.last : Self.window(stem, in: source)
        return window.flatMap { name in
            guard !name.isEmpty, name != ".", name != "..", !RoomName.isOnlyMarks(name) else { return nil }
            // Textual's own window is `Console`.
            return IRCLog.Room(name: name, isDirect: name != status && name != "Console")
        }
    }

    /// Returns `alice` for `user_network_alice`: the module of a network leaves out both prefixes, that of a user the
    /// first.
    private static func window(_ stem: String, in source: LogSource) -> String? {
        let folders = source.folders
        guard folders.contains("moddata") else { return person(stem, in: source) }
        let others = folders.contains("networks") ? 0 : folders.contains("users") ? 1 : 2
        let parts = stem.split(separator: "_", maxSplits: others, omittingEmptySubsequences: false)
        return parts.count == others + 1 ? parts.last.map(String.init) : stem
    }

    /// Returns the window of a file that The Lounge names: a person who speaks in it.
    private static func person(_ stem: String, in source: LogSource) -> String? {
        NamedDate(in: source.name) == nil && speaks(stem, in: source) ? stem : nil
    }

    /// Returns true if a person of that name writes a message.
    private static func speaks(_ name: String, in source: LogSource) -> Bool {
        IRCLog.eachLine(of: source.beginning).contains { line in
            var line = line
            return LineStamp(taking: &line, brackets: .required) != nil && line.starts(with: "<\(name)> ")
        }
    }

    /// ZNC 1.8.2 writes `-` for both slashes; Textual and The Lounge write `_`.
    package static func namesInFiles(of room: String) -> [String] {
        [room.replacingEach(of: "/\\", with: "-"), room.replacingEach(of: "/\\", with: "_")]
    }

    /// Returns the channel as the lines or the account's rooms write it, if either has it.
    private static func written(_ channel: String, in source: LogSource) -> String {
        let joined = IRCLog.rooms(in: source.beginning, brackets: .required)
        return NamedRoom.written(channel, in: joined) ?? source.rooms.room(inFileName: channel) ?? channel
    }

    /// Returns `libera` for `libera/#example/2026-11-21.log`, `networks/libera/moddata/log/#example_20261121.log` and
    /// `user_libera_#example_20261121.log`.
    package static func accountName(in source: LogSource) -> String? {
        if let network = NetworkName.folder(after: "networks", in: source.folders) { return network }
        let before = source.name.prefix { !RoomName.isChannel(String($0)) }
        if before.count < source.name.count, before.split(separator: "_").count > 1 {
            return NetworkName.plausible(before.split(separator: "_").last.map(String.init))
        }
        let isFolderOfWindow = RoomName.stem(of: source.name).isEmpty
        let folders = isFolderOfWindow ? source.folders.dropLast() : source.folders[...]
        // Textual: `libera (A1B2C)/Channels/#example/2026-11-21.txt`.
        if let last = folders.last, ["Channels", "Queries"].contains(last) {
            let network = folders.dropLast().last?.prefix { $0 != "(" }.trimmed
            return NetworkName.plausible(network)
        }
        return NetworkName.plausible(folders.last)
    }
}

import Bytes
import ChatModel

/// A Slack export: lists of people and rooms, and a folder for each room with one file a day. An export of an
/// organisation (Enterprise Grid) has the lists and rooms of each workspace in `teams/NAME`.
package struct SlackFormat: LogFormat {
    package static let name = "slack"
    package static let programs = "Slack, slackdump (exports)"
    /// 1 MiB: a message has at most 40,000 characters, twice (as text and in blocks), and 100 attachments.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false

    private let givenRoom: String?
    private let zone: Zone
    private var messages = SlackMessages()
    /// The list that is being read; nil in a room's file.
    private var list: String?
    private var room: SlackDirectory.Room?
    private var isSeveral = false

    private struct Beginning: Decodable {
        var ts: JSONScalar?
        var id: String?
    }

    /// Recognises a single file: a day of a room, or a list. ``files(among:)`` recognises a folder.
    package static func recognises(_ source: LogSource) -> Bool {
        let first = JSONPieceCutter.pieces(of: source.beginning, at: ["[]"]).first
        guard let first, let beginning = try? JSONPiece<Beginning>(first, limit: maximumLine).value else {
            return false
        }
        if isDay(source.name) {
            return beginning.ts.flatMap { SlackMessages.instant($0) } != nil && !source.folders.isEmpty
        }
        return SlackDirectory.files.contains(source.name) && beginning.id != nil
    }

    package static func cutter() -> any SourceCutter {
        JSONPieceCutter(places: ["[]"], maximumPiece: maximumLine)
    }

    /// Returns the lists, and after them each room's days; nil unless there is a list of people and one of rooms.
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
        let people = SlackDirectory.files.prefix(2)
        guard paths.prefix(while: { depth($0) == 0 }).contains(where: { people.contains($0) }) else { return nil }
        var lists: [(order: Int, index: Int)] = []
        var days: [Int] = []
        days.reserveCapacity(paths.count)
        for (index, path) in paths.enumerated() {
            let depth = depth(path) - (team(path) == nil ? 0 : 2)
            if depth == 1, isDay(path) {
                days.append(index)
            } else if depth == 0, let order = order(of: String(name(path))) {
                lists.append((order, index))
            }
        }
        guard lists.contains(where: { (2..<SlackDirectory.files.count).contains($0.order) }) else { return nil }
        return lists.sorted { $0 < $1 }.map(\.index) + days
    }

    /// Returns the place of a list in the order of reading; nil for another file.
    private static func order(of name: String) -> Int? {
        SlackDirectory.files.firstIndex(of: name)
            ?? (SlackDirectory.documents[name] == nil ? nil : SlackDirectory.files.count)
    }

    /// Returns true for the files without messages of Slack's own exports, and for the pictures of people that slackdump
    /// stores. Slack's help ("How to read Slack data exports") lists them.
    package static func saysNothing(_ path: some StringProtocol) -> Bool {
        let path = String(path)
        if path.hasPrefix("__avatars/") { return true }
        guard depth(path) == (team(path) == nil ? 0 : 2) else { return false }
        return ["integration_logs.json", "content_flags.json"].contains(name(path))
    }

    /// Returns `sales` for a path in `teams/sales/`; nil for other paths.
    private static func team(_ path: String) -> Substring? {
        let folder = "teams/"
        guard path.utf8.starts(with: folder.utf8) else { return nil }
        let inside = path.utf8.dropFirst(folder.utf8.count)
        return inside.firstIndex(of: slash).map { path[inside.startIndex..<$0] }
    }

    private static let slash = UInt8(ascii: "/")

    /// Returns the part of a path after the last `/`.
    private static func name(_ path: String) -> Substring {
        path.utf8.lastIndex(of: slash).map { path[path.utf8.index(after: $0)...] } ?? path[...]
    }

    /// Returns the number of folders in a path.
    private static func depth(_ path: String) -> Int { path.utf8.reduce(0) { $0 + ($1 == slash ? 1 : 0) } }

    /// Returns true if a path's name looks like `2026-11-21.json`.
    private static func isDay(_ path: String) -> Bool {
        let name = name(path).utf8
        return name.count == 15
            && zip(name, "0000-00-00.json".utf8).allSatisfy { byte, sample in
                sample == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == sample
            }
    }

    /// - Throws: ``LogSourceError/noRoom`` for a day's file outside of a folder, unless a room is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
        zone = source.zone
        if SlackDirectory.files.contains(source.name) {
            list = source.name
        } else if let name = givenRoom ?? source.folders.last {
            room = SlackDirectory.Room(key: nil, name: name, kind: .channel)
        } else if Self.isDay(source.name) {
            throw .noRoom
        }
    }

    package mutating func begin(file path: String) {
        let name = String(Self.name(path))
        isSeveral = true
        list = Self.order(of: name) == nil ? nil : name
        messages.directory.team = Self.team(path).map(String.init) ?? ""
        room = messages.directory.room(inFolder: path.split(separator: "/").dropLast().last.map(String.init) ?? "")
    }

    package var hasOwnRooms: Bool { isSeveral }
    package var assumptions: [String] { messages.assumptions(zone: zone.identifier) }
    package var unknownKinds: UnknownKinds { messages.unknownKinds }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do {
            switch list {
            case "users.json", "org_users.json":
                messages.directory.addUser(try messages.value(line, SlackDirectory.User.self))
            case let list? where SlackDirectory.documents[list] != nil:
                return try messages.document(line, from: list).map { .message($0) } ?? .nothing
            case let list?:
                messages.directory.addRoom(try messages.value(line, SlackDirectory.Conversation.self), from: list)
            case nil: return .message(try messages.message(line, in: room))
            }
            return .nothing
        } catch {
            return .unreadable(UnreadablePiece(error).reason)
        }
    }
}

import Bytes
import ChatModel

/// The folder that Synapse's `admin_cmd export-data` writes about a person: for each room a file `rooms/ROOM/events`, with the events
/// in the form in which servers send them to each other, one after the other without a separator.
package struct SynapseFormat: LogFormat {
    package static let name = "synapse"
    package static let programs = "Synapse (export-data)"
    /// 1 MiB: an event has at most 64 KiB (client-server API v1.19, "Size limits"), which escapes make six times as long.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false

    /// The reading of a file. Each room's file is read twice, because its last name may be at its end.
    private enum Pass { case profile, learning, reading }

    private let givenRoom: String?
    private var (file, pass) = ("", Pass.reading)
    private var isSeveral = false
    /// The account's id; nil if it is unknown.
    private var me: String?
    private var room = SynapseRoom()
    private var messages: ElementMessages
    /// The contents of the room's state by type and key, which is the previous content of a later event.
    private var state: [String: [UInt8]] = [:]
    /// The bytes of ``state``.
    private var stateSize = 0

    /// 16 MiB: the memberships of 80,000 people.
    private static let maximumState = 16 * 1024 * 1024

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        guard source.folders.last != "state", let first = events(in: source.beginning).first else { return false }
        return keys.allSatisfy { first.has($0) }
    }

    private static let keys: [StaticString] = [
        "type", "sender", "content", "origin_server_ts", "depth", "prev_events", "auth_events", "hashes",
    ]

    /// Returns the events that are whole in a file's beginning.
    private static func events(in beginning: [UInt8]) -> [JSONValue] {
        JSONPieceCutter.pieces(of: beginning, at: [""]).compactMap { try? JSONValue(object: $0, limit: maximumLine) }
    }

    package static func cutter() -> any SourceCutter { JSONPieceCutter(places: [""], maximumPiece: maximumLine) }

    /// Returns the file about the person, and after it the file of each room twice.
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
        var (profile, rooms): ([Int], [Int]) = ([], [])
        for (index, path) in paths.enumerated() {
            if path == "user_data/profile" { profile = [index] }
            let parts = path.split(separator: "/")
            guard parts.count == 3, parts[0] == "rooms", parts[1].first == "!", parts[2] == "events" else { continue }
            rooms += [index, index]
        }
        return rooms.isEmpty ? nil : profile + rooms
    }

    /// Returns true for the facts about the person and the state of rooms, whose events are in their files.
    package static func saysNothing(_ path: some StringProtocol) -> Bool {
        let parts = path.split(separator: "/")
        guard let first = parts.first, let last = parts.last else { return false }
        return first == "user_data" || first == "media_ids" || parts.dropLast().last == "state"
            || last == "invite_state" || last == "knock_state"
    }

    // MARK: - Reading

    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
        messages = ElementMessages(givenRoom: givenRoom, isFederated: true)
        for event in Self.events(in: source.beginning) { room.learn(event) }
        messages.room = room.shownName(besides: nil)
    }

    package mutating func begin(file path: String) {
        if path == file, pass == .learning {
            pass = .reading
            messages.room = room.shownName(besides: me)
        } else {
            if !isSeveral { messages = ElementMessages(givenRoom: nil, isFederated: true) }
            (file, isSeveral) = (path, true)
            (room, state, stateSize) = (SynapseRoom(), [:], 0)
            pass = path.hasSuffix("/events") ? .learning : .profile
        }
    }

    package var hasOwnRooms: Bool { isSeveral }
    package var assumptions: [String] { messages.assumptions }
    package var unknownKinds: UnknownKinds { messages.unknownKinds }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            let json = try JSONValue(object: line, limit: Self.maximumLine)
            switch pass {
            case .profile: me = try json.scalar("name")?.id
            case .learning: room.learn(json)
            case .reading: return try messages.parse(event(json))
            }
            return .nothing
        } catch {
            // The second reading of the file reports it.
            return pass == .learning ? .nothing : .unreadable(error.reason)
        }
    }

    /// Returns an event with the facts that servers leave out.
    private mutating func event(_ json: JSONValue) throws(UnreadablePiece) -> ElementEvent {
        // The versions differ in little else than the keys before version 11.
        let version = room.version ?? MatrixRoomVersion(number: json.has("origin") ? 10 : 11)
        let id = try version.id(of: json)
        guard let place = try json.scalar("room_id")?.id ?? room.id else {
            throw UnreadablePiece("it has no \"room_id\"")
        }
        var facts = ElementEvent.FederationFacts(id: id, room: place)
        facts.previous = previous(json)
        return try ElementEvent(json, facts: facts)
    }

    /// Returns the content of the state event before this one, and remembers the content of this one. Nil if there is none.
    private mutating func previous(_ json: JSONValue) -> JSONValue? {
        guard json.has("state_key"), let type = json["type"]?.text, let content = json["content"], content.isObject
        else {
            return nil
        }
        let key = "\(type)\0\(json["state_key"]?.text ?? "")"
        let previous = state.removeValue(forKey: key)
        stateSize -= previous.map { $0.count + key.utf8.count } ?? 0
        let size = content.json.count + key.utf8.count
        if size <= Self.maximumState - stateSize {
            stateSize += size
            state[key] = Array(content.json)
        }
        return previous.flatMap {
            try? JSONValue(object: LogLine(number: 1, bytes: $0[...]), limit: Self.maximumLine)
        }
    }
}

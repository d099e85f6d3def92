import ChatModel
import Rendering

/// The rooms of the archive, in the order of accounts and names.
struct RoomList: Sendable {
    private(set) var rooms: [Room] = []
    /// The accounts that can't be read.
    private(set) var skipped: [SkippedAccount] = []
    private var unread: [RoomKey: UnreadCount] = [:]

    /// Takes a new list. Rooms without a message are left out.
    mutating func replace(_ all: [Room], skipped: [SkippedAccount]) {
        rooms = all.filter { $0.messages > 0 }
        self.skipped = skipped
    }

    mutating func count(_ rooms: [Room]) {
        for room in rooms { unread[room.key] = room.unread }
    }

    func unread(in room: RoomKey) -> UnreadCount? { unread[room] }

    /// Returns the index of a room; 0 if it is not in the list.
    func index(of key: RoomKey?) -> Int { rooms.firstIndex { $0.key == key } ?? 0 }

    /// Returns rooms around a room, as many as a screen shows.
    func near(_ key: RoomKey?, count: Int) -> [RoomKey] {
        let start = max(0, min(index(of: key) - count / 2, rooms.count - count))
        return rooms[start..<min(rooms.count, start + count)].map(\.key)
    }

    func room(_ key: RoomKey) -> Room? { rooms.first { $0.key == key } }

    /// The room with the newest message; nil without rooms.
    var newest: Room? { rooms.max { ($0.lastMessage?.microseconds ?? .min) < ($1.lastMessage?.microseconds ?? .min) } }

    /// Returns the rooms after a room, from the first one again after the last one, without the room.
    func others(after key: RoomKey?) -> [RoomKey] {
        let keys = rooms.map(\.key)
        guard let index = keys.firstIndex(where: { $0 == key }) else { return keys }
        return Array(keys[(index + 1)...] + keys[..<index])
    }

    /// Returns the rooms whose account or name has every word of a text, in any case.
    func matching(_ text: String) -> [Room] {
        let words = text.lowercased().split(separator: " ")
        guard !words.isEmpty else { return rooms }
        return rooms.filter { room in
            let name = "\(room.account)/\(room.workspace ?? "")/\(room.name)".lowercased()
            return words.allSatisfy { name.contains($0) }
        }
    }

    /// Returns a room's name as a line shows it: with its workspace, if it has one.
    static func name(of room: Room) -> String {
        DisplayWidth.steady(Sanitizer.line(room.workspace.map { "\($0)/\(room.name)" } ?? room.name))
    }
}

import ChatModel
import TestSupport

/// Random accounts with rooms, some of which patterns hide by a name that they have or had.
struct RandomSecrets {
    /// A room with all its names.
    struct Room {
        var reference: RoomReference
        var laterNames: [String]
        var isHidden = false

        var names: [String] { [reference.name] + laterNames }
    }

    let patterns: [String]
    /// The rooms of each account: those that can be seen come first, so that they have the same numbers without the
    /// others.
    let rooms: [String: [Room]]
    private let histories: [String: [SecretArchive.Step]]

    private static let names = ["#board", "#open", "#board-old", "trip", "가족", "#a", "Alice", "#BOARD"]
    private static let people = ["alice", "bob", "민수", "dave"]

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        patterns = Self.patterns(&random)
        var (rooms, histories): ([String: [Room]], [String: [SecretArchive.Step]]) = ([:], [:])
        for account in ["one", "two", "three"] {
            rooms[account] = Self.rooms(account, patterns, &random)
            histories[account] = Self.history(rooms[account] ?? [], &random)
        }
        (self.rooms, self.histories) = (rooms, histories)
    }

    private static func patterns(_ random: inout SeededGenerator) -> [String] {
        let all = ["#board", "one/#board*", "*/가족", "TRIP", "two/*", "#?", "alice", "*old*", "three/#open"]
        return Array(all.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
    }

    private static func rooms(_ account: String, _ patterns: [String], _ random: inout SeededGenerator) -> [Room] {
        let patterns = patterns.map(RoomPattern.init)
        let rooms = (0..<Int.random(in: 1...5, using: &random)).map { number in
            var names = names.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
            let first = names.removeFirst()
            var room = Room(
                reference: RoomReference(
                    key: "\(number)", name: first, kind: first == "Alice" ? .direct : .channel),
                laterNames: Array(names))
            room.isHidden = room.names.contains { name in
                patterns.contains { $0.matches(name) || $0.matches("\(account)/\(name)") }
            }
            return room
        }
        return rooms.filter { !$0.isHidden } + rooms.filter(\.isHidden)
    }

    private static func history(_ rooms: [Room], _ random: inout SeededGenerator) -> [SecretArchive.Step] {
        var second: Int64 = 100
        // Everybody speaks in the first room, so that people have the same numbers without the others.
        var steps = people.map { person in
            second += 1
            return SecretArchive.said("hello", second, by: person, in: rooms[0].reference)
        }
        for room in rooms.dropFirst() {
            second += 1
            steps.append(said(second, in: room, &random))
        }
        var renames = rooms.flatMap { room in room.laterNames.map { (room, $0) } }
        for _ in 0..<60 {
            second += 1
            if Int.random(in: 0..<8, using: &random) == 0, !renames.isEmpty {
                let (room, name) = renames.removeFirst()
                steps.append(SecretArchive.renamed(room.reference, to: name, second))
            } else {
                steps.append(said(second, in: rooms.randomElement(using: &random) ?? rooms[0], &random))
            }
        }
        return steps
            + renames.map { room, name in
                second += 1
                return SecretArchive.renamed(room.reference, to: name, second)
            }
    }

    private static func said(
        _ second: Int64, in room: Room, _ random: inout SeededGenerator
    ) -> SecretArchive.Step {
        let person = people.randomElement(using: &random) ?? ""
        let name = Bool.random(using: &random) ? person : person + (room.isHidden ? "HIDDENNAME" : "2")
        let text = room.isHidden ? "HIDDENTEXT \(second)" : "word \(second)"
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return SecretArchive.reacted("👍", second, to: second - 1, by: person, in: room.reference)
        case 1: return SecretArchive.said(text, second, by: person, in: room.reference, replyTo: "m\(second - 3)")
        default: return SecretArchive.said(text, second, by: person, as: name, in: room.reference)
        }
    }

    /// Makes the archive.
    func archive() async throws -> SecretArchive { try await SecretArchive(histories) }

    /// Makes the archive without what is hidden.
    func twin() async throws -> SecretArchive {
        let patterns = patterns.map(RoomPattern.init)
        return try await SecretArchive(
            histories.filter { account, _ in !patterns.contains { $0.matchesEveryRoom(of: account) } }
                .reduce(into: [:]) { twins, history in
                    let hidden = Set((rooms[history.key] ?? []).filter(\.isHidden).map(\.reference))
                    twins[history.key] = history.value.filter { !hidden.contains($0.room) }
                })
    }

    /// The access of the twin's reader: all rooms that there are. Where something is hidden, the reader knows only
    /// the names of those rooms.
    var access: ReadAccess {
        ReadAccess(
            rooms.mapValues { rooms in
                rooms.contains(where: \.isHidden)
                    ? .rooms(Set((1...5).map(Int64.init))) : .whole
            })
    }
}

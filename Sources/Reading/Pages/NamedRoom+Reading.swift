import ChatModel
import Schema

extension NamedRoom {
    /// Returns the rooms of an account that the reader may see, sorted by number.
    ///
    /// - Parameter arguments: Leaves out most rooms that none of these names; nil for all rooms.
    static func readAll(
        _ account: AccountIdentity, meantBy arguments: [RoomArgument]? = nil, _ db: ReadTransaction
    ) throws -> [NamedRoom] {
        var rooms: [NamedRoom] = []
        let ends = arguments.map { Set($0.flatMap(\.ends)) }
        let (condition, values) = ends.flatMap(Self.condition) ?? ("", [])
        try db.forEach(
            """
            SELECT room_id, room_name.name, room_name.last_seen_us IS NULL,
              (SELECT name FROM workspace_name
               WHERE workspace_name.workspace_id = room.workspace_id AND workspace_name.last_seen_us IS NULL),
              room.messages = 0
            FROM room_name JOIN room ON room.id = room_id \(condition) ORDER BY room_id, first_seen_us
            """, values
        ) { row in
            let (id, name) = try (row.integer(0), row.text(1))
            guard db.sees(id) else { return }
            if rooms.last?.id != id {
                rooms.append(
                    try NamedRoom(
                        account: account.name, network: account.network, id: id, name: name,
                        workspace: row.optionalText(3), isEmpty: row.bool(4)))
            }
            if try row.bool(2) {
                rooms[rooms.count - 1].name = name
            } else {
                rooms[rooms.count - 1].earlierNames.append(name)
            }
        }
        return rooms
    }

    /// The names that are looked up; for more, all rooms are read.
    private static let mostEnds = 32

    /// Returns the condition that one of a room's names may be one of `ends`, with `#` or without, or that the room has that
    /// number. A name of other characters than ASCII is compared later, by code.
    private static func condition(_ ends: Set<String>) -> (SQLText, [SQLArgument])? {
        guard ends.count <= mostEnds else { return nil }
        let names = ends.flatMap { [$0, "#" + $0] }
        let places = names.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
        return (
            """
            WHERE room_id IN (SELECT value FROM \(.each(1)) UNION SELECT room_id FROM room_name
              WHERE \(.isNotPlain("name")) OR \(.folded("name")) IN (\(places)))
            """, [.list(ends.compactMap { Int64($0) })] + names.map { .text($0) }
        )
    }
}

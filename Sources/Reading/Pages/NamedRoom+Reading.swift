import ChatModel
import Schema

extension NamedRoom {
    /// Returns the rooms of an account that the reader may see, sorted by number.
    static func readAll(_ account: AccountIdentity, _ db: ReadTransaction) throws -> [NamedRoom] {
        var rooms: [NamedRoom] = []
        try db.forEach(
            """
            SELECT room_id, room_name.name, room_name.last_seen_us IS NULL,
              (SELECT name FROM workspace_name
               WHERE workspace_name.workspace_id = room.workspace_id AND workspace_name.last_seen_us IS NULL),
              room.messages = 0
            FROM room_name JOIN room ON room.id = room_id ORDER BY room_id, first_seen_us
            """
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
}

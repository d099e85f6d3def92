import ChatModel
import GRDB

extension NamedRoom {
    /// Returns the rooms of an account, sorted by number.
    static func readAll(_ account: AccountIdentity, _ db: Database) throws -> [NamedRoom] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT room_id, room_name.name, room_name.last_seen_us IS NULL,
                  (SELECT name FROM workspace_name
                   WHERE workspace_name.workspace_id = room.workspace_id AND workspace_name.last_seen_us IS NULL)
                FROM room_name JOIN room ON room.id = room_id ORDER BY room_id, first_seen_us
                """)
        var rooms: [NamedRoom] = []
        while let row = try rows.next() {
            let (id, name): (Int64, String) = try (row.value(0), row.value(1))
            if rooms.last?.id != id {
                rooms.append(
                    try NamedRoom(
                        account: account.name, network: account.network, id: id, name: name, workspace: row.value(3)))
            }
            let isPresent: Bool = try row.value(2)
            if isPresent {
                rooms[rooms.count - 1].name = name
            } else {
                rooms[rooms.count - 1].earlierNames.append(name)
            }
        }
        return rooms
    }
}

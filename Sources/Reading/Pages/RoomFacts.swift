import ChatModel
import Records
import Schema

/// Reads what a network's list says of rooms besides their names: descriptions, owners and pictures. Costs one statement in
/// an account that has none of them.
struct RoomFacts {
    private let db: ReadTransaction
    private let there: (descriptions: Bool, owners: Bool, pictures: Bool, workspacePictures: Bool)
    private let seen: SeenNames?

    init(_ db: ReadTransaction) throws {
        self.db = db
        there =
            try db.first(
                """
                SELECT EXISTS (SELECT 1 FROM room_description), EXISTS (SELECT 1 FROM room_owner),
                  EXISTS (SELECT 1 FROM room_picture), EXISTS (SELECT 1 FROM workspace_picture)
                """
            ) { row in try (row.bool(0), row.bool(1), row.bool(2), row.bool(3)) } ?? (false, false, false, false)
        seen = there.owners ? try SeenNames(db) : nil
    }

    func add(to room: inout Room) throws {
        if there.descriptions { room.description = try description(of: room.id) }
        if there.owners { room.owner = try owner(of: room.id) }
        if there.pictures { room.picture = try picture(.roomPictures, of: room.id) }
        guard there.workspacePictures else { return }
        let workspace = try db.integer("SELECT workspace_id FROM room WHERE id = ?1", [.integer(room.id)])
        room.workspacePicture = try workspace.flatMap { try picture(.workspacePictures, of: $0) }
    }

    private func description(of room: Int64) throws -> String? {
        try db.text(
            """
            SELECT substr(text, 1, \(Room.maximumTopicLength)) FROM room_description
            WHERE room_id = ?1 AND last_seen_us IS NULL ORDER BY first_seen_us DESC LIMIT 1
            """, [.integer(room)])
    }

    /// Returns the owner's name. The reader of some rooms gets a name only if the person was seen there.
    private func owner(of room: Int64) throws -> String? {
        let owner = try db.integer(
            """
            SELECT user_id FROM room_owner WHERE room_id = ?1 AND last_seen_us IS NULL ORDER BY first_seen_us DESC LIMIT 1
            """, [.integer(room)])
        guard let owner else { return nil }
        if let seen { return try seen.name(of: owner) }
        return try db.text(
            "SELECT name FROM user_name WHERE user_id = ?1 AND last_seen_us IS NULL ORDER BY first_seen_us DESC LIMIT 1",
            [.integer(owner)])
    }

    private func picture(_ table: FactTable, of id: Int64) throws -> Picture? {
        var picture = try PictureReader(table, db).picture(of: id, at: .max)
        picture?.readFormat(in: db.files)
        return picture
    }
}

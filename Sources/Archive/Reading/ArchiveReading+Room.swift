package import ChatModel

extension ArchiveReading {
    /// Returns one room with its last message, its unread messages counted up to ``UnreadCount/limit``, and its read
    /// marker, which is nil if nothing was ever marked; nil if the room does not exist.
    package func room(_ key: RoomKey) async throws -> (room: Room, readThrough: MessageID?)? {
        guard access.sees(account: key.account) else { return nil }
        return try await collect(of: [key.account], into: (room: Room, readThrough: MessageID?)?.none) {
            found, reader in
            found = try reader.read { db in
                guard let room = try Room.readAll(reader.account, ids: [key.id], isForList: true, db).first else {
                    return nil
                }
                return (room, try ReadMarker.read(room: key.id, db)?.through)
            }
        }.result
    }
}

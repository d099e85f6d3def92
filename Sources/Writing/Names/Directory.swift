import Bytes
import ChatModel
import Records
import SQLite
import Schema

/// Stores the rooms, workspaces and people of an account, with their names, pictures and memberships.
///
/// Times are in microseconds since 1970, as everywhere in the store.
package struct Directory {
    package var names = NameBook()
    var members = MemberBook()
    /// The owners of rooms whom the archive lacks, by the number of the room. They are stored with the person's first message.
    private var missingOwners: [Int64: (key: String, time: Int64)] = [:]
    /// The most of them. The list of the next connection has the others again.
    private static let rememberedOwners = 100
    /// Hashes of facts of imports that are stored.
    package var knownFacts: Set<Int> = []
    /// The message that was stored or found last in the batch. A rename that follows it begins directly after it.
    private var lastMessage: (id: Int64, room: Int64, sender: Int64?, kind: MessageKind)?

    mutating func beginBatch() { lastMessage = nil }

    mutating func noteMessage(_ id: Int64, room: Int64, sender: Int64?, kind: MessageKind) {
        lastMessage = (id, room, sender, kind)
    }

    /// Records the complete list of a room's members.
    mutating func listMembers(_ users: [UserReference], of room: RoomReference, at time: Int64, _ db: Database) throws {
        let id = try names.rooms.room(room, at: time, db)
        let present = try users.compactMap { try names.people.mentioned($0, at: time, db) }
        try members.replaceMembers(with: present, in: id, at: time, db)
    }

    /// Opens a span of the room's coverage, and ends the room's trouble with joining.
    mutating func openSpan(
        of reference: RoomReference, session: SessionID, at time: Timestamp, _ db: Database
    ) throws {
        let room = try names.rooms.room(reference, at: time.microseconds, db)
        try CoverageLedger.openSpan(room: room, session: session, at: time, db)
        try RoomTrouble.end(.joining, room: room, db)
    }

    mutating func listRoom(_ listing: RoomListing, at time: Int64, _ db: Database) throws {
        let room = try names.rooms.room(listing.room, at: time, db)
        let workspace = try listing.workspace.map { try self.workspace($0, at: time, db) }
        let isForgotten = try names.rooms.roomEntry(listing.room.key, db)?.isForgotten ?? false
        let partner = try isForgotten ? nil : listing.partner.flatMap { try names.people.mentioned($0, at: time, db) }
        let update = try db.cachedStatement(
            sql: """
                UPDATE room SET workspace_id = ?1, partner_id = ifnull(?2, partner_id), left_at_us = NULL, gone_at_us = NULL
                WHERE id = ?3 AND (workspace_id IS NOT ?1 OR partner_id IS NOT ifnull(?2, partner_id)
                  OR left_at_us IS NOT NULL OR gone_at_us IS NOT NULL)
                """)
        try update.execute(arguments: [workspace, partner, room])
        var isChanged = db.changesCount > 0
        if !isForgotten, try listFacts(listing, of: room, at: time, db) { isChanged = true }
        if isChanged { try Feed.name(roomID: room, db) }
        if let workspace, case .known(let picture)? = listing.workspace?.picture,
            try FactTable.workspacePictures.set(picture, of: workspace, at: time, db)
        {
            try Feed.names(ofRoomsIn: workspace, db)
        }
    }

    /// Stores what the list says of a room besides its name.
    ///
    /// - Returns: True if anything is other than before.
    private mutating func listFacts(
        _ listing: RoomListing, of room: Int64, at time: Int64, _ db: Database
    ) throws -> Bool {
        var isChanged = false
        if case .known(let text) = listing.description {
            isChanged = try FactTable.roomDescriptions.set(text, of: room, at: time, db)
        }
        if case .known(let path) = listing.picture, try FactTable.roomPictures.set(path, of: room, at: time, db) {
            isChanged = true
        }
        if case .known(let key) = listing.owner {
            let owner = try key.flatMap { try person($0.withoutNUL, name: listing.ownerName?.withoutNUL, at: time, db) }
            let isMissing = key != nil && owner == nil
            missingOwners[room] = nil
            if let key, isMissing, missingOwners.count < Self.rememberedOwners {
                missingOwners[room] = (key.withoutNUL, time)
            }
            if !isMissing, try FactTable.roomOwners.set(owner.databaseValue, of: room, at: time, db) {
                isChanged = true
            }
        }
        return isChanged
    }

    /// Stores the owners of rooms whom the archive lacked when the network listed the rooms.
    mutating func settleOwners(_ db: Database) throws {
        for (room, owner) in missingOwners {
            guard let user = try names.people.userEntry(owner.key, db)?.id else { continue }
            missingOwners[room] = nil
            if try FactTable.roomOwners.set(user.databaseValue, of: room, at: owner.time, db) {
                try Feed.name(roomID: room, db)
            }
        }
    }

    /// Returns the person with a key. One whom the archive lacks is created if the list has a name: otherwise, the name comes
    /// with the person's first message.
    ///
    /// - Returns: Nil if the archive lacks the person, or has forgotten them.
    private mutating func person(_ key: String, name: String?, at time: Int64, _ db: Database) throws -> Int64? {
        if let known = try names.people.userEntry(key, db)?.id { return known }
        return try name.flatMap { try names.people.mentioned(UserReference(key: key, name: $0), at: time, db) }
    }

    /// Marks the room as left or gone. Does nothing for a room that the archive does not have.
    mutating func unlistRoom(_ reference: RoomReference, isGone: Bool, at time: Int64, _ db: Database) throws {
        guard try names.rooms.hasRoom(reference.key, db) else { return }
        try markUnlisted(try names.rooms.room(reference, at: time, db), isGone: isGone, at: time, db)
    }

    private func markUnlisted(_ room: Int64, isGone: Bool, at time: Int64, _ db: Database) throws {
        let column = isGone ? "gone_at_us" : "left_at_us"
        try db.cachedStatement(sql: "UPDATE room SET \(column) = ? WHERE id = ? AND \(column) IS NULL")
            .execute(arguments: [time, room])
        if db.changesCount > 0 { try Feed.name(roomID: room, db) }
        for about in [RoomTrouble.About.joining, .history] { try RoomTrouble.end(about, room: room, db) }
    }

    mutating func renameRoom(
        from key: String, to reference: RoomReference, session: SessionID, at time: Timestamp, _ db: Database
    ) throws {
        let row = try lastMessage.flatMap { last in
            try last.kind == .system && last.room == names.rooms.roomEntry(key, db)?.id ? last.id : nil
        }
        if try !names.rooms.rekeyRoom(from: key, to: reference, at: time.microseconds, row: row, db),
            let old = try names.rooms.findRoom(key, db)?.id
        {
            try CoverageLedger.endSpan(room: old, session: session, at: time, reason: .gone, db)
            try markUnlisted(old, isGone: true, at: time.microseconds, db)
        }
        try listRoom(RoomListing(room: reference), at: time.microseconds, db)
        try openSpan(of: reference, session: session, at: time, db)
    }

    mutating func renameUser(from key: String, to reference: UserReference, at time: Int64, _ db: Database) throws {
        let row = try lastMessage.flatMap { last in
            try last.kind == .rename && last.sender == names.people.findUser(key, db)?.id ? last.id : nil
        }
        try names.people.rekey(from: key, to: reference, at: time, row: row, db)
    }

    mutating func listUser(_ listing: UserListing, at time: Int64, _ db: Database) throws {
        guard let user = try names.people.mentioned(listing.user, at: time, db) else { return }
        let since = listing.pictureSince(Timestamp(microseconds: time)).microseconds
        guard try FactTable.userPictures.set(listing.picture, of: user, at: since, db) else { return }
        try Feed.name(userID: user, db)
    }

    private func workspace(_ reference: WorkspaceReference, at time: Int64, _ db: Database) throws -> Int64 {
        let known = try db.cachedStatement(
            sql: """
                SELECT id, name, first_seen_us FROM workspace
                  JOIN workspace_name ON workspace_id = id AND last_seen_us IS NULL
                WHERE key = ?
                """
        ).first(arguments: [reference.key]) { row in
            try NameEntry(id: row.value(0), name: row.value(1), firstSeen: row.value(2), earliest: row.value(2))
        }
        if var entry = known {
            if !entry.name.isExactly(reference.name) {
                try NameTable.workspaces.rename(&entry, to: reference.name, at: time, db)
            }
            return entry.id
        }
        try db.execute(sql: "INSERT INTO workspace (key) VALUES (?)", arguments: [reference.key])
        let id = db.lastInsertedRowID
        try NameTable.workspaces.insert(reference.name, of: id, since: time, db)
        // Some networks' workspaces are rooms, too.
        try db.execute(
            sql: """
                INSERT INTO workspace_picture (workspace_id, first_seen_us, last_seen_us, path)
                  SELECT ?1, first_seen_us, last_seen_us, path FROM room_picture
                  WHERE room_id = (SELECT id FROM room WHERE key = ?2)
                """, arguments: [id, reference.key])
        return id
    }
}

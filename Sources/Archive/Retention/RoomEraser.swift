import Accounts
package import ChatModel
package import Files
import Reading
import Records
import SQLite
import Schema
import Writing

/// Erases a room in steps, each in a transaction that the writer runs between events.
///
/// The room's name goes last. So after a crash the same command finds the room, and does the rest. The first step writes
/// the digest of the room's key to the catalog and to the file: from then on, history of the network up to that instant is
/// not stored.
struct RoomEraser {
    let room: Int64
    let now: Timestamp
    let account: String
    let catalog: Catalog

    /// The time after which a step ends, as in ``Purger``.
    private static let longest = Duration.milliseconds(10)
    /// The number of messages, and the size of their texts in bytes, that are removed before the time is looked at.
    private static let atOnce = 100
    private static let bytesAtOnce = 256 << 10
    /// The limit of chunks of the journal removed at once: some MiB.
    private static let chunksAtOnce = 50

    func step(from place: ErasingPlace?, _ ingest: inout Ingest, _ db: Database) throws -> ErasingProgress {
        guard let place else { return ErasingProgress(next: try begin(db)) }
        let deadline = ContinuousClock.now + Self.longest
        var progress = ErasingProgress()
        var stage = place.stage
        repeat {
            switch stage {
            case .messages(let noise):
                stage = try removeMessages(noise: noise, through: place.through, &ingest, &progress, db)
            case .journal: stage = try removeJournal(db)
            case .people(let after): stage = try RoomPeople(room: room).next(after: after, db)
            case .unknown(let users, let after):
                stage = try RoomPeople(room: room).remove(users, unlessAfter: after, db)
            case .facts: stage = try RoomRemoval(room: room, now: now).remove(db) ? .index : .facts
            case .index, .pages: break
            }
        } while ![.index, .pages].contains(stage) && .now < deadline
        progress.next = ErasingPlace(stage, through: place.through)
        return progress
    }

    /// - Throws: ``ArchiveError`` with `unknownRoom` if the room does not exist, with `held` if a hold keeps it, and with
    ///   `merge` while a merge or a bridge is not finished.
    private func begin(_ db: Database) throws -> ErasingPlace {
        try MergeBook.requireFinished(db)
        try BridgeBook.requireFinished(db)
        let transaction = ReadTransaction(db)
        guard let plan = try ErasingPlan(of: account, room: room, transaction) else {
            throw ArchiveError(code: .unknownRoom, detail: "account '\(account)' has no room \(room)")
        }
        if let hold = plan.holds.first { throw ArchiveError.held(room: plan.name, by: hold) }
        let key = try ForgottenKey.read(db)?.key ?? catalog.forgottenKey(of: account)?.key ?? ForgottenKey.makeKey()
        let digests = ForgottenDigests(key: key)
        let erased = try MergeBook.keys(leadingTo: room, db)
            .map { digests.digest(erasedRoom: $0, until: now.microseconds) }
        try ForgottenKey.add(erased, key: key, of: account, catalog, db)
        try db.withSecureDelete {
            // The rows that undoing needs have names and reactions.
            try MergeBook.makeFinal(db)
            try RoomPeople(room: room).note(db)
        }
        return ErasingPlace(.messages(noise: false), through: max(now.microseconds, plan.last?.microseconds ?? .min))
    }

    private func removeMessages(
        noise: Bool, through: Int64, _ ingest: inout Ingest, _ progress: inout ErasingProgress, _ db: Database
    ) throws -> ErasingPlace.Stage {
        let end = through == .max ? through : through + 1
        let messages = try StoredMessage.earliest(Self.atOnce, room: room, noise: noise, from: .min, to: end, db)
            .fitting(Self.bytesAtOnce)
        guard !messages.isEmpty else { return noise ? .journal : .messages(noise: true) }
        try RoomPeople(room: room).note(sendersOf: messages, db)
        var (removal, removed) = (MessageRemoval(), PurgeLedger.Removed())
        try db.withSecureDelete {
            for message in messages { try Journal.overwrite(message, db) }
            try removal.remove(messages, db)
        }
        for message in messages {
            try Feed.forgotten(messageID: message.id, db)
            removed.add(message.id)
        }
        ingest.texts.matcher.forget()
        try PurgeLedger.record(removed, of: noise ? .joins : .messages, room: room, by: .erase, at: now, db)
        progress.messages += removed.count
        return .messages(noise: noise)
    }

    /// Removes the journal if it is the room's: networks with a journal have one room, which is the only one with
    /// coverage of connections.
    private func removeJournal(_ db: Database) throws -> ErasingPlace.Stage {
        let isOfRoom = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM chunk)
                  AND EXISTS (SELECT 1 FROM coverage WHERE room_id = ? AND session_id > 0)
                """, arguments: [room])
        guard isOfRoom == true else { return .people(after: .min) }
        var removed = PurgeLedger.Removed()
        try db.withSecureDelete { removed = try Journal.age(before: now, limit: Self.chunksAtOnce, db) }
        return removed.count == Self.chunksAtOnce ? .journal : .people(after: .min)
    }
}

extension ArchiveError {
    /// Describes a room that a hold keeps.
    package static func held(room: String, by hold: String) -> ArchiveError {
        ArchiveError(
            code: .held, detail: "the hold \"\(hold)\" keeps messages of the room \"\(room)\"",
            hint: "to erase the room, first remove the hold: \"scrollback retention release\" with its name")
    }
}

extension ErasingPlan {
    /// Counts what erasing a room would remove; nil if the room does not exist.
    init?(of account: String, room: Int64, _ db: ReadTransaction) throws {
        let found = try db.first(
            """
            SELECT name, messages, (\(Room.firstMessage(of: "room.id"))), (\(Room.lastMessage(of: "room.id")))
            FROM room JOIN room_name ON room_id = room.id AND last_seen_us IS NULL WHERE room.id = ?1
            """, [.integer(room)]
        ) { row in
            try ErasingPlan(
                account: account, room: room, name: row.text(0), messages: row.integer(1),
                first: row.optionalMessageID(2), last: row.optionalMessageID(3))
        }
        guard let found else { return nil }
        self = found
        holds = try Hold.readAll(db).filter { try $0.keeps(anyOf: found, db) }.map(\.name)
        files =
            try db.integer(
                """
                SELECT count(*) FROM (SELECT file_id FROM attachment CROSS JOIN message ON message.id = message_id
                  GROUP BY file_id HAVING min(room_id = ?1) = 1)
                """, [.integer(room)]) ?? 0
    }
}

extension Hold {
    /// Returns true if the hold is for that room, or for all rooms and one of the room's messages.
    fileprivate func keeps(anyOf plan: ErasingPlan, _ db: ReadTransaction) throws -> Bool {
        if let room { return room == plan.room }
        return try db.holds(
            """
            SELECT EXISTS (SELECT 1 FROM message INDEXED BY message_room
              WHERE room_id = ?1 AND noise IN (0, 1) AND id >= ?2 AND id < ?3)
            """,
            [.integer(plan.room), .integer(start?.microseconds ?? .min), .integer(end?.microseconds ?? .max)])
    }
}

extension RetentionReading {
    /// Returns what erasing a room would remove, without removing it.
    ///
    /// - Throws: ``ArchiveError`` with `unknownRoom` if the account has no room of that number.
    package func erasingPlan(of room: RoomKey) throws -> ErasingPlan {
        let plan = try reading.collect(of: [room.account], into: ErasingPlan?.none) { plan, reader in
            guard reader.file != nil else { throw ArchiveError.needsFiles }
            plan = try reader.read { db in try ErasingPlan(of: reader.account.name, room: room.id, db) }
        }.result
        guard let plan else {
            throw ArchiveError(code: .unknownRoom, detail: "account '\(room.account)' has no room \(room.id)")
        }
        return plan
    }
}

import ChatModel
import Foundation
import GRDB

/// Stores what a full export tells of an account besides messages. What is there stays where the two don't agree, but for
/// what is later news.
extension Ingest {
    mutating func store(_ record: ArchiveRecord, at now: Timestamp, _ db: Database) throws {
        switch record {
        case .account: break
        case .workspace(let record): _ = try workspace(record, db)
        case .user(let record): try store(record, db)
        case .room(let record): try store(record, db)
        case .membership(let record): try store(record, db)
        case .coverage(let record): try cover(record, at: now, db)
        case .importedSpan(let record):
            guard let room = try names.roomEntry(record.roomKey.withoutNUL, db)?.id else { return }
            try ImportedSpans.add(room: room, from: record.from, to: record.to, db)
        case .gapNote(let record): try store(record, db)
        case .readMarker(let record): try store(record, db)
        case .retraction(let record): try store(record, db)
        case .reaction(let record):
            guard let room = try names.roomEntry(record.roomKey.withoutNUL, db)?.id else { return }
            let target = record.remoteID.withoutNUL
            let isNew = try add(ImportedReaction(record.reaction), to: target, room: room, db)
            if isNew, let stored = try StoredMessage.find(target, room: room, db) {
                try Feed.reaction(messageID: stored.id, db)
            }
        case .failure(let record): try store(record, db)
        }
    }

    /// So much time a log has of a room; nothing where none of it was stored.
    mutating func note(_ span: ImportedSpan, _ db: Database) throws {
        let room =
            try span.roomKey.map { try names.roomEntry($0, db)?.id } ?? names.findRoom(named: span.room, db)
        if let room { try ImportedSpans.add(room: room, from: span.from, to: span.to, db) }
    }

    private func cover(_ record: SpanRecord, at now: Timestamp, _ db: Database) throws {
        guard let room = try room(record.roomKey, db), record.from <= record.to else { return }
        try CoverageLedger.cover(exported: record.from, to: record.to, room: room, at: now, db)
    }

    /// Only where it says of a gap why it is there.
    private func store(_ record: GapNoteRecord, _ db: Database) throws {
        guard let room = try room(record.roomKey, db) else { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO gap_note (room_id, from_us, reason, attempts, unfilled, detail)
                  SELECT ?1, ?2, ?3, ?4, ?5, ?6
                  WHERE EXISTS (SELECT 1 FROM coverage WHERE room_id = ?1 AND to_us = ?2)
                ON CONFLICT DO NOTHING
                """
        ).execute(arguments: [
            room, record.from.microseconds, record.reason.keptDetail, record.attempts, record.unfilled?.keptDetail,
            record.detail?.keptDetail,
        ])
    }

    private func store(_ record: ReadMarkerRecord, _ db: Database) throws {
        guard let room = try room(record.roomKey, db) else { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO read_marker (room_id, through_us, seq, set_at_us) VALUES (?, ?, ?, ?)
                ON CONFLICT (room_id) DO UPDATE
                SET through_us = excluded.through_us, seq = excluded.seq, set_at_us = excluded.set_at_us
                WHERE set_at_us < excluded.set_at_us
                """
        ).execute(arguments: [
            room, record.through.microseconds, try FeedPosition.end(db).seq, record.setAt.microseconds,
        ])
    }

    private mutating func store(_ record: MembershipRecord, _ db: Database) throws {
        guard let room = try room(record.roomKey, db) else { return }
        let user = try names.user(ImportedPerson(record.user), at: record.latest, isLate: true, db)
        try db.cachedStatement(
            sql: """
                INSERT INTO membership (room_id, user_id, joined_at_us, left_at_us) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT DO UPDATE SET joined_at_us = ?3, left_at_us = ?4
                  WHERE max(ifnull(?3, 0), ifnull(?4, 0)) > max(ifnull(joined_at_us, 0), ifnull(left_at_us, 0))
                """
        ).execute(arguments: [room, user, record.joinedAt?.microseconds, record.leftAt?.microseconds])
        if db.changesCount > 0 { members = MemberBook() }
    }

    private mutating func store(_ record: RetractionRecord, _ db: Database) throws {
        guard let room = try room(record.roomKey, db) else { return }
        let user = try record.user.map {
            try names.user(ImportedPerson($0), at: record.at.microseconds, isLate: true, db)
        }
        hasRetractions = true
        let target = record.remoteID.withoutNUL
        try db.cachedStatement(
            sql: """
                INSERT INTO retraction (room_id, remote_id, user_id, at_us, reason, wipes) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET wipes = 1 WHERE wipes < excluded.wipes
                """
        ).execute(arguments: [room, target, user, record.at.microseconds, record.reason?.keptDetail, record.wipes])
        guard var stored = try StoredMessage.find(target, room: room, db) else { return }
        _ = try delete(&stored, at: record.at, db)
        if record.wipes { _ = try wipe(&stored, db) }
    }

    private func store(_ record: FailureRecord, _ db: Database) throws {
        let room = try record.roomKey.flatMap { try self.room($0, db) }
        let (payload, remoteID) = (Data(record.payload), record.remoteID?.withoutNUL)
        let known = try Int64.fetchOne(
            db,
            sql: "SELECT id FROM failure WHERE ifnull(room_id, 0) = ? AND ifnull(remote_id, payload) = ?",
            arguments: [room ?? 0, remoteID?.databaseValue ?? payload.databaseValue])
        if let known {
            try db.execute(
                sql: """
                    UPDATE failure SET count = max(count, ?2), last_at_us = max(last_at_us, ?3)
                    WHERE id = ?1 AND (count < ?2 OR last_at_us < ?3)
                    """,
                arguments: [known, record.count, record.lastAt.microseconds])
            return
        }
        try db.execute(
            sql: """
                INSERT INTO failure (room_id, remote_id, payload, reason, first_at_us, last_at_us, count)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                room, remoteID, payload, record.reason.withoutNUL, record.firstAt.microseconds,
                record.lastAt.microseconds, max(1, record.count),
            ])
    }

    func room(_ key: String, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT id FROM room WHERE key = ?"), arguments: [key.withoutNUL])
    }
}

extension MembershipRecord {
    /// Of what is told of when; microseconds since 1970.
    var latest: Int64 {
        [joinedAt, leftAt].compactMap(\.self).max()?.microseconds ?? Timestamp.earliestBelieved.microseconds
    }
}

extension ImportedPerson {
    /// Somebody whose names are told by themselves.
    init(_ identity: UserIdentity) {
        self.init(name: identity.former?.name ?? identity.key ?? "", identity: identity, isExact: true)
    }
}

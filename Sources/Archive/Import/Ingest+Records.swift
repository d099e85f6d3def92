import Bytes
import ChatModel
import Records
import SQLite
import Writing

/// Stores the records of a full export other than its messages. A stored row stays, unless the export's row is later.
extension Ingest {
    mutating func storeRecord(_ record: ArchiveRecord, at now: Timestamp, _ db: Database) throws {
        switch record {
        case .account: break
        case .workspace(let record): try directory.storeWorkspace(record, db)
        case .user(let record): try directory.storeUser(record, db)
        case .room(let record): try directory.storeRoom(record, db)
        case .membership(let record): try directory.storeMembership(record, db)
        case .coverage(let record):
            guard let room = try room(record.roomKey, db), record.from <= record.to else { return }
            try CoverageLedger.cover(exported: record.from, to: record.to, room: room, at: now, db)
        case .importedSpan(let record):
            guard let room = try room(record.roomKey, db) else { return }
            try ImportedSpans.add(room: room, from: record.from, to: record.to, db)
        case .gapNote(let record):
            if let room = try room(record.roomKey, db) { try CoverageLedger.importNote(record, room: room, db) }
        case .readMarker(let record):
            if let room = try room(record.roomKey, db) { try ReadMarker.importMarker(record, room: room, db) }
        case .retraction(let record): try storeRetraction(record, db)
        case .reaction(let record): try storeReaction(record, db)
        case .failure(let record):
            try FailureLog.importFailure(record, room: record.roomKey.flatMap { try room($0, db) }, db)
        }
    }

    /// Stores the time that a log covers in a room. Does nothing if the archive does not have the room.
    mutating func storeSpan(_ span: ImportedSpan, _ db: Database) throws {
        let room =
            if let key = span.roomKey {
                try directory.names.roomEntry(key, db)?.id
            } else {
                try directory.names.findRoom(named: span.room, db)
            }
        guard let room else { return }
        try ImportedSpans.add(room: room, from: span.from, to: span.to, db)
        roomKinds.note(room, kind: span.roomKind, isNamed: span.roomKey == nil)
    }

    private mutating func storeRetraction(_ record: RetractionRecord, _ db: Database) throws {
        guard let room = try room(record.roomKey, db) else { return }
        let (remoteID, time) = (record.remoteID.withoutNUL, record.at.microseconds)
        guard try !isGone(remoteID, room: room, key: record.roomKey.withoutNUL, db) else { return }
        let user = try record.user.flatMap { try directory.names.mentioned(ImportedPerson($0), at: time, db) }
        let isForgotten = record.user != nil && user == nil
        _ = try retractions.store(
            of: remoteID, room: room, by: user, at: time, reason: isForgotten ? nil : record.reason,
            wipes: record.wipes, db)
        guard var stored = try StoredMessage.find(remoteID, room: room, db) else { return }
        _ = try texts.delete(&stored, at: record.at, db)
        if record.wipes { _ = try texts.wipe(&stored, db) }
    }

    private mutating func storeReaction(_ record: ReactionRecord, _ db: Database) throws {
        guard let room = try room(record.roomKey, db) else { return }
        let target = record.remoteID.withoutNUL
        guard try !isGone(target, room: room, key: record.roomKey.withoutNUL, db) else { return }
        let isNew = try storeReaction(ImportedReaction(record.reaction), to: target, room: room, db)
        if isNew, var stored = try StoredMessage.find(target, room: room, db) {
            try Feed.reaction(messageID: stored.id, db)
            try texts.noteReactions(of: &stored, db)
        }
    }

    private mutating func room(_ key: String, _ db: Database) throws -> Int64? {
        try directory.names.roomEntry(key.withoutNUL, db)?.id
    }
}

import Bytes
import ChatModel
import Records
import SQLite
import Writing

/// Stores the records of a full export other than its messages. A stored row stays, unless the export's row is later.
extension LineImporter {
    func storeRecord(_ record: ArchiveRecord, _ ingest: inout Ingest, _ db: Database) throws {
        switch record {
        case .account: break
        case .workspace(let record): try ingest.directory.storeWorkspace(record, db)
        case .user(let record): try ingest.directory.storeUser(record, db)
        case .room(let record): try ingest.directory.storeRoom(record, db)
        case .membership(let record): try ingest.directory.storeMembership(record, db)
        case .coverage(let record):
            guard let room = try room(record.roomKey, &ingest, db), record.from <= record.to else { return }
            try CoverageLedger.cover(exported: record.from, to: record.to, room: room, at: now, db)
        case .importedSpan(let record):
            guard let room = try room(record.roomKey, &ingest, db) else { return }
            try ImportedSpans.add(room: room, from: record.from, to: record.to, db)
        case .gapNote(let record):
            guard let room = try room(record.roomKey, &ingest, db) else { return }
            try CoverageLedger.importNote(record, room: room, db)
        case .readMarker(let record):
            guard let room = try room(record.roomKey, &ingest, db) else { return }
            try ReadMarker.importMarker(record, room: room, db)
        case .retraction(let record): try storeRetraction(record, &ingest, db)
        case .reaction(let record): try storeReaction(record, &ingest, db)
        case .failure(let record):
            try FailureLog.importFailure(record, room: record.roomKey.flatMap { try room($0, &ingest, db) }, db)
        }
    }

    /// Stores the time that a log covers in a room. Does nothing if the archive does not have the room.
    func storeSpan(_ span: ImportedSpan, _ ingest: inout Ingest, _ db: Database) throws {
        let room =
            if let key = span.roomKey {
                try ingest.directory.names.rooms.roomEntry(key, db)?.id
            } else {
                try ingest.directory.names.rooms.findRoom(named: span.room, db)
            }
        guard let room else { return }
        try ImportedSpans.add(room: room, from: span.from, to: span.to, db)
        ingest.roomKinds.note(room, kind: span.roomKind, isNamed: span.roomKey == nil)
    }

    private func storeRetraction(_ record: RetractionRecord, _ ingest: inout Ingest, _ db: Database) throws {
        guard let room = try room(record.roomKey, &ingest, db) else { return }
        let (remoteID, time) = (record.remoteID.withoutNUL, record.at.microseconds)
        guard try !ingest.isGone(remoteID, room: room, key: record.roomKey.withoutNUL, db) else { return }
        let user = try record.user.flatMap {
            try ingest.directory.names.people.mentioned(ImportedPerson($0), at: time, db)
        }
        let isForgotten = record.user != nil && user == nil
        _ = try ingest.retractions.store(
            of: remoteID, room: room, by: user, at: time, reason: isForgotten ? nil : record.reason,
            wipes: record.wipes, db)
        guard var stored = try StoredMessage.find(remoteID, room: room, db) else { return }
        _ = try ingest.texts.delete(&stored, at: record.at, db)
        if record.wipes { _ = try ingest.texts.wipe(&stored, db) }
    }

    private func storeReaction(_ record: ReactionRecord, _ ingest: inout Ingest, _ db: Database) throws {
        guard let room = try room(record.roomKey, &ingest, db) else { return }
        let target = record.remoteID.withoutNUL
        guard try !ingest.isGone(target, room: room, key: record.roomKey.withoutNUL, db) else { return }
        let isNew = try storeReaction(ImportedReaction(record.reaction), to: target, room: room, &ingest, db)
        if isNew, var stored = try StoredMessage.find(target, room: room, db) {
            try Feed.reaction(messageID: stored.id, db)
            try ingest.texts.noteReactions(of: &stored, db)
        }
    }

    private func room(_ key: String, _ ingest: inout Ingest, _ db: Database) throws -> Int64? {
        try ingest.directory.names.rooms.roomEntry(key.withoutNUL, db)?.id
    }
}

import ChatModel
import Foundation
import GRDB

/// Stores what logs and exports have, as far as it is not stored already.
extension Ingest {
    /// - Throws: the first error of a line; then nothing of the batch may be committed.
    mutating func importLines(_ lines: [ImportedLine], at now: Timestamp, _ db: Database) throws -> ImportTally {
        batchesSinceImport = 0
        var tally = ImportTally()
        for line in lines { tally = tally + (try importLine(line, at: now, db)) }
        try finish(db)
        return tally
    }

    /// The same with a savepoint a line: one that the store refuses becomes a row of `failure`, the others go on.
    mutating func importOneByOne(_ lines: [ImportedLine], at now: Timestamp, _ db: Database) throws -> ImportTally {
        batchesSinceImport = 0
        var tally = ImportTally()
        for line in lines {
            var copy = self
            do {
                var one = ImportTally()
                try db.inSavepoint {
                    one = try copy.importLine(line, at: now, db)
                    return .commit
                }
                self = copy
                tally = tally + one
            } catch let error as DatabaseError where !error.isTroubleOfTheStore {
                // The copy may have noted the line.
                stored.forget()
                guard let unreadable = line.refused(error) else { throw error }
                tally = tally + (try importLine(.unreadable(unreadable), at: now, db))
            }
        }
        try finish(db)
        return tally
    }

    private mutating func importLine(_ line: ImportedLine, at now: Timestamp, _ db: Database) throws -> ImportTally {
        switch line {
        case .message(let message):
            return try store(message, at: now, db)
        case .unreadable(let line):
            try record(line, at: now, db)
            return ImportTally(failed: 1)
        case .imported(let span):
            try note(span, db)
            return ImportTally()
        case .record(let record):
            let before = db.totalChangesCount
            try store(record, at: now, db)
            return ImportTally(records: 1, newRecords: db.totalChangesCount > before ? 1 : 0)
        }
    }

    private mutating func store(_ message: ImportedMessage, at now: Timestamp, _ db: Database) throws -> ImportTally {
        switch try ImportMatch(message, names: &names, stored: &stored, db) {
        case .known(let room, let sender):
            guard message.mayHaveMore, let old = try stored.find(like: message, room: room, sender: sender, db)
            else { return ImportTally(known: 1) }
            return try complete(old, from: message, at: now, db)
        case .again(let old):
            return try complete(old, from: message, at: now, db)
        case .new(let room, let remoteID):
            let isNew = try add(message, room: room, remoteID: remoteID, at: now, db)
            return isNew ? ImportTally(new: 1) : ImportTally(known: 1)
        }
    }

    private mutating func complete(
        _ old: StoredMessage, from message: ImportedMessage, at now: Timestamp, _ db: Database
    ) throws -> ImportTally {
        guard try bring(message, to: old, at: now, db) else { return ImportTally(known: 1) }
        return ImportTally(changed: 1)
    }

    /// False when it was there before.
    private mutating func add(
        _ message: ImportedMessage, room: Int64?, remoteID: String?, at now: Timestamp, _ db: Database
    ) throws -> Bool {
        let time = message.place ?? message.time
        let room = try room ?? names.room(of: message, at: time.microseconds, db)
        let incoming = message.incoming(remoteID: remoteID, at: now)
        let person = message.person
        let id = try add(
            incoming, at: time.microseconds, room: room,
            sender: { names, id, isLate in
                try names.noteRoom(of: message, at: id, isLate: isLate, db)
                return try person.map { try names.user($0, at: id, isLate: isLate, db) }
            }, isReplay: message.exact != nil, db)
        guard let id else { return false }
        if message.mayHaveMore { try keepExtras(of: message, remoteID: remoteID, as: id, room: room, db) }
        return true
    }

    /// It is no part of a stream that was heard, so that nothing that is known to be complete ends with it.
    private mutating func record(_ line: UnreadableLine, at now: Timestamp, _ db: Database) throws {
        let room = try line.room.map { try names.room(named: $0, at: now.microseconds, db) }
        let event = UnreadableEvent(
            session: nil, room: nil, remoteID: nil, receivedAt: now, payload: line.payload, reason: line.reason)
        _ = try FailureLog.record(event, room: room, db)
    }
}

extension ImportedMessage {
    /// As the store takes it; room and sender are found by key or name.
    func incoming(remoteID: String?, at now: Timestamp) -> IncomingMessage {
        IncomingMessage(
            session: nil, room: RoomReference(key: "", name: "", kind: .channel), kind: kind, sender: nil, body: body,
            remoteID: remoteID, sourceTime: exact.map { $0.sourceTime ?? place } ?? time,
            receivedAt: min(receivedAt ?? now, now),
            flags: flags.union(resolution.flag), editedAt: (editedAt ?? impliedEdit)?.believed(at: now),
            deletedAt: deletedAt?.believed(at: now), replyTo: replyTo, attachments: filePaths, raw: raw)
    }

    /// Of what had other texts before, and does not tell since when it says this.
    private var impliedEdit: Timestamp? {
        (exact?.versions ?? versions).last.map { max($0.at, place ?? time).advanced(byMicroseconds: 1) }
    }

    private var filePaths: [String] {
        exact.map { $0.files.map(\.path) } ?? (files.isEmpty ? [] : files.map(\.path))
    }

    /// Whether it tells anything that one which is alike, or has just been stored, can lack.
    var mayHaveMore: Bool {
        !versions.isEmpty || !files.isEmpty || !reactions.isEmpty || deletedAt != nil || exact != nil
    }
}

extension ImportedLine {
    /// What is kept of a line that the store refused; nil for one that tells nothing by itself.
    fileprivate func refused(_ error: DatabaseError) -> UnreadableLine? {
        let reason = "the store refused it: \(error.message ?? "error \(error.resultCode.rawValue)")"
        switch self {
        case .message(let message):
            let text = "\(message.time) \(message.kind.rawValue) \(message.sender ?? "") \(message.body ?? "")"
            return UnreadableLine(room: message.room, payload: Array(text.utf8), reason: reason)
        case .record(let record):
            let payload = try? JSONEncoder().encode(record)
            return UnreadableLine(room: nil, payload: Array(payload ?? Data()), reason: reason)
        case .unreadable, .imported:
            return nil
        }
    }
}

import ChatModel
import GRDB

/// Stores what logs and exports have, as far as it is not stored already.
extension Ingest {
    /// - Throws: the first error of a line; then nothing of the batch may be committed.
    mutating func importLines(_ lines: [ImportedLine], at now: Timestamp, _ db: Database) throws -> ImportTally {
        var tally = ImportTally()
        for line in lines { tally = tally + (try importLine(line, at: now, db)) }
        try finish(db)
        return tally
    }

    /// The same with a savepoint a line: one that the store refuses becomes a row of `failure`, the others go on.
    mutating func importOneByOne(_ lines: [ImportedLine], at now: Timestamp, _ db: Database) throws -> ImportTally {
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
                guard let unreadable = line.refused(error) else { throw error }
                tally = tally + (try importLine(.unreadable(unreadable), at: now, db))
            }
        }
        try finish(db)
        return tally
    }

    private mutating func importLine(_ line: ImportedLine, at now: Timestamp, _ db: Database) throws -> ImportTally {
        var tally = ImportTally()
        switch line {
        case .message(let message):
            tally = try store(message, at: now, db)
        case .unreadable(let line):
            try record(line, at: now, db)
            tally.failed = 1
        }
        return tally
    }

    private mutating func store(_ message: ImportedMessage, at now: Timestamp, _ db: Database) throws -> ImportTally {
        switch try ImportMatch(message, names: &names, stored: &stored, db) {
        case .known: return ImportTally(known: 1)
        case .again(let old):
            let incoming = message.incoming(remoteID: message.remoteID, at: now)
            guard try complete(old, from: incoming, db) else { return ImportTally(known: 1) }
            // The minute that is being matched may be the message's.
            stored = nil
            return ImportTally(changed: 1)
        case .new(let room, let remoteID):
            let isNew = try add(message, room: room, remoteID: remoteID, at: now, db)
            return isNew ? ImportTally(new: 1) : ImportTally(known: 1)
        }
    }

    /// False when it was there before.
    private mutating func add(
        _ message: ImportedMessage, room: Int64?, remoteID: String?, at now: Timestamp, _ db: Database
    ) throws -> Bool {
        let time = message.place ?? message.time
        let room = try room ?? names.room(named: message.room, at: time.microseconds, db)
        let incoming = message.incoming(remoteID: remoteID, at: now)
        var senderID: Int64?
        let id = try add(
            incoming, at: time.microseconds, room: room,
            sender: { names, id, isLate in
                senderID = try message.sender.map { try names.user(named: $0, at: id, isLate: isLate, db) }
                return senderID
            }, db)
        guard let id else { return false }
        let content = StoredOccurrences.Content(
            room: room, sender: senderID, kind: message.kind, body: message.body)
        stored?.note(content, id: id, source: incoming.sourceTime?.microseconds, resolution: message.resolution)
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
    /// As the store takes it; room and sender are found by name.
    func incoming(remoteID: String?, at now: Timestamp) -> IncomingMessage {
        IncomingMessage(
            session: nil, room: RoomReference(key: "", name: "", kind: .channel), kind: kind, sender: nil, body: body,
            remoteID: remoteID, sourceTime: time, receivedAt: min(receivedAt ?? now, now),
            flags: flags.union(resolution.flag), editedAt: editedAt?.believed(at: now),
            deletedAt: deletedAt?.believed(at: now), replyTo: replyTo)
    }
}

extension ImportedLine {
    /// What is kept of a line that the store refused; nil for one that is no message.
    fileprivate func refused(_ error: DatabaseError) -> UnreadableLine? {
        guard case .message(let message) = self else { return nil }
        let text = "\(message.time) \(message.kind.rawValue) \(message.sender ?? "") \(message.body ?? "")"
        return UnreadableLine(
            room: message.room, payload: Array(text.utf8),
            reason: "the store refused it: \(error.message ?? "error \(error.resultCode.rawValue)")")
    }
}

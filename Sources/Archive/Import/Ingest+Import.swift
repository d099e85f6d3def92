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
            if try store(message, at: now, db) { tally.new = 1 } else { tally.known = 1 }
        case .unreadable(let line):
            try record(line, at: now, db)
            tally.failed = 1
        }
        return tally
    }

    /// False when it was there before.
    private mutating func store(_ message: ImportedMessage, at now: Timestamp, _ db: Database) throws -> Bool {
        let match = try ImportMatch(message, names: &names, stored: &stored, db)
        if match.isKnown { return false }
        let time = message.place ?? message.time
        let room = try match.room ?? names.room(named: message.room, at: time.microseconds, db)
        let incoming = message.incoming(remoteID: match.remoteID, at: now)
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

/// Whether a message of an import is stored already.
struct ImportMatch {
    /// Nil when the archive does not have the room yet.
    let room: Int64?
    let isKnown: Bool
    /// What to store it under; nil also where another message of the room has that id.
    private(set) var remoteID: String?

    /// - Parameter stored: What was read before, and is read anew for another minute.
    init(
        _ message: ImportedMessage, names: inout NameBook, stored: inout StoredOccurrences?, _ db: Database
    ) throws {
        remoteID = message.remoteID
        room = try names.findRoom(named: message.room, db)
        let sender = try message.sender.map { try names.findUser(named: $0, db) }
        guard let room, sender.map({ $0 != nil }) ?? true else {
            isKnown = false
            return
        }
        let content = StoredOccurrences.Content(
            room: room, sender: sender ?? nil, kind: message.kind, body: message.body)
        if let remoteID = message.remoteID {
            guard let found = try Self.content(of: remoteID, room: room, db) else {
                isKnown = false
                return
            }
            if found == content {
                isKnown = true
                return
            }
            // A place in another archive's stream, which by chance is one in ours too.
            self.remoteID = nil
        }
        let time = message.matchedTime
        if !(stored?.covers(time) ?? false) { stored = try StoredOccurrences(around: time, db) }
        isKnown =
            stored?.has(content, time: time, resolution: message.resolution, occurrence: message.occurrence) ?? false
    }

    private static func content(of remoteID: String, room: Int64, _ db: Database) throws -> StoredOccurrences.Content? {
        let statement = try db.cachedStatement(
            sql: "SELECT kind, sender_id, body FROM message WHERE room_id = ? AND remote_id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [room, remoteID]) else { return nil }
        return StoredOccurrences.Content(
            room: room, sender: row[1], kind: try MessageKind(code: row[0]), body: row[2])
    }
}

extension ImportedMessage {
    /// As the store takes it; room and sender are found by name.
    fileprivate func incoming(remoteID: String?, at now: Timestamp) -> IncomingMessage {
        IncomingMessage(
            session: nil, room: RoomReference(key: "", name: "", kind: .channel), kind: kind, sender: nil, body: body,
            remoteID: remoteID, sourceTime: time, receivedAt: min(receivedAt ?? now, now),
            flags: flags.union(resolution.flag))
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

import ChatModel
import FoundationEssentials
import Records
import SQLite
import Writing

/// Stores the content of logs and exports that the archive lacks.
extension Ingest {
    /// Imports the lines as one batch.
    ///
    /// - Parameter marksRead: True if the messages count as read from their arrival. Messages of a full export don't:
    ///   it has read markers.
    /// - Throws: The first error of a line. The caller must then roll the batch back.
    mutating func importLines(
        _ lines: [ImportedLine], marksRead: Bool, at now: Timestamp, _ db: Database
    ) throws -> ImportTally {
        try MergeBook.requireFinished(db)
        try BridgeBook.requireFinished(db)
        beginImport(marksRead)
        var tally = ImportTally()
        for line in lines { tally = tally + (try importLine(line, at: now, db)) }
        try finishImport(at: now, db)
        return tally
    }

    private mutating func beginImport(_ marksRead: Bool) {
        texts.matcher.beginImport()
        arrivals = marksRead ? ReadArrivals() : nil
    }

    private mutating func finishImport(at now: Timestamp, _ db: Database) throws {
        try finish(db)
        try roomKinds.store(db)
        try arrivals?.moveMarkers(at: now, db)
        arrivals = nil
    }

    /// Imports each line in its own savepoint. Records a line that the store refuses in `failure`, and stores the
    /// others.
    mutating func importOneByOne(
        _ lines: [ImportedLine], marksRead: Bool, at now: Timestamp, _ db: Database
    ) throws -> ImportTally {
        beginImport(marksRead)
        var tally = ImportTally()
        for line in lines {
            switch try attempt(db, { try $0.importLine(line, at: now, db) }) {
            case .success(let one): tally = tally + one
            case .failure(let error):
                guard let unreadable = line.refused(error) else { throw error }
                tally = tally + (try importLine(.unreadable(unreadable), at: now, db))
            }
        }
        try finishImport(at: now, db)
        return tally
    }

    private mutating func importLine(_ line: ImportedLine, at now: Timestamp, _ db: Database) throws -> ImportTally {
        switch line {
        case .message(let message):
            return try importMessage(message, at: now, db)
        case .unreadable(let line):
            try recordFailure(line, at: now, db)
            return ImportTally(failed: 1)
        case .imported(let span):
            try storeSpan(span, db)
            return ImportTally()
        case .owner(let owner):
            try directory.names.storeOwner(owner, db)
            return ImportTally()
        case .record(let record):
            let before = db.totalChangesCount
            try storeRecord(record, at: now, db)
            return ImportTally(records: 1, newRecords: db.totalChangesCount > before ? 1 : 0)
        }
    }

    private mutating func importMessage(_ original: ImportedMessage, at now: Timestamp, _ db: Database) throws
        -> ImportTally
    {
        let message = try bridged(original, db)
        try directory.names.adoptRoom(of: message, at: (message.place ?? message.time).microseconds, db)
        switch try ImportMatch(message, names: &directory.names, stored: &texts.matcher.imported, db) {
        case .known(let room, let senders):
            try storeFacts(of: message, room, senders.named, at: message.time.microseconds, isNew: false, db)
            guard message.mayHaveMore,
                let old = try texts.matcher.imported.find(like: message, room: room, senders, db)
            else { return ImportTally(known: 1) }
            return try complete(old, from: message, at: now, db)
        case .again(let old):
            try storeFacts(of: message, old.room, old.sender, at: old.id, isNew: false, db)
            return try complete(old, from: message, at: now, db)
        case .new(let room, let remoteID):
            return try insertMessage(message, room: room, remoteID: remoteID, at: now, db)
        }
    }

    /// Stores a message that the archive lacks.
    private mutating func insertMessage(
        _ message: ImportedMessage, room: Int64?, remoteID: String?, at now: Timestamp, _ db: Database
    ) throws -> ImportTally {
        let time = message.place ?? message.time
        let room = try room ?? directory.names.room(of: message, at: time.microseconds, db)
        var incoming = message.incoming(remoteID: remoteID, at: now)
        let isRead = arrivals != nil && message.exact == nil
        if isRead { incoming.flags.insert(.readOnArrival) }
        try arrivals?.note(room, isRead: isRead, db)
        let source = try source(of: message, db)
        guard let place = try place(for: incoming, at: time.microseconds, room: room, from: source, db) else {
            return try remoteID == nil || purged.contain(time.microseconds, room: room, message.kind, db)
                ? ImportTally(expired: 1) : ImportTally(known: 1)
        }
        try directory.names.noteRoom(of: message, at: place.id, isLate: place.isLate, db)
        let sender = try message.person.map { try directory.names.user($0, at: place.id, isLate: place.isLate, db) }
        // The read markers of a full export come before its messages. No message up to such a marker is late.
        let isNew = try insert(
            incoming, at: place, room: room, sender: sender, isReplay: message.exact != nil,
            countsAsLate: message.exact == nil, db)
        guard isNew else { return ImportTally(known: 1) }
        try storeFacts(of: message, room, sender, at: place.id, isNew: true, db)
        if message.mayHaveMore { try storeExtras(of: message, remoteID: remoteID, as: place.id, room: room, db) }
        return ImportTally(new: 1)
    }

    private mutating func storeFacts(
        of message: ImportedMessage, _ room: Int64, _ sender: Int64?, at time: Int64, isNew: Bool, _ db: Database
    ) throws {
        guard let facts = message.facts else { return }
        try directory.storeFacts(facts, of: room, sender, at: time, isNew: isNew, db)
    }

    /// Returns the facts by which a forgotten message is recognised; none in most archives, which have forgotten nothing.
    private mutating func source(of message: ImportedMessage, _ db: Database) throws -> ForgottenBook.Source {
        if forgotten.isEmpty { return ForgottenBook.Source(roomKey: "") }
        let time = (message.place ?? message.time).microseconds
        let author = try message.person.map { (key: try directory.names.key(of: $0, at: time, db), name: $0.name) }
        let key = try message.exact?.roomKey ?? message.roomKey ?? directory.names.folding(db).fold(message.room)
        return ForgottenBook.Source(roomKey: key, author: author)
    }

    /// Stores the earlier texts, the files and the reactions of a message that was just stored.
    private mutating func storeExtras(
        of message: ImportedMessage, remoteID: String?, as id: Int64, room: Int64, _ db: Database
    ) throws {
        let retraction = try remoteID.flatMap { try retractions.find($0, room: room, db) }
        let isWiped = message.isWiped || retraction?.wipes == true
        let versions = isWiped ? [] : message.earlier(of: id)
        for version in versions {
            try db.cachedStatement(sql: "INSERT INTO message_version (message_id, at_us, body) VALUES (?, ?, ?)")
                .execute(arguments: [id, version.at, version.body])
        }
        if let last = versions.last {
            // A replayed message may have one of these texts.
            texts.matcher.forgetReplayed()
            try db.cachedStatement(sql: "UPDATE message SET edited_at_us = ?1 WHERE id = ?2 AND edited_at_us < ?1")
                .execute(arguments: [last.at &+ 1, id])
        }
        if message.isWiped || !isWiped { _ = try message.storeFiles(as: id, db) }
        guard remoteID != nil, try storeReactions(of: message, room: room, db),
            var stored = try StoredMessage.find(at: id, db)
        else { return }
        try texts.noteReactions(of: &stored, db)
    }

    /// Adds the content of an imported message that its stored message lacks.
    private mutating func complete(
        _ old: StoredMessage, from message: ImportedMessage, at now: Timestamp, _ db: Database
    ) throws -> ImportTally {
        if old.isWiped, let remoteID = old.remoteID,
            try forgotten.contains(
                id: remoteID, room: old.room, key: message.exact?.roomKey ?? message.roomKey ?? "", db)
        {
            return ImportTally(known: 1)
        }
        var (stored, isChanged) = (old, false)
        if old.isUndecrypted, let text = message.earlier(of: old.id).first?.body ?? message.body {
            try texts.decrypt(&stored, as: message.kind, text, db)
            isChanged = true
        }
        if message.hasFiles, !stored.isWiped || message.isWiped, try message.storeFiles(as: stored.id, db) {
            isChanged = true
            try texts.noteFiles(of: &stored, db)
            try Feed.file(messageID: stored.id, db)
        }
        if message.exact != nil {
            if try completeExactly(&stored, from: message, at: now, db) { isChanged = true }
        } else {
            for version in message.incomingVersions(at: now)
            where try texts.complete(stored, from: stored.withStoredText(version, of: message, db), db) {
                isChanged = true
                stored = try StoredMessage.find(at: stored.id, db) ?? stored
            }
        }
        if try texts.notePin(of: &stored, from: message, db) { isChanged = true }
        if let target = message.replyTo, try texts.noteReply(to: target, of: &stored, db) { isChanged = true }
        if stored.hasRemoteID(of: message), try storeReactions(of: message, room: stored.room, db) {
            isChanged = true
            try Feed.reaction(messageID: stored.id, db)
            try texts.noteReactions(of: &stored, db)
        }
        return isChanged ? ImportTally(changed: 1) : ImportTally(known: 1)
    }

    /// Adds the versions and the deletion that a full export has.
    private mutating func completeExactly(
        _ stored: inout StoredMessage, from message: ImportedMessage, at now: Timestamp, _ db: Database
    ) throws -> Bool {
        guard !stored.isWiped else { return false }
        var isChanged = try texts.addVersions(message.exactVersions(of: stored.id), to: &stored, db)
        if let time = message.deletedAt?.plausible(at: now), try texts.delete(&stored, at: time, db) {
            isChanged = true
        }
        if message.isWiped, try texts.wipe(&stored, db) { isChanged = true }
        return isChanged
    }

    private mutating func storeReactions(of message: ImportedMessage, room: Int64, _ db: Database) throws -> Bool {
        guard let remoteID = message.remoteID else { return false }
        return try message.storedReactions.reduce(false) { try storeReaction($1, to: remoteID, room: room, db) || $0 }
    }

    /// Stores a reaction that was not retracted, as ``ImportedReaction/store(to:room:user:_:)`` does. Returns true if
    /// anything changed.
    mutating func storeReaction(
        _ reaction: ImportedReaction, to remoteID: String, room: Int64, _ db: Database
    ) throws -> Bool {
        if let ownID = reaction.ownID, reaction.removedAt == nil, try retractions.find(ownID, room: room, db) != nil {
            return false
        }
        // A reaction renames no user.
        guard let user = try directory.names.mentioned(reaction.person, at: reaction.at, db) else { return false }
        reactions.hasAny = true
        return try reaction.store(to: remoteID, room: room, user: user, db)
    }

    /// Records a line that could not be read. Coverage stays whole, because no listener received the line.
    private mutating func recordFailure(_ line: UnreadableLine, at now: Timestamp, _ db: Database) throws {
        let room = try line.room.map { try directory.names.room(named: $0, at: now.microseconds, db) }
        let event = UnreadableEvent(
            session: nil, room: nil, remoteID: nil, receivedAt: now, payload: line.payload, reason: line.reason)
        _ = try FailureLog.record(event, room: room, db)
    }
}

extension ImportedLine {
    /// Returns the failure to record for a line that the store refused; nil for a line that is neither a message nor a
    /// record.
    fileprivate func refused(_ error: DatabaseError) -> UnreadableLine? {
        let reason = "the archive could not store the event: \(error.message)"
        switch self {
        case .message(let message):
            let text = "\(message.time) \(message.kind.rawValue) \(message.sender ?? "") \(message.body ?? "")"
            return UnreadableLine(room: message.room, payload: Array(text.utf8), reason: reason)
        case .record(let record):
            let payload = try? JSONEncoder().encode(record)
            return UnreadableLine(room: nil, payload: Array(payload ?? Data()), reason: reason)
        case .unreadable, .imported, .owner:
            return nil
        }
    }
}

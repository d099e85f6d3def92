import ChatModel
import FoundationEssentials
import Records
import SQLite
import Writing

/// Stores the content of logs and exports that the archive lacks.
struct LineImporter {
    /// True if the messages count as read from their arrival. Messages of a full export don't: it has read markers.
    let marksRead: Bool
    let now: Timestamp

    /// Imports the lines as one batch.
    ///
    /// - Throws: The first error of a line. The caller must then roll the batch back.
    func importLines(_ lines: [ImportedLine], _ ingest: inout Ingest, _ db: Database) throws -> ImportTally {
        try MergeBook.requireFinished(db)
        try BridgeBook.requireFinished(db)
        beginImport(&ingest)
        var tally = ImportTally()
        for line in lines { tally = tally + (try importLine(line, &ingest, db)) }
        try finishImport(&ingest, db)
        return tally
    }

    private func beginImport(_ ingest: inout Ingest) {
        ingest.texts.matcher.beginImport()
        ingest.arrivals = marksRead ? ReadArrivals() : nil
    }

    private func finishImport(_ ingest: inout Ingest, _ db: Database) throws {
        try ingest.finish(db)
        try ingest.roomKinds.store(db)
        try ingest.arrivals?.moveMarkers(at: now, db)
        ingest.arrivals = nil
    }

    /// Imports each line in its own savepoint. Records a line that the store refuses in `failure`, and stores the
    /// others.
    func importOneByOne(_ lines: [ImportedLine], _ ingest: inout Ingest, _ db: Database) throws -> ImportTally {
        beginImport(&ingest)
        var tally = ImportTally()
        for line in lines {
            switch try ingest.attempt(db, { try importLine(line, &$0, db) }) {
            case .success(let one): tally = tally + one
            case .failure(let error):
                guard let unreadable = line.refused(error) else { throw error }
                tally = tally + (try importLine(.unreadable(unreadable), &ingest, db))
            }
        }
        try finishImport(&ingest, db)
        return tally
    }

    private func importLine(_ line: ImportedLine, _ ingest: inout Ingest, _ db: Database) throws -> ImportTally {
        switch line {
        case .message(let message):
            return try importMessage(message, &ingest, db)
        case .unreadable(let line):
            try recordFailure(line, &ingest, db)
            return ImportTally(failed: 1)
        case .imported(let span):
            try storeSpan(span, &ingest, db)
            return ImportTally()
        case .owner(let owner):
            try ingest.directory.names.storeOwner(owner, db)
            return ImportTally()
        case .record(let record):
            let before = db.totalChangesCount
            try storeRecord(record, &ingest, db)
            return ImportTally(records: 1, newRecords: db.totalChangesCount > before ? 1 : 0)
        }
    }

    private func importMessage(_ original: ImportedMessage, _ ingest: inout Ingest, _ db: Database) throws
        -> ImportTally
    {
        let message = try ingest.bridges.applied(to: original, names: &ingest.directory.names, db)
        try ingest.directory.names.rooms.adoptRoom(of: message, at: (message.place ?? message.time).microseconds, db)
        switch try ImportMatch(message, names: &ingest.directory.names, stored: &ingest.texts.matcher.imported, db) {
        case .known(let room, let senders):
            try storeFacts(of: message, room, senders.named, at: message.time.microseconds, isNew: false, &ingest, db)
            guard message.mayHaveMore,
                let old = try ingest.texts.matcher.imported.find(like: message, room: room, senders, db)
            else { return ImportTally(known: 1) }
            return try complete(old, from: message, &ingest, db)
        case .again(let old):
            try storeFacts(of: message, old.room, old.sender, at: old.id, isNew: false, &ingest, db)
            return try complete(old, from: message, &ingest, db)
        case .unidentified(let old, let id):
            return try identifyMessage(old, id, from: message, &ingest, db)
        case .new(let room, let remoteID):
            return try insertMessage(message, room: room, remoteID: remoteID, &ingest, db)
        }
    }

    /// Gives a stored message the id of an imported one, and the content that it lacks. A message that was retracted by its
    /// id is another one.
    private func identifyMessage(
        _ old: StoredMessage, _ remoteID: String, from message: ImportedMessage, _ ingest: inout Ingest, _ db: Database
    ) throws -> ImportTally {
        guard try ingest.retractions.find(remoteID, room: old.room, db) == nil else {
            return try insertMessage(message, room: old.room, remoteID: remoteID, &ingest, db)
        }
        let stored = try ingest.identify(old, as: remoteID, db)
        try storeFacts(of: message, stored.room, stored.sender, at: stored.id, isNew: false, &ingest, db)
        _ = try complete(stored, from: message, &ingest, db)
        return ImportTally(changed: 1)
    }

    /// Stores a message that the archive lacks.
    private func insertMessage(
        _ message: ImportedMessage, room: Int64?, remoteID: String?, _ ingest: inout Ingest, _ db: Database
    ) throws -> ImportTally {
        let time = message.place ?? message.time
        let room = try room ?? ingest.directory.names.rooms.room(of: message, at: time.microseconds, db)
        var incoming = message.incoming(remoteID: remoteID, at: now)
        let isRead = ingest.arrivals != nil && message.exact == nil
        if isRead { incoming.flags.insert(.readOnArrival) }
        try ingest.arrivals?.note(room, isRead: isRead, db)
        let source = try source(of: message, &ingest, db)
        guard let place = try ingest.place(for: incoming, at: time.microseconds, room: room, from: source, db) else {
            return try remoteID == nil || ingest.purged.contain(time.microseconds, room: room, message.kind, db)
                ? ImportTally(expired: 1) : ImportTally(known: 1)
        }
        try ingest.directory.names.rooms.noteRoom(of: message, at: place.id, isLate: place.isLate, db)
        let sender = try message.person.map {
            try ingest.directory.names.people.user($0, at: place.id, isLate: place.isLate, db)
        }
        // The read markers of a full export come before its messages. No message up to such a marker is late.
        let isNew = try ingest.insert(
            incoming, at: place, room: room, sender: sender, isReplay: message.exact != nil,
            countsAsLate: message.exact == nil, db)
        guard isNew else { return ImportTally(known: 1) }
        try storeFacts(of: message, room, sender, at: place.id, isNew: true, &ingest, db)
        if message.mayHaveMore {
            try storeExtras(of: message, remoteID: remoteID, as: place.id, room: room, &ingest, db)
        }
        return ImportTally(new: 1)
    }

    private func storeFacts(
        of message: ImportedMessage, _ room: Int64, _ sender: Int64?, at time: Int64, isNew: Bool,
        _ ingest: inout Ingest, _ db: Database
    ) throws {
        guard let facts = message.facts else { return }
        try ingest.directory.storeFacts(facts, of: room, sender, at: time, isNew: isNew, db)
    }

    /// Returns the facts by which a forgotten message is recognised; none in most archives, which have forgotten nothing.
    private func source(
        of message: ImportedMessage, _ ingest: inout Ingest, _ db: Database
    ) throws -> ForgottenBook.Source {
        if ingest.forgotten.isEmpty { return ForgottenBook.Source(roomKey: "") }
        let time = (message.place ?? message.time).microseconds
        let author = try message.person.map { person in
            (key: try ingest.directory.names.people.key(of: person, at: time, db), name: person.name)
        }
        let key =
            try message.exact?.roomKey ?? message.roomKey
            ?? ingest.directory.names.rooms.folding(db).fold(message.room)
        return ForgottenBook.Source(roomKey: key, author: author)
    }

    /// Stores the earlier texts, the files and the reactions of a message that was just stored.
    private func storeExtras(
        of message: ImportedMessage, remoteID: String?, as id: Int64, room: Int64, _ ingest: inout Ingest,
        _ db: Database
    ) throws {
        let retraction = try remoteID.flatMap { try ingest.retractions.find($0, room: room, db) }
        let isWiped = message.isWiped || retraction?.wipes == true
        let versions = isWiped ? [] : message.earlier(of: id)
        for version in versions {
            try db.cachedStatement(sql: "INSERT INTO message_version (message_id, at_us, body) VALUES (?, ?, ?)")
                .execute(arguments: [id, version.at, version.body])
        }
        if let last = versions.last {
            // A replayed message may have one of these texts.
            ingest.texts.matcher.forgetReplayed()
            try db.cachedStatement(sql: "UPDATE message SET edited_at_us = ?1 WHERE id = ?2 AND edited_at_us < ?1")
                .execute(arguments: [last.at &+ 1, id])
        }
        if message.isWiped || !isWiped { _ = try message.storeFiles(as: id, db) }
        guard remoteID != nil, try storeReactions(of: message, room: room, &ingest, db),
            var stored = try StoredMessage.find(at: id, db)
        else { return }
        try ingest.texts.noteReactions(of: &stored, db)
    }

    /// Adds the content of an imported message that its stored message lacks.
    private func complete(
        _ old: StoredMessage, from message: ImportedMessage, _ ingest: inout Ingest, _ db: Database
    ) throws -> ImportTally {
        if old.isWiped, let remoteID = old.remoteID,
            try ingest.forgotten.contains(
                id: remoteID, room: old.room, key: message.exact?.roomKey ?? message.roomKey ?? "", db)
        {
            return ImportTally(known: 1)
        }
        var (stored, isChanged) = (old, false)
        if old.isUndecrypted, let text = message.earlier(of: old.id).first?.body ?? message.body {
            try ingest.texts.decrypt(&stored, as: message.kind, text, db)
            isChanged = true
        }
        if message.hasFiles, !stored.isWiped || message.isWiped, try message.storeFiles(as: stored.id, db) {
            isChanged = true
            try ingest.texts.noteFiles(of: &stored, db)
            try Feed.file(messageID: stored.id, db)
        }
        if message.exact != nil {
            if try completeExactly(&stored, from: message, &ingest, db) { isChanged = true }
        } else {
            for version in message.incomingVersions(at: now)
            where try ingest.texts.complete(stored, from: stored.withStoredText(version, of: message, db), db) {
                isChanged = true
                stored = try StoredMessage.find(at: stored.id, db) ?? stored
            }
        }
        if try ingest.texts.notePin(of: &stored, from: message, db) { isChanged = true }
        if let target = message.replyTo, try ingest.texts.noteReply(to: target, of: &stored, db) { isChanged = true }
        if stored.hasRemoteID(of: message), try storeReactions(of: message, room: stored.room, &ingest, db) {
            isChanged = true
            try Feed.reaction(messageID: stored.id, db)
            try ingest.texts.noteReactions(of: &stored, db)
        }
        return isChanged ? ImportTally(changed: 1) : ImportTally(known: 1)
    }

    /// Adds the versions and the deletion that a full export has.
    private func completeExactly(
        _ stored: inout StoredMessage, from message: ImportedMessage, _ ingest: inout Ingest, _ db: Database
    ) throws -> Bool {
        guard !stored.isWiped else { return false }
        var isChanged = try ingest.texts.addVersions(message.exactVersions(of: stored.id), to: &stored, db)
        if let time = message.deletedAt?.plausible(at: now), try ingest.texts.delete(&stored, at: time, db) {
            isChanged = true
        }
        if message.isWiped, try ingest.texts.wipe(&stored, db) { isChanged = true }
        return isChanged
    }

    private func storeReactions(
        of message: ImportedMessage, room: Int64, _ ingest: inout Ingest, _ db: Database
    ) throws -> Bool {
        guard let remoteID = message.remoteID else { return false }
        return try message.storedReactions.reduce(false) {
            try storeReaction($1, to: remoteID, room: room, &ingest, db) || $0
        }
    }

    /// Stores a reaction that was not retracted, as ``ImportedReaction/store(to:room:user:_:)`` does. Returns true if
    /// anything changed.
    func storeReaction(
        _ reaction: ImportedReaction, to remoteID: String, room: Int64, _ ingest: inout Ingest, _ db: Database
    ) throws -> Bool {
        if let ownID = reaction.ownID, reaction.removedAt == nil,
            try ingest.retractions.find(ownID, room: room, db) != nil
        {
            return false
        }
        // A reaction renames no user.
        guard let user = try ingest.directory.names.people.mentioned(reaction.person, at: reaction.at, db) else {
            return false
        }
        ingest.reactions.hasAny = true
        return try reaction.store(to: remoteID, room: room, user: user, db)
    }

    /// Records a line that could not be read. Coverage stays whole, because no listener received the line.
    private func recordFailure(_ line: UnreadableLine, _ ingest: inout Ingest, _ db: Database) throws {
        let room = try line.room.map { try ingest.directory.names.rooms.room(named: $0, at: now.microseconds, db) }
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

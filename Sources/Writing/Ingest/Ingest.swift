import Bytes
import CSQLite
package import ChatModel
import Reading
import Records
package import SQLite
import Schema

/// Writes events as rows, inside a transaction that its caller begins and ends.
///
/// Keeps state between batches. After a rollback, the caller must continue with the value from before the transaction
/// or with a new one.
package struct Ingest {
    var rows: MessageRows
    package var directory = Directory()
    package var texts = MessageTexts()
    package var retractions: RetractionBook
    package var reactions: StandingReactions
    var sessions = SessionBook()
    package var purged: PurgedTimes
    package private(set) var forgotten: ForgottenBook
    /// The rooms of an import that may be groups or conversations of two.
    package var roomKinds = ImportedRoomKinds()
    let bridges: BridgeBook
    /// The rooms of an import whose messages count as read; nil for every other batch.
    package var arrivals: ReadArrivals?
    /// The instants of history that could not be stored, until the fetched time counts as covered.
    private var missing = MissedInstants()
    /// The place in the journal of the last message, if it was refused because its author is forgotten.
    private var refused: (session: SessionID, offset: Int64)?

    package init(_ db: Database) throws {
        rows = try MessageRows(db)
        retractions = try RetractionBook(db)
        reactions = try StandingReactions(db)
        purged = try PurgedTimes(db)
        forgotten = try ForgottenBook(db)
        bridges = try BridgeBook(db)
    }

    /// Applies the events in order, as one batch.
    ///
    /// - Throws: The first error of an event. The caller must then roll the batch back.
    mutating func apply(_ batch: [ChatEvent], _ db: Database) throws -> [EventOutcome] {
        begin(batch)
        var outcomes: [EventOutcome] = []
        outcomes.reserveCapacity(batch.count)
        // A loop over the events would copy each.
        for place in batch.indices { outcomes.append(try apply(batch[place], db)) }
        try finish(db)
        return outcomes
    }

    /// Applies each event in its own savepoint. An event that the store refuses becomes a row of `failure`; the others
    /// are stored.
    mutating func applyOneByOne(_ batch: [ChatEvent], _ db: Database) throws -> [EventOutcome] {
        begin(batch)
        var outcomes: [EventOutcome] = []
        for event in batch {
            switch try attempt(db, { try $0.apply(event, db) }) {
            case .success(let outcome): outcomes.append(outcome)
            case .failure(let error):
                guard let unreadable = FailureLog.describe(event, error: error) else { throw error }
                outcomes.append(try recordFailure(unreadable, db))
            }
        }
        try finish(db)
        return outcomes
    }

    /// Runs `body` in a savepoint. If the store refuses a write, undoes all changes of `body` to this value and the
    /// file.
    ///
    /// - Throws: Errors that may pass, such as a full disk.
    package mutating func attempt<T>(
        _ db: Database, _ body: (inout Ingest) throws -> T
    ) throws -> Result<T, DatabaseError> {
        var copy = self
        do {
            let result = try db.inSavepoint { try body(&copy) }
            self = copy
            return .success(result)
        } catch let error as DatabaseError where !error.isStorageError {
            // The copy may have noted messages in the shared counts.
            texts.matcher.forget()
            return .failure(error)
        }
    }

    private mutating func begin(_ batch: [ChatEvent]) {
        directory.beginBatch()
        texts.matcher.beginEvents(
            hasReplay: batch.contains { if case .message(_, .replay) = $0 { true } else { false } })
    }

    /// Writes the batch's totals: the index, the sessions' progress and the rooms' counts.
    package mutating func finish(_ db: Database) throws {
        try directory.settleOwners(db)
        try texts.flush(db)
        try sessions.flush(db)
        try rows.flush(db)
    }

    private mutating func apply(
        _ message: IncomingMessage, _ hearing: ChatEvent.Hearing, _ db: Database
    ) throws -> EventOutcome {
        switch hearing {
        case .replay(let occurrence, let resolution):
            try storeReplay(message, occurrence: occurrence, resolution: resolution, db)
        case .standing(let since): try storeStanding(message, since: since, db)
        case .live, .edit, .snapshot: try store(message, as: hearing, db)
        }
    }

    /// Returns a message that a bridge brought as its author's; nil for any other.
    ///
    /// A key from the network that looks like a bridged person's is made another one.
    private mutating func bridged(
        _ message: IncomingMessage, _ hearing: ChatEvent.Hearing, _ db: Database
    ) throws -> IncomingMessage? {
        guard var author = message.sender else { return nil }
        if BridgeKey.isBridged(author.key) {
            author.key = "\u{FFFD}" + author.key.dropFirst()
        } else if let person = try self.author(of: message, by: author, hearing, db) {
            author = person
        } else {
            return nil
        }
        var bridged = message
        bridged.sender = author
        return bridged
    }

    /// Returns the person who wrote a message of a bridge's bot; nil for any other message.
    private mutating func author(
        of message: IncomingMessage, by sender: UserReference, _ hearing: ChatEvent.Hearing, _ db: Database
    ) throws -> UserReference? {
        if bridges.isEmpty { return nil }
        if hearing.isEdit, let author = try authorOfEdited(message, db) {
            let bot = try directory.names.userEntry(sender.key, db)?.id
            if author.id == bot { return nil }
            if let bot, bridges.isKey(author.key, ofBot: bot) {
                return UserReference(key: author.key, name: author.name)
            }
        }
        let folding = try directory.names.folding(db)
        return try bridges.author(of: message.kind, message.body, folding) {
            guard case .replay(_, let resolution) = hearing else {
                return try directory.names.userEntry(sender.key, db)?.id
            }
            let time = message.plausibleTime.microseconds
            return try directory.names.knownUser(then: sender, at: time, resolution, db)
        }
    }

    /// Returns the sender of the message that an edit changes: an edit does not change who wrote it, whatever form its text
    /// has. Nil if the message is not stored.
    private mutating func authorOfEdited(_ edit: IncomingMessage, _ db: Database) throws -> (
        id: Int64, key: String, name: String
    )? {
        guard let target = edit.remoteID, let room = try directory.names.findRoom(edit.room.key, db)?.id,
            let sender = try StoredMessage.find(target, room: room, db)?.sender,
            let key = try String.fetchOne(
                db.cachedStatement(sql: "SELECT key FROM user WHERE id = ?"), arguments: [sender])
        else { return nil }
        return try directory.names.userEntry(key, db).map { ($0.id, key, $0.name) }
    }

    /// Returns a message of an import as its author's.
    package mutating func bridged(_ message: ImportedMessage, _ db: Database) throws -> ImportedMessage {
        try bridges.applied(to: message, names: &directory.names, db)
    }

    private mutating func apply(_ event: ChatEvent, _ db: Database) throws -> EventOutcome {
        switch event {
        case .message(let message, let hearing):
            if message.hasNUL { return try apply(.message(message.withoutNUL, hearing), db) }
            return try apply(bridged(message, hearing, db) ?? message, hearing, db)
        case .deleted(let deletion): return try applyDeletion(deletion, db)
        case .reaction(let reaction): return try storeReaction(reaction, db)
        case .unreadable(let event): return try recordFailure(event, db)
        case .sessionOpened(let time, let offset):
            return .new(try CoverageLedger.openSession(at: time, offset: offset, db))
        case .chunk(let chunk): try sessions.storeChunk(chunk, db)
        case .parsed(let session, let offset):
            if let refused, refused.session == session { try overwrite(refused, before: offset, db) }
            sessions.advance(session, to: SessionProgress(position: offset))
        case .reached(let place):
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO network_place (id, place) VALUES (1, ?)")
                .execute(arguments: [place.withoutNUL])
        case .signOfLife(let session, let time): sessions.noteSignOfLife(of: session, at: time)
        case .receiptOffset(let session, let offset): try sessions.setOffset(offset, of: session, db)
        case .networkClock(let session, let lead): try CoverageLedger.setClockLead(lead, of: session, db)
        case .sessionEnded(let session, let time, let reason, let detail):
            try sessions.flush(db)
            try CoverageLedger.endSession(session, at: time, reason: reason, detail: detail, db)
        case .waiting(let attempts, let next): try CoverageLedger.noteWaiting(attempts: attempts, next: next, db)
        case .roomLive(let session, let room, let time):
            try directory.openSpan(of: room, session: session, at: time, db)
        case .roomSilent(let session, let room, let time, let reason):
            try sessions.flush(db)
            try CoverageLedger.endSpan(
                room: directory.names.room(room, at: time.microseconds, db), session: session, at: time,
                reason: reason, db)
        case .roomUncovered(let room, let time):
            try CoverageLedger.uncover(room: directory.names.room(room, at: time.microseconds, db), db)
        case .withdrawn(let time): try withdraw(time, db)
        case .covered(let session, let room, let from, let to): try cover(room, from: from, to: to, session, db)
        case .fetchedBack(let room, let time): try noteFetchedBack(room, to: time, db)
        case .fetching(let room, let place):
            if let room = try directory.names.findRoom(room.key, db)?.id { try place.store(room: room, db) }
        case .fetched(let room, let end):
            if let room = try directory.names.findRoom(room.key, db)?.id {
                try HistoryPlace.remove(room: room, end: end, db)
            }
        case .unfilled(let history, let time): try noteUnfilled(history, at: time, db)
        case .roomTroubled(let room, let trouble): try noteTrouble(trouble, of: room, db)
        case .read(let room, let id, let time):
            if let room = try directory.names.findRoom(room.key, db)?.id {
                try ReadMarker.advance(room: room, to: id, at: time, db)
            }
        case .roomListed(let listing, let time): try directory.listRoom(listing, at: time.microseconds, db)
        case .roomRenamed(let session, let key, let room, let time):
            try sessions.flush(db)
            try directory.renameRoom(from: key, to: room, session: session, at: time, db)
        case .roomUnlisted(let room, let isGone, let time):
            try directory.unlistRoom(room, isGone: isGone, at: time.microseconds, db)
        case .userListed(let listing, let time): try directory.listUser(listing, at: time.microseconds, db)
        case .userRenamed(_, let key, let user, let time):
            try directory.renameUser(from: key, to: user, at: time.microseconds, db)
        case .membersListed(let room, let users, let time):
            try directory.listMembers(users, of: room, at: time.microseconds, db)
        }
        return .done
    }

    /// Notes the bytes of a refused message in the journal, whose end is not known yet.
    mutating func noteRefused(_ message: IncomingMessage) {
        guard let session = message.session,
            let offset = Journal.offset(of: message.remoteID, session: session.rawValue)
        else { return }
        refused = (session, offset)
    }

    /// Overwrites the bytes of the message before this one in the journal if it was refused.
    mutating func overwriteRefused(before message: IncomingMessage, _ db: Database) throws {
        guard let refused, refused.session == message.session,
            let end = Journal.offset(of: message.remoteID, session: refused.session.rawValue)
        else { return }
        try overwrite(refused, before: end, db)
    }

    private mutating func overwrite(
        _ refused: (session: SessionID, offset: Int64), before end: Int64, _ db: Database
    ) throws {
        guard refused.offset < end else { return }
        try Journal.overwrite(refused.offset..<end, of: refused.session.rawValue, db)
        self.refused = nil
    }

    private mutating func recordFailure(_ event: UnreadableEvent, _ db: Database) throws -> EventOutcome {
        if let room = event.room, let instant = event.instant?.microseconds,
            try forgotten.hasErased(room: room.key, at: instant, db)
        {
            return .done
        }
        let room = try event.room.map { try directory.names.room($0, at: event.receivedAt.microseconds, db) }
        return .failed(try missing.recordFailure(event, room: room, db))
    }

    private mutating func withdraw(_ time: WithdrawnCoverage, _ db: Database) throws {
        try sessions.flush(db)
        let room = try directory.names.room(time.room, at: time.to.microseconds, db)
        try CoverageLedger.withdraw(time, room: room, db)
    }

    private mutating func cover(
        _ reference: RoomReference, from: Timestamp, to: Timestamp, _ session: SessionID, _ db: Database
    ) throws {
        let room = try directory.names.room(reference, at: to.microseconds, db)
        // What is erased is not complete.
        let erased = try forgotten.erasedUntil(room: reference.key, db)
        let start = erased.map { max(from, Timestamp(microseconds: $0).advanced(byMicroseconds: 1)) } ?? from
        if start <= to { try missing.cover(room: room, from: start, to: to, session: session, db) }
        try RoomTrouble.end(.history, room: room, db)
    }

    private mutating func noteFetchedBack(_ reference: RoomReference, to time: Timestamp, _ db: Database) throws {
        let room = try directory.names.room(reference, at: time.microseconds, db)
        try db.execute(
            sql: "UPDATE room SET asked_back_to_us = min(?, ifnull(asked_back_to_us, \(Int64.max))) WHERE id = ?",
            arguments: [time.microseconds, room])
        try RoomTrouble.end(.history, room: room, db)
    }

    private mutating func noteUnfilled(_ history: UnfilledHistory, at time: Timestamp, _ db: Database) throws {
        let room = try directory.names.room(history.room, at: time.microseconds, db)
        let isNoted = try CoverageLedger.noteUnfilled(history, room: room, db)
        // A gap that remains has its own note.
        guard history.reason != .pending, history.nextTry != nil || !isNoted else { return }
        try RoomTrouble(.noHistory, detail: history.detail, since: time, nextTry: history.nextTry)
            .record(.history, room: room, db)
    }

    private mutating func noteTrouble(_ trouble: RoomTrouble, of reference: RoomReference, _ db: Database) throws {
        let room = try directory.names.room(reference, at: trouble.since.microseconds, db)
        try trouble.record(.joining, room: room, db)
        try CoverageLedger.noteTrouble(trouble, room: room, db)
    }
}

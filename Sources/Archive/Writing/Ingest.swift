import ChatModel
import Foundation
import GRDB

/// Writes events as rows, inside a transaction that its caller begins and ends.
///
/// A value with what it remembers between batches; after a rollback the value from before the transaction holds.
struct Ingest {
    private let insertMessage: HotStatement
    private let insertChange: HotStatement
    var names = NameBook()
    var members = MemberBook()
    var index = SearchIndex()
    private(set) var allocator: IDAllocator
    /// What is stored at the times that are being imported.
    var stored = StoredOccurrences()
    /// Batches of events since the last of an import.
    var batchesSinceImport = 0
    /// The same for what is replayed, of times that the network told; none where the last batch had no replay.
    var replayed = StoredOccurrences()
    /// The message that was stored or found last, behind which a rename that follows it begins.
    var lastStored: (id: Int64, room: Int64, sender: Int64?, kind: MessageKind)?
    /// What the batch at hand adds up to, written once at its end.
    private var added: [Int64: Int64] = [:]
    private var progress: [SessionID: SessionProgress] = [:]
    /// What history had and could not be stored or understood, until what was fetched counts as covered.
    private var missing = MissedInstants()
    /// Of most archives nothing was ever retracted.
    var hasRetractions: Bool
    /// How far a session's times of receipt are ahead of the clock, of the session that was asked for last.
    var ahead: (session: SessionID, microseconds: Int64)?

    init(_ db: Database) throws {
        allocator = try IDAllocator(db)
        hasRetractions = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM retraction)") ?? false
        insertChange = try HotStatement(Feed.insertion, db)
        insertMessage = try HotStatement(
            """
            INSERT INTO message (id, room_id, kind, sender_id, session_id, received_at_us, source_time_us, flags,
              remote_id, body, edited_at_us, deleted_at_us, reply_to)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (room_id, remote_id) WHERE remote_id IS NOT NULL DO NOTHING
            """, db)
    }

    /// - Throws: the first error of an event; then nothing of the batch may be committed.
    mutating func apply(_ batch: [ChatEvent], _ db: Database) throws -> [EventOutcome] {
        begin(batch)
        var outcomes: [EventOutcome] = []
        outcomes.reserveCapacity(batch.count)
        for event in batch { outcomes.append(try apply(event, db)) }
        try finish(db)
        return outcomes
    }

    /// The same with a savepoint an event: one that the store refuses becomes a row of `failure`, the others go on.
    mutating func applyOneByOne(_ batch: [ChatEvent], _ db: Database) throws -> [EventOutcome] {
        begin(batch)
        var outcomes: [EventOutcome] = []
        for event in batch {
            var copy = self
            do {
                var outcome = EventOutcome.done
                try db.inSavepoint {
                    outcome = try copy.apply(event, db)
                    return .commit
                }
                self = copy
                outcomes.append(outcome)
            } catch let error as DatabaseError where !error.isTroubleOfTheStore {
                // The copy may have noted the event.
                stored.forget()
                replayed.forget()
                outcomes.append(try fail(event, error: error, db))
            }
        }
        try finish(db)
        return outcomes
    }

    /// An import that a listener stores waits for some batches of events between two of its own.
    private static let rememberedBatches = 1000

    /// Keeps the minutes that an import or a replay goes on with: to read one with many messages takes seconds.
    private mutating func begin(_ batch: [ChatEvent]) {
        lastStored = nil
        batchesSinceImport += 1
        if batchesSinceImport > Self.rememberedBatches { stored.forget() }
        let hasReplay = batch.contains { if case .message(_, .replay) = $0 { true } else { false } }
        if !hasReplay { replayed.forget() }
    }

    private mutating func apply(_ event: ChatEvent, _ db: Database) throws -> EventOutcome {
        switch event {
        case .message(let message, .replay(let occurrence, let resolution)):
            return try replay(message, occurrence: occurrence, resolution: resolution, db)
        case .message(let message, let hearing):
            return try store(message, as: hearing, db)
        case .deleted(let deletion):
            return try delete(deletion, db)
        case .reaction(let reaction):
            return try react(reaction, db)
        case .chunk(let chunk):
            try store(chunk, db)
            return .done
        case .parsed(let session, let offset):
            note(session, SessionProgress(position: offset))
            return .done
        case .signOfLife(let session, let time):
            note(session, SessionProgress(signOfLife: time))
            return .done
        case .sessionOpened(let time, let offset):
            return .new(try CoverageLedger.openSession(at: time, offset: offset, db))
        case .receiptOffset(let session, let offset):
            try setOffset(offset, of: session, db)
            return .done
        case .clockTold(let session, let lead):
            try CoverageLedger.setClockLead(lead, of: session, db)
            return .done
        case .roomLive(let session, let room, let time):
            let id = try names.room(room, at: time.microseconds, db)
            try CoverageLedger.openSpan(room: id, session: session, at: time, db)
            try RoomTrouble.end(.joining, room: id, db)
            return .done
        case .roomSilent(let session, let room, let time, let reason):
            try writeProgress(db)
            let id = try names.room(room, at: time.microseconds, db)
            try CoverageLedger.endSpan(room: id, session: session, at: time, reason: reason, db)
            return .done
        case .unproven(let time):
            try writeProgress(db)
            let id = try names.room(time.room, at: time.to.microseconds, db)
            try CoverageLedger.withdraw(time, room: id, db)
            return .done
        case .roomUncovered(let room, let time):
            try CoverageLedger.uncover(room: try names.room(room, at: time.microseconds, db), db)
            return .done
        case .covered(let session, let room, let from, let to):
            let id = try names.room(room, at: to.microseconds, db)
            try cover(id, from: from, to: to, session: session, db)
            try RoomTrouble.end(.history, room: id, db)
            return .done
        case .askedBack(let room, let time):
            let id = try names.room(room, at: time.microseconds, db)
            try db.execute(
                sql: "UPDATE room SET asked_back_to_us = min(?, ifnull(asked_back_to_us, \(Int64.max))) WHERE id = ?",
                arguments: [time.microseconds, id])
            try RoomTrouble.end(.history, room: id, db)
            return .done
        case .unfilled(let history, let time):
            try note(history, at: time, db)
            return .done
        case .roomTroubled(let room, let trouble):
            let id = try names.room(room, at: trouble.since.microseconds, db)
            try trouble.record(.joining, room: id, db)
            try CoverageLedger.note(trouble, room: id, db)
            return .done
        case .roomListed(let listing, let time):
            try list(listing, at: time.microseconds, db)
            return .done
        case .roomRenamed(let session, let key, let room, let time):
            try writeProgress(db)
            try rename(room: key, to: room, session: session, at: time, db)
            return .done
        case .roomUnlisted(let room, let isGone, let time):
            try unlist(room, isGone: isGone, at: time.microseconds, db)
            return .done
        case .userListed(let listing, let time):
            try list(listing, at: time.microseconds, db)
            return .done
        case .membersListed(let room, let users, let time):
            let id = try names.room(room, at: time.microseconds, db)
            let present = try users.map { try names.user($0, at: time.microseconds, db) }
            try members.list(present, in: id, at: time.microseconds, db)
            return .done
        case .userRenamed(_, let key, let user, let time):
            try rename(user: key, to: user, at: time.microseconds, db)
            return .done
        case .unreadable(let event):
            return .failed(try record(event, db))
        case .sessionEnded(let session, let time, let reason, let detail):
            try writeProgress(db)
            try CoverageLedger.endSession(session, at: time, reason: reason, detail: detail, db)
            return .done
        case .waiting(let attempts, let next):
            try CoverageLedger.noteWaiting(attempts: attempts, next: next, db)
            return .done
        }
    }

    mutating func store(
        _ incoming: IncomingMessage, as hearing: ChatEvent.Hearing, _ db: Database
    ) throws -> EventOutcome {
        let message = incoming.withoutNUL
        let time = message.believedTime.microseconds
        let known = try names.knownRoom(message.room, at: time, db)
        let (room, isNamed) = (known.id, known.name.isExactly(message.room.name) && known.isToday(time))
        if hearing == .edit { try noteNames(of: message, at: message.receivedAt.microseconds, db) }
        if let remoteID = message.remoteID, hearing != .live || !allocator.isBeyondAll(time),
            let stored = try StoredMessage.find(remoteID, room: room, db)
        {
            lastStored = (stored.id, room, stored.sender, stored.kind)
            self.stored.forget()
            return try revise(stored, by: message, as: hearing, db)
        }
        if let id = try add(
            hearing == .edit ? message.edited : message, at: time, room: room,
            sender: { names, id, _ in
                if hearing != .edit, !isNamed { try names.note(message.room, of: id, db) }
                return try message.sender.map { sender in
                    switch hearing {
                    case .replay: try names.user(then: sender, at: time, message.flags.resolution, db)
                    case .edit: try names.user(sender, at: message.receivedAt.microseconds, db)
                    case .live, .snapshot: try names.user(sender, at: id, isMessage: true, db)
                    }
                }
            }, isReplay: hearing.isReplay, db)
        {
            if hearing != .snapshot { noteReceipt(of: message, as: id) }
            return .new(id)
        }
        return .known(try message.remoteID.flatMap { try StoredMessage.find($0, room: room, db)?.id } ?? time)
    }

    /// Records the names of now that an edit tells.
    private mutating func noteNames(of message: IncomingMessage, at time: Int64, _ db: Database) throws {
        _ = try names.room(message.room, at: time, db)
        if let sender = message.sender { _ = try names.user(sender, at: time, db) }
    }

    /// Makes the row, under the first free id that is not before the time, and all that follows from it.
    ///
    /// - Parameters:
    ///   - sender: The sender's number, once the id is known, and whether it is earlier than others.
    ///   - isReplay: Whether it says nothing of who is in the room.
    /// - Returns: the id; nil when the room has a message of that remote id, and nothing was done.
    mutating func add(
        _ incoming: IncomingMessage, at time: Int64, room: Int64,
        sender: (inout NameBook, _ id: Int64, _ isLate: Bool) throws -> Int64?, isReplay: Bool = false, _ db: Database
    ) throws -> Int64? {
        let message = try applyRetraction(to: incoming, room: room, db)
        let untouched = allocator
        let id = try allocator.allocate(notBefore: time, db)
        let isLate = untouched.isBehind(id)
        let sender = try sender(&names, id, isLate)
        let receipt = try receipt(of: message, db)
        try insertMessage.execute { row in
            row.bind(1, id)
            row.bind(2, room)
            row.bind(3, message.kind.code)
            row.bind(4, sender)
            row.bind(5, message.session?.rawValue)
            row.bind(6, receipt.receivedAt == id ? nil : receipt.receivedAt)
            row.bind(7, message.sourceTime?.microseconds == id ? nil : message.sourceTime?.microseconds)
            row.bind(8, receipt.flags.rawValue)
            row.bind(9, message.remoteID)
            row.bind(10, message.body)
            row.bind(11, message.believedEdit.map { max($0.microseconds, id &+ 1) })
            row.bind(12, message.believedDeletion?.microseconds)
            row.bind(13, message.replyTo)
        }
        guard db.changesCount > 0 else {
            allocator = untouched
            return nil
        }
        try insertChange.execute { row in
            row.bind(1, Feed.messageCode)
            row.bind(2, id)
        }
        lastStored = (id, room, sender, message.kind)
        if isLate { try Feed.late(room: room, messageID: id, db) }
        try keepRaw(of: message, as: id, since: id, db)
        // Of an import, which tells more of them, whoever imports keeps them.
        if message.session != nil { _ = try keepFiles(of: message, as: id, db) }
        if !message.kind.isNoise {
            index.add(
                SearchEntry(
                    id: id, room: room, sender: sender, kind: message.kind, body: message.body,
                    isEdited: message.editedAt != nil, isDeleted: message.deletedAt != nil,
                    hasFile: !message.attachments.isEmpty))
        }
        if let sender, !isReplay {
            let isPast = isLate && message.session == nil
            try members.note(message.kind, room: room, user: sender, at: id, isPast: isPast, db)
        }
        let isOurTime = message.sourceTime.map { $0.microseconds == id } ?? true
        let isReceived = isOurTime && (receipt.receivedAt == id || receipt.flags.contains(.clockAhead))
        try noteOccurrence(of: message, as: id, room: room, sender: sender, isReceived: isReceived)
        added[room, default: 0] += 1
        return id
    }

    mutating func noteReceipt(of message: IncomingMessage, as id: Int64) {
        guard let session = message.session else { return }
        // Of several in one read the last has the latest id, and a gap begins after that.
        let isOurTime = message.believedTime == message.receivedAt
        let heardAt = isOurTime ? Timestamp(microseconds: id) : message.receivedAt
        note(session, SessionProgress(signOfLife: heardAt))
    }

    private mutating func store(_ chunk: JournalChunk, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO chunk (session_id, offset, received_at_us, bytes) VALUES (?, ?, ?, ?)
                ON CONFLICT (session_id, offset) DO NOTHING
                """
        ).execute(arguments: [
            chunk.session.rawValue, chunk.offset, chunk.receivedAt.microseconds, Data(chunk.bytes),
        ])
        note(
            chunk.session,
            SessionProgress(signOfLife: chunk.receivedAt, bytes: chunk.offset + Int64(chunk.bytes.count)))
    }

    private mutating func record(_ event: UnreadableEvent, _ db: Database) throws -> Int64 {
        let room = try event.room.map { try names.room($0, at: event.receivedAt.microseconds, db) }
        let (id, isNew) = try FailureLog.record(event, room: room, db)
        if let room, let instant = event.instant?.microseconds {
            missing.add(instant, room: room)
            try CoverageLedger.split(room: room, at: instant, reason: CoverageLedger.unreadable, db)
        } else if isNew {
            let rooms = try room.map { [$0] } ?? FailureLog.liveRooms(session: event.session, db)
            let instant = try CoverageLedger.networkTime(event.receivedAt, event.session, db).microseconds
            for room in rooms { try CoverageLedger.split(room: room, at: instant, db) }
        }
        return id
    }

    /// All of a room between two instants but what is missing there.
    private mutating func cover(
        _ room: Int64, from: Timestamp, to: Timestamp, session: SessionID, _ db: Database
    ) throws {
        let (instants, end) = missing.take(room: room, through: to.microseconds)
        try CoverageLedger.cover(
            room: room, from: from, to: Timestamp(microseconds: end), session: session, db)
        for instant in instants where instant >= from.microseconds {
            try CoverageLedger.split(room: room, at: instant, reason: CoverageLedger.unreadable, db)
        }
    }

    private mutating func note(_ history: UnfilledHistory, at time: Timestamp, _ db: Database) throws {
        let room = try names.room(history.room, at: time.microseconds, db)
        let isNoted = try CoverageLedger.noteUnfilled(history, room: room, db)
        // A gap that stays says so itself.
        guard history.reason != .pending, history.nextTry != nil || !isNoted else { return }
        try RoomTrouble(.noHistory, detail: history.detail, since: time, nextTry: history.nextTry)
            .record(.history, room: room, db)
    }

    private mutating func fail(_ event: ChatEvent, error: DatabaseError, _ db: Database) throws -> EventOutcome {
        guard let unreadable = FailureLog.describe(event, error: error) else { throw error }
        return .failed(try record(unreadable, db))
    }

    mutating func note(_ session: SessionID, _ step: SessionProgress) {
        progress[session, default: SessionProgress()].advance(to: step)
    }

    mutating func finish(_ db: Database) throws {
        for (room, count) in added {
            try db.cachedStatement(sql: "UPDATE room SET messages = messages + ? WHERE id = ?")
                .execute(arguments: [count, room])
        }
        added.removeAll(keepingCapacity: true)
        try index.flush(db)
        try writeProgress(db)
        try allocator.record(db)
    }

    private mutating func writeProgress(_ db: Database) throws {
        for (session, progress) in progress { try progress.record(of: session, db) }
        progress.removeAll(keepingCapacity: true)
    }
}

import Bytes
import ChatModel
import Records
import SQLite
import Schema

/// Events of a listener that are stored together, in their order.
struct EventBatch {
    private let events: [ChatEvent]

    init(_ events: [ChatEvent]) { self.events = events }

    /// Applies the events as one batch.
    ///
    /// - Throws: The first error of an event. The caller must then roll the batch back.
    func apply(to ingest: inout Ingest, _ db: Database) throws -> [EventOutcome] {
        begin(&ingest)
        var outcomes: [EventOutcome] = []
        outcomes.reserveCapacity(events.count)
        // A loop over the events would copy each.
        for place in events.indices { outcomes.append(try apply(events[place], &ingest, db)) }
        try ingest.finish(db)
        return outcomes
    }

    /// Applies each event in its own savepoint. An event that the store refuses becomes a row of `failure`; the others
    /// are stored.
    func applyOneByOne(to ingest: inout Ingest, _ db: Database) throws -> [EventOutcome] {
        begin(&ingest)
        var outcomes: [EventOutcome] = []
        for event in events {
            switch try ingest.attempt(db, { try apply(event, &$0, db) }) {
            case .success(let outcome): outcomes.append(outcome)
            case .failure(let error):
                guard let unreadable = FailureLog.describe(event, error: error) else { throw error }
                outcomes.append(try recordFailure(unreadable, &ingest, db))
            }
        }
        try ingest.finish(db)
        return outcomes
    }

    private func begin(_ ingest: inout Ingest) {
        ingest.directory.beginBatch()
        ingest.texts.matcher.beginEvents(
            hasReplay: events.contains { if case .message(_, .replay) = $0 { true } else { false } })
    }

    private func apply(_ event: ChatEvent, _ ingest: inout Ingest, _ db: Database) throws -> EventOutcome {
        switch event {
        case .message(let message, let hearing):
            if message.hasNUL { return try apply(.message(message.withoutNUL, hearing), &ingest, db) }
            let bridged = try ingest.bridges.applied(to: message, hearing, names: &ingest.directory.names, db)
            return try store(bridged ?? message, as: hearing, &ingest, db)
        case .deleted(let deletion): return try ingest.applyDeletion(deletion, db)
        case .reaction(let reaction): return try ingest.storeReaction(reaction, db)
        case .unreadable(let event): return try recordFailure(event, &ingest, db)
        case .sessionOpened(let time, let offset):
            return .new(try CoverageLedger.openSession(at: time, offset: offset, db))
        case .chunk, .parsed, .reached, .signOfLife, .receiptOffset, .networkClock, .sessionEnded, .waiting:
            try applyToSession(event, &ingest, db)
        case .roomLive, .roomSilent, .roomUncovered, .withdrawn, .covered, .fetchedBack, .fetching, .fetched,
            .unfilled, .roomTroubled:
            try applyToCoverage(event, &ingest, db)
        case .read, .roomListed, .roomRenamed, .roomUnlisted, .userListed, .userRenamed, .membersListed:
            try applyToDirectory(event, &ingest, db)
        }
        return .done
    }

    private func store(
        _ message: IncomingMessage, as hearing: ChatEvent.Hearing, _ ingest: inout Ingest, _ db: Database
    ) throws -> EventOutcome {
        switch hearing {
        case .replay(let occurrence, let resolution):
            try ingest.storeReplay(message, occurrence: occurrence, resolution: resolution, db)
        case .standing(let since): try StandingTopic(message, since: since).store(&ingest, db)
        case .live, .edit, .snapshot: try ingest.store(message, as: hearing, db)
        }
    }

    /// Applies an event about a connection and what was received of it.
    private func applyToSession(_ event: ChatEvent, _ ingest: inout Ingest, _ db: Database) throws {
        switch event {
        case .chunk(let chunk): try ingest.sessions.storeChunk(chunk, db)
        case .parsed(let session, let offset):
            try ingest.refused.overwrite(in: session, before: offset, db)
            ingest.sessions.advance(session, to: SessionProgress(position: offset))
        case .reached(let place):
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO network_place (id, place) VALUES (1, ?)")
                .execute(arguments: [place.withoutNUL])
        case .signOfLife(let session, let time): ingest.sessions.noteSignOfLife(of: session, at: time)
        case .receiptOffset(let session, let offset): try ingest.sessions.setOffset(offset, of: session, db)
        case .networkClock(let session, let lead): try CoverageLedger.setClockLead(lead, of: session, db)
        case .sessionEnded(let session, let time, let reason, let detail):
            try ingest.sessions.flush(db)
            try CoverageLedger.endSession(session, at: time, reason: reason, detail: detail, db)
        case .waiting(let attempts, let next): try CoverageLedger.noteWaiting(attempts: attempts, next: next, db)
        default: break
        }
    }

    /// Applies an event about the times of which a room's messages are stored.
    private func applyToCoverage(_ event: ChatEvent, _ ingest: inout Ingest, _ db: Database) throws {
        switch event {
        case .roomLive(let session, let room, let time):
            try ingest.directory.openSpan(of: room, session: session, at: time, db)
        case .roomSilent(let session, let room, let time, let reason):
            try ingest.sessions.flush(db)
            try CoverageLedger.endSpan(
                room: ingest.directory.names.rooms.room(room, at: time.microseconds, db), session: session, at: time,
                reason: reason, db)
        case .roomUncovered(let room, let time):
            try CoverageLedger.uncover(room: ingest.directory.names.rooms.room(room, at: time.microseconds, db), db)
        case .withdrawn(let time): try withdraw(time, &ingest, db)
        case .covered(let session, let room, let from, let to):
            try cover(room, from: from, to: to, session, &ingest, db)
        case .fetchedBack(let room, let time): try noteFetchedBack(room, to: time, &ingest, db)
        case .fetching(let room, let place):
            if let room = try ingest.directory.names.rooms.findRoom(room.key, db)?.id {
                try place.store(room: room, db)
            }
        case .fetched(let room, let end):
            if let room = try ingest.directory.names.rooms.findRoom(room.key, db)?.id {
                try HistoryPlace.remove(room: room, end: end, db)
            }
        case .unfilled(let history, let time): try noteUnfilled(history, at: time, &ingest, db)
        case .roomTroubled(let room, let trouble): try noteTrouble(trouble, of: room, &ingest, db)
        default: break
        }
    }

    /// Applies an event about rooms and people, with their names and read markers.
    private func applyToDirectory(_ event: ChatEvent, _ ingest: inout Ingest, _ db: Database) throws {
        switch event {
        case .read(let room, let id, let time):
            if let room = try ingest.directory.names.rooms.findRoom(room.key, db)?.id {
                // A marker changes the counts of messages that this batch may have stored.
                try ingest.texts.flush(db)
                try ReadMarker.advance(room: room, to: id, at: time, db)
            }
        case .roomListed(let listing, let time): try ingest.directory.listRoom(listing, at: time.microseconds, db)
        case .roomRenamed(let session, let key, let room, let time):
            try ingest.sessions.flush(db)
            try ingest.directory.renameRoom(from: key, to: room, session: session, at: time, db)
        case .roomUnlisted(let room, let isGone, let time):
            try ingest.directory.unlistRoom(room, isGone: isGone, at: time.microseconds, db)
        case .userListed(let listing, let time): try ingest.directory.listUser(listing, at: time.microseconds, db)
        case .userRenamed(_, let key, let user, let time):
            try ingest.directory.renameUser(from: key, to: user, at: time.microseconds, db)
        case .membersListed(let room, let users, let time):
            try ingest.directory.listMembers(users, of: room, at: time.microseconds, db)
        default: break
        }
    }

    private func recordFailure(
        _ event: UnreadableEvent, _ ingest: inout Ingest, _ db: Database
    ) throws -> EventOutcome {
        if let room = event.room, let instant = event.instant?.microseconds,
            try ingest.forgotten.hasErased(room: room.key, at: instant, db)
        {
            return .done
        }
        let room = try event.room.map {
            try ingest.directory.names.rooms.room($0, at: event.receivedAt.microseconds, db)
        }
        return .failed(try ingest.missing.recordFailure(event, room: room, db))
    }

    private func withdraw(_ time: WithdrawnCoverage, _ ingest: inout Ingest, _ db: Database) throws {
        try ingest.sessions.flush(db)
        let room = try ingest.directory.names.rooms.room(time.room, at: time.to.microseconds, db)
        try CoverageLedger.withdraw(time, room: room, db)
    }

    private func cover(
        _ reference: RoomReference, from: Timestamp, to: Timestamp, _ session: SessionID,
        _ ingest: inout Ingest, _ db: Database
    ) throws {
        let room = try ingest.directory.names.rooms.room(reference, at: to.microseconds, db)
        // An erased time is not complete.
        let erased = try ingest.forgotten.erasedUntil(room: reference.key, db)
        let start = erased.map { max(from, Timestamp(microseconds: $0).advanced(byMicroseconds: 1)) } ?? from
        if start <= to { try ingest.missing.cover(room: room, from: start, to: to, session: session, db) }
        try RoomTrouble.end(.history, room: room, db)
    }

    private func noteFetchedBack(
        _ reference: RoomReference, to time: Timestamp, _ ingest: inout Ingest, _ db: Database
    ) throws {
        let room = try ingest.directory.names.rooms.room(reference, at: time.microseconds, db)
        try db.execute(
            sql: "UPDATE room SET asked_back_to_us = min(?, ifnull(asked_back_to_us, \(Int64.max))) WHERE id = ?",
            arguments: [time.microseconds, room])
        try RoomTrouble.end(.history, room: room, db)
    }

    private func noteUnfilled(
        _ history: UnfilledHistory, at time: Timestamp, _ ingest: inout Ingest, _ db: Database
    ) throws {
        let room = try ingest.directory.names.rooms.room(history.room, at: time.microseconds, db)
        let isNoted = try CoverageLedger.noteUnfilled(history, room: room, db)
        // A gap that remains has its own note.
        guard history.reason != .pending, history.nextTry != nil || !isNoted else { return }
        try RoomTrouble(.noHistory, detail: history.detail, since: time, nextTry: history.nextTry)
            .record(.history, room: room, db)
    }

    private func noteTrouble(
        _ trouble: RoomTrouble, of reference: RoomReference, _ ingest: inout Ingest, _ db: Database
    ) throws {
        let room = try ingest.directory.names.rooms.room(reference, at: trouble.since.microseconds, db)
        try trouble.record(.joining, room: room, db)
        try CoverageLedger.noteTrouble(trouble, room: room, db)
    }
}

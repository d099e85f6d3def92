import ChatModel
import Records
import SQLite
import Schema
import Writing

/// Applies the rules of an account in steps, each in a transaction that the writer runs between events.
struct Purger {
    let rules: RetentionRules
    let now: Timestamp

    /// The time after which a step ends. The writer must never be held for more than 50 ms, and the last piece of work
    /// and COMMIT come after it.
    private static let longest = Duration.milliseconds(10)
    /// The number of messages that are removed before the time is looked at. Fewer would make the search index write
    /// more.
    private static let atOnce = 100
    /// The size of the texts for the same, in bytes.
    private static let bytesAtOnce = 256 << 10

    /// Does a part of the work, from a place on.
    func step(from place: PurgePlace?, _ ingest: inout Ingest, _ db: Database) throws -> PurgeProgress {
        let deadline = ContinuousClock.now + Self.longest
        let targets = try PurgeTargets(rules, at: now, ReadTransaction(db))
        var progress = PurgeProgress()
        var stage: PurgePlace.Stage? = place?.stage ?? .room(.min, .messages)
        while let next = stage, .now < deadline {
            switch next {
            case .room(let room, let part):
                stage = try removeMessages(part, room, targets, &ingest, &progress, db)
            case .files(let message): stage = try removeFiles(after: message, targets, &progress, db)
            case .journal: stage = try ageJournal(targets, &progress, db)
            case .raw(let message, let at): stage = try ageMessages(after: (message, at), targets, &progress, db)
            case .index: stage = try merge(after: (place?.removed ?? 0) + progress.removedMessages, db)
            case .wholeIndex: stage = try SpentPages.merge(.continued, db) ? .wholeIndex : .pages
            case .pages: stage = try SpentPages.giveBack(db) ? .pages : nil
            }
        }
        progress.next = stage.map { PurgePlace($0, removed: (place?.removed ?? 0) + progress.removedMessages) }
        return progress
    }

    /// The part of the messages that is removed at once and for which the whole search index is written again. FTS5 keeps
    /// removed words until it merges their segments with those of the removal.
    private static let largeShare: Int64 = 10

    private func merge(after removed: Int64, _ db: Database) throws -> PurgePlace.Stage {
        guard removed > 0 else { return .pages }
        if try VocabularyRows.removeGone(db) { return .index }
        let left = try Int64.fetchOne(db, sql: "SELECT sum(messages) FROM room") ?? 0
        let isLarge = removed * Self.largeShare >= left + removed
        let hasMore = try SpentPages.merge(isLarge ? .whole : .continued, db)
        return isLarge ? .wholeIndex : hasMore ? .index : .pages
    }

    /// Removes the next messages of a room.
    ///
    /// - Returns: The place to continue.
    private func removeMessages(
        _ part: RetentionPart, _ first: Int64, _ targets: PurgeTargets, _ ingest: inout Ingest,
        _ progress: inout PurgeProgress, _ db: Database
    ) throws -> PurgePlace.Stage {
        let transaction = ReadTransaction(db)
        guard let room = try PurgeTargets.Room.next(from: first, transaction) else { return .files(after: .min) }
        let part = room.id == first ? part : .messages
        if let target = try targets.target(part, in: room, transaction) {
            for span in target.spans {
                let messages = try StoredMessage.earliest(
                    Self.atOnce, room: room.id, noise: part == .joins, from: span.lowerBound, to: span.upperBound, db
                ).fitting(Self.bytesAtOnce)
                guard !messages.isEmpty else { continue }
                var (removal, removed) = (MessageRemoval(), PurgeLedger.Removed())
                try db.withSecureDelete { try removal.remove(messages, db) }
                for message in messages { removed.add(message.id) }
                try PurgeLedger.record(removed, of: part, room: room.id, by: target.rule, at: now, db)
                ingest.purged.note(room: room.id, isNoise: part == .joins, last: removed.last)
                ingest.texts.matcher.forget()
                progress.removed[part, default: 0] += removed.count
                return .room(room.id, part)
            }
            if part == .messages, let end = target.spans.last?.upperBound {
                try FailureLog.remove(room: room.id, before: end, db)
            }
        }
        guard part == .joins else { return .room(room.id, .joins) }
        return room.id == .max ? .files(after: .min) : .room(room.id + 1, .messages)
    }

    /// Removes the contents of files whose messages are all too old.
    private func removeFiles(
        after place: Int64, _ targets: PurgeTargets, _ progress: inout PurgeProgress, _ db: Database
    ) throws -> PurgePlace.Stage {
        guard let end = targets.filesEnd else { return .journal }
        let transaction = ReadTransaction(db)
        let found = try transaction.all(
            """
            SELECT attachment.message_id, attachment.file_id, state, room_id, name FROM attachment
              CROSS JOIN file ON file.id = file_id CROSS JOIN message ON message.id = message_id
              CROSS JOIN room_name USING (room_id)
            WHERE message_id > ?1 AND message_id < ?2 AND last_seen_us IS NULL
            ORDER BY message_id LIMIT \(Self.atOnce)
            """, [.integer(place), .integer(end.microseconds)]
        ) { row in
            try (
                message: row.integer(0), file: row.integer(1), isHere: row.integer(2) == AttachmentBook.Code.fetched,
                room: PurgeTargets.Room(id: row.integer(3), name: row.text(4))
            )
        }
        guard let last = found.last else { return .journal }
        for entry in found where entry.isHere {
            guard let rule = try fileRule(ofMessage: entry.message, in: entry.room, targets, transaction),
                try isOld(file: entry.file, targets, transaction),
                try AttachmentBook.removeContent(ofFile: entry.file, db)
            else { continue }
            var removed = PurgeLedger.Removed()
            removed.add(entry.message)
            try PurgeLedger.record(removed, of: .files, room: entry.room.id, by: rule, at: now, db)
            progress.removed[.files, default: 0] += 1
        }
        // The files of the last message may continue in the next part.
        let isPartial = found.count == Self.atOnce && found.first?.message != last.message
        return .files(after: isPartial ? last.message &- 1 : last.message)
    }

    private func fileRule(
        ofMessage message: Int64, in room: PurgeTargets.Room, _ targets: PurgeTargets, _ db: ReadTransaction
    ) throws -> RetentionRule? {
        guard let target = try targets.target(.files, in: room, db) else { return nil }
        return target.spans.contains { $0.contains(message) } ? target.rule : nil
    }

    /// Returns true if every message with the file is too old for it. A picture of a person or a room has no age.
    private func isOld(file: Int64, _ targets: PurgeTargets, _ db: ReadTransaction) throws -> Bool {
        guard try !db.holds("SELECT \(FactTable.hasPicture) FROM file WHERE id = ?1", [.integer(file)]) else {
            return false
        }
        let messages = try db.all(
            """
            SELECT message_id, room_id, name FROM attachment CROSS JOIN message ON message.id = message_id
              CROSS JOIN room_name USING (room_id)
            WHERE file_id = ?1 AND last_seen_us IS NULL
            """, [.integer(file)]
        ) { row in try (id: row.integer(0), room: PurgeTargets.Room(id: row.integer(1), name: row.text(2))) }
        return try messages.allSatisfy { try fileRule(ofMessage: $0.id, in: $0.room, targets, db) != nil }
    }

    /// The limit of chunks removed at once: some MiB.
    private static let chunksAtOnce = 50

    private func ageJournal(
        _ targets: PurgeTargets, _ progress: inout PurgeProgress, _ db: Database
    ) throws -> PurgePlace.Stage {
        guard let (rule, end) = try targets.journalEnd(ReadTransaction(db)) else { return .index }
        let removed = try Journal.age(before: end, limit: Self.chunksAtOnce, db)
        try PurgeLedger.record(removed, of: .raw, room: nil, by: rule, at: now, db)
        progress.removed[.raw, default: 0] += removed.count
        return removed.count == Self.chunksAtOnce ? .journal : .raw(message: .min, at: .min)
    }

    private func ageMessages(
        after place: (message: Int64, at: Int64), _ targets: PurgeTargets, _ progress: inout PurgeProgress,
        _ db: Database
    ) throws -> PurgePlace.Stage {
        guard let (rule, end) = targets.rawEnd() else { return .index }
        let (next, removed) = try Journal.ageMessages(before: end, after: place, limit: Self.atOnce, db)
        try PurgeLedger.record(removed, of: .raw, room: nil, by: rule, at: now, db)
        progress.removed[.raw, default: 0] += removed.count
        return next.map { .raw(message: $0.message, at: $0.at) } ?? .index
    }
}

extension [StoredMessage] {
    /// Returns the first messages whose texts have some bytes at most; at least one.
    func fitting(_ bytes: Int) -> ArraySlice<StoredMessage> {
        var rest = bytes
        return prefix { message in
            defer { rest -= message.body?.utf8.count ?? 0 }
            return rest == bytes || rest > 0
        }
    }
}

extension PurgeProgress {
    fileprivate var removedMessages: Int64 { (removed[.messages] ?? 0) + (removed[.joins] ?? 0) }
}

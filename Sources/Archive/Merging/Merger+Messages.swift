import ChatModel
import Records
import SQLite
import Schema
import Writing

/// The messages of a merge, which go to another person or room and back.
extension Merger {
    func move(
        _ merge: MergeBook.Entry, after place: Int64, noise: Bool, _ ingest: inout Ingest, _ db: Database
    ) throws -> MergingProgress {
        let (found, next) = try messages(after: place, noise: noise, db)
        let marks = kind == .rooms ? try MergedMarks(request, of: found, db) : nil
        var moved: [Int64] = []
        var progress = MergingProgress(next: next)
        for message in found where try relocate(message, to: request.into, &ingest, db) {
            let isMarked = try marks?.keep(message, db) ?? false
            if isMarked { count(message, isRead: true, &ingest) }
            try db.cachedStatement(
                sql:
                    "INSERT INTO merge_message (merge_id, message_id, is_marked) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            ).execute(arguments: [merge.id, message.id, isMarked])
            moved.append(message.id)
        }
        progress.messages = Int64(moved.count)
        // The table lists messages with the room in which they are.
        if kind == .rooms {
            try MergedTable.late.remove(
                merge.id, where: "room_id = ? AND message_id IN (SELECT value FROM json_each(?))",
                [request.from, "\(moved)"], db)
            try RoomSpans.settle([request.from, request.into], db)
        }
        try ingest.texts.index.flush(db)
        ingest.texts.matcher.forget()
        return progress
    }

    /// Returns the messages of a step, and the place of the next one.
    private func messages(
        after place: Int64, noise: Bool, _ db: Database
    ) throws -> (found: [StoredMessage], next: MergingPlace) {
        switch kind {
        case .people:
            let end = try StoredMessage.end(of: Self.window, after: place, db)
            let found = try StoredMessage.sent(
                by: request.from, after: place, through: end, limit: Self.atOnce, db)
            let last = found.count == Self.atOnce ? found.last?.id : end == .max ? nil : end
            return (found, last.map { .messages(after: $0, noise: false) } ?? .facts)
        case .rooms:
            let start = place == .min ? place : place &+ 1
            let found = try StoredMessage.earliest(
                Self.atOnce, room: request.from, noise: noise, from: start, to: .max, db)
            let end: MergingPlace = noise ? .facts : .messages(after: .min, noise: true)
            guard found.count == Self.atOnce, let last = found.last else { return (found, end) }
            return (found, .messages(after: last.id, noise: noise))
        }
    }

    func moveBack(
        _ merge: MergeBook.Entry, _ ingest: inout Ingest, _ db: Database
    ) throws -> MergingProgress {
        let rows = try db.cachedStatement(
            sql: """
                SELECT message_id, is_marked FROM merge_message WHERE merge_id = ?
                ORDER BY message_id LIMIT \(Self.atOnce)
                """
        ).all(arguments: [merge.id]) { (id: try $0.value(0) as Int64, isMarked: try $0.value(1) as Int64 != 0) }
        guard !rows.isEmpty else { return MergingProgress(next: .facts) }
        var progress = MergingProgress(next: .messages(after: .min, noise: false))
        for row in rows {
            // A message that a later merge or a rule took is not there.
            if let message = try StoredMessage.find(at: row.id, db), owner(of: message) == request.into,
                try relocate(message, to: request.from, &ingest, db)
            {
                if row.isMarked {
                    try MergedMarks.unmark(message.id, db)
                    count(message, isRead: false, &ingest)
                }
                progress.messages += 1
            }
            try db.cachedStatement(sql: "DELETE FROM merge_message WHERE merge_id = ? AND message_id = ?")
                .execute(arguments: [merge.id, row.id])
        }
        if kind == .rooms {
            try db.execute(
                sql: "DELETE FROM late WHERE room_id = ? AND message_id IN (SELECT value FROM json_each(?))",
                arguments: [request.into, "\(rows.map(\.id))"])
            try RoomSpans.settle([request.from, request.into], db)
        }
        try ingest.texts.index.flush(db)
        ingest.texts.matcher.forget()
        return progress
    }

    /// Counts a message that has just moved to another room as read from its arrival, or no longer.
    private func count(_ message: StoredMessage, isRead: Bool, _ ingest: inout Ingest) {
        var moved = message.searchEntry
        moved.room = message.room == request.from ? request.into : request.from
        var counted = moved
        counted.isRead = isRead
        ingest.texts.index.change(moved, to: counted)
    }

    private func owner(of message: StoredMessage) -> Int64? { kind == .people ? message.sender : message.room }

    /// Gives a message to another sender or room, with its place in the index and in the counts.
    ///
    /// - Returns: False if the other room has a message with that id of the network. Nothing changes then.
    private func relocate(
        _ message: StoredMessage, to owner: Int64, _ ingest: inout Ingest, _ db: Database
    ) throws -> Bool {
        let column = kind == .people ? "sender_id" : "room_id"
        try db.cachedStatement(sql: "UPDATE OR IGNORE message SET \(column) = ? WHERE id = ?")
            .execute(arguments: [owner, message.id])
        guard db.changesCount > 0 else { return false }
        let room = kind == .rooms ? owner : message.room
        let sender = kind == .people ? owner : message.sender
        if kind == .rooms {
            for (room, count) in [(message.room, -1), (room, 1)] {
                try db.cachedStatement(sql: "UPDATE room SET messages = messages + ? WHERE id = ?")
                    .execute(arguments: [count, room])
            }
        }
        if !message.kind.isNoise {
            let old = message.searchEntry
            var new = old
            (new.room, new.sender) = (room, sender)
            ingest.texts.index.change(old, to: new)
            for (room, sender, count) in [(message.room, message.sender, -1), (room, sender, 1)] {
                guard let sender else { continue }
                try db.cachedStatement(
                    sql: """
                        INSERT INTO sender_count (room_id, sender_id, messages) VALUES (?, ?, ?)
                        ON CONFLICT DO UPDATE SET messages = messages + excluded.messages
                        """
                ).execute(arguments: [room, sender, count])
            }
        }
        try Feed.moved(messageID: message.id, db)
        return true
    }

    /// Gives a message to another sender, with its place in the index and in the counts.
    static func move(_ message: StoredMessage, toPerson user: Int64, _ ingest: inout Ingest, _ db: Database) throws {
        let merger = Merger(request: Merging(.people, from: message.sender ?? user, into: user), now: .now())
        _ = try merger.relocate(message, to: user, &ingest, db)
    }
}

import ChatModel
import GRDB

/// Merges a person or a room into another, or undoes that, in steps, each in a transaction that the writer runs between
/// events.
///
/// From the first step on, events of the merged one's key go to the other. A merge that a crash interrupted has some
/// messages at either place; the same command continues it.
struct Merger {
    let request: Merging
    let now: Timestamp

    /// The rows that one step looks through for a person's messages: some milliseconds.
    private static let window = 20_000
    /// The messages that one step moves.
    private static let atOnce = 500

    private var kind: Merging.Kind { request.kind }

    func step(from place: MergingPlace?, _ ingest: inout Ingest, _ db: Database) throws -> MergingProgress {
        guard let place else {
            try request.undoes ? beginUndoing(db) : begin(db)
            return MergingProgress(next: .messages(after: .min, noise: false))
        }
        guard let merge = try MergeBook.find(request, db), merge.chosen == request.into else {
            throw error("is not merged into \(request.into)")
        }
        switch place {
        case .messages(let after, let noise):
            return try request.undoes
                ? moveBack(merge, &ingest, db) : move(merge, after: after, noise: noise, &ingest, db)
        case .facts:
            var progress = MergingProgress(next: nil)
            if request.undoes {
                try restoreFacts(merge, &ingest, db)
            } else {
                progress.left = try moveFacts(merge, &ingest, db)
            }
            return progress
        }
    }

    // MARK: Beginning

    private func begin(_ db: Database) throws {
        if let known = try MergeBook.find(request, db) {
            guard !known.isDone, known.chosen == request.into else { throw error("is merged into another already") }
            return
        }
        guard request.from != request.into else { throw error("can't be merged into itself") }
        for id in [request.from, request.into] where try !hasName(id, db) { throw error("does not exist", of: id) }
        let isTakenUp = Merging(kind, from: request.into, into: request.into)
        if try MergeBook.find(isTakenUp, db) != nil { throw error("is merged into another already", of: request.into) }
        if kind == .people, try isBridged(db) {
            throw error("or the other one writes by a bridge, or is its bot; undo the bridge first")
        }
        // Conversations are all live while the account is connected.
        if kind == .rooms, try liveSpans(db) > 1, try !areDirect(db) {
            throw error(
                "and room \(request.into) are both listened to; take one of them out of the configuration first")
        }
        try MergeBook.begin(request, at: now, db)
    }

    private func beginUndoing(_ db: Database) throws {
        guard let merge = try MergeBook.find(request, db) else { throw error("is not merged into another") }
        guard merge.into == merge.chosen else {
            throw error("is merged into one that was itself merged later; undo that first")
        }
        guard try !MergeBook.hasLater(merge, kind, db) else {
            throw error("was merged before another into the same one; undo that first")
        }
        guard try !merge.isDone || hasRows(merge, db) else {
            throw error("can't be separated any more, because of \"archive compact\", forgetting or erasing")
        }
        try MergeBook.setDone(false, merge.id, db)
    }

    private func hasRows(_ merge: MergeBook.Entry, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM merge_row WHERE merge_id = ?1)
                  OR EXISTS (SELECT 1 FROM merge_message WHERE merge_id = ?1)
                """, arguments: [merge.id]) ?? false
    }

    private func hasName(_ id: Int64, _ db: Database) throws -> Bool {
        let names = table
        return try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM \(names.table) WHERE \(names.column) = ?)", arguments: [id]) ?? false
    }

    /// Returns true if one of the two writes by a bridge, or if the one who is merged into the other is the bot of one.
    private func isBridged(_ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM bridge WHERE bot_id = :from) OR EXISTS (
                  SELECT 1 FROM user WHERE id IN (:from, :into) AND NOT \(BridgeBook.isOwn(key: "key")))
                """, arguments: ["from": request.from, "into": request.into]) ?? false
    }

    private func liveSpans(_ db: Database) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT count(*) FROM coverage WHERE to_us IS NULL AND room_id IN (?, ?)",
            arguments: [request.from, request.into]) ?? 0
    }

    private func areDirect(_ db: Database) throws -> Bool {
        try Int.fetchOne(
            db, sql: "SELECT count(*) FROM room WHERE id IN (?, ?) AND kind = 'direct'",
            arguments: [request.from, request.into]) == 2
    }

    private var table: NameTable { kind == .people ? .users : .rooms }

    private func error(_ words: String, of id: Int64? = nil) -> ArchiveError {
        let noun = kind == .people ? "person" : "room"
        return ArchiveError(code: .merge, detail: "\(noun) \(id ?? request.from) \(words)")
    }

    // MARK: Messages

    private func move(
        _ merge: MergeBook.Entry, after place: Int64, noise: Bool, _ ingest: inout Ingest, _ db: Database
    ) throws -> MergingProgress {
        let found: [StoredMessage]
        var next: MergingPlace
        switch kind {
        case .people:
            let end =
                try Int64.fetchOne(
                    db.cachedStatement(
                        sql: "SELECT id FROM message WHERE id > ? ORDER BY id LIMIT 1 OFFSET \(Self.window)"),
                    arguments: [place]) ?? .max
            found = try StoredMessage.sent(
                by: request.from, after: place, through: end, limit: Self.atOnce, db)
            let last = found.count == Self.atOnce ? found.last?.id : end == .max ? nil : end
            next = last.map { .messages(after: $0, noise: false) } ?? .facts
        case .rooms:
            let start = place == .min ? place : place &+ 1
            found = try StoredMessage.earliest(
                Self.atOnce, room: request.from, noise: noise, from: start, to: .max, db)
            let end: MergingPlace = noise ? .facts : .messages(after: .min, noise: true)
            next = found.count == Self.atOnce ? found.last.map { .messages(after: $0.id, noise: noise) } ?? end : end
        }
        let marks = kind == .rooms ? try MergedMarks(request, of: found, db) : nil
        var moved: [Int64] = []
        var progress = MergingProgress(next: next)
        for message in found where try relocate(message, to: request.into, &ingest, db) {
            let isMarked = try marks?.keep(message, db) ?? false
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
        }
        try ingest.texts.index.flush(db)
        ingest.texts.matcher.forget()
        return progress
    }

    private func moveBack(
        _ merge: MergeBook.Entry, _ ingest: inout Ingest, _ db: Database
    ) throws -> MergingProgress {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT message_id, is_marked FROM merge_message WHERE merge_id = ?
                    ORDER BY message_id LIMIT \(Self.atOnce)
                    """), arguments: [merge.id]
        ).map { (id: try $0.value(0) as Int64, isMarked: try $0.value(1) as Int64 != 0) }
        guard !rows.isEmpty else { return MergingProgress(next: .facts) }
        var progress = MergingProgress(next: .messages(after: .min, noise: false))
        for row in rows {
            // A message that a later merge or a rule took is not there.
            if let message = try StoredMessage.find(at: row.id, db), owner(of: message) == request.into,
                try relocate(message, to: request.from, &ingest, db)
            {
                if row.isMarked { try MergedMarks.unmark(message.id, db) }
                progress.messages += 1
            }
            try db.cachedStatement(sql: "DELETE FROM merge_message WHERE merge_id = ? AND message_id = ?")
                .execute(arguments: [merge.id, row.id])
        }
        if kind == .rooms {
            try db.execute(
                sql: "DELETE FROM late WHERE room_id = ? AND message_id IN (SELECT value FROM json_each(?))",
                arguments: [request.into, "\(rows.map(\.id))"])
        }
        try ingest.texts.index.flush(db)
        ingest.texts.matcher.forget()
        return progress
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

    // MARK: The rest

    /// - Returns: The number of messages that stay in the merged room.
    private func moveFacts(_ merge: MergeBook.Entry, _ ingest: inout Ingest, _ db: Database) throws -> Int64 {
        let left = try leftMessages(db)
        let reacted = try noteReactions(db)
        for table in MergedTable.tables(of: kind) {
            switch table.name {
            case NameTable.users.table, NameTable.rooms.table:
                if left == 0 { try MergedNames(merge.id, request, table).move(db) }
            case MergedTable.coverage.name: try MergedCoverage(merge.id, request).move(db)
            case MergedTable.spans.name: try moveImportedSpans(merge, db)
            case MergedTable.trouble.name: try table.remove(merge.id, where: "room_id = ?", [request.from], db)
            case MergedTable.late.name: break
            case MergedTable.ownIdentity.name: try moveOwnIdentity(merge, db)
            case _ where table.isHistory: try table.moveEarlier(merge.id, from: request.from, into: request.into, db)
            default: try table.move(merge.id, from: request.from, into: request.into, db)
            }
        }
        if kind == .rooms { try reopen(db) }
        try settle(reacted, &ingest, db)
        try settle(db)
        try MergeBook.setDone(true, merge.id, db)
        return left
    }

    /// A room that is listened to takes one up that was left.
    private func reopen(_ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE room SET left_at_us = NULL, gone_at_us = NULL WHERE id = ? AND EXISTS (
                  SELECT 1 FROM coverage WHERE room_id = room.id AND to_us IS NULL)
                """, arguments: [request.into])
    }

    private func leftMessages(_ db: Database) throws -> Int64 {
        guard kind == .rooms else { return 0 }
        return try Int64.fetchOne(db, sql: "SELECT messages FROM room WHERE id = ?", arguments: [request.from]) ?? 0
    }

    /// The account's own person is one under either name. Somebody who takes up the person whom exports call by a word keeps
    /// the own name, which no own name replaces.
    private func moveOwnIdentity(_ merge: MergeBook.Entry, _ db: Database) throws {
        let said = "SELECT self_by FROM user WHERE id = ?"
        let before = try Int64.fetchOne(db, sql: said, arguments: [request.into]) ?? 0
        let after = max(before, min(try Int64.fetchOne(db, sql: said, arguments: [request.from]) ?? 0, 1))
        if after > before {
            try db.execute(sql: "UPDATE user SET self_by = ? WHERE id = ?", arguments: [after, request.into])
            try db.execute(
                sql: """
                    INSERT INTO merge_row (merge_id, source, was, now) VALUES (?1, 'user', json_array(?2, ?4), json_array(?3, ?4))
                    """, arguments: [merge.id, before, after, request.into])
        }
        try OwnNames.settle(db)
    }

    /// Gives the room that stays the spans of both.
    private func moveImportedSpans(_ merge: MergeBook.Entry, _ db: Database) throws {
        let spans = try ImportedSpans.readAll(room: request.into, db) + ImportedSpans.readAll(room: request.from, db)
        for room in [request.from, request.into] {
            try MergedTable.spans.remove(merge.id, where: "room_id = ?", [room], db)
        }
        try ImportedSpans.add(spans, room: request.into, db)
        try MergedTable.spans.note(merge.id, where: "room_id = ?", [request.into], db)
    }

    /// Joins the spans that were restored with those of imports since the merge.
    private func settleImportedSpans(_ db: Database) throws {
        for room in [request.from, request.into] {
            let spans = try ImportedSpans.readAll(room: room, db)
            try db.execute(sql: "DELETE FROM imported_span WHERE room_id = ?", arguments: [room])
            try ImportedSpans.add(spans, room: room, db)
        }
    }

    private func restoreFacts(_ merge: MergeBook.Entry, _ ingest: inout Ingest, _ db: Database) throws {
        let reacted = try noteReactions(db)
        let tables = Dictionary(
            MergedTable.tables(of: kind).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let rows = try Row.fetchAll(
            db, sql: "SELECT id, source FROM merge_row WHERE merge_id = ? ORDER BY id DESC", arguments: [merge.id]
        ).map { (id: try $0.value(0) as Int64, source: try $0.value(1) as String) }
        for row in rows {
            if row.source == MergedTable.coverage.name {
                try MergedCoverage.undo(row: row.id, db)
            } else {
                try tables[row.source]?.undo(row: row.id, db)
            }
        }
        try MergeBook.remove(merge.id, kind, db)
        if kind == .people { try OwnNames.settle(db) }
        if kind == .rooms {
            try MergedCoverage.settle([request.from, request.into], db)
            try settleImportedSpans(db)
        }
        try settle(reacted, &ingest, db)
        try settle(db)
    }

    /// Appends a change for each message with a reaction of the merged person.
    ///
    /// - Returns: These messages.
    private func noteReactions(_ db: Database) throws -> [Int64] {
        guard kind == .people else { return [] }
        let reacted = try Int64.fetchAll(
            db,
            sql: """
                SELECT DISTINCT message.id FROM reaction JOIN message USING (room_id, remote_id)
                WHERE user_id IN (?, ?) ORDER BY message.id
                """, arguments: [request.from, request.into])
        for id in reacted { try Feed.reaction(messageID: id, db) }
        return reacted
    }

    /// Marks the messages whose reactions the merge changed: of a person these, and of a room those for which the other
    /// room had a message with the same id of the network.
    private func settle(_ reacted: [Int64], _ ingest: inout Ingest, _ db: Database) throws {
        guard kind == .rooms else {
            try ingest.texts.noteReactions(of: reacted, db)
            return try ingest.texts.index.flush(db)
        }
        let differing = try Int64.fetchAll(
            db,
            sql: """
                SELECT id FROM message INDEXED BY message_room
                WHERE room_id IN (?, ?) AND noise IN (0, 1) AND remote_id IS NOT NULL
                  AND (flags & \(MessageFlags.reacted.rawValue) <> 0) <> EXISTS (SELECT 1 FROM reaction AS r
                    WHERE r.room_id = message.room_id AND r.remote_id = message.remote_id AND removed_at_us IS NULL)
                """, arguments: [request.from, request.into])
        for id in try ingest.texts.noteReactions(of: differing, db) { try Feed.reaction(messageID: id, db) }
        try ingest.texts.index.flush(db)
    }

    /// Brings counts and the change feed in line with the facts.
    private func settle(_ db: Database) throws {
        switch kind {
        case .people:
            try db.execute(
                sql: """
                    DELETE FROM sender_count WHERE sender_id = :from AND messages = 0;
                    INSERT INTO change (what, subject_id)
                      SELECT \(Feed.nameCode), -id FROM room
                      WHERE partner_id IN (:from, :into)
                        OR id IN (SELECT room_id FROM room_owner WHERE user_id IN (:from, :into)) ORDER BY id;
                    """, arguments: ["from": request.from, "into": request.into])
            for user in [request.from, request.into] {
                try Feed.name(userID: user, db)
                try Feed.merged(userID: user, db)
            }
        case .rooms:
            try db.execute(
                sql: "DELETE FROM sender_count WHERE room_id = ? AND messages = 0", arguments: [request.from])
            for room in [request.from, request.into] {
                try Feed.name(roomID: room, db)
                try Feed.coverage(roomID: room, db)
                try Feed.merged(roomID: room, db)
            }
        }
    }
}

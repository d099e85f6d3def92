import ChatModel
import Records
import SQLite
import Schema
import Writing

/// Everything of a merge that is not messages: names, members, coverage, reactions and counts.
extension Merger {
    /// - Returns: The number of messages that stay in the merged room.
    func moveFacts(_ merge: MergeBook.Entry, _ ingest: inout Ingest, _ db: Database) throws -> Int64 {
        let left = try leftMessages(db)
        let reacted = try noteReactions(db)
        for table in MergedTable.tables(of: kind) {
            switch table.form {
            case .rows: try table.move(merge.id, from: request.from, into: request.into, db)
            case .names: if left == 0 { try MergedNames(merge.id, request, table).move(db) }
            case .history: try table.moveEarlier(merge.id, from: request.from, into: request.into, db)
            case .coverage: try MergedCoverage(merge.id, request).move(db)
            case .importedSpans: try moveImportedSpans(merge, db)
            case .ownIdentity: try moveOwnIdentity(merge, db)
            case .withMessages: break
            case .removed: try table.remove(merge.id, where: "room_id = ?", [request.from], db)
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

    func restoreFacts(_ merge: MergeBook.Entry, _ ingest: inout Ingest, _ db: Database) throws {
        let reacted = try noteReactions(db)
        let tables = Dictionary(
            MergedTable.tables(of: kind).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let rows = try db.all(
            sql: "SELECT id, source FROM merge_row WHERE merge_id = ? ORDER BY id DESC", arguments: [merge.id]
        ) { (id: try $0.value(0) as Int64, source: try $0.value(1) as String) }
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

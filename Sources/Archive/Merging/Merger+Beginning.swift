import ChatModel
import Records
import SQLite
import Writing

/// The beginning of a merge, or of undoing one, with what refuses it.
extension Merger {
    func begin(_ db: Database) throws {
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

    func beginUndoing(_ db: Database) throws {
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
}

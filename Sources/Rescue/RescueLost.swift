import ChatModel
import Records
import SQLite
import Schema

/// The messages that a damaged file has lost, as far as something still names them.
struct RescueLost {
    let db: Database
    let found: Rescue.Found

    /// The index that has the room and the id of every message.
    static let index = "message_room"
    /// A lost message; ``RescueLost`` does not know the rooms of all.
    static let table = """
        CREATE TEMP TABLE lost (id INTEGER PRIMARY KEY, room_id INTEGER);
        CREATE INDEX temp.lost_room ON lost (room_id, id)
        """
    /// Adds the message ?2 of room ?1 unless it was rescued.
    static let insertion = """
        INSERT OR IGNORE INTO temp.lost (room_id, id)
        SELECT ?1, ?2 WHERE ?2 BETWEEN \(ids.lowerBound) AND \(ids.upperBound)
          AND NOT EXISTS (SELECT 1 FROM message WHERE id = ?2)
        """

    /// The ids that messages may have; a damaged index or feed may have any.
    private static let ids = Int64.storedRange

    /// True if every lost message is in `temp.lost` after ``find()``.
    var isComplete: Bool { isWhole(Self.index) || isWhole("change") || isWhole("message") }

    private func isWhole(_ name: String) -> Bool { found.losses[name]?.isEmpty == true && found.refused[name] == nil }

    /// Completes `temp.lost`: the index names the rooms; the change feed knows further messages, but not their rooms.
    func find() throws {
        try db.execute(sql: "DELETE FROM temp.lost WHERE id IN (SELECT id FROM message)")
        // With whole runs of used ids, the feed also shows a message whose id is damaged.
        guard !isWhole(Self.index), !isWhole("message") || isWhole("id_run") else { return }
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.lost (id)
                  SELECT subject_id FROM change
                  WHERE what = 0 AND subject_id BETWEEN \(Self.ids.lowerBound) AND \(Self.ids.upperBound)
                    AND NOT EXISTS (SELECT 1 FROM message WHERE id = subject_id)
                    AND ifnull((SELECT last_us FROM id_run WHERE first_us <= subject_id ORDER BY first_us DESC LIMIT 1)
                      < subject_id, 1)
                """)
    }

    /// True if all messages are named: by the index or by the feed. Both may lack those of a damaged log.
    private var namesAll: Bool { !found.hasLog && (isWhole(Self.index) || isWhole("change")) }

    /// Gives a message with a damaged id its own id, if that is the id of the only lost message between its neighbours.
    ///
    /// - Parameter forEachIndexed: Calls its argument with the id of each message that the index names.
    func restoreIDs(forEachIndexed: ((Int64) throws -> Void) throws -> Void) throws {
        guard namesAll, try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM temp.lost)") == true else { return }
        // The messages beside lost ones. Those that the index or the feed names are removed below.
        try db.execute(
            sql: """
                CREATE TEMP TABLE doubted (id INTEGER PRIMARY KEY);
                INSERT OR IGNORE INTO temp.doubted
                  SELECT message.id FROM temp.lost JOIN message
                    ON message.id IN ((SELECT max(id) FROM message WHERE id < lost.id), (SELECT min(id) FROM message WHERE id > lost.id))
                """)
        defer { try? db.execute(sql: "DROP TABLE temp.doubted") }
        let indexed = try db.makeStatement(sql: "DELETE FROM temp.doubted WHERE id = ?1", keepsValues: true)
        try forEachIndexed { id in try indexed.execute { $0.bind(1, id) } }
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM temp.doubted)") == true else { return }
        try db.execute(
            sql: """
                DELETE FROM temp.doubted WHERE id IN (
                  SELECT doubted.id FROM change CROSS JOIN temp.doubted ON doubted.id = subject_id WHERE what = 0)
                """)
        let doubted: [(Int64, Int64, Int64?, Int64?)] = try db.all(
            sql: """
                SELECT id, room_id, (SELECT max(id) FROM message WHERE id < m.id), (SELECT min(id) FROM message WHERE id > m.id)
                FROM message AS m WHERE id IN (SELECT id FROM temp.doubted)
                """
        ) { try ($0.value(0), $0.value(1), $0.value(2), $0.value(3)) }
        for (id, room, after, before) in doubted {
            let range = DamagedTree.Losses.Range(after: after ?? .min, before: before ?? .max)
            guard let own = try onlyID(of: room, in: range) else { continue }
            try db.execute(sql: "UPDATE message SET id = ? WHERE id = ?", arguments: [own, id])
            try remove(own)
        }
    }

    /// Returns the ids that messages out of order should have: their own if they are lost, else that of the only lost
    /// message of the room in the range, if it is the only such message there. Where not all messages are named, their own
    /// in any case.
    ///
    /// - Parameter rows: The messages with their rooms and ranges, without copies of others.
    func ids(
        of rows: [(id: Int64?, room: Int64, range: DamagedTree.Losses.Range)]
    ) throws -> [Int64?] {
        let own = try rows.map { row -> Int64? in
            guard let id = row.id else { return nil }
            let isLost = try Bool.fetchOne(
                db.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM temp.lost WHERE id = ? AND ifnull(room_id, ?2) = ?2)"),
                arguments: [id, row.room])
            return isLost == true ? id : nil
        }
        for case let id? in own { try remove(id) }
        struct Place: Hashable {
            var room: Int64
            var range: DamagedTree.Losses.Range
        }
        var others: [Place: Int] = [:]
        for (row, own) in zip(rows, own) where own == nil {
            others[Place(room: row.room, range: row.range), default: 0] += 1
        }
        return try zip(rows, own).map { row, own in
            if let own { return own }
            guard namesAll else { return row.id.flatMap { $0 > row.range.after && $0 < row.range.before ? $0 : nil } }
            guard others[Place(room: row.room, range: row.range)] == 1 else { return nil }
            return try onlyID(of: row.room, in: row.range)
        }
    }

    /// Returns the id of the only lost message of a room in a range; nil if there are several or none.
    private func onlyID(of room: Int64, in range: DamagedTree.Losses.Range) throws -> Int64? {
        let ids = try Int64.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id FROM (SELECT id FROM temp.lost WHERE room_id = ?3 AND id > ?1 AND id < ?2 LIMIT 2)
                    UNION ALL
                    SELECT id FROM (SELECT id FROM temp.lost WHERE room_id IS NULL AND id > ?1 AND id < ?2 LIMIT 2)
                    """),
            arguments: [range.after, range.before, room])
        return ids.count == 1 ? ids[0] : nil
    }

    /// Notes that a message is lost.
    func add(_ id: Int64, room: Int64) throws {
        try db.execute(sql: "INSERT OR IGNORE INTO temp.lost (id, room_id) VALUES (?, ?)", arguments: [id, room])
    }

    /// Notes that a message is rescued after all.
    func remove(_ id: Int64) throws {
        try db.execute(sql: "DELETE FROM temp.lost WHERE id = ?", arguments: [id])
    }

    /// Turns the times of lost messages into gaps, from the message before to the message after, and cuts them out of
    /// imported spans.
    func cutCoverage() throws {
        let hasLosses = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM temp.lost)") == true || !isComplete
        guard hasLosses else { return }
        // Nothing is live in the new file, and a live span is cut at its end only.
        try CoverageLedger.closeLeftOpen(db)
        var last: (room: Int64, before: Int64)?
        try db.forEach(sql: "SELECT room_id, id FROM temp.lost WHERE room_id IS NOT NULL ORDER BY room_id, id") { row in
            let (room, id) = try (row.integer(0), row.limit(1))
            // Further messages of the same gap.
            if let last, last.room == room, id < last.before { return }
            let after = try neighbor(of: id, in: room, "max(id)", "<")
            // Without a later message, the gap ends behind the last lost one.
            let before =
                try neighbor(of: id, in: room, "min(id)", ">")
                ?? Int64.fetchOne(db, sql: "SELECT max(id) + 1 FROM temp.lost WHERE room_id = ?", arguments: [room])
            try cut(room, after ?? .min, before ?? .max)
            try cutImported(room, after ?? .min, before ?? .max)
            last = (room, before ?? .max)
        }
        var ranges = try db.all(sql: "SELECT id FROM temp.lost WHERE room_id IS NULL") { row in
            let id = try row.limit(0)
            return DamagedTree.Losses.Range(after: id - 1, before: id + 1)
        }
        if !isComplete { ranges += found.losses["message"]?.ranges ?? [] }
        for room in try Int64.fetchAll(db, sql: "SELECT DISTINCT room_id FROM imported_span") {
            for range in ranges { try cutImported(room, range.after, range.before) }
        }
        // A later cut may move the end of a span.
        try db.execute(sql: Self.dropNotes)
        guard !ranges.isEmpty else { return }
        let end = try lastInstant()
        for room in try Int64.fetchAll(db, sql: "SELECT DISTINCT room_id FROM coverage") {
            for range in ranges {
                try cut(room, range.after, min(range.before, min(end, Self.ids.upperBound) + 1))
            }
        }
    }

    /// Returns the last instant of sessions and messages; 0 without any.
    private func lastInstant() throws -> Int64 {
        let sql = """
            SELECT CAST(max(ifnull((SELECT max(heard_until_us) FROM session), 0),
              ifnull((SELECT max(id) FROM message), 0)) AS INTEGER)
            """
        return try Int64.fetchOne(db, sql: sql) ?? 0
    }

    private func neighbor(of id: Int64, in room: Int64, _ what: String, _ comparison: String) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT \(what) FROM (
                      SELECT (SELECT \(what) FROM message WHERE room_id = ?1 AND noise = 0 AND id \(comparison) ?2) AS id
                      UNION ALL
                      SELECT (SELECT \(what) FROM message WHERE room_id = ?1 AND noise = 1 AND id \(comparison) ?2))
                    """), arguments: [room, id])
    }

    private func cut(_ room: Int64, _ after: Int64, _ before: Int64) throws {
        try CoverageLedger.cut(room: room, after: after, before: before, db) { from in
            try CoverageLedger.noteReason(CoverageLedger.damaged, room: room, from: from, db)
        }
    }

    /// Cuts the time between two instants out of the room's imported spans, and notes the reason, because readers merge
    /// imported spans that are less than a day apart.
    private func cutImported(_ room: Int64, _ after: Int64, _ before: Int64) throws {
        // Without an instant between the two, the cut spans would touch.
        guard after < before, after + 1 < before else { return }
        let spans: [(Int64, Int64)] = try db.cachedStatement(
            sql: """
                SELECT from_us, to_us FROM imported_span
                WHERE room_id = ?1 AND from_us < ?3 AND to_us > ?2 ORDER BY from_us
                """
        ).all(arguments: [room, after, before]) { try ($0.value(0), $0.value(1)) }
        guard !spans.isEmpty else { return }
        for (from, to) in spans {
            try db.execute(
                sql: "DELETE FROM imported_span WHERE room_id = ? AND from_us = ?", arguments: [room, from])
            if from <= after { try insertImported(room, from, after) }
            if to >= before { try insertImported(room, before, to) }
        }
        let isNoted = try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM imported_span WHERE room_id = ? AND to_us = ?)"),
            arguments: [room, after])
        if isNoted == true { try CoverageLedger.noteReason(CoverageLedger.damaged, room: room, from: after, db) }
        try Feed.coverage(roomID: room, db)
    }

    private func insertImported(_ room: Int64, _ from: Int64, _ to: Int64) throws {
        // The spans of a damaged table may overlap.
        try db.execute(
            sql: "INSERT OR IGNORE INTO imported_span (room_id, from_us, to_us) VALUES (?, ?, ?)",
            arguments: [room, from, to])
    }

    /// Removes the notes at which neither a coverage span nor, for lost messages, an imported span ends.
    static let dropNotes = """
        DELETE FROM gap_note
        WHERE NOT EXISTS (SELECT 1 FROM coverage WHERE room_id = gap_note.room_id AND to_us = gap_note.from_us)
          AND (reason <> '\(CoverageLedger.damaged)' OR NOT EXISTS (
            SELECT 1 FROM imported_span WHERE room_id = gap_note.room_id AND to_us = gap_note.from_us));

        """

    /// Returns the losses of messages: by room, and those of unknown rooms.
    func losses() throws -> [RescueReport.Loss] {
        var losses = try db.all(
            sql: """
                SELECT (SELECT name FROM room_name WHERE room_id = lost.room_id ORDER BY first_seen_us DESC LIMIT 1),
                  count(*), min(id), max(id)
                FROM temp.lost GROUP BY room_id ORDER BY room_id IS NULL, 1
                """
        ) { row in
            RescueReport.Loss(
                what: .messages, room: try row.value(0), count: try row.value(1),
                from: Timestamp(microseconds: try row.limit(2)), to: Timestamp(microseconds: try row.limit(3)))
        }
        guard !isComplete else { return losses }
        let ranges = found.losses["message"]?.ranges ?? []
        func time(_ limit: Int64?) -> Timestamp? {
            limit.flatMap { $0 == .min || $0 == .max ? nil : Timestamp(microseconds: $0) }
        }
        losses.append(
            RescueReport.Loss(
                what: .messages, from: time(ranges.map(\.after).min()), to: time(ranges.map(\.before).max())))
        return losses
    }
}

package import Schema

/// Reads the kept counts of an account's file.
package struct CountReader {
    private let db: ReadTransaction
    /// The first quarter of an hour from which on all messages are counted.
    package let from: Int64

    /// - Returns: Nil for a shared archive, which keeps no counts.
    package init?(_ db: ReadTransaction) throws {
        guard !db.isShared else { return nil }
        self.db = db
        from = try db.first("SELECT from_quarter FROM count_reach") { try $0.limit(0) } ?? .max
    }

    /// Calls `body` with each row that may have counts of some quarters: in the order of rooms and quarters. The first and the last row
    /// of a room may have counts of others, too.
    ///
    /// - Parameters:
    ///   - room: Nil for all rooms.
    ///   - hasPeople: False for rows without the senders, which take a tenth of the time.
    /// - Throws: `SQLITE_CORRUPT` for a row that no program wrote.
    package func forEachRow(
        room: Int64?, quarters: Range<Int64>, hasPeople: Bool, _ body: (_ room: Int64, _ row: CountRow) throws -> Void
    ) throws {
        _ = try first(room: room, quarters: quarters, hasPeople: hasPeople) { room, row -> Never? in
            try body(room, row)
            return nil
        }
    }

    /// Does the same until `body` returns a value, and returns that value; nil if it returns none.
    package func first<T>(
        room: Int64?, quarters: Range<Int64>, hasPeople: Bool = true,
        _ body: (_ room: Int64, _ row: CountRow) throws -> T?
    ) throws -> T? {
        var row = CountRow()
        func read(_ columns: Columns) throws -> T? {
            let id = try columns.limit(0)
            guard let bytes = columns.blobBytes(1),
                row.read(bytes, from: CountPlace.quarter(of: id), hasPeople: hasPeople)
            else {
                throw Columns.damage("message_count holds counts that no program writes")
            }
            return try body(CountPlace.room(of: id), row)
        }
        if let room { return try first(in: room, quarters, read) }
        if quarters.clamped(to: CountPlace.quarters) == CountPlace.quarters {
            return try db.first("SELECT id, counts FROM message_count", [], read)
        }
        for room in try rooms() {
            if let value = try first(in: room, quarters, read) { return value }
        }
        return nil
    }

    /// Calls `body` with the room, the first quarter and the number of messages of each row, in the order of rooms and quarters.
    package func forEachSum(_ body: (_ room: Int64, _ quarter: Int64, _ messages: Int64) throws -> Void) throws {
        try db.forEach("SELECT id, messages FROM message_count") {
            let id = try $0.limit(0)
            try body(CountPlace.room(of: id), CountPlace.quarter(of: id), $0.integer(1))
        }
    }

    private func first<T>(in room: Int64, _ quarters: Range<Int64>, _ read: (Columns) throws -> T?) throws -> T? {
        guard let ids = CountPlace.ids(room: room, quarters: quarters), let all = CountPlace.ids(room: room) else {
            return nil
        }
        return try db.first(
            """
            SELECT id, counts FROM message_count
            WHERE id >= coalesce((SELECT max(id) FROM message_count WHERE id <= ?1 AND id >= ?3), ?1) AND id < ?2 ORDER BY id
            """, [.integer(ids.lowerBound), .integer(ids.upperBound), .integer(all.lowerBound)], read)
    }

    /// Returns the rooms that have counts.
    private func rooms() throws -> [Int64] {
        var rooms: [Int64] = []
        var next: Int64? = Int64.min
        while let start = next {
            let sql: SQLText = "SELECT id FROM message_count WHERE id >= ?1 ORDER BY id LIMIT 1"
            let id = try db.first(sql, [.integer(start)]) { try $0.limit(0) }
            let room = id.map(CountPlace.room(of:))
            if let room { rooms.append(room) }
            next = room.flatMap { CountPlace.ids(room: $0)?.upperBound }
        }
        return rooms
    }
}

import SQLite
import Schema

/// Changes the rows of `message_count` of a room.
struct CountedRoom {
    let room: Int64
    let db: Database

    private struct StoredRow {
        /// The row's first quarter.
        var quarter: Int64
        var entries: [CountEntry]
    }

    /// The bytes of a row are not those of any counts.
    private struct Contradiction: Error {}

    /// Adds changes to the counts.
    ///
    /// - Parameter changes: In order of quarters and keys, each once, none of them 0.
    /// - Returns: False if they contradict the counts, which are then to be made again: a count would be below 0, or a row is damaged.
    func apply(_ changes: [CountEntry]) throws -> Bool {
        do {
            var rest = changes[...]
            while let first = rest.first {
                let row = try row(of: first.quarter)
                let next = try row.flatMap { try quarter(after: $0.quarter) }
                let end = next.flatMap { next in rest.firstIndex { $0.quarter >= next } } ?? rest.endIndex
                try replace(row, by: merged(row?.entries ?? [], rest[..<end]))
                rest = rest[end...]
            }
            return true
        } catch is Contradiction {
            return false
        }
    }

    // MARK: Reading

    private static let all = CountPlace.quarters

    /// Returns the row to which a quarter belongs: the last one that begins before it, or the room's first; nil if it has none.
    private func row(of quarter: Int64) throws -> StoredRow? {
        try last(in: Self.all.lowerBound..<(quarter + 1)) ?? first(in: quarter..<Self.all.upperBound)
    }

    private func last(in quarters: Range<Int64>) throws -> StoredRow? {
        let statement = try db.cachedStatement(
            sql: "SELECT id, counts FROM message_count WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1")
        return try stored(statement, quarters)
    }

    private func first(in quarters: Range<Int64>) throws -> StoredRow? {
        let statement = try db.cachedStatement(
            sql: "SELECT id, counts FROM message_count WHERE id >= ? AND id < ? ORDER BY id LIMIT 1")
        return try stored(statement, quarters)
    }

    private func stored(_ statement: Statement, _ quarters: Range<Int64>) throws -> StoredRow? {
        guard let ids = CountPlace.ids(room: room, quarters: quarters) else { return nil }
        return try statement.first({
            $0.bind(1, ids.lowerBound)
            $0.bind(2, ids.upperBound)
        }) { columns in
            var row = CountRow()
            let first = CountPlace.quarter(of: try columns.limit(0))
            guard let bytes = columns.blobBytes(1), row.read(bytes, from: first) else { throw Contradiction() }
            return StoredRow(quarter: first, entries: row.entries)
        }
    }

    /// Returns the first quarter of the next row; nil for the last row of the room.
    private func quarter(after quarter: Int64) throws -> Int64? {
        guard let ids = CountPlace.ids(room: room, quarters: (quarter + 1)..<Self.all.upperBound) else { return nil }
        let statement = try db.cachedStatement(
            sql: "SELECT id FROM message_count WHERE id >= ? AND id < ? ORDER BY id LIMIT 1")
        return try statement.first({
            $0.bind(1, ids.lowerBound)
            $0.bind(2, ids.upperBound)
        }) { CountPlace.quarter(of: try $0.limit(0)) }
    }

    // MARK: Changing

    private func merged(_ entries: [CountEntry], _ changes: ArraySlice<CountEntry>) throws -> [CountEntry] {
        var merged: [CountEntry] = []
        merged.reserveCapacity(entries.count + changes.count)
        var place = 0
        for change in changes {
            while place < entries.count, entries[place].precedes(change) {
                merged.append(entries[place])
                place += 1
            }
            var changed = change
            if place < entries.count, entries[place].quarter == change.quarter, entries[place].key == change.key {
                changed.count += entries[place].count
                place += 1
            }
            guard changed.count >= 0 else { throw Contradiction() }
            if changed.count > 0 { merged.append(changed) }
        }
        return merged + entries[place...]
    }

    /// Replaces a row; nil for a room without rows.
    private func replace(_ row: StoredRow?, by entries: [CountEntry]) throws {
        var entries = entries
        if let row, !CountRow.begins(entries), let before = try last(in: Self.all.lowerBound..<row.quarter) {
            entries = before.entries + entries
        }
        var isReplaced = false
        let insertion = try db.cachedStatement(
            sql: """
                INSERT INTO message_count (id, counts, messages) VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET counts = excluded.counts, messages = excluded.messages
                """)
        for part in CountRow.rows(of: entries).map({ entries[$0] }) {
            guard let first = part.first?.quarter, let id = CountPlace.id(room: room, quarter: first) else { continue }
            if first == row?.quarter { isReplaced = true }
            let messages: Int64 = part.reduce(0) { $0 + $1.count }
            try insertion.execute {
                $0.bind(1, id)
                $0.bind(2, blob: CountRow.pack(part))
                $0.bind(3, messages)
            }
        }
        guard let row, !isReplaced, let id = CountPlace.id(room: room, quarter: row.quarter) else { return }
        try db.cachedStatement(sql: "DELETE FROM message_count WHERE id = ?").execute { $0.bind(1, id) }
    }
}

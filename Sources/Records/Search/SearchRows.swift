package import SQLite
import Schema

/// The rowids of messages in the search index.
///
/// FTS5 stores for each word of a message the difference of its rowid from the one before, and differences of ids, which
/// are microseconds, take 4 to 6 bytes. So the first indexed message of each slot of 0.26 s has the slot's number as its
/// rowid; it takes 1 to 3 bytes. Slots of 1 s save 3% more if messages are rare, and less if they are frequent
/// *(measured)*. Every other message since 1970 has its id plus 2^36, so that slots come first. `search_slot` has the
/// first message of a slot with several.
package enum SearchRows {
    /// The analyser from which on indices have these rowids. In earlier ones, the id is the rowid.
    static let firstAnalyser = 3
    /// The length of a slot: 2^18 µs.
    package static let bits: Int64 = 18
    /// The number of slots, and the offset of whole ids: slots reach to the year 2540.
    package static let slotCount: Int64 = 1 << 36

    /// Returns the slot of an id; nil for a time before 1970 or after the last slot.
    private static func slot(of id: Int64) -> Int64? {
        let slot = id >> bits
        return (0..<slotCount).contains(slot) ? slot : nil
    }

    private static func ids(of slot: Int64) -> ClosedRange<Int64> { slot << bits...(slot << bits) + (1 << bits) - 1 }

    private static func whole(_ id: Int64) -> Int64 { id < 0 ? id : id &+ slotCount }

    /// Returns the rowid of a message that is in the index.
    package static func row(of id: Int64, _ db: Database) throws -> Int64 {
        try row(of: id, first: slot(of: id).flatMap { try first(of: $0, db) })
    }

    /// - Parameter first: The row of the message's slot in `search_slot`; nil if it has none.
    package static func row(of id: Int64, first: Int64?) -> Int64 {
        guard let slot = slot(of: id) else { return whole(id) }
        return first.map { $0 == id } ?? true ? slot : whole(id)
    }

    private static func first(of slot: Int64, _ db: Database) throws -> Int64? {
        try db.cachedStatement(sql: "SELECT first FROM search_slot WHERE slot = ?")
            .first({ $0.bind(1, slot) }) { try $0.integer(0) }
    }

    /// Returns the ids that messages with this rowid may have.
    package static func ids(ofRow row: Int64) -> ClosedRange<Int64> {
        if (0..<slotCount).contains(row) { return ids(of: row) }
        let id = row < 0 ? row : row - slotCount
        return id...id
    }

    /// Returns the message with this rowid; nil if there is none.
    package static func message(ofRow row: Int64, _ db: Database) throws -> Int64? {
        let ids = try first(of: row, db).map { $0...$0 } ?? ids(ofRow: row)
        return try messages(in: ids, db) { $0 }
    }

    /// Returns the rowids of messages that are to be added. Takes their slots, unless other messages have them.
    ///
    /// - Parameters:
    ///   - ids: Ids of stored messages without noise, in their order.
    ///   - areNewest: True if no other message was stored with a later id than the first of these.
    static func take(_ ids: [Int64], areNewest: Bool = false, _ db: Database) throws -> [Int64] {
        // The slot of the first one often has the last message of the batch before.
        let second = ids.first.flatMap(slot).map { endOf($0, in: ids[...]) } ?? ids.startIndex
        let areLaterAlone = try areAlone(ids[second...], areNewest: areNewest, db)
        let insertion = try db.cachedStatement(sql: "INSERT INTO search_slot (slot, first) VALUES (?, ?)")
        var rows: [Int64] = []
        rows.reserveCapacity(ids.count)
        var start = ids.startIndex
        while start < ids.endIndex {
            guard let slot = slot(of: ids[start]) else {
                rows.append(whole(ids[start]))
                start += 1
                continue
            }
            let end = endOf(slot, in: ids[start...])
            let isAlone = areLaterAlone && start >= second
            let noted = isAlone ? nil : try first(of: slot, db)
            let other = isAlone || noted != nil ? nil : try other(in: slot, than: ids[start..<end], db)
            let first = noted ?? other ?? ids[start]
            if noted == nil, other != nil || end - start > 1 {
                try insertion.execute {
                    $0.bind(1, slot)
                    $0.bind(2, first)
                }
            }
            for id in ids[start..<end] { rows.append(id == first ? slot : whole(id)) }
            start = end
        }
        return rows
    }

    /// Returns the index of the first id after the slot.
    private static func endOf(_ slot: Int64, in ids: ArraySlice<Int64>) -> Int {
        let last = self.ids(of: slot).upperBound
        return ids.firstIndex { $0 > last } ?? ids.endIndex
    }

    /// Returns the first stored message of the slot that is not one of these.
    private static func other(in slot: Int64, than ids: ArraySlice<Int64>, _ db: Database) throws -> Int64? {
        try messages(in: self.ids(of: slot), db) { id in ids.contains(id) ? nil : id }
    }

    /// Returns true if `search_slot` and `message` have nothing else from the first id's slot to the last id's, which is
    /// the usual case. If it returns false, each slot has to be looked at.
    private static func areAlone(_ ids: ArraySlice<Int64>, areNewest: Bool, _ db: Database) throws -> Bool {
        guard let first = ids.first.flatMap(slot), let last = ids.last.flatMap(slot) else { return false }
        let isKnown = try db.cachedStatement(sql: "SELECT 1 FROM search_slot WHERE slot BETWEEN ? AND ? LIMIT 1").first
        {
            $0.bind(1, first)
            $0.bind(2, last)
        } _: { _ in
            true
        }
        guard isKnown == nil else { return false }
        // Counting takes 1% of the time of storing messages.
        if areNewest { return true }
        let stored = try db.cachedStatement(
            sql: """
                SELECT count(*) FROM
                  (SELECT 1 FROM message NOT INDEXED WHERE id BETWEEN ? AND ? AND noise = 0 LIMIT ?)
                """)
        return try stored.first({
            $0.bind(1, self.ids(of: first).lowerBound)
            $0.bind(2, self.ids(of: last).upperBound)
            $0.bind(3, Int64(ids.count) + 1)
        }) { try $0.integer(0) == ids.count } ?? false
    }

    /// Returns the first value that `body` returns for a message without noise, in the order of the ids.
    private static func messages<T>(
        in ids: ClosedRange<Int64>, _ db: Database, _ body: (Int64) throws -> T?
    ) throws -> T? {
        try db.cachedStatement(
            sql: "SELECT id FROM message NOT INDEXED WHERE id BETWEEN ? AND ? AND noise = 0 ORDER BY id"
        ).first({
            $0.bind(1, ids.lowerBound)
            $0.bind(2, ids.upperBound)
        }) { try body($0.integer(0)) }
    }

    /// Returns the places of rowids in their order.
    static func order(_ rows: [Int64]) -> [Int] {
        let isSorted = rows.indices.dropFirst().allSatisfy { rows[$0 - 1] < rows[$0] }
        return isSorted ? Array(rows.indices) : rows.indices.sorted { rows[$0] < rows[$1] }
    }

    /// Deletes the row of each removed message's slot if no message is left in the slot.
    static func leave(_ ids: some Sequence<Int64>, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                DELETE FROM search_slot WHERE slot = ?
                  AND NOT EXISTS (SELECT 1 FROM message NOT INDEXED WHERE id BETWEEN ? AND ? AND noise = 0)
                """)
        for slot in Set(ids.compactMap(slot)) {
            try statement.execute {
                $0.bind(1, slot)
                $0.bind(2, self.ids(of: slot).lowerBound)
                $0.bind(3, self.ids(of: slot).upperBound)
            }
        }
    }
}

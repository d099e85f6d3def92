import Records
import Schema

/// SQL for the rowids of `message_search`, of the hits with ?1 < id < ?2 that match ?3.
extension SearchRows {
    private static let firstSlot = "(max(?1, 0) >> \(bits))"
    private static let lastSlot = "(max(0, min(?2, \(slotCount << bits - 1))) >> \(bits))"
    private static let matches = "message_search MATCH ?3 AND message_search.rowid"

    /// A condition for the slots that lie completely in the time of the hits.
    static let inner = "\(matches) > \(firstSlot) AND message_search.rowid < \(lastSlot)"
    /// A condition for the rowids that are slots.
    package static let isSlot = "message_search.rowid BETWEEN 0 AND \(slotCount - 1)"
    /// The id of a message whose rowid is not a slot.
    package static let wholeID =
        "iif(message_search.rowid < 0, message_search.rowid, message_search.rowid - \(slotCount))"
    /// The beginning of a slot, in microseconds since 1970.
    package static let slotTime = "message_search.rowid << \(bits)"

    /// Returns a condition for the message `m` that a slot stands for. Both bounds are the first message of a slot with
    /// several, so that SQLite reads none of the others.
    ///
    /// - Parameter hasShared: False if no slot has several messages.
    package static func isFirst(_ slot: String = "message_search.rowid", hasShared: Bool = true) -> String {
        func bound(_ alone: String) -> String {
            hasShared ? "ifnull((SELECT first FROM search_slot WHERE slot = \(slot)), \(alone))" : alone
        }
        let (first, last) = (bound("\(slot) << \(bits)"), bound("(\(slot) << \(bits)) + \(1 << bits - 1)"))
        return "m.id BETWEEN \(first) AND \(last) AND m.noise = 0" + (hasShared ? " AND m.id >> \(bits) = \(slot)" : "")
    }

    /// A condition for the messages with an id whose text passes the test ?5, after others.
    static func passes(_ id: String) -> String { " AND passes(?5, (SELECT body FROM message WHERE id = \(id)))" }

    /// The kinds of rowids that a file has. Each needs its own SELECT, for which FTS5 runs a whole search. So kinds that
    /// the file does not have are left out.
    struct Kinds {
        /// SELECTs of the hits without a slot.
        let others: [SQLText]
        private let columns: String
        private let hasShared: Bool
        private let passing: Bool

        /// - Parameters:
        ///   - columns: Further columns of every SELECT after `id`.
        ///   - passing: True to leave out messages whose text does not pass the test ?5.
        /// - Returns: Nil for a shared archive, and for an index in which the id is the rowid.
        init?(_ db: ReadTransaction, columns: String = "", passing: Bool = false) throws {
            guard !db.isShared,
                try SearchReach.all(db).first(where: { $0.name == SearchIndex.name })?.hasSlots ?? true
            else { return nil }
            hasShared = try db.holds("SELECT EXISTS (SELECT 1 FROM search_slot)")
            let (first, last) = try (
                db.integer("SELECT min(id) FROM message") ?? 0, db.integer("SELECT max(id) FROM message") ?? 0
            )
            func whole(_ offset: Int64, above lower: String, below upper: String) -> SQLText {
                """
                SELECT message_search.rowid - \(offset) AS id\(columns) FROM message_search
                WHERE \(matches) > \(lower) AND message_search.rowid < \(upper)
                \(passing ? SearchRows.passes("message_search.rowid - \(offset)") : "")
                """
            }
            let late = whole(
                slotCount, above: "max(?1, -1) + \(slotCount)",
                below: "min(?2, \(Int64.max - slotCount)) + \(slotCount)")
            let early = whole(0, above: "?1", below: "min(?2, 0)")
            others = (hasShared || last >= slotCount << bits ? [late] : []) + (first < 0 ? [early] : [])
            (self.columns, self.passing) = (columns, passing)
        }

        /// SELECTs of all hits, each with the rowids in the order of the ids.
        var branches: [SQLText] { [slots("m.id AS id\(columns)")] + others }

        /// A SELECT of the hits with a slot that lies only partly in their time.
        var outer: SQLText { slots("m.id AS id\(columns)", "IN (\(firstSlot), \(lastSlot))") }

        /// Returns a SELECT of the hits with a slot.
        func slots(_ selected: String, _ bounds: String = "BETWEEN \(firstSlot) AND \(lastSlot)") -> SQLText {
            """
            SELECT \(selected) FROM message_search CROSS JOIN message AS m ON \(isFirst(hasShared: hasShared))
            WHERE \(matches) \(bounds) AND m.id > ?1 AND m.id < ?2\(passing ? " AND passes(?5, m.body)" : "")
            """
        }

        /// Returns a SELECT of the ids of slots' messages.
        ///
        /// - Parameter rows: A SELECT of slots as `number`, and of `score`.
        func messages(ofRows rows: SQLText) -> SQLText {
            """
            SELECT m.id AS id, score FROM (\(rows)) AS best
            CROSS JOIN message AS m ON \(isFirst("best.number", hasShared: hasShared))
            """
        }

        /// The time of a slot's message, right to the quarter of an hour. Reads the message only if such a quarter begins
        /// within the slot.
        var time: String {
            """
            iif((\(slotTime)) % 900000000 < \(900_000_000 - (1 << bits)), \(slotTime),
              ifnull((SELECT m.id FROM message AS m WHERE \(isFirst(hasShared: hasShared))), \(slotTime)))
            """
        }
    }
}

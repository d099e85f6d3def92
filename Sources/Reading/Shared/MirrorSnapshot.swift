package import ChatModel
import Records
package import Schema

/// One state of an account's file, for a comparison with the shared archive.
package struct MirrorSnapshot {
    private let db: ReadTransaction

    /// A value of a row.
    package enum Value: Sendable, Hashable {
        case integer(Int64)
        case text(String)
        case null
    }

    init(_ db: ReadTransaction) { self.db = db }

    /// Returns the last message that rules removed from each room, joins and the like included.
    package func purgedRooms() throws -> [Int64: MessageID] {
        var rooms: [Int64: MessageID] = [:]
        try db.forEach("SELECT room_id, max(last_us) FROM purge WHERE what IN (0, 1) GROUP BY room_id") { row in
            rooms[try row.integer(0)] = try row.messageID(1)
        }
        return rooms
    }

    /// Calls `body` with each row of a table, whose columns are in the table's order.
    package func forEachRow(of table: SchemaTable, _ body: ([Value]) throws -> Void) throws {
        let names = table.sent.map(\.name).joined(separator: ", ")
        var values = [Value](repeating: .null, count: table.sent.count)
        try db.forEach("SELECT \(names) FROM \"\(table.name)\"") { row in
            for (place, column) in table.sent.enumerated() {
                values[place] =
                    column.isText
                    ? try row.optionalText(Int32(place)).map(Value.text) ?? .null
                    : try row.number(Int32(place)).map(Value.integer) ?? .null
            }
            try body(values)
        }
    }
}

extension AccountMirror {
    /// Reads one state of the file.
    ///
    /// - Returns: Nil if the feed does not end at that position.
    package func snapshot<T>(at position: FeedPosition, _ body: (MirrorSnapshot) throws -> T) throws -> T? {
        try read { db in
            guard try FeedPosition.end(db) == position else { return nil }
            return try body(MirrorSnapshot(db))
        }
    }
}

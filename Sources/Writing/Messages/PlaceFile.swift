import ChatModel
import Files
import SQLite

/// Messages by their content, in a temporary SQLite database. Data beyond its cache of 2 MB goes to an unnamed file in
/// TMPDIR, which only this user can read.
final class PlaceFile: Sendable {
    struct Place {
        let content: OccurrenceKey
        let id: Int64
        let time: Timestamp
    }

    private let queue: DatabaseQueue

    /// - Throws: ``ArchiveError``
    init() throws {
        queue = try Self.describe {
            let queue = try DatabaseQueue(path: "")
            try queue.sync { db in
                try db.execute(
                    sql: """
                        PRAGMA journal_mode = OFF;
                        CREATE TABLE place (
                          first INTEGER NOT NULL, second INTEGER NOT NULL, id INTEGER NOT NULL, time_us INTEGER NOT NULL,
                          PRIMARY KEY (first, second, id)
                        ) WITHOUT ROWID
                        """)
            }
            return queue
        }
    }

    /// - Throws: ``ArchiveError``, also if TMPDIR is full.
    func add(_ places: [Place]) throws {
        try write { db in
            let insertion = try db.cachedStatement(sql: "INSERT OR IGNORE INTO place VALUES (?, ?, ?, ?)")
            for place in places {
                let content = place.content
                try insertion.execute(
                    arguments: [content.first, content.second, place.id, place.time.microseconds])
            }
        }
    }

    /// - Throws: ``ArchiveError``
    func remove(_ content: OccurrenceKey, id: Int64) throws {
        try write { db in
            try db.cachedStatement(sql: "DELETE FROM place WHERE first = ? AND second = ? AND id = ?")
                .execute(arguments: [content.first, content.second, id])
        }
    }

    /// Returns the id of a message with this content and a time in `times`, in µs. Skips `number` such messages, in the
    /// order of ids from `id` on.
    ///
    /// - Throws: ``ArchiveError``
    func find(_ content: OccurrenceKey, times: Range<Int64>, from id: Int64, after number: Int) throws -> Int64? {
        try write { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT id FROM place
                    WHERE first = ? AND second = ? AND id >= ? AND time_us >= ? AND time_us < ?
                    ORDER BY id LIMIT 1 OFFSET ?
                    """)
            return try Int64.fetchOne(
                statement,
                arguments: [content.first, content.second, id, times.lowerBound, times.upperBound, number])
        }
    }

    private func write<T>(_ body: (Database) throws -> T) throws -> T {
        try Self.describe { try queue.write(body) }
    }

    private static func describe<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw ArchiveError(
                code: .storage,
                detail: "can't write the temporary file in TMPDIR that finds a minute's messages "
                    + "(\(error.message))")
        }
    }
}

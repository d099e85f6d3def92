import CSQLite
import Foundation
import Migrations
import SearchText
import TestSupport

/// The rows that an import made, which are written into another file by SQLite's C API alone.
///
/// Writes them as the store does: a transaction for each 1,000 messages in the order of the change feed; with each
/// message the users and names that are new with it, its row of the feed, and its entry of the search index.
struct ImportedRows {
    private struct Row {
        var values: [BoundValue]
        /// The number of the message in whose transaction the row is written.
        var message: Int
    }

    private struct Table {
        let insertion: String
        var rows: [Row]
    }

    private static let batch = 1000

    let messages: Int
    private var tables: [Table] = []

    /// Reads all rows, and prepares the entries of the search index.
    ///
    /// - Parameter file: The file of an account with one room.
    init(file: String) throws {
        let source = try BareConnection(path: file, readOnly: true)
        func rows(_ columns: String, _ rest: String) throws -> [[BoundValue]] {
            try Self.rows(source.prepare("SELECT \(columns) FROM \(rest)"))
        }
        let columns = """
            message.id, room_id, kind, sender_id, session_id, received_at_us, source_time_us, flags, remote_id, body,
            edited_at_us, deleted_at_us, reply_to
            """
        let all = try rows(columns, "change JOIN message ON message.id = subject_id WHERE what = 0 ORDER BY seq")
        messages = all.count
        var (places, people): ([Int64: Int], [Int64: Int]) = ([:], [:])
        for (place, row) in all.enumerated() {
            if case .integer(let id) = row[0] { places[id] = place }
            if case .integer(let sender) = row[3], people[sender] == nil { people[sender] = place }
        }
        /// - Parameter key: The column with the message, or with the subject whose first message determines the place.
        func add(_ table: String, _ columns: String, key: Int, of numbers: [Int64: Int], _ rest: String = "") throws {
            let marks = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
            let found = try rows(columns, "\(table) \(rest)").map { row -> Row in
                guard case .integer(let number) = row[key] else { return Row(values: row, message: 0) }
                return Row(values: row, message: numbers[number] ?? 0)
            }
            tables.append(
                Table(
                    insertion: "INSERT INTO \(table) (\(columns)) VALUES (\(marks))",
                    rows: found.sorted { $0.message < $1.message }))
        }
        try add("user", "id, key, is_self", key: 0, of: people)
        try add("user_name", "user_id, first_seen_us, last_seen_us, name", key: 0, of: people)
        try add("membership", "room_id, user_id, joined_at_us, left_at_us", key: 1, of: people)
        let insertion = """
            INSERT INTO message (\(columns.replacingOccurrences(of: "message.id", with: "id")))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (room_id, remote_id) WHERE remote_id IS NOT NULL DO NOTHING
            """
        tables.append(Table(insertion: insertion, rows: all.enumerated().map { Row(values: $1, message: $0) }))
        try add("change", "what, subject_id", key: 1, of: places, "ORDER BY seq")
        try add("id_run", "first_us, last_us", key: 0, of: places)
        let found = try rows(Self.indexed, "message WHERE noise = 0 ORDER BY id").map { row -> Row in
            guard case .integer(let id) = row[0], case .text(let body) = row[1] else {
                return Row(values: row, message: 0)
            }
            let indexed = Analyser.analyse(String(decoding: body, as: UTF8.self))
            return Row(
                values: [row[0], .text(Array(indexed.text.utf8)), .text(Array(indexed.chars.utf8)), row[2]],
                message: places[id] ?? 0)
        }
        // Sorts the rows of a batch by id, as the store does.
        tables.append(
            Table(
                insertion: "INSERT INTO message_search (rowid, text, chars, facets) VALUES (?, ?, ?, ?)",
                rows: Dictionary(grouping: found) { $0.message / Self.batch }.sorted { $0.key < $1.key }
                    .flatMap(\.value)))
    }

    /// SQL for the columns of an index entry. Kinds are numbers here, which count as many words as their names.
    private static let indexed = """
        id, ifnull(body, ''), 'all r' || room_id || iif(kind = 0, '', ' k' || kind) || ifnull(' u' || sender_id, '')
          || iif(body LIKE '%http%://%', ' hlink', '')
        """

    private static func rows(_ statement: OpaquePointer) -> [[BoundValue]] {
        var rows: [[BoundValue]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append((0..<sqlite3_column_count(statement)).map { BoundValue(column: $0, of: statement) })
        }
        return rows
    }

    /// - Returns: The time that writing took.
    func write() throws -> Sample {
        let folder = try TemporaryFolder()
        let connection = try BareConnection(path: folder.path + "/1.sqlite")
        try connection.execute(BareConnection.settings)
        for migration in Migrations.all { try connection.execute(migration.sql) }
        try connection.execute("INSERT INTO room (key, kind) VALUES ('#room', 'channel')")
        let statements = try tables.map { try connection.prepare($0.insertion) }
        let count = try connection.prepare("UPDATE room SET messages = messages + ? WHERE id = 1")
        var next = tables.map { _ in 0 }
        var time = Sample()
        try time.measure {
            for start in stride(from: 0, to: messages, by: Self.batch) {
                try connection.execute("BEGIN IMMEDIATE")
                let end = min(start + Self.batch, messages)
                for (index, table) in tables.enumerated() {
                    while next[index] < table.rows.count, table.rows[next[index]].message < end {
                        try Self.write(table.rows[next[index]].values, statements[index])
                        next[index] += 1
                    }
                }
                sqlite3_bind_int64(count, 1, Int64(end - start))
                try step(count)
                try connection.execute("COMMIT")
            }
        }
        return time
    }

    private static func write(_ values: [BoundValue], _ statement: OpaquePointer) throws {
        for (index, value) in values.enumerated() { value.bind(to: statement, Int32(index + 1)) }
        try step(statement)
    }
}

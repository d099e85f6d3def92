import Archive
import CSQLite
import ChatModel
import SearchText
import TestSupport

/// Bytes a message of what an archive may have besides: counted by archives with and without it.
struct SearchExtras {
    /// As StreamChat's messages have them.
    let remoteIDs: Double
    /// A chunk a message.
    let raw: Double
    let chars: Double

    private static let count = 200_000

    static func measure(_ messages: SearchMessages) async throws -> SearchExtras {
        let plain = try await archive { number, session in [messages[number].event(session)] }
        let withIDs = try await archive { number, session in
            [messages[number].event(session, remoteID: "\(session.rawValue):\(number * 60)")]
        }
        let withRaw = try await archive { number, session in
            let message = messages[number]
            let bytes = Array("\(message.nick)::\(message.text)\0".utf8)
            let chunk = JournalChunk(
                session: session, offset: Int64(number) * 4096, receivedAt: message.time, bytes: bytes)
            return [.chunk(chunk), message.event(session)]
        }
        let chars = try index(messages, hasChars: true) - index(messages, hasChars: false)
        return SearchExtras(remoteIDs: withIDs - plain, raw: withRaw - plain, chars: chars)
    }

    private static func archive(_ events: (Int, SessionID) -> [ChatEvent]) async throws -> Double {
        let sample = try SampleArchive()
        try await sample.fill(to: count, at: SearchMessages.time(of:), events: events)
        return Double(try FileSize(path: try sample.file).bytes) / Double(count)
    }

    /// Returns the bytes a message of the search index, with or without its column of single characters.
    private static func index(_ messages: SearchMessages, hasChars: Bool) throws -> Double {
        let columns = ["text", "chars", "facets"]
        return try index(messages, count: count, tokenizer: "unicode61", columns: columns) { message, number in
            let indexed = Analyser.analyse(message.text)
            return [indexed.text, hasChars ? indexed.chars : "", "all r1 u\(number % 1000)"]
        }
    }

    /// Returns the bytes a message of a full-text index alone.
    static func index(
        _ messages: SearchMessages, count: Int, tokenizer: String, columns: [String],
        entry: (_ message: SearchMessages.Message, _ number: Int) -> [String]
    ) throws -> Double {
        let folder = try TemporaryFolder()
        let connection = try BareConnection(path: folder.path + "/index.sqlite")
        let names = columns.joined(separator: ", ")
        let marks = columns.map { _ in ", ?" }.joined()
        try connection.execute(
            """
            PRAGMA synchronous = OFF;
            CREATE VIRTUAL TABLE found USING fts5(\(names), content = '', tokenize = '\(tokenizer)');
            """)
        let insert = try connection.prepare("INSERT INTO found (rowid, \(names)) VALUES (?\(marks))")
        for start in stride(from: 0, to: count, by: 1000) {
            try connection.execute("BEGIN")
            for number in start..<start + 1000 {
                sqlite3_bind_int64(insert, 1, SearchMessages.time(of: number).microseconds)
                for (column, text) in entry(messages[number], number).enumerated() {
                    bind(Array(text.utf8), to: insert, Int32(column + 2))
                }
                try step(insert)
            }
            try connection.execute("COMMIT")
        }
        return Double(try FileSize(path: folder.path + "/index.sqlite").bytes) / Double(count)
    }
}

/// What a file takes, and which tables and indexes take it.
struct FileSize {
    let bytes: Int
    /// The largest first; empty where SQLite has no `dbstat`.
    let tables: [(name: String, bytes: Int)]

    init(path: String, byTable: Bool = false) throws {
        let connection = try BareConnection(path: path, readOnly: true)
        let size = "SELECT 'all', page_count * page_size FROM pragma_page_count, pragma_page_size"
        bytes = try Self.rows(connection.prepare(size)).first?.bytes ?? 0
        let stat = "SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE ORDER BY 2 DESC"
        tables = byTable ? (try? Self.rows(connection.prepare(stat))) ?? [] : []
    }

    private static func rows(_ statement: OpaquePointer) -> [(name: String, bytes: Int)] {
        var rows: [(name: String, bytes: Int)] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append((String(cString: sqlite3_column_text(statement, 0)), Int(sqlite3_column_int64(statement, 1))))
        }
        return rows
    }
}

import Archive
import LogFormats
import Rendering

/// The rows of a known program's SQLite database as JSON lines: the header, and each row as an object.
///
/// Reads some rows at a time, each time in a short transaction, so that a program that writes the database meanwhile is
/// not held up, and memory does not grow with the database.
final class DatabaseChunks: ByteChunks {
    private let file: SQLiteFile
    private let isStopped: () -> Bool
    private var queries: ArraySlice<KnownDatabase.Query>
    /// The query that is being read, and the number of its last row.
    private var rows: SQLiteRows?
    private var last = Int64.min
    /// The bytes that are not returned yet.
    private var buffer: [UInt8]
    private var start = 0

    /// The number of rows in a transaction, which takes some milliseconds.
    private static let pageRows: Int64 = 500

    /// Opens a file; nil if it is not an SQLite database of a known program.
    ///
    /// - Throws: ``UnreadableBytes`` if it can't be read; ``ImportError`` if it has no messages to import.
    static func open(_ path: String, isStopped: @escaping () -> Bool) throws -> DatabaseChunks? {
        let header = try SQLiteFile.bytes(of: path, count: 100)
        guard header.starts(with: SQLiteFile.magic) else { return nil }
        let shown = Sanitizer.line(path)
        if AccountFileMark.isAccount(header: header) {
            throw ImportError(
                .importSource, shown, "it is a Scrollback account",
                hint: "copy its folder with scrollback backup, or export it as jsonl and import that")
        }
        let file = try SQLiteFile(path: path)
        if let known = try KnownDatabase.find(in: file) { return try DatabaseChunks(file, known, isStopped) }
        if try KnownDatabase.isSojuWithoutMessages(file) {
            throw ImportError(
                .importSource, shown, "soju keeps no messages in this database", hint: "import soju's folder of logs")
        }
        return nil
    }

    private init(_ file: SQLiteFile, _ known: KnownDatabase, _ isStopped: @escaping () -> Bool) throws(UnreadableBytes)
    {
        (self.file, self.isStopped) = (file, isStopped)
        queries = known.queries[...]
        buffer = try known.header(of: file).line
    }

    func next() throws -> ArraySlice<UInt8> {
        while buffer.count - start < ByteChunk.size, !queries.isEmpty {
            if isStopped() { throw ImportStopped() }
            if start > 0 {
                buffer.removeFirst(start)
                start = 0
            }
            try readPage()
        }
        let end = min(start + ByteChunk.size, buffer.count)
        defer { start = end }
        return buffer[start..<end]
    }

    /// Reads the next rows of the query into the buffer, until it has a chunk.
    private func readPage() throws {
        guard let query = queries.first else { return }
        let rows = try self.rows ?? file.prepare(query.rows)
        self.rows = rows
        rows.bind(last, at: 1)
        rows.bind(Self.pageRows, at: 2)
        defer { rows.reset() }
        var count: Int64 = 0
        while buffer.count < ByteChunk.size {
            switch try rows.step() {
            case .row:
                count += 1
                last = rows.integer(at: 0)
                DatabaseRowText.append(rows, to: &buffer)
            case .tooLong:
                rows.reset()
                return try skipRow(of: query)
            case .done:
                if count < Self.pageRows { try endQuery() }
                return
            }
        }
    }

    /// Skips a row with a value that is too long, and leaves an unreadable row in its place.
    private func skipRow(of query: KnownDatabase.Query) throws {
        let next = try file.prepare(query.next)
        next.bind(last, at: 1)
        guard case .row = try next.step(), next.integer(at: 0) > last else { return try endQuery() }
        last = next.integer(at: 0)
        buffer += #"{"error":"a value is longer than \#(SQLiteFile.maximumValue) bytes"}"#.utf8 + [0x0A]
    }

    private func endQuery() throws {
        rows = nil
        last = .min
        queries.removeFirst()
        if queries.isEmpty { try file.checkUnchanged() }
    }
}

/// Refuses an SQLite database in a pipe, an archive or compressed: SQLite reads only files.
final class DatabaseRefusal: ByteChunks {
    private let bytes: any ByteChunks
    private var isBegun = false

    init(_ bytes: any ByteChunks) {
        self.bytes = bytes
    }

    func isQuiet() throws -> Bool { try bytes.isQuiet() }

    func next() throws -> ArraySlice<UInt8> {
        let chunk = try bytes.next()
        if !isBegun, chunk.starts(with: SQLiteFile.magic) {
            throw UnreadableBytes(
                reason: "an SQLite database in an archive or a pipe", hint: "unpack it and import the file itself")
        }
        isBegun = true
        return chunk
    }
}

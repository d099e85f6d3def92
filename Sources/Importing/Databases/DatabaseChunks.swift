import LogFormats
import Rendering
import Schema

/// The rows of a known program's SQLite database as JSON lines: the header, and each row as an object.
///
/// Reads some rows at a time, each time in a short transaction, so that a program that writes the database meanwhile is
/// not held up, and memory does not grow with the database.
final class DatabaseChunks: ByteChunks {
    private let file: SQLiteFile
    private let isStopped: () -> Bool
    /// The queries that are not at their ends, each with its table.
    private var queries: ArraySlice<(DatabaseSchema.Query, SQLiteTable)>
    /// The walk of the first query; nil before it.
    private var walk: TableWalk?
    /// The bytes that are not returned yet.
    private var buffer: [UInt8]
    private var start = 0
    private var amount: Expansion
    /// The error that ended the rows, which comes after those that were read before it.
    private var failure: UnreadableBytes?

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
        let file = try SQLiteFile(path: path, isStopped: isStopped)
        let tables = try file.tables(named: KnownDatabase.tableNames)
        if let known = try KnownDatabase.find(tables) { return try DatabaseChunks(file, known, tables, isStopped) }
        if tables.isEmpty, file.lacksLog, try file.isEmpty {
            throw ImportError(
                .input, shown, "it has no tables; its changes may be in \(shown)-wal, which is missing",
                hint: "copy that file, too, and the file ending in -shm")
        }
        if let refusal = KnownDatabase.refusal(of: OpenDatabase(file: file, tables: tables)) {
            throw ImportError(.importSource, shown, refusal.reason, hint: refusal.hint)
        }
        return nil
    }

    private init(
        _ file: SQLiteFile, _ known: KnownDatabase, _ tables: [String: SQLiteTable], _ isStopped: @escaping () -> Bool
    ) throws {
        (self.file, self.isStopped) = (file, isStopped)
        amount = Expansion(packed: file.size)
        queries = known.schema.queries.compactMap { query in tables[query.table.lowercased()].map { (query, $0) } }[...]
        file.guardian.allow(Set(tables.keys))
        buffer = try known.format.header(of: OpenDatabase(file: file, tables: tables)).line
    }

    func next() throws -> ArraySlice<UInt8> {
        while buffer.count - start < ByteChunk.size, !queries.isEmpty, failure == nil {
            if isStopped() { throw ImportStopped() }
            if start > 0 {
                buffer.removeFirst(start)
                start = 0
            }
            do {
                try readPage()
            } catch let error as UnreadableBytes {
                failure = error
            }
        }
        if start == buffer.count, let failure { throw failure }
        let end = min(start + ByteChunk.size, buffer.count)
        defer { start = end }
        return buffer[start..<end]
    }

    /// Reads the next rows of the query into the buffer, until it has a chunk.
    private func readPage() throws {
        guard let (query, table) = queries.first else { return }
        let walk = try self.walk ?? TableWalk(query, of: table, in: file)
        self.walk = walk
        let before = buffer.count
        try walk.readPage(while: { buffer.count < ByteChunk.size }) { row in
            if let row { DatabaseRowText.append(row, to: &buffer) } else { buffer += Self.tooLong }
        }
        amount.unpacked += Int64(buffer.count - before)
        guard !amount.isExcessive else {
            throw UnreadableBytes(
                reason: "its rows take more than \(Expansion.maximumRatio) times its size",
                hint: "it may be made to fill a disk; export its messages with the program that wrote it")
        }
        if walk.isAtEnd { try endQuery() }
    }

    /// The row in place of one that can't be read.
    private static let tooLong = Array(
        #"{"error":"a value is longer than \#(SQLiteFile.maximumValue) bytes"}"#.utf8 + [0x0A])

    private func endQuery() throws {
        walk = nil
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

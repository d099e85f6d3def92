import CSQLite

/// The value of a statement's parameter, or of a row's column.
enum BoundValue {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    /// Reads a column of the statement's current row.
    init(column: Int32, of statement: OpaquePointer) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: self = .null
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
        case SQLITE_BLOB: self = .blob(Self.bytes(sqlite3_column_blob(statement, column), column, statement))
        default: self = .text(Self.bytes(sqlite3_column_text(statement, column), column, statement))
        }
    }

    private static func bytes(_ start: UnsafeRawPointer?, _ column: Int32, _ statement: OpaquePointer) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    func bind(to statement: OpaquePointer, _ index: Int32) {
        switch self {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .real(let number): sqlite3_bind_double(statement, index, number)
        case .text(let bytes): Benchmarks.bind(bytes, to: statement, index)
        case .blob(let bytes): sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), transient)
        }
    }
}

/// `SQLITE_TRANSIENT`, a macro that Swift can't read: SQLite copies the text.
private var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

func bind(_ text: [UInt8], to statement: OpaquePointer, _ index: Int32) {
    text.withUnsafeBytes { bytes in
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        // A buffer without bytes may have no address, and that would bind NULL.
        sqlite3_bind_text(statement, index, start ?? UnsafePointer(bitPattern: 1), Int32(bytes.count), transient)
    }
}

func step(_ statement: OpaquePointer) throws {
    guard sqlite3_step(statement) == SQLITE_DONE else { throw BenchmarkError("a bare INSERT failed") }
    sqlite3_reset(statement)
}

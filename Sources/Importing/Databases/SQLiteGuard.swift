import CSQLite
import Rendering

/// Lets a connection only read named tables, and ends work that takes too long.
final class SQLiteGuard {
    /// The tables that may be read, in lower case; nil while SQLite reads the schema, in which nothing may be selected.
    private var tables: Set<String>?
    /// The limit of SQLite's steps for the schema, for the networks, and for each page of rows. A scan of a table takes
    /// some steps a row, and a row some tens of bytes.
    private let limit: Int64
    private let isStopped: () -> Bool
    /// The steps since ``begin()``.
    private var steps: Int64 = 0
    /// The reason of the last interruption.
    private(set) var error: any Error = ImportStopped()
    /// The connection, to ask for its memory.
    private var handle: OpaquePointer?

    /// Ten million steps take 0.1 s.
    private static let leastLimit: Int64 = 10_000_000
    /// 16 MiB. The schemas of known programs take 0.1 MiB.
    private static let maximumSchema: Int32 = 16 << 20
    /// The steps between two calls: about three tables of a schema, then some tens of rows.
    private var stride: Int32 { tables == nil ? 20 : 1000 }

    /// - Parameters:
    ///   - size: The size of the file in bytes.
    ///   - isStopped: Returns true if reading should end with ``ImportStopped``.
    init(size: Int64, isStopped: @escaping () -> Bool) {
        self.isStopped = isStopped
        limit = Self.leastLimit + size
    }

    func install(on handle: OpaquePointer?) {
        self.handle = handle
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, _, inner in
                guard let own = SQLiteGuard.of(context) else { return SQLITE_DENY }
                let names = [first, second, inner].map { $0.map { String(cString: $0) } }
                return own.allows(action, names[0], names[1], inner: names[2]) ? SQLITE_OK : SQLITE_DENY
            }, context)
        watch()
    }

    /// Allows to read these tables from here on.
    ///
    /// - Parameter tables: Their names, in lower case.
    func allow(_ tables: Set<String>) {
        self.tables = tables
        begin()
        watch()
    }

    private func watch() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(handle, stride, { SQLiteGuard.of($0)?.isOver() ?? true ? 1 : 0 }, context)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> SQLiteGuard? {
        context.map { Unmanaged<SQLiteGuard>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Begins to count the steps.
    func begin() { steps = 0 }

    /// - Parameters:
    ///   - first: The first name of the action, such as a table or a PRAGMA.
    ///   - second: The second name of the action, such as a column or a function.
    ///   - inner: The view or trigger that asks; nil for a statement of ours.
    private func allows(_ action: Int32, _ first: String?, _ second: String?, inner: String?) -> Bool {
        guard inner == nil else { return false }
        switch action {
        case SQLITE_PRAGMA: return ["table_list", "table_xinfo", "data_version"].contains(first)
        case SQLITE_TRANSACTION: return true
        case SQLITE_SELECT: return tables != nil
        case SQLITE_READ: return first.map { tables?.contains($0.lowercased()) ?? false } ?? false
        case SQLITE_FUNCTION: return ["coalesce", "hex", "min", "nullif", "sum"].contains(second)
        default: return false
        }
    }

    /// Returns true to interrupt SQLite.
    private func isOver() -> Bool {
        steps += Int64(stride)
        if isStopped() {
            error = ImportStopped()
        } else if steps > limit {
            error = UnreadableBytes(
                reason: "a query takes more than \(limit.grouped) steps",
                hint: "rebuild it: sqlite3 FILE .recover | sqlite3 NEW-FILE")
        } else if tables == nil, schemaMemory > Self.maximumSchema {
            error = UnreadableBytes(
                reason: "its schema takes more than \(Self.maximumSchema >> 20) MiB",
                hint: "export its messages as text or CSV")
        } else {
            return false
        }
        return true
    }

    /// The bytes of what SQLite has read of the schema.
    private var schemaMemory: Int32 {
        var (current, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_SCHEMA_USED, &current, &highest, 0)
        return current
    }
}

import CSQLite

/// A view as a virtual table of SQLite: `SELECT … FROM messages` needs no `CREATE`.
///
/// SQLite calls its functions in the thread of the statement, and frees what ``connect`` and ``open`` make before the
/// connection ends. So the functions find a table and a cursor by addresses that they gave to SQLite.
final class SQLModule {
    private let view: SQLView
    private let accounts: SQLAccounts
    /// The plans, by the numbers that SQLite keeps for them.
    private var plans: [SQLPlan] = []

    private init(_ view: SQLView, _ accounts: SQLAccounts) {
        (self.view, self.accounts) = (view, accounts)
    }

    /// Registers a view on a connection.
    ///
    /// - Returns: SQLite's code.
    static func register(_ view: SQLView, _ accounts: SQLAccounts, on handle: OpaquePointer) -> Int32 {
        let own = Unmanaged.passRetained(SQLModule(view, accounts)).toOpaque()
        return sqlite3_create_module_v2(handle, view.name, functions, own) { own in
            own.map { Unmanaged<SQLModule>.fromOpaque($0).release() }
        }
    }

    private struct Table {
        var base = sqlite3_vtab()
        let module: Unmanaged<SQLModule>
    }

    private struct Cursor {
        var base = sqlite3_vtab_cursor()
        let module: Unmanaged<SQLModule>
        let cursor: Unmanaged<SQLCursor>
    }

    /// SQLite's table of our functions. Without `xCreate`, no statement can make another table of the module.
    private nonisolated(unsafe) static let functions: UnsafePointer<sqlite3_module> = {
        var functions = sqlite3_module()
        functions.xConnect = { handle, own, _, _, table, _ in connect(handle, own, table) }
        functions.xDisconnect = { table in disconnect(table) }
        functions.xDestroy = { table in disconnect(table) }
        functions.xBestIndex = { table, info in plan(table, info) }
        functions.xOpen = { table, cursor in open(table, cursor) }
        functions.xClose = { cursor in close(cursor) }
        functions.xFilter = { cursor, number, _, count, values in
            withCursor(cursor) { module, own in
                guard module.plans.indices.contains(Int(number)) else { return }
                try own.begin(module.plans[Int(number)], SQLValues(values, count: Int(count)))
            }
        }
        functions.xNext = { cursor in withCursor(cursor) { try $1.next() } }
        functions.xEof = { cursor in own(cursor)?.cursor.takeUnretainedValue().isAtEnd ?? true ? 1 : 0 }
        functions.xColumn = { cursor, context, column in
            own(cursor)?.cursor.takeUnretainedValue().give(Int(column), to: context)
            return SQLITE_OK
        }
        // The tables have no numbers of rows.
        functions.xRowid = { _, _ in SQLITE_ERROR }
        let place = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        place.initialize(to: functions)
        return UnsafePointer(place)
    }()

    private static func connect(
        _ handle: OpaquePointer?, _ own: UnsafeMutableRawPointer?,
        _ table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
    ) -> Int32 {
        guard let own, let table else { return SQLITE_MISUSE }
        let module = Unmanaged<SQLModule>.fromOpaque(own)
        let code = sqlite3_declare_vtab(handle, module.takeUnretainedValue().view.declaration)
        guard code == SQLITE_OK else { return code }
        let place = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        place.initialize(to: Table(module: module))
        table.pointee = UnsafeMutableRawPointer(place).assumingMemoryBound(to: sqlite3_vtab.self)
        return SQLITE_OK
    }

    private static func disconnect(_ table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
        table.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Table.self).deallocate() }
        return SQLITE_OK
    }

    private static func own(_ table: UnsafeMutablePointer<sqlite3_vtab>?) -> Table? {
        table.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Table.self).pointee }
    }

    private static func plan(
        _ table: UnsafeMutablePointer<sqlite3_vtab>?, _ info: UnsafeMutablePointer<sqlite3_index_info>?
    ) -> Int32 {
        guard let module = own(table)?.module.takeUnretainedValue(), let info else { return SQLITE_MISUSE }
        guard let plan = SQLPlan(module.view, for: info, accounts: module.accounts) else { return SQLITE_CONSTRAINT }
        info.pointee.idxNum = Int32(module.plans.count)
        module.plans.append(plan)
        return SQLITE_OK
    }

    private static func open(
        _ table: UnsafeMutablePointer<sqlite3_vtab>?,
        _ cursor: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
    ) -> Int32 {
        guard let module = own(table)?.module, let cursor else { return SQLITE_MISUSE }
        let (view, accounts) = (module.takeUnretainedValue().view, module.takeUnretainedValue().accounts)
        let place = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
        place.initialize(to: Cursor(module: module, cursor: .passRetained(SQLCursor(view, accounts))))
        cursor.pointee = UnsafeMutableRawPointer(place).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
        return SQLITE_OK
    }

    private static func close(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
        guard let cursor else { return SQLITE_OK }
        own(cursor)?.cursor.release()
        UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: Cursor.self).deallocate()
        return SQLITE_OK
    }

    private static func own(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Cursor? {
        cursor.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Cursor.self).pointee }
    }

    /// Runs the body; its error becomes the failure of the accounts, and SQLite's statement fails.
    private static func withCursor(
        _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ body: (SQLModule, SQLCursor) throws -> Void
    ) -> Int32 {
        guard let own = own(cursor) else { return SQLITE_MISUSE }
        let module = own.module.takeUnretainedValue()
        let done: Void? = module.accounts.noting { try body(module, own.cursor.takeUnretainedValue()) }
        return done == nil ? SQLITE_ERROR : SQLITE_OK
    }
}

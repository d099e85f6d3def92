import CSQLite

/// Restricts a connection to statements that only read, and that end.
final class SQLRules {
    /// The thing that a statement wanted and may not do, for people: `INSERT`, `the function load_extension`.
    private(set) var refused: String?

    /// The longest value in bytes: more than four times the longest text that an import stores.
    static let maximumValue: Int32 = 4 << 20
    static let maximumStatement: Int32 = 100_000

    /// Those of sqlite.org/security.html for a statement and a pattern; for the rest more, as people write long conditions.
    private static let maxima = [
        (SQLITE_LIMIT_LENGTH, maximumValue), (SQLITE_LIMIT_SQL_LENGTH, maximumStatement), (SQLITE_LIMIT_COLUMN, 500),
        (SQLITE_LIMIT_EXPR_DEPTH, 500), (SQLITE_LIMIT_COMPOUND_SELECT, 100), (SQLITE_LIMIT_FUNCTION_ARG, 100),
        (SQLITE_LIMIT_VDBE_OP, 250_000), (SQLITE_LIMIT_VARIABLE_NUMBER, 10), (SQLITE_LIMIT_ATTACHED, 0),
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000), (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]

    private static let switches = [
        (SQLITE_DBCONFIG_DEFENSIVE, true), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (SQLITE_DBCONFIG_ENABLE_VIEW, false), (SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false),
        // A name in double quotes that does not exist is a mistake, not a text.
        (SQLITE_DBCONFIG_DQS_DML, false), (SQLITE_DBCONFIG_DQS_DDL, false),
    ]

    /// Applies the rules to a connection, which must end before this value, and which has its tables.
    func apply(to handle: OpaquePointer) {
        // SQLite declares a virtual table when a statement first names it, for which the statement would need more rights.
        for table in Self.tables { sqlite3_exec(handle, "EXPLAIN SELECT 1 FROM \(table)", nil, nil, nil) }
        for (option, isOn) in Self.switches {
            sqlite3_db_config_switch(handle, option, isOn ? 1 : 0)
        }
        for (limit, value) in Self.maxima { sqlite3_limit(handle, limit, value) }
        sqlite3_set_authorizer(
            handle,
            { own, action, first, second, _, _ in
                guard let own else { return SQLITE_DENY }
                let rules = Unmanaged<SQLRules>.fromOpaque(own).takeUnretainedValue()
                let names = [first, second].map { $0.map { String(cString: $0) } ?? "" }
                return rules.allows(action, names[0], names[1]) ? SQLITE_OK : SQLITE_DENY
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func allows(_ action: Int32, _ first: String, _ second: String) -> Bool {
        let refusal: String? =
            switch action {
            case SQLITE_SELECT, SQLITE_RECURSIVE: nil
            // A table of which no column is read has an empty column here, and so has a name of WITH.
            case SQLITE_READ: second.isEmpty || Self.tables.contains(first.lowercased()) ? nil : "table \(first)"
            case SQLITE_FUNCTION: Self.functions.contains(second.lowercased()) ? nil : "function \(second)"
            case SQLITE_PRAGMA: "PRAGMA \(first)"
            // BEGIN, COMMIT or ROLLBACK.
            case SQLITE_TRANSACTION: first
            case SQLITE_INSERT where first.hasPrefix("sqlite_"): "CREATE"
            // SQLite declares another virtual table, such as that of a PRAGMA.
            case SQLITE_UPDATE where first.hasPrefix("sqlite_"): "this table"
            default: Self.words[action] ?? "the statement"
            }
        guard let refusal else { return true }
        refused = refused ?? refusal
        return false
    }

    private static let words: [Int32: String] = [
        SQLITE_INSERT: "INSERT", SQLITE_UPDATE: "UPDATE", SQLITE_DELETE: "DELETE", SQLITE_ATTACH: "ATTACH",
        SQLITE_DETACH: "DETACH", SQLITE_SAVEPOINT: "SAVEPOINT",
        SQLITE_ANALYZE: "ANALYZE", SQLITE_REINDEX: "REINDEX", SQLITE_ALTER_TABLE: "ALTER TABLE",
    ]

    /// The tables that a statement may read.
    static let tables = Set(SQLView.all.map(\.name) + ["json_each", "json_tree"])

    /// The functions that compute from their arguments alone (sqlite.org/lang_corefunc.html, lang_datefunc.html,
    /// lang_aggfunc.html, windowfunctions.html, json1.html, lang_mathfunc.html), and ours.
    static let functions = Set(
        """
        local us match
        abs char coalesce concat concat_ws format glob hex if ifnull iif instr length like likelihood likely lower ltrim max min
        nullif octet_length printf quote random randomblob replace round rtrim sign soundex sqlite_version substr substring
        trim typeof unhex unicode unistr unistr_quote unlikely upper zeroblob
        date time datetime julianday unixepoch strftime timediff current_date current_time current_timestamp
        avg count group_concat string_agg sum total median percentile percentile_cont percentile_disc
        row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
        json jsonb json_array jsonb_array json_array_length json_error_position json_extract jsonb_extract -> ->>
        json_insert json_object json_patch json_pretty json_quote json_remove json_replace json_set json_type json_valid
        json_group_array json_group_object
        acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 mod pi pow power
        radians sin sinh sqrt tan tanh trunc
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}

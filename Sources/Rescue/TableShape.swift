import Records
import SQLite
import Schema

/// The records that a table or an index may have, as the schema declares them.
struct TableShape: Sendable, Hashable {
    let name: String
    let isTable: Bool
    /// True for a table whose rows have rowids.
    let hasRowIDs: Bool
    /// The stored columns in the order of a record.
    let columns: [Column]

    /// True for a table with content; false for an index, for the search index with its state and its vocabulary, and for counts.
    var hasContent: Bool {
        isTable && !name.hasPrefix(SearchIndex.name) && !name.hasPrefix("vocabulary") && !Self.computed.contains(name)
    }

    /// Tables that are made again.
    private static let computed: Set = ["search_index", "message_count", "count_reach", "room_span"]

    struct Column: Sendable, Hashable {
        var name: String
        /// `INTEGER`, `TEXT` or `BLOB`; empty for an expression, which may have any value.
        var type: String
        var isRequired: Bool
        /// True for the table's rowid: a record has NULL in its place.
        var isRowID = false
    }

    /// Reads the shapes of a schema.
    static func all(_ db: Database) throws -> [TableShape] {
        let tables: [(name: String, isWithoutRowIDs: Bool)] = try db.all(
            sql: """
                SELECT name, wr FROM pragma_table_list
                WHERE schema = 'main' AND type IN ('table', 'shadow') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                ORDER BY name
                """
        ) { try ($0.value(0), $0.value(1)) }
        return try tables.flatMap { name, isWithoutRowIDs -> [TableShape] in
            let table = try table(name, hasRowIDs: !isWithoutRowIDs, db)
            return [table] + (try indices(of: table, db))
        }
    }

    private static func table(_ name: String, hasRowIDs: Bool, _ db: Database) throws -> TableShape {
        let columns = try db.all(
            sql: """
                SELECT name, upper(type), "notnull", pk, pk = 1 AND upper(type) = 'INTEGER'
                    AND (SELECT max(pk) FROM pragma_table_xinfo(?1)) = 1
                FROM pragma_table_xinfo(?1) WHERE hidden <> 2
                ORDER BY iif(?2 OR pk = 0, 1000, pk), cid
                """,
            arguments: [name, hasRowIDs]
        ) { row in
            let isKey: Int64 = try row.value(3)
            let isRowID: Bool = try row.value(4)
            return Column(
                name: try row.value(0), type: try row.value(1),
                isRequired: try row.value(2) || (!hasRowIDs && isKey > 0), isRowID: hasRowIDs && isRowID)
        }
        return TableShape(name: name, isTable: true, hasRowIDs: hasRowIDs, columns: columns)
    }

    private static func indices(of table: TableShape, _ db: Database) throws -> [TableShape] {
        let names = try String.fetchAll(
            db,
            sql: """
                SELECT name FROM pragma_index_list(?) WHERE origin <> 'pk' OR ?
                """, arguments: [table.name, table.hasRowIDs])
        return try names.map { name in
            let columns = try db.all(sql: "SELECT cid, name FROM pragma_index_xinfo(?)", arguments: [name]) {
                row -> Column in
                let place: Int64 = try row.value(0)
                guard place != -1 else { return Column(name: "rowid", type: "INTEGER", isRequired: true) }
                let known = try (row.value(1) as String?).flatMap { name in
                    table.columns.first { $0.name == name }
                }
                // A computed column and an expression are not in the table's records.
                return Column(name: known?.name ?? "", type: known?.type ?? "", isRequired: false)
            }
            return TableShape(name: name, isTable: false, hasRowIDs: false, columns: columns)
        }
    }

    /// True if a record may be of this table or index. A row that was written before a column was added lacks it.
    func accepts(_ values: [DamagedValue]) -> Bool {
        guard isTable ? (1...columns.count).contains(values.count) : values.count == columns.count else { return false }
        return zip(columns, values).allSatisfy { column, value in
            switch value {
            case .null: !column.isRequired || column.isRowID
            case .integer: column.type != "TEXT" && column.type != "BLOB" && !column.isRowID
            case .text: column.type != "INTEGER" && column.type != "BLOB"
            case .blob: column.type != "INTEGER" && column.type != "TEXT"
            case .real: column.type.isEmpty
            }
        }
    }
}

/// A table of an account's file: its columns, and what becomes of them outside the file.
///
/// Insertions, pages, merges, the shared archive and its statements take their names from here, so that a new column has
/// one place. It comes after the others, because `merge_row` has the values in this order.
package struct SchemaTable: Sendable, Hashable {
    /// The name in the account's file.
    package let name: String
    /// The name in the shared archive.
    package let sharedName: String
    /// All columns, the key first.
    package let columns: [Column]
    /// The columns that are copied to the shared archive, the key first; empty for a table that is not.
    package let sent: [Column]
    /// The number of columns of the key.
    package let keyCount: Int

    package struct Column: Sendable, Hashable {
        package let name: String
        package let kind: Kind
        package let use: Use

        package var isText: Bool { kind == .text }
    }

    package enum Kind: Sendable {
        case integer, text, bytes

        /// The type in the shared archive.
        package var shared: String {
            switch self {
            case .integer: "bigint"
            case .text: "text"
            case .bytes: "bytea"
            }
        }
    }

    /// What becomes of a column outside the file.
    package enum Use: Sendable, Hashable {
        /// It is copied, and comes back with the import of a full export.
        case exported
        /// It is copied, and in a full export, but an import makes its own.
        case replaced
        /// It is copied, but not exported.
        case copied(Reason)
        /// It comes back with the import of a full export, but is not copied.
        case exportedAlone
        /// It stays in the file.
        case own(Reason)
        /// The schema computes it from other columns, also in the shared archive.
        case computed
    }

    /// Why an export lacks a column.
    package enum Reason: Sendable {
        /// An account of another archive has its own.
        case account
        /// Bridges' messages are exported with the key of the person who wrote them.
        case bridges
        /// A connection of one machine. Coverage has the times that it proved.
        case connection
        /// It follows from what is exported.
        case derived
        /// How far this machine is with fetching it.
        case fetching
        /// Merged people and rooms are exported as one.
        case merges
        /// A number of one file. Keys are exported instead.
        case number
        /// The order of storing.
        case order
        /// Set by the owner of the archive. `is_self` is derived from it.
        case ownNames
        /// Removed messages, and those that must be kept. A manifest shows them as purged.
        case removals
        /// Bytes of the wire, which backups keep. Their messages are exported.
        case wire
    }

    package var key: ArraySlice<Column> { columns.prefix(keyCount) }

    /// Returns the names of the copied columns, for a SELECT of a table with that alias.
    package func names(of alias: String) -> String { sent.map { "\(alias).\($0.name)" }.joined(separator: ", ") }

    /// The statement that inserts a row of the copied columns.
    package var insertion: String {
        """
        INSERT INTO "\(name)" (\(sent.map { "\"\($0.name)\"" }.joined(separator: ", ")))
        VALUES (\(sent.map { _ in "?" }.joined(separator: ", ")))
        """
    }

    /// Columns of one use: their names, separated by spaces. A text ends with `$`, bytes with `#`.
    package typealias Columns = (use: Use, names: String)

    /// - Parameter sharedName: The name in the shared archive, if it is another.
    init(_ name: String, sharedName: String? = nil, key: Columns, _ others: Columns...) {
        let keyColumns = Self.columns(key)
        (self.name, self.sharedName, keyCount) = (name, sharedName ?? name, keyColumns.count)
        columns = keyColumns + others.flatMap(Self.columns)
        sent = columns.filter {
            switch $0.use {
            case .exported, .replaced, .copied: true
            case .exportedAlone, .own, .computed: false
            }
        }
    }

    private static func columns(_ columns: Columns) -> [Column] {
        columns.names.split(separator: " ").map { name in
            switch name.last {
            case "$": Column(name: String(name.dropLast()), kind: .text, use: columns.use)
            case "#": Column(name: String(name.dropLast()), kind: .bytes, use: columns.use)
            default: Column(name: String(name), kind: .integer, use: columns.use)
            }
        }
    }
}

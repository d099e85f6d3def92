package import Schema

/// Rows of a table, column by column.
package struct MirrorRows: Sendable {
    package let table: SchemaTable
    package private(set) var values: [Values]
    package private(set) var count = 0
    /// Owners whose other rows are gone from the file; nil if rows of this table are only added or changed.
    package var owners: Owners?

    /// The values of one column.
    package enum Values: Sendable {
        case integers([Int64?])
        case texts([String?])
    }

    /// Owners of all their rows of a table.
    package struct Owners: Sendable {
        /// The column with the owner's number.
        package let column: String
        package let ids: [Int64]
    }

    package init(_ table: SchemaTable) {
        self.table = table
        values = table.sent.map { $0.isText ? .texts([]) : .integers([]) }
    }

    /// - Parameter values: A list for each column that is copied, all of them with `count` values.
    package init(_ table: SchemaTable, _ values: [Values], count: Int) {
        (self.table, self.values, self.count) = (table, values, count)
    }

    /// Appends the statement's rows, which have the table's columns in its order.
    package mutating func append(_ sql: SQLText, _ arguments: [SQLArgument], _ db: ReadTransaction) throws {
        try db.forEach(sql, arguments) { row in
            for place in values.indices {
                // Taken out meanwhile, so that appending does not copy it.
                switch values[place] {
                case .integers(var list):
                    values[place] = .integers([])
                    list.append(try row.number(Int32(place)))
                    values[place] = .integers(list)
                case .texts(var list):
                    values[place] = .texts([])
                    list.append(try row.optionalText(Int32(place)))
                    values[place] = .texts(list)
                }
            }
            count += 1
        }
    }

    /// The key of the last row, which exists.
    package var lastKey: [SQLArgument] {
        values.prefix(table.keyCount).map { values in
            switch values {
            case .integers(let list): .integer(list[count - 1])
            case .texts(let list): .text(list[count - 1])
            }
        }
    }

    package func integers(_ column: String) -> [Int64?] {
        guard let place = table.sent.firstIndex(where: { $0.name == column }),
            case .integers(let list) = values[place]
        else { return [] }
        return list
    }

    package func texts(_ column: String) -> [String?] {
        guard let place = table.sent.firstIndex(where: { $0.name == column }),
            case .texts(let list) = values[place]
        else { return [] }
        return list
    }
}

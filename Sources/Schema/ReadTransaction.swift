package import ChatModel
package import Files
import PostgreSQL
package import SQLite

/// One account's tables in one read transaction.
///
/// Readers get every row from here, so that they don't depend on the engine that stores the tables. SQL gets the rooms
/// that the reader may see from ``visible(_:)`` alone.
package struct ReadTransaction {
    private enum Engine {
        case file(Database)
        case shared(SharedTables)
    }

    private let engine: Engine
    /// The rooms that the reader may see; nil for all rooms of the account.
    package private(set) var rooms: Set<Int64>?
    /// The folder of the account's files; nil for a shared archive, which has none.
    package private(set) var files: AttachmentFolder?
    /// The reader's own read marks; nil for a reader who uses those that the account stores.
    package private(set) var marks: ReaderMarks.Rooms?

    package init(_ db: Database) { engine = .file(db) }

    package init(_ tables: SharedTables) { engine = .shared(tables) }

    /// The connection to the account's SQLite file, for the few things that only SQLite has; nil for an account of a
    /// shared archive.
    package var file: Database? { if case .file(let db) = engine { db } else { nil } }

    package var isShared: Bool { file == nil }

    /// Returns the transaction for a reader with these rights and read marks. This decides what the reader sees,
    /// by the names that the rooms have in this transaction.
    package func restricted(
        to access: ReadAccess, of account: AccountIdentity, createdAt: Timestamp, files: AttachmentFolder?
    ) throws -> ReadTransaction {
        var restricted = self
        restricted.files = files
        restricted.marks = access.marks?.rooms(of: ReaderMarks.Account(account.name, createdAt: createdAt))
        guard !access.seesAll(of: account.name) else { return restricted }
        restricted.rooms = try access.rooms(of: account.name) {
            try all("SELECT room_id, name FROM room_name") { row in try (room: row.integer(0), name: row.text(1)) }
        }
        return restricted
    }

    /// Returns true if the reader may see a room.
    package func sees(_ room: Int64) -> Bool { rooms?.contains(room) ?? true }

    /// Returns those of some rooms that the reader may see; nil for all rooms of the account.
    ///
    /// - Parameter wanted: The wanted rooms; nil for all.
    package func visible(_ wanted: [Int64]?) -> [Int64]? {
        guard let rooms else { return wanted }
        return wanted.map { $0.filter(rooms.contains) } ?? rooms.sorted()
    }

    /// Calls `body` with each row. Prepares each text once; `body` may run any statement, also the same one.
    package func forEach(_ sql: SQLText, _ arguments: [SQLArgument] = [], _ body: (Columns) throws -> Void) throws {
        _ = try first(sql, arguments) { row -> Never? in
            try body(row)
            return nil
        }
    }

    /// Returns what `read` returns for each row.
    package func all<T>(_ sql: SQLText, _ arguments: [SQLArgument] = [], _ read: (Columns) throws -> T) throws -> [T] {
        var found: [T] = []
        try forEach(sql, arguments) { found.append(try read($0)) }
        return found
    }

    /// Returns the first value that `read` returns for a row, and reads no further row; nil if it returns none.
    package func first<T>(_ sql: SQLText, _ arguments: [SQLArgument] = [], _ read: (Columns) throws -> T?) throws -> T?
    {
        switch engine {
        case .file(let db):
            if arguments.contains(where: \.isTest) { db.addTextTests() }
            return try db.cachedStatement(sql: sql.file).first({ $0.bind(arguments) }, read)
        case .shared(let tables):
            let rows = try tables.rows(sql, arguments)
            return try withExtendedLifetime(rows) {
                for row in 0..<rows.count {
                    if let value = try read(Columns(rows, row: row)) { return value }
                }
                return nil
            }
        }
    }
}

extension ReadTransaction {
    /// Returns the first integer in the first column; nil if there is none.
    package func integer(_ sql: SQLText, _ arguments: [SQLArgument] = []) throws -> Int64? {
        try first(sql, arguments) { try $0.optionalInteger(0) }
    }

    /// Returns the integers in the first column, which has no NULL.
    package func integers(_ sql: SQLText, _ arguments: [SQLArgument] = []) throws -> [Int64] {
        try all(sql, arguments) { try $0.integer(0) }
    }

    /// Returns the first text in the first column; nil if there is none.
    package func text(_ sql: SQLText, _ arguments: [SQLArgument] = []) throws -> String? {
        try first(sql, arguments) { try $0.optionalText(0) }
    }

    /// Returns true if the first row's condition is true.
    package func holds(_ sql: SQLText, _ arguments: [SQLArgument] = []) throws -> Bool {
        try first(sql, arguments) { try $0.optionalBool(0) } ?? false
    }
}

/// The value of a placeholder.
package enum SQLArgument {
    case integer(Int64?)
    case text(String?)
    /// A test for `passes`, which a shared archive does not have.
    case test(TextTest)

    fileprivate var isTest: Bool { if case .test = self { true } else { false } }

    /// A condition, which is 0 or 1.
    package static func bool(_ condition: Bool) -> SQLArgument { .integer(condition ? 1 : 0) }

    /// Numbers for ``SQLText/each(_:as:)``; NULL for nil.
    package static func list(_ numbers: [Int64]?) -> SQLArgument {
        .text(numbers.map { "[" + $0.map(String.init).joined(separator: ",") + "]" })
    }
}

extension SQLArgument: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(stringLiteral value: String) { self = .text(value) }
}

extension Statement.Parameters {
    /// Binds all parameters, in the order of their numbers.
    fileprivate mutating func bind(_ arguments: [SQLArgument]) {
        precondition(arguments.count == count, "a statement has \(count) parameters, not \(arguments.count)")
        for (index, argument) in zip(Int32(1)..., arguments) {
            switch argument {
            case .integer(let value): bind(index, value)
            case .text(let value): bind(index, value)
            case .test(let test): bind(index, test)
            }
        }
    }
}

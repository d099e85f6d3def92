/// A mistake in a statement of `scrollback sql`.
package struct SQLQueryError: Error, Hashable {
    package enum Kind: Sendable, Hashable {
        /// SQLite can't read or run the statement.
        case statement
        case unknownTable(String)
        case unknownColumn(String)
        case unknownFunction(String)
        /// The statement would do more than read.
        case refused
        /// There is no statement, or there are several.
        case count
        /// The statement, a value or a row is too large, or needs too much memory.
        case size
    }

    /// The place of the mistake, both numbers from 1 on.
    package struct Place: Sendable, Hashable {
        package let line: Int
        /// In characters.
        package let column: Int
    }

    package let kind: Kind
    /// The message for people, in SQLite's words if it found the mistake.
    package let detail: String
    package let place: Place?

    package init(_ kind: Kind, _ detail: String, at place: Place? = nil) {
        (self.kind, self.detail, self.place) = (kind, detail, place)
    }
}

extension SQLQueryError.Place {
    /// - Parameter offset: The number of bytes before it; below 0 if it is unknown.
    init?(_ offset: Int32, in sql: String) {
        let before = String(decoding: sql.utf8.prefix(Int(max(0, offset))), as: UTF8.self)
        guard offset >= 0 else { return nil }
        let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
        self.init(line: lines.count, column: (lines.last?.count ?? 0) + 1)
    }
}

extension SQLQueryError.Kind {
    /// - Parameter message: SQLite's message.
    init(_ message: String) {
        func name(after words: String) -> String? {
            message.hasPrefix(words + ": ") ? String(message.dropFirst(words.count + 2)) : nil
        }
        if let table = name(after: "no such table") {
            self = .unknownTable(table)
        } else if let column = name(after: "no such column") {
            self = .unknownColumn(column)
        } else if let function = name(after: "no such function") {
            self = .unknownFunction(function)
        } else if message.hasSuffix(" may not be modified") {
            self = .refused
        } else {
            self = .statement
        }
    }
}

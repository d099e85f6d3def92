/// A reader's SQL, side by side for the two engines that have the tables.
///
/// A text is in the common part of SQLite and PostgreSQL, with `?1` as a placeholder. Where the two differ, an
/// interpolation has the words of both: `"FROM \(.each(1)) \(.crossJoin) message ON id = value"`. A text that only files
/// run may have SQLite's own words.
package struct SQLText: Sendable, Hashable {
    /// SQLite's words.
    package private(set) var file: String
    /// PostgreSQL's words, before ``SharedStatement`` adds the account's tables.
    private(set) var shared: String

    package init(file: String, shared: String) { (self.file, self.shared) = (file, shared) }

    /// Words that both engines have.
    package init(_ words: String) { self.init(file: words, shared: words) }
}

// MARK: Words that differ

extension SQLText {
    /// A join that SQLite reads in the order of the text, and PostgreSQL in any.
    package static let crossJoin = SQLText(file: "CROSS JOIN", shared: "JOIN")
    /// For a table that SQLite reads in the order of its key.
    package static let notIndexed = SQLText(file: "NOT INDEXED", shared: "")

    /// The index by which SQLite reads a table.
    package static func indexed(_ index: String) -> SQLText { SQLText(file: "INDEXED BY \(index)", shared: "") }

    /// The numbers of the list that a parameter has (``SQLArgument/list(_:)``), as `value`, with their places as `key`.
    package static func each(_ parameter: Int, as name: String? = nil) -> SQLText {
        SQLText(
            file: "json_each(?\(parameter))" + (name.map { " AS \($0)" } ?? ""),
            shared: """
                (SELECT v::bigint AS value, n AS key
                FROM jsonb_array_elements_text(?\(parameter)::jsonb) WITH ORDINALITY AS e (v, n)) AS \(name ?? "each")
                """)
    }

    /// The condition that the value before it is in a parameter's list.
    package static func among(_ parameter: Int) -> SQLText { "IN (SELECT value FROM \(each(parameter)))" }

    /// The number of a text's bytes.
    package static func bytes(of column: String) -> SQLText {
        SQLText(file: "length(CAST(\(column) AS BLOB))", shared: "octet_length(\(column))")
    }

    /// The condition that a text has other characters than the printable ones of ASCII.
    package static func isNotPlain(_ column: String) -> SQLText {
        SQLText(file: "\(column) GLOB '*[^ -~]*'", shared: "\(column) ~ '[^ -~]'")
    }

    /// A text that is compared without regard to the case of ASCII letters; the other text is in lower case.
    package static func folded(_ column: String) -> SQLText {
        SQLText(file: "\(column) COLLATE NOCASE", shared: "lower(\(column))")
    }
}

// MARK: Composing

extension SQLText: ExpressibleByStringInterpolation {
    package init(stringLiteral words: String) { self.init(words) }
    package init(stringInterpolation parts: StringInterpolation) { self = parts.text }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = SQLText("")

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ words: String) { appendInterpolation(words) }
        package mutating func appendInterpolation(_ text: SQLText) { self.text += text }
        package mutating func appendInterpolation(file: String, shared: String) {
            appendInterpolation(SQLText(file: file, shared: shared))
        }
        package mutating func appendInterpolation(_ number: some BinaryInteger) { appendInterpolation(String(number)) }

        package mutating func appendInterpolation(_ words: String) {
            text.file += words
            text.shared += words
        }
    }

    package static func + (first: SQLText, second: SQLText) -> SQLText { "\(first)\(second)" }

    package static func += (text: inout SQLText, next: SQLText) {
        text.file += next.file
        text.shared += next.shared
    }
}

extension [SQLText] {
    package func joined(separator: SQLText) -> SQLText {
        dropFirst().reduce(first ?? "") { "\($0)\(separator)\($1)" }
    }
}

extension DefaultStringInterpolation {
    @available(*, deprecated, message: "take the words of one engine")
    package mutating func appendInterpolation(_ text: SQLText) {}
}

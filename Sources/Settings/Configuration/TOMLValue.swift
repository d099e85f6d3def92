/// A value of a TOML text, with its place.
struct TOMLValue: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case table([String: TOMLValue])
        case array([TOMLValue])
        case string(String)
        case integer(Int)
        case number(Double)
        case boolean(Bool)
        case date
        case time
        case dateTime
    }

    /// A place in a text, both from 1. A column is a Unicode scalar; a mark at the text's beginning has none.
    struct Place: Sendable, Hashable {
        var line: Int
        var column: Int
    }

    let content: Content
    /// The beginning of the value, or of its table's header. An array of tables begins with its first header.
    let place: Place

    var table: [String: TOMLValue]? { if case .table(let table) = content { table } else { nil } }
    var array: [TOMLValue]? { if case .array(let array) = content { array } else { nil } }
    var string: String? { if case .string(let text) = content { text } else { nil } }
    var integer: Int? { if case .integer(let number) = content { number } else { nil } }
    var boolean: Bool? { if case .boolean(let boolean) = content { boolean } else { nil } }

    /// Returns the value of a key; nil if there is none, and in a value that is not a table.
    subscript(key: String) -> TOMLValue? { table?[key] }

    /// Returns the line of a value in this one, or of the innermost value around it that exists; nil if only this one does.
    ///
    /// - Parameter path: Keys, and after that of an array a number from 1: `["account", "2", "nick"]`.
    func line(of path: [String]) -> Int? {
        var (value, line): (TOMLValue, Int?) = (self, nil)
        for name in path {
            let inner =
                value.array.map { array in Int(name).flatMap { array.indices.contains($0 - 1) ? array[$0 - 1] : nil } }
                ?? value[name]
            guard let inner else { break }
            (value, line) = (inner, inner.place.line)
        }
        return line
    }
}

/// A value in SQLite's types.
package enum DatabaseValue: Hashable, Sendable, CustomStringConvertible {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    package var isNull: Bool { self == .null }

    /// The value for people, without quotes.
    package var description: String {
        switch self {
        case .null: "NULL"
        case .integer(let integer): "\(integer)"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .blob(let bytes): "\(bytes)"
        }
    }
}

/// A type whose values are stored in a column, and read from one.
package protocol DatabaseValueConvertible: Sendable {
    var databaseValue: DatabaseValue { get }

    /// Returns the value; nil if the column holds something else. NULL is nil, too.
    init?(databaseValue: DatabaseValue)
}

/// The values of a statement's parameters: in their order, or by their names without the colon. Nil is NULL.
package struct StatementArguments: Sendable, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    private(set) var values: [DatabaseValue]
    private let names: [String: DatabaseValue]

    private init(_ values: [DatabaseValue]) { (self.values, names) = (values, [:]) }

    package init(_ values: [(any DatabaseValueConvertible)?]) { self.init(values.map { $0?.databaseValue ?? .null }) }

    package init(arrayLiteral values: (any DatabaseValueConvertible)?...) { self.init(values) }

    package init(dictionaryLiteral values: (String, (any DatabaseValueConvertible)?)...) {
        self.values = []
        names = Dictionary(values.map { ($0, $1?.databaseValue ?? .null) }, uniquingKeysWith: { $1 })
    }

    package static func + (one: Self, other: Self) -> Self { Self(one.values + other.values) }

    var isNamed: Bool { !names.isEmpty }

    /// Nil for a name that has no value.
    subscript(_ name: String) -> DatabaseValue? { names[name] }

    /// Removes the first values, and returns them: fewer at the end. Values with names stay.
    mutating func take(_ count: Int) -> StatementArguments {
        if isNamed { return self }
        defer { values.removeFirst(min(count, values.count)) }
        return StatementArguments(Array(values.prefix(count)))
    }
}

extension DatabaseValue: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { self }
    package init(databaseValue: DatabaseValue) { self = databaseValue }
}

extension DatabaseValueConvertible where Self: FixedWidthInteger {
    /// Only for integers that 64 bits with a sign can hold.
    package var databaseValue: DatabaseValue { .integer(Int64(self)) }
    package init?(databaseValue: DatabaseValue) {
        guard case .integer(let integer) = databaseValue, let own = Self(exactly: integer) else { return nil }
        self = own
    }
}

extension Int64: DatabaseValueConvertible {}
extension Int: DatabaseValueConvertible {}
extension Int32: DatabaseValueConvertible {}

extension Bool: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }
    package init?(databaseValue: DatabaseValue) {
        guard case .integer(let integer) = databaseValue else { return nil }
        self = integer != 0
    }
}

extension String: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .text(self) }
    package init?(databaseValue: DatabaseValue) {
        guard case .text(let text) = databaseValue else { return nil }
        self = text
    }
}

extension [UInt8]: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .blob(self) }
    package init?(databaseValue: DatabaseValue) {
        guard case .blob(let bytes) = databaseValue else { return nil }
        self = bytes
    }
}

extension Optional where Wrapped: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { self?.databaseValue ?? .null }
}

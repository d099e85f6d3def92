/// A parameter of a statement, sent in binary form with its type.
package enum SQLValue: Sendable {
    case integer(Int64?)
    case text(String?)
    /// `bigint[]`
    case integers([Int64?])
    /// `text[]`
    case texts([String?])
    /// `tsvector[]`, each in the form of ``SearchVector``.
    case vectors([[UInt8]?])

    /// Object ids of types in PostgreSQL's `pg_type.dat`, which never change.
    enum TypeID {
        static let boolean: UInt32 = 16
        static let int8: UInt32 = 20
        static let int2: UInt32 = 21
        static let int4: UInt32 = 23
        static let text: UInt32 = 25
        static let real8: UInt32 = 701
        static let name: UInt32 = 19
        static let varchar: UInt32 = 1043
        static let unknown: UInt32 = 705
        static let int8s: UInt32 = 1016
        static let texts: UInt32 = 1009
        static let vector: UInt32 = 3614
        static let vectors: UInt32 = 3643
    }

    var type: UInt32 {
        switch self {
        case .integer: TypeID.int8
        case .text: TypeID.text
        case .integers: TypeID.int8s
        case .texts: TypeID.texts
        case .vectors: TypeID.vectors
        }
    }

    /// The value in PostgreSQL's binary form (`int8send`, `textsend`, `array_send`); nil for NULL.
    var bytes: [UInt8]? {
        switch self {
        case .integer(let value): value.map { Self.bigEndian($0) }
        case .text(let value): value.map { Array($0.utf8) }
        case .integers(let values):
            Self.array(of: TypeID.int8, values.count, size: 8 * values.count) { bytes in
                for value in values { bytes.append(element: value.map { Self.bigEndian($0) }) }
            }
        case .texts(let values):
            Self.array(of: TypeID.text, values.count, size: values.reduce(0) { $0 + ($1?.utf8.count ?? 0) }) { bytes in
                for value in values { bytes.append(element: value?.utf8) }
            }
        case .vectors(let values):
            Self.array(of: TypeID.vector, values.count, size: values.reduce(0) { $0 + ($1?.count ?? 0) }) { bytes in
                for value in values { bytes.append(element: value) }
            }
        }
    }

    static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    /// - Parameter size: The size of the elements without their lengths, in bytes.
    private static func array(
        of type: UInt32, _ count: Int, size: Int, _ append: (inout [UInt8]) -> Void
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + size + 4 * count)
        bytes += bigEndian(Int32(count == 0 ? 0 : 1))  // dimensions
        bytes += bigEndian(Int32(1))  // some may be null
        bytes += bigEndian(type)
        if count > 0 {
            bytes += bigEndian(Int32(count))
            bytes += bigEndian(Int32(1))  // the first index
        }
        append(&bytes)
        return bytes
    }
}

extension [UInt8] {
    /// Appends an array's element with its length; nil for NULL.
    fileprivate mutating func append(element: (some Collection<UInt8>)?) {
        guard let element else { return self += SQLValue.bigEndian(Int32(-1)) }
        self += SQLValue.bigEndian(Int32(element.count))
        self += element
    }
}

extension SQLValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(stringLiteral value: String) { self = .text(value) }
}

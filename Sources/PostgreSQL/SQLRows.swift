/// The rows of an answer, in binary form. Frees them when it is released.
package final class SQLRows {
    private let library: LibPQ
    private let result: LibPQ.Result
    package let count: Int

    init(_ library: LibPQ, _ result: LibPQ.Result) {
        (self.library, self.result) = (library, result)
        count = Int(library.rowCount(result))
    }

    deinit { library.clear(result) }

    /// The number of rows that the statement inserted, changed or deleted.
    package var changed: Int { library.changedCount(result).flatMap { Int(String(cString: $0)) } ?? 0 }

    package func isNull(_ row: Int, _ column: Int32) -> Bool { library.isNull(result, CInt(row), column) == 1 }

    package func name(_ column: Int32) -> String {
        library.columnName(result, column).map { String(cString: $0) } ?? ""
    }

    /// Returns a whole number of any size, or a boolean as 0 or 1; nil for NULL.
    package func integer(_ row: Int, _ column: Int32) throws -> Int64? {
        if isNull(row, column) { return nil }
        let bytes = bytes(row, column)
        switch library.columnType(result, column) {
        case SQLValue.TypeID.int8, SQLValue.TypeID.int4, SQLValue.TypeID.int2:
            let magnitude = bytes.reduce(UInt64(bytes.first.map { $0 >= 0x80 } ?? false ? UInt64.max : 0)) {
                $0 << 8 | UInt64($1)
            }
            return Int64(bitPattern: magnitude)
        case SQLValue.TypeID.boolean: return Int64(bytes.first ?? 0)
        case let type: throw mismatch(column, "a number", type)
        }
    }

    /// Returns a floating-point number; nil for NULL.
    package func real(_ row: Int, _ column: Int32) throws -> Double? {
        if isNull(row, column) { return nil }
        let type = library.columnType(result, column)
        guard type == SQLValue.TypeID.real8 else { return try integer(row, column).map(Double.init) }
        return Double(bitPattern: bytes(row, column).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Returns a text; nil for NULL.
    package func text(_ row: Int, _ column: Int32) throws -> String? {
        if isNull(row, column) { return nil }
        switch library.columnType(result, column) {
        case SQLValue.TypeID.text, SQLValue.TypeID.varchar, SQLValue.TypeID.name, SQLValue.TypeID.unknown:
            return String(decoding: bytes(row, column), as: UTF8.self)
        case let type: throw mismatch(column, "a text", type)
        }
    }

    /// The bytes of a value, which are valid as long as this object.
    package func bytes(_ row: Int, _ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: library.value(result, CInt(row), column), count: Int(library.length(result, CInt(row), column)))
    }

    private func mismatch(_ column: Int32, _ expected: String, _ type: UInt32) -> PostgreSQLError {
        PostgreSQLError(
            kind: .value, detail: "the server's column \(name(column)) is not \(expected), but of type \(type)")
    }
}

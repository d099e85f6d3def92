import CSQLite

/// A test of texts where SQLite reads them, for conditions: `passes(?1, body)`, with the test as the value of `?1`. NULL is
/// tested as an empty text. The function must have been added to the connection: ``Database/addTextTests()``.
package final class TextTest: Sendable {
    /// Returns true if a text in UTF-8 passes.
    private let passes: @Sendable (UnsafeBufferPointer<UInt8>) -> Bool

    package init(_ passes: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> Bool) { self.passes = passes }

    /// The type of the pointer, by which SQLite tells it from pointers of others (sqlite.org/bindptr.html).
    private static let type: StaticString = "text_test"

    private static func withType<T>(_ body: (UnsafePointer<CChar>) -> T) -> T {
        body(UnsafeRawPointer(type.utf8Start).assumingMemoryBound(to: CChar.self))
    }

    /// Gives the test to a parameter, which keeps it.
    static func bind(_ test: TextTest, _ statement: OpaquePointer, _ index: Int32) {
        _ = withType { type in
            sqlite3_bind_pointer(statement, index, Unmanaged.passRetained(test).toOpaque(), type) { test in
                if let test { Unmanaged<TextTest>.fromOpaque(test).release() }
            }
        }
    }

    /// Adds the function `passes`.
    static func addFunction(to connection: OpaquePointer) {
        let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY
        sqlite3_create_function_v2(
            connection, "passes", 2, flags, nil,
            { context, _, values in
                guard let test = TextTest.withType({ sqlite3_value_pointer(values?[0], $0) }) else {
                    return sqlite3_result_error_code(context, SQLITE_MISUSE)
                }
                // The text first: reading it may change its length.
                let text = sqlite3_value_text(values?[1])
                let bytes = UnsafeBufferPointer(
                    start: text, count: text == nil ? 0 : Int(sqlite3_value_bytes(values?[1])))
                let passes = Unmanaged<TextTest>.fromOpaque(test).takeUnretainedValue().passes(bytes)
                sqlite3_result_int(context, passes ? 1 : 0)
            }, nil, nil, nil)
    }
}

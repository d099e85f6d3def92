/// A statement that a connection ran, with the values of its parameters.
struct TracedStatement {
    let sql: String
    /// The values in the order of their parameters in the text; a parameter that occurs twice is in the list twice.
    let values: [(index: Int32, value: BoundValue)]

    /// - Parameter expanded: The text with values in place of parameters, as `sqlite3_expanded_sql` writes it.
    /// - Throws: ``BenchmarkError`` when the two texts don't match.
    init(sql: String, expanded: String) throws {
        self.sql = sql
        var reader = Reader(sql: Array(sql.utf8), expanded: Array(expanded.utf8))
        do {
            values = try reader.values()
        } catch {
            throw BenchmarkError("\(error): \(sql)\n--\n\(expanded)")
        }
    }
}

/// Reads a statement and its expansion side by side.
private struct Reader {
    let sql: [UInt8]
    let expanded: [UInt8]
    /// The position of the next byte of each.
    var place = (sql: 0, expanded: 0)

    mutating func values() throws -> [(index: Int32, value: BoundValue)] {
        var values: [(index: Int32, value: BoundValue)] = []
        var highest: Int32 = 0
        while place.sql < sql.count {
            let byte = sql[place.sql]
            if byte == UInt8(ascii: "?") {
                let index = index() ?? highest + 1
                highest = max(highest, index)
                values.append((index, try value()))
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                try skip(through: byte)
            } else {
                try skip()
            }
        }
        guard place.expanded == expanded.count else { throw BenchmarkError("the expanded text is longer") }
        return values
    }

    /// Returns the number after a question mark; nil if there is none.
    private mutating func index() -> Int32? {
        place.sql += 1
        let digits = sql[place.sql...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        place.sql += digits.count
        return Int32(String(decoding: digits, as: UTF8.self))
    }

    private mutating func skip() throws {
        guard place.expanded < expanded.count, expanded[place.expanded] == sql[place.sql] else {
            throw BenchmarkError("the texts differ at byte \(place.sql)")
        }
        place.sql += 1
        place.expanded += 1
    }

    private mutating func skip(through quote: UInt8) throws {
        repeat { try skip() } while place.sql < sql.count && sql[place.sql] != quote
        if place.sql < sql.count { try skip() }
    }

    private mutating func value() throws -> BoundValue {
        switch expanded[place.expanded...].first {
        case UInt8(ascii: "'"):
            return .text(try quoted())
        case UInt8(ascii: "x"):
            place.expanded += 1
            let digits = String(decoding: try quoted(), as: UTF8.self)
            return .blob(
                stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) }
            )
        default:
            let word = expanded[place.expanded...].prefix { Self.isNumeric($0) }
            place.expanded += word.count
            let text = String(decoding: word, as: UTF8.self)
            if text == "NULL" { return .null }
            if let number = Int64(text) { return .integer(number) }
            if let number = Double(text) { return .real(number) }
            throw BenchmarkError("a value is neither NULL nor a number: \"\(text)\"")
        }
    }

    /// Returns a quoted text without its quotes, and with each doubled quote as one.
    private mutating func quoted() throws -> [UInt8] {
        let quote = UInt8(ascii: "'")
        var bytes: [UInt8] = []
        place.expanded += 1
        while place.expanded < expanded.count {
            let byte = expanded[place.expanded]
            place.expanded += 1
            if byte == quote {
                guard place.expanded < expanded.count, expanded[place.expanded] == quote else { return bytes }
                place.expanded += 1
            }
            bytes.append(byte)
        }
        throw BenchmarkError("a quoted value has no end")
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

/// A value on its way to be written as JSON, its keys in the order given.
///
/// Foundation's encoder orders keys by name or not at all; a stable, documented order reads better and compares.
enum JSONValue: Sendable, Hashable {
    struct Member: Sendable, Hashable {
        var key: String
        var value: JSONValue
    }

    case null
    case bool(Bool)
    case number(Int64)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// The value, or null.
    init(_ text: String?) {
        self = text.map(JSONValue.string) ?? .null
    }

    static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        .object(members.map { Member(key: $0.key, value: $0.value) })
    }

    /// On one line.
    var text: String {
        var result = ""
        write(to: &result)
        return result
    }

    private func write(to result: inout String) {
        switch self {
        case .null: result += "null"
        case .bool(let value): result += value ? "true" : "false"
        case .number(let value): result += String(value)
        case .string(let value): Self.write(value, to: &result)
        case .array(let values): Self.write(values, to: &result)
        case .object(let members): Self.write(members, to: &result)
        }
    }

    private static func write(_ values: [JSONValue], to result: inout String) {
        result += "["
        for (index, value) in values.enumerated() {
            if index > 0 { result += ", " }
            value.write(to: &result)
        }
        result += "]"
    }

    private static func write(_ members: [Member], to result: inout String) {
        result += "{"
        for (index, member) in members.enumerated() {
            if index > 0 { result += ", " }
            write(member.key, to: &result)
            result += ": "
            member.value.write(to: &result)
        }
        result += "}"
    }

    /// RFC 8259 §7. Besides what must be, U+007F to 9F and U+2028/9 are escaped: a terminal acts upon the first, and the
    /// others end a line for some readers.
    private static func write(_ text: String, to result: inout String) {
        var scalars = String.UnicodeScalarView()
        scalars.append("\"")
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: scalars.append(contentsOf: "\\\"".unicodeScalars)
            case 0x5C: scalars.append(contentsOf: "\\\\".unicodeScalars)
            case 0x0A: scalars.append(contentsOf: "\\n".unicodeScalars)
            case 0x0D: scalars.append(contentsOf: "\\r".unicodeScalars)
            case 0x09: scalars.append(contentsOf: "\\t".unicodeScalars)
            case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029:
                let digits = String(scalar.value, radix: 16)
                scalars.append(contentsOf: "\\u".unicodeScalars)
                scalars.append(contentsOf: String(repeating: "0", count: 4 - digits.count).unicodeScalars)
                scalars.append(contentsOf: digits.unicodeScalars)
            default: scalars.append(scalar)
            }
        }
        scalars.append("\"")
        // Appending to `result.unicodeScalars` copies all of `result` each time.
        result += String(scalars)
    }
}

import Bytes

/// A value to write as JSON, with its keys in the given order.
///
/// Foundation's encoder orders keys by name or at random; a stable, documented order is easier to read and to compare.
package enum JSONValue: Sendable, Hashable {
    package struct Member: Sendable, Hashable {
        package var key: String
        package var value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    case null
    case bool(Bool)
    case number(Int64)
    case real(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// The text, or null.
    package init(_ text: String?) {
        self = text.map(JSONValue.string) ?? .null
    }

    /// Makes an object with its members in the given order.
    package static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        .object(members.map { Member(key: $0.key, value: $0.value) })
    }

    /// The value as JSON, on one line.
    package var text: String {
        var result: [UInt8] = []
        write(to: &result)
        return String(decoding: result, as: UTF8.self)
    }

    /// Appends to bytes, because a string checks its form at each of the thousands of pieces of a page.
    private func write(to result: inout [UInt8]) {
        switch self {
        case .null: result.append(utf8: "null")
        case .bool(let value): result.append(utf8: value ? "true" : "false")
        case .number(let value): result.append(decimal: value)
        case .real(let value): result.append(utf8: Self.text(of: value))
        case .string(let value): result.append(json: value)
        case .array(let values): Self.write(values, to: &result)
        case .object(let members): Self.write(members, to: &result)
        }
    }

    /// Returns a number with as many digits as tell it from all others. Writes an infinite one as a number that is read as
    /// infinite, as SQLite does, because JSON has none.
    package static func text(of value: Double) -> String {
        value.isFinite ? "\(value)" : value.isNaN ? "null" : value < 0 ? "-9e999" : "9e999"
    }

    private static func write(_ values: [JSONValue], to result: inout [UInt8]) {
        result.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { result.append(utf8: ", ") }
            value.write(to: &result)
        }
        result.append(UInt8(ascii: "]"))
    }

    private static func write(_ members: [Member], to result: inout [UInt8]) {
        result.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { result.append(utf8: ", ") }
            result.append(json: member.key)
            result.append(utf8: ": ")
            member.value.write(to: &result)
        }
        result.append(UInt8(ascii: "}"))
    }

    /// Returns the escape of a code point; the code point itself if it needs none.
    package static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        case 0x22: return "\\\""
        case 0x5C: return "\\\\"
        case 0x0A: return "\\n"
        case 0x0D: return "\\r"
        case 0x09: return "\\t"
        case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029:
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: return String(scalar)
        }
    }
}

import FoundationEssentials

/// A value as JSON, by Foundation, on one line or indented. Keys are sorted, so that equal values have equal bytes.
///
/// U+007F to 9F, U+2028 and U+2029 are escaped as in ``JSONValue``; Foundation doesn't escape them.
package enum JSONLine {
    /// Returns the line, with its line feed.
    package static func bytes(_ value: some Encodable) throws -> [UInt8] {
        try encoded(value, as: [])
    }

    /// Returns indented lines, with a line feed at the end.
    package static func document(_ value: some Encodable) throws -> [UInt8] {
        try encoded(value, as: .prettyPrinted)
    }

    private static func encoded(_ value: some Encodable, as format: JSONEncoder.OutputFormatting) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = format.union([.sortedKeys, .withoutEscapingSlashes])
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        return Array((text.utf8.hasAny { $0 >= 0x7F } ? escaped(text) : text).utf8) + [UInt8(ascii: "\n")]
    }

    /// Escapes characters from U+007F on, which occur only within strings.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { line, scalar in
            if scalar.value < 0x7F { line.unicodeScalars.append(scalar) } else { line += JSONValue.escaped(scalar) }
        }
    }
}

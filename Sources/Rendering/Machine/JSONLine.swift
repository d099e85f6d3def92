import Foundation

/// Foundation's JSON of a value, on one line: keys sorted, so that the same value has the same bytes.
///
/// As in ``JSONValue``, U+007F to 9F and U+2028/9 are escaped, which Foundation leaves as they are.
package enum JSONLine {
    /// Returns the line with its line feed.
    package static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        return Array((text.utf8.hasAny { $0 >= 0x7F } ? escaped(text) : text).utf8) + [UInt8(ascii: "\n")]
    }

    /// Outside of strings JSON is ASCII without U+007F, so each character from there on stands in a string.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { line, scalar in
            if scalar.value < 0x7F { line.unicodeScalars.append(scalar) } else { line += JSONValue.escaped(scalar) }
        }
    }
}

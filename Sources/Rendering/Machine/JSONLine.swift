import Foundation

/// A value as JSON on one line, by Foundation. Keys are sorted, so that equal values have equal bytes.
///
/// U+007F to 9F, U+2028 and U+2029 are escaped as in ``JSONValue``; Foundation doesn't escape them.
package enum JSONLine {
    /// Returns the line, with its line feed.
    package static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
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

import Foundation

/// Foundation's JSON of a value, on one line: keys sorted, so that the same value has the same bytes.
///
/// As in ``JSONValue``, U+007F to 9F and U+2028/9 are escaped, which Foundation leaves as they are.
enum JSONLine {
    /// With its line feed.
    static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var rest = Array(try encoder.encode(value))[...]
        var line: [UInt8] = []
        line.reserveCapacity(rest.count + 1)
        // Outside strings JSON is ASCII without DEL, so every such character stands in a string.
        while let start = rest.firstIndex(where: { $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }) {
            line += rest[..<start]
            let (count, escape) = character(at: rest[start...])
            line += escape ?? Array(rest[start..<start + count])
            rest = rest[(start + count)...]
        }
        return line + rest + [UInt8(ascii: "\n")]
    }

    /// The bytes of the first character that ``bytes(_:)`` looks at, and its escape; nil where it needs none.
    private static func character(at bytes: ArraySlice<UInt8>) -> (count: Int, escape: [UInt8]?) {
        let start = Array(bytes.prefix(3))
        if start.starts(with: [0x7F]) { return (1, Array("\\u007f".utf8)) }
        if start.count >= 2, start[0] == 0xC2, (0x80...0x9F).contains(start[1]) {
            return (2, Array("\\u00\(String(start[1], radix: 16))".utf8))
        }
        if start.starts(with: [0xE2, 0x80, 0xA8]) { return (3, Array("\\u2028".utf8)) }
        if start.starts(with: [0xE2, 0x80, 0xA9]) { return (3, Array("\\u2029".utf8)) }
        return (1, nil)
    }
}

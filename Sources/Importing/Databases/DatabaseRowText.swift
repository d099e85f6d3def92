import SQLite

/// Writes rows as JSON.
enum DatabaseRowText {
    /// The columns of JSON, which stay objects.
    private static let objects: Set<String> = ["msg", "data"]

    /// Appends the columns after the first as an object on a line of its own.
    static func append(_ row: Row, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "{"))
        for column in 1..<max(1, row.count) {
            let name = row.name(column)
            if column > 1 { text.append(UInt8(ascii: ",")) }
            text += "\"\(name)\":".utf8
            if row.isNull(column) {
                text += "null".utf8
            } else {
                let value = row.bytes(column)
                if objects.contains(name), value.first == UInt8(ascii: "{") {
                    appendLine(value, to: &text)
                } else {
                    append(string: value, to: &text)
                }
            }
        }
        text += [UInt8(ascii: "}"), 0x0A]
    }

    /// Appends JSON without its line ends, which can only be spaces between its values.
    private static func appendLine(_ value: UnsafeRawBufferPointer, to text: inout [UInt8]) {
        guard value.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
            text += value
            return
        }
        text += value.lazy.map { $0 == 0x0A || $0 == 0x0D ? UInt8(ascii: " ") : $0 }
    }

    private static func append(string: UnsafeRawBufferPointer, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        var rest = string[...]
        while let place = rest.firstIndex(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") })
        {
            text += rest[..<place]
            text += escaped(rest[place])
            rest = rest[(place + 1)...]
        }
        text += rest
        text.append(UInt8(ascii: "\""))
    }

    private static func escaped(_ byte: UInt8) -> [UInt8] {
        guard byte < 0x20 else { return [UInt8(ascii: "\\"), byte] }
        let digits = Array("0123456789abcdef".utf8)
        return Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}

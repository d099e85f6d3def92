import Bytes

/// JSON in its only form without choices: keys sorted, no spaces, characters as they are (Matrix specification v1.19, appendices,
/// "Canonical JSON").
enum CanonicalJSON {
    /// The limit of nested values. No event of people has more than some ten.
    private static let maximumDepth = 100

    /// Returns an object of members that are canonical already.
    static func object(_ members: [(key: String, value: [UInt8])]) -> [UInt8] {
        var bytes = [Byte.objectStart]
        let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (index, member) in sorted.enumerated() {
            if index > 0 { bytes.append(Byte.comma) }
            bytes += text(member.key) + [Byte.colon] + member.value
        }
        return bytes + [Byte.objectEnd]
    }

    static func value(_ value: JSONValue, depth: Int = 0) throws(UnreadablePiece) -> [UInt8] {
        guard depth < maximumDepth else { throw UnreadablePiece("its values are nested too deeply") }
        if value.isObject {
            var members: [(key: String, value: [UInt8])] = []
            for member in value.members {
                members.append((member.key, try self.value(member.value, depth: depth + 1)))
            }
            return object(members)
        }
        if value.isList {
            var bytes = [Byte.listStart]
            for (index, element) in try value.allElements().enumerated() {
                if index > 0 { bytes.append(Byte.comma) }
                bytes +=
                    try element.map { element throws(UnreadablePiece) in try self.value(element, depth: depth + 1) }
                    ?? Array("null".utf8)
            }
            return bytes + [Byte.listEnd]
        }
        return value.text.map(text) ?? Array(value.json)
    }

    /// Returns a string. Only quotes, backslashes and control characters are escaped.
    private static func text(_ text: String) -> [UInt8] {
        var bytes = [Byte.quote]
        for byte in text.utf8 {
            switch byte {
            case Byte.quote, Byte.backslash: bytes += [Byte.backslash, byte]
            case 0x08: bytes += "\\b".utf8
            case Byte.tab: bytes += "\\t".utf8
            case Byte.lineFeed: bytes += "\\n".utf8
            case 0x0C: bytes += "\\f".utf8
            case Byte.carriageReturn: bytes += "\\r".utf8
            case 0..<0x20: bytes += ((byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16)).utf8
            default: bytes.append(byte)
            }
        }
        return bytes + [Byte.quote]
    }
}

import Bytes
import Operations

/// Reads the query of an address, as forms and programs write it.
enum Query {
    /// Returns the names and values in order; `+` is a space.
    ///
    /// - Throws: ``UsageError`` for a wrong percent code, bytes that are not UTF-8, and NUL.
    static func items(_ query: String?) throws -> [(name: String, value: String)] {
        guard let query, !query.isEmpty else { return [] }
        return try query.utf8.split(separator: UInt8(ascii: "&")).map { part in
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            return (try decode(name), try decode(part.dropFirst(name.count + 1)))
        }
    }

    /// Decodes a part of an address.
    static func decode(_ text: Substring.UTF8View, plusIsSpace: Bool = true) throws -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(Byte.hexadecimal),
                    let low = rest.popFirst().flatMap(Byte.hexadecimal)
                else {
                    throw UsageError("the address has a % without two hexadecimal digits after it")
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw UsageError("the address has bytes that are not UTF-8, or a NUL")
        }
        return text
    }

    /// Returns `?a=1&b=2`; empty for no items.
    static func text(_ items: [(name: String, value: String)]) -> String {
        let text = items.map { "\(PercentCode.encode($0.name))=\(PercentCode.encode($0.value))" }.joined(separator: "&")
        return text.isEmpty ? "" : "?\(text)"
    }
}

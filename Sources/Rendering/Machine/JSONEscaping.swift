import Bytes

extension [UInt8] {
    /// Appends a text as a string of JSON (RFC 8259 §7). Also escapes U+007F to 9F, which terminals act upon, and U+2028
    /// and U+2029, which end a line for some readers.
    mutating func append(json text: String) {
        append(Byte.quote)
        let isAppended: Void? = text.utf8.withContiguousStorageIfAvailable { append(escaping: $0) }
        if isAppended == nil { Array(text.utf8).withUnsafeBufferPointer { append(escaping: $0) } }
        append(Byte.quote)
    }

    private mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for place in 0..<text.count where Self.isPerhapsEscaped(text[place]) {
            guard let scalar = Self.escapedScalar(in: text, at: place) else { continue }
            append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<place]))
            append(utf8: JSONValue.escaped(scalar))
            start = place + UTF8.width(scalar)
        }
        append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    /// Returns true if the byte may begin a code point that is escaped.
    private static func isPerhapsEscaped(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x1F, 0x22, 0x5C, 0x7F, 0xC2, 0xE2: true
        default: false
        }
    }

    /// Returns the code point that a byte of ``isPerhapsEscaped(_:)`` begins; nil if it isn't escaped.
    private static func escapedScalar(in text: UnsafeBufferPointer<UInt8>, at place: Int) -> Unicode.Scalar? {
        switch text[place] {
        case 0xC2:
            // U+0080 to BF.
            guard place + 1 < text.count, text[place + 1] < 0xA0 else { return nil }
            return Unicode.Scalar(text[place + 1])
        case 0xE2:
            guard place + 2 < text.count, text[place + 1] == 0x80, text[place + 2] & 0xFE == 0xA8 else { return nil }
            return text[place + 2] == 0xA8 ? "\u{2028}" : "\u{2029}"
        case let byte: return Unicode.Scalar(byte)
        }
    }
}

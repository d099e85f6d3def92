/// Finds the end of one JSON value, fed in pieces; counts brackets, and knows what is in a string and so is none.
package struct ValueScan: Sendable {
    private enum Mode { case nested, string, escape, scalar }

    private var mode: Mode
    private var depth = 0

    /// The first byte, which ``canBegin(with:)``, is taken by this.
    package init(first byte: UInt8) {
        switch byte {
        case JSONByte.objectStart, JSONByte.listStart: (mode, depth) = (.nested, 1)
        case JSONByte.quote: mode = .string
        default: mode = .scalar
        }
    }

    package static func canBegin(with byte: UInt8) -> Bool {
        byte == JSONByte.objectStart || byte == JSONByte.listStart || byte == JSONByte.quote || JSONByte.isScalar(byte)
    }

    /// Returns true where a text has at most so many values, by its commas and opening brackets outside strings.
    package static func hasAtMost(_ limit: Int, valuesIn json: [UInt8]) -> Bool {
        json.withUnsafeBufferPointer { bytes in
            var (values, index, isInString) = (1, 0, false)
            while index < bytes.count, values <= limit {
                switch bytes[index] {
                case JSONByte.quote: isInString.toggle()
                case JSONByte.backslash: index += 1
                case JSONByte.comma, JSONByte.listStart, JSONByte.objectStart: values += isInString ? 0 : 1
                default: break
                }
                index += 1
            }
            return values <= limit
        }
    }

    /// The index after what belongs to the value, and whether that is its end.
    package mutating func end(in bytes: [UInt8], from start: Int) -> (index: Int, isOver: Bool) {
        bytes.withUnsafeBufferPointer { bytes in
            var index = start
            while index < bytes.count {
                if mode == .scalar, !JSONByte.isScalar(bytes[index]) { return (index, true) }
                let isOver = take(bytes, &index)
                if isOver { return (index, true) }
            }
            return (index, false)
        }
    }

    /// Takes bytes as long as nothing changes, and the one that does.
    private mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Bool {
        switch mode {
        case .scalar:
            while index < bytes.count, JSONByte.isScalar(bytes[index]) { index += 1 }
        case .escape:
            index += 1
            mode = .string
        case .string:
            while index < bytes.count {
                let byte = bytes[index]
                index += 1
                if byte == JSONByte.quote {
                    mode = .nested
                    return depth == 0
                }
                if byte == JSONByte.backslash {
                    mode = .escape
                    return false
                }
            }
        case .nested:
            while index < bytes.count {
                let byte = bytes[index]
                index += 1
                switch byte {
                case JSONByte.quote:
                    mode = .string
                    return false
                case JSONByte.objectStart, JSONByte.listStart: depth += 1
                case JSONByte.objectEnd, JSONByte.listEnd:
                    depth -= 1
                    if depth == 0 { return true }
                default: break
                }
            }
        }
        return false
    }
}

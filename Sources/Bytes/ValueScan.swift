/// Finds the end of one JSON value, fed in pieces: counts brackets outside strings.
///
/// This type is for the JSON of peers, which must be complete. `JSONValueScan` of LogFormats also finds the end of a
/// broken value.
package struct ValueScan: Sendable {
    private enum Mode { case nested, string, escape, scalar }

    private var mode: Mode
    private var depth = 0

    /// Takes the first byte, for which ``canBegin(with:)`` is true.
    package init(first byte: UInt8) {
        switch byte {
        case Byte.objectStart, Byte.listStart: (mode, depth) = (.nested, 1)
        case Byte.quote: mode = .string
        default: mode = .scalar
        }
    }

    /// Returns true for a byte that can be the first of a value.
    package static func canBegin(with byte: UInt8) -> Bool {
        byte == Byte.objectStart || byte == Byte.listStart || byte == Byte.quote || Byte.isJSONScalar(byte)
    }

    /// Returns the index after the bytes of the value, and true if the value ends there.
    package mutating func end(in bytes: [UInt8], from start: Int) -> (index: Int, isOver: Bool) {
        bytes.withUnsafeBufferPointer { bytes in
            var index = start
            while index < bytes.count {
                if mode == .scalar, !Byte.isJSONScalar(bytes[index]) { return (index, true) }
                let isOver = take(bytes, &index)
                if isOver { return (index, true) }
            }
            return (index, false)
        }
    }

    /// Takes bytes up to and including the one that changes the state.
    private mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Bool {
        switch mode {
        case .scalar:
            while index < bytes.count, Byte.isJSONScalar(bytes[index]) { index += 1 }
        case .escape:
            index += 1
            mode = .string
        case .string:
            while index < bytes.count {
                let byte = bytes[index]
                index += 1
                if byte == Byte.quote {
                    mode = .nested
                    return depth == 0
                }
                if byte == Byte.backslash {
                    mode = .escape
                    return false
                }
            }
        case .nested:
            while index < bytes.count {
                let byte = bytes[index]
                index += 1
                switch byte {
                case Byte.quote:
                    mode = .string
                    return false
                case Byte.objectStart, Byte.listStart: depth += 1
                case Byte.objectEnd, Byte.listEnd:
                    depth -= 1
                    if depth == 0 { return true }
                default: break
                }
            }
        }
        return false
    }
}

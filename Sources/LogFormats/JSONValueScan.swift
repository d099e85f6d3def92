import Bytes

/// Finds the end of one JSON value, which is fed in parts and may be broken.
///
/// Separate from `ValueScan`, which reads the JSON of peers: that one must not continue after a broken value.
///
/// A string ends with its line, because JSON allows no line end in a string (RFC 8259 §7): a missing quote spoils only
/// one line. A closing bracket that does not match the innermost open one also closes the ones in between. An object in
/// the place of a key means that the object around it broke off there.
struct JSONValueScan: Sendable {
    enum End {
        /// The value continues in the next part.
        case none
        case here
        /// The value has no end: the following bytes belong to the value around it.
        case brokenOff
    }

    private enum Mode { case nested, string, escape, scalar }

    private var mode: Mode
    /// The open brackets, the innermost last; true for an object.
    private var isObject: [Bool] = []
    /// The number of open brackets beyond ``maximumDepth``.
    private var deeper = 0
    /// The last byte of the previous part that is outside strings and not white space.
    private var before: UInt8

    /// The limit of open brackets whose kind is stored, which is Foundation's limit. Deeper ones are only counted.
    private static let maximumDepth = 512

    /// - Parameter byte: The first byte, which ``end(in:isFirst:lines:)`` then takes as well.
    init(first byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): mode = .nested
        case UInt8(ascii: "\""): mode = .string
        default: mode = .scalar
        }
        before = UInt8(ascii: ":")
    }

    var isScalar: Bool { mode == .scalar }

    /// Returns the number of bytes that belong to the value, and the kind of its end.
    ///
    /// - Parameters:
    ///   - isFirst: True for the part that begins with the value's first byte.
    ///   - lines: Grows by the number of line ends in the bytes.
    mutating func end(in bytes: ArraySlice<UInt8>, isFirst: Bool, lines: inout Int) -> (count: Int, end: End) {
        bytes.withUnsafeBufferPointer { bytes in
            // A string's first quote does not end it.
            var index = isFirst && mode == .string ? 1 : 0
            while index < bytes.count {
                let end = take(bytes, &index, &lines)
                if end != .none { return (index, end) }
            }
            before = significant(bytes, bytes.count)
            return (index, .none)
        }
    }

    /// Takes bytes until the state changes.
    private mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ lines: inout Int) -> End {
        switch mode {
        case .nested: return takeNested(bytes, &index, &lines)
        case .string: return takeString(bytes, &index)
        case .escape:
            if bytes[index] != UInt8(ascii: "\n") { index += 1 }
            mode = .string
        case .scalar:
            while index < bytes.count {
                if Byte.endsJSONScalar(bytes[index]) { return .here }
                index += 1
            }
        }
        return .none
    }

    private mutating func takeString(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> End {
        index = ByteSearch.firstIndex(
            of: UInt8(ascii: "\""), or: UInt8(ascii: "\\"), or: UInt8(ascii: "\n"), in: bytes, from: index)
        guard index < bytes.count else { return .none }
        switch bytes[index] {
        case UInt8(ascii: "\n"):
            mode = .nested
            return isObject.isEmpty ? .brokenOff : .none
        case UInt8(ascii: "\""):
            index += 1
            mode = .nested
            return isObject.isEmpty ? .here : .none
        default:
            index += 1
            mode = .escape
            return .none
        }
    }

    private mutating func takeNested(
        _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ lines: inout Int
    ) -> End {
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\n"): lines += 1
            case UInt8(ascii: "\""):
                index += 1
                mode = .string
                return .none
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard open(byte, after: { $0.significant(bytes, index) }) else { return .brokenOff }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard close(isObject: byte == UInt8(ascii: "}")) else { return .brokenOff }
                if isObject.isEmpty {
                    index += 1
                    return .here
                }
            default: break
            }
            index += 1
        }
        return .none
    }

    /// Opens a bracket. Returns false if the open value broke off before it.
    private mutating func open(_ byte: UInt8, after last: (JSONValueScan) -> UInt8) -> Bool {
        let opens = byte == UInt8(ascii: "{")
        if opens, deeper == 0, isObject.last == true, last(self) != UInt8(ascii: ":") {
            guard let list = isObject.lastIndex(of: false) else { return false }
            isObject.removeSubrange((list + 1)...)
        }
        if isObject.count < Self.maximumDepth { isObject.append(opens) } else { deeper += 1 }
        return true
    }

    /// Closes a bracket. Returns false if no such bracket is open.
    private mutating func close(isObject closes: Bool) -> Bool {
        if deeper > 0 {
            deeper -= 1
        } else {
            guard let opened = isObject.lastIndex(of: closes) else { return false }
            isObject.removeSubrange(opened...)
        }
        return true
    }

    /// Returns the last byte before an index that is not white space. It may be in the previous part.
    private func significant(_ bytes: UnsafeBufferPointer<UInt8>, _ end: Int) -> UInt8 {
        var index = end
        while index > 0 {
            index -= 1
            if !Byte.isJSONSpace(bytes[index]) { return bytes[index] }
        }
        return before
    }
}

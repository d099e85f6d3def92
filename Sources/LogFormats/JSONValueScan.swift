import Bytes

/// Finds the end of one JSON value, fed in parts, also of a broken one.
///
/// Kept apart from `ValueScan`, which a peer's JSON is read by: that one must not go on behind what is broken.
///
/// A string ends with its line, as none may have a line's end in it (RFC 8259 §7), so that a quote too few spoils a line
/// and not the rest of the file. A bracket that closes another one than the last closes those between. An object in the place of
/// a key begins where the one around it broke off.
struct JSONValueScan: Sendable {
    enum End {
        /// It goes on in the next part.
        case none
        case here
        /// It has no end: what follows belongs to what it stands in.
        case brokenOff
    }

    private enum Mode { case nested, string, escape, scalar }

    private var mode: Mode
    /// Which brackets are open, the innermost last.
    private var isObject: [Bool] = []
    /// How many more are open than are kept.
    private var deeper = 0
    /// The last byte outside of strings that is no space, as of the part before.
    private var before: UInt8

    /// As deep as Foundation reads; of deeper ones only the number is kept.
    private static let maximumDepth = 512

    /// - Parameter byte: The first byte, which ``end(in:lines:)`` then takes too.
    init(first byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): mode = .nested
        case UInt8(ascii: "\""): mode = .string
        default: mode = .scalar
        }
        before = UInt8(ascii: ":")
    }

    var isScalar: Bool { mode == .scalar }

    /// How many of the bytes belong to the value, and whether that is its end.
    ///
    /// - Parameters:
    ///   - isFirst: The first byte is the value's.
    ///   - lines: Rises by the line ends in it.
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

    /// Takes bytes until something changes.
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
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") {
                mode = .nested
                return isObject.isEmpty ? .brokenOff : .none
            }
            index += 1
            if byte == UInt8(ascii: "\"") {
                mode = .nested
                return isObject.isEmpty ? .here : .none
            }
            if byte == UInt8(ascii: "\\") {
                mode = .escape
                return .none
            }
        }
        return .none
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

    /// False when what is open broke off before it.
    private mutating func open(_ byte: UInt8, after last: (JSONValueScan) -> UInt8) -> Bool {
        let opens = byte == UInt8(ascii: "{")
        if opens, deeper == 0, isObject.last == true, last(self) != UInt8(ascii: ":") {
            guard let list = isObject.lastIndex(of: false) else { return false }
            isObject.removeSubrange((list + 1)...)
        }
        if isObject.count < Self.maximumDepth { isObject.append(opens) } else { deeper += 1 }
        return true
    }

    /// False when it closes nothing that is open.
    private mutating func close(isObject closes: Bool) -> Bool {
        if deeper > 0 {
            deeper -= 1
        } else {
            guard let opened = isObject.lastIndex(of: closes) else { return false }
            isObject.removeSubrange(opened...)
        }
        return true
    }

    /// The last byte before an index that is no space.
    private func significant(_ bytes: UnsafeBufferPointer<UInt8>, _ end: Int) -> UInt8 {
        var index = end
        while index > 0 {
            index -= 1
            if !Byte.isJSONSpace(bytes[index]) { return bytes[index] }
        }
        return before
    }
}

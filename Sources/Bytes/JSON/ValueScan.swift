/// Finds the end of one JSON value, which comes in parts: counts brackets outside strings, and validates nothing else.
///
/// In the JSON of peers, a broken value must not affect the next one, so nothing is guessed. In files, which may be
/// damaged, `repairs` also finds the likely end of a broken value. A string ends with its line, because JSON allows no
/// line end in a string (RFC 8259 §7): a missing quote spoils only one line. A closing bracket that does not match the
/// innermost open one also closes the ones in between. An object in the place of a key means that the object around it
/// broke off there.
package struct ValueScan: Sendable {
    package enum End: Sendable {
        /// The value continues in the next part.
        case none
        case here
        /// The value has no end: the following bytes belong to the value around it.
        case brokenOff
    }

    private enum Mode { case nested, string, escape, scalar }

    private let repairs: Bool
    private var mode: Mode
    /// The open brackets whose kind counts, the innermost last; true for an object.
    private var isObject: [Bool] = []
    /// The number of the other open brackets.
    private var deeper = 0
    /// The last byte of the previous part that is outside strings and not white space.
    private var before: UInt8
    /// The number of line ends so far.
    package private(set) var lines = 0

    /// The limit of open brackets whose kind is stored, which is Foundation's limit.
    private static let maximumDepth = 512

    /// Takes the first byte.
    package init(first byte: UInt8, repairs: Bool = false) {
        (self.repairs, before, mode) = (repairs, byte, .scalar)
        switch byte {
        case Byte.objectStart, Byte.listStart:
            mode = .nested
            add(isObject: byte == Byte.objectStart)
        case Byte.quote: mode = .string
        default: break
        }
    }

    /// Returns true for a byte that can be the first of a value.
    package static func canBegin(with byte: UInt8) -> Bool {
        byte == Byte.objectStart || byte == Byte.listStart || byte == Byte.quote || Byte.isJSONScalar(byte)
    }

    package var isScalar: Bool { mode == .scalar }

    /// Returns the number of the next bytes that belong to the value, and the kind of its end.
    package mutating func end(in bytes: ArraySlice<UInt8>) -> (count: Int, end: End) {
        bytes.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count {
                let end = take(bytes, &index)
                if end != .none { return (index, end) }
            }
            if repairs { before = significant(bytes, bytes.count) }
            return (index, .none)
        }
    }

    /// Takes bytes until the state changes.
    private mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> End {
        switch mode {
        case .nested: return takeNested(bytes, &index)
        case .string: return takeString(bytes, &index)
        case .escape:
            if !repairs || bytes[index] != Byte.lineFeed { index += 1 }
            mode = .string
        case .scalar:
            while index < bytes.count {
                let byte = bytes[index]
                if repairs ? Byte.endsJSONScalar(byte) : !Byte.isJSONScalar(byte) { return .here }
                index += 1
            }
        }
        return .none
    }

    private mutating func takeString(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> End {
        index = ByteSearch.firstIndex(
            of: Byte.quote, or: Byte.backslash, or: repairs ? Byte.lineFeed : Byte.quote, in: bytes, from: index)
        guard index < bytes.count else { return .none }
        switch bytes[index] {
        case Byte.lineFeed:
            mode = .nested
            return isOver ? .brokenOff : .none
        case Byte.quote:
            index += 1
            mode = .nested
            return isOver ? .here : .none
        default:
            index += 1
            mode = .escape
            return .none
        }
    }

    private mutating func takeNested(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> End {
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case Byte.lineFeed: lines += 1
            case Byte.quote:
                index += 1
                mode = .string
                return .none
            case Byte.objectStart, Byte.listStart:
                guard open(byte, after: { $0.significant(bytes, index) }) else { return .brokenOff }
            case Byte.objectEnd, Byte.listEnd:
                guard close(isObject: byte == Byte.objectEnd) else { return .brokenOff }
                if isOver {
                    index += 1
                    return .here
                }
            default: break
            }
            index += 1
        }
        return .none
    }

    private var isOver: Bool { deeper == 0 && isObject.isEmpty }

    /// Opens a bracket. Returns false if the open value broke off before it.
    private mutating func open(_ byte: UInt8, after last: (ValueScan) -> UInt8) -> Bool {
        let opens = byte == Byte.objectStart
        if opens, deeper == 0, isObject.last == true, last(self) != Byte.colon {
            guard let list = isObject.lastIndex(of: false) else { return false }
            isObject.removeSubrange((list + 1)...)
        }
        add(isObject: opens)
        return true
    }

    private mutating func add(isObject opens: Bool) {
        if repairs, isObject.count < Self.maximumDepth { isObject.append(opens) } else { deeper += 1 }
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

import Bytes

/// Cuts a JSON document of any size into the values at some of its places, as they come.
///
/// Reads a value only to find its end. Its decoder validates it, so that a bad value does not affect the others. Memory
/// is limited to one read and one value of the greatest length, and time is linear in the bytes, for any input.
package struct JSONSplitter: Sendable {
    /// The values to cut out below a value.
    package indirect enum Places: Sendable {
        /// The value itself, with at most that many bytes.
        case value(limit: Int)
        /// The members of an object by their keys, and all others.
        case members([String: Places], others: Places? = nil)
        /// The elements of a list.
        case elements(Places)
    }

    /// A value with the keys on the way to it; elements of lists have no key.
    package struct Piece: Sendable, Hashable {
        package var path: [String]
        /// The bytes of the value; nil if it is longer than the limit.
        package var bytes: [UInt8]?
        /// The length of the value in bytes.
        package var length: Int
    }

    /// The part of an object or a list that comes next.
    private enum Place { case first, next, key, inKey, colon, value, inValue, after }

    private struct Frame {
        var places: Places
        var isList: Bool
        var place: Place
        /// The number of keys of the path that lead to this object or list.
        var depth: Int
    }

    /// The limit of the length of a key. A room's id has at most 255 bytes.
    private static let maximumKey = 1024
    /// The limit of the bytes between the values, such as space, in a row.
    private static let maximumSpace = 64 * 1024

    private let root: Places
    private var frames: [Frame] = []
    private var path: [String] = []
    /// The value that is cut out at present; nil for one that is skipped.
    private var wanted: Int?
    private var pending: [UInt8] = []
    private var length = 0
    private var space = 0
    private var scan = ValueScan(first: Byte.quote)
    private var hasBegun = false
    private var inRootValue = false
    /// The number of bytes read before.
    private var offset = 0
    /// True once the document has ended.
    package private(set) var isComplete = false

    package init(_ places: Places) { root = places }

    /// Takes bytes, and returns the values that end in them.
    ///
    /// - Throws: ``MatrixFormError`` for bytes that are not JSON.
    package mutating func read(_ bytes: [UInt8]) throws(MatrixFormError) -> [Piece] {
        var found: [Piece] = []
        var at = 0
        while at < bytes.count {
            if inRootValue || frames.last?.place == .inValue || frames.last?.place == .inKey {
                if let piece = try take(bytes, &at) { found.append(piece) }
            } else {
                let byte = bytes[at]
                if Byte.isJSONSpace(byte) {
                    space += 1
                    guard space <= Self.maximumSpace else { throw wrong("too much space", at) }
                } else {
                    space = 0
                    try take(byte, at)
                }
                at += 1
            }
        }
        offset += bytes.count
        return found
    }

    /// Takes a byte between values.
    private mutating func take(_ byte: UInt8, _ at: Int) throws(MatrixFormError) {
        guard !isComplete else { throw wrong("more after its end", at) }
        guard let frame = frames.last else {
            guard !hasBegun else { throw wrong("more after its end", at) }
            hasBegun = true
            return try begin(byte, root, at)
        }
        let top = frames.count - 1
        switch (frame.place, byte) {
        case (.first, Byte.objectEnd) where !frame.isList, (.after, Byte.objectEnd) where !frame.isList,
            (.first, Byte.listEnd) where frame.isList, (.after, Byte.listEnd) where frame.isList:
            end()
        case (.after, Byte.comma): frames[top].place = .next
        case (.first, Byte.quote) where !frame.isList, (.next, Byte.quote) where !frame.isList:
            frames[top].place = .inKey
            (pending, length, scan) = ([byte], 1, ValueScan(first: byte))
        case (.colon, Byte.colon): frames[top].place = .value
        case (.value, _): try begin(byte, places(below: frame), at)
        case (.first, _) where frame.isList, (.next, _) where frame.isList:
            try begin(byte, places(below: frame), at)
        default: throw wrong("an unexpected byte", at)
        }
    }

    private func places(below frame: Frame) -> Places? {
        switch frame.places {
        case .value: nil
        case .members(let known, let others): path.last.flatMap { known[$0] } ?? others
        case .elements(let inner): inner
        }
    }

    private mutating func begin(_ byte: UInt8, _ places: Places?, _ at: Int) throws(MatrixFormError) {
        guard ValueScan.canBegin(with: byte) else { throw wrong("an unexpected byte", at) }
        switch places {
        case .members? where byte == Byte.objectStart, .elements? where byte == Byte.listStart:
            if !frames.isEmpty { frames[frames.count - 1].place = .inValue }
            frames.append(
                Frame(places: places ?? root, isList: byte == Byte.listStart, place: .first, depth: path.count))
            return
        case .value(let limit)?: wanted = limit
        default: wanted = nil
        }
        (pending, length, scan) = (wanted == nil ? [] : [byte], 1, ValueScan(first: byte))
        if frames.isEmpty { inRootValue = true } else { frames[frames.count - 1].place = .inValue }
    }

    /// Takes the bytes of a key or a value.
    private mutating func take(_ bytes: [UInt8], _ at: inout Int) throws(MatrixFormError) -> Piece? {
        let isKey = frames.last?.place == .inKey
        let limit = isKey ? Self.maximumKey : wanted ?? 0
        let (end, isOver) = scan.end(in: bytes, from: at)
        if length <= limit { pending += bytes[at..<end].prefix(limit - length + 1) }
        length += end - at
        at = end
        if isKey {
            guard length <= limit else { throw wrong("a key that is too long", at) }
            guard isOver else { return nil }
            let top = frames.count - 1
            path.removeLast(path.count - frames[top].depth)
            path.append(try key(at))
            frames[top].place = .colon
            return nil
        }
        guard isOver else { return nil }
        if inRootValue { (inRootValue, isComplete) = (false, true) } else { frames[frames.count - 1].place = .after }
        guard wanted != nil else { return nil }
        let whole = length <= limit ? pending : nil
        pending = []
        return Piece(path: path, bytes: whole, length: length)
    }

    /// Returns the key whose bytes are pending.
    private func key(_ at: Int) throws(MatrixFormError) -> String {
        // Few keys have an escape.
        guard pending.contains(Byte.backslash) else {
            return String(decoding: pending.dropFirst().dropLast(), as: UTF8.self)
        }
        guard let key = JSONText.string(pending) else { throw wrong("a key that can't be read", at) }
        return key
    }

    private mutating func end() {
        let frame = frames.removeLast()
        if path.count > frame.depth { path.removeLast(path.count - frame.depth) }
        if frames.isEmpty { isComplete = true } else { frames[frames.count - 1].place = .after }
    }

    private func wrong(_ what: String, _ at: Int) -> MatrixFormError {
        MatrixFormError(detail: "the answer has \(what) at byte \(offset + at)")
    }
}

/// An answer that does not have the protocol's form. The detail is for people, and has none of the server's words.
package struct MatrixFormError: Error, Hashable {
    package var detail: String
}

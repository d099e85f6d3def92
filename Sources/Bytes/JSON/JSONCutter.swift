/// Cuts the pieces at wanted places out of a JSON document of any size, as it comes. Time is linear in the bytes, and
/// memory is limited to one read and one piece, for any input.
///
/// Values are only read to find their ends. The decoder of a piece validates it, so that a bad piece does not affect the
/// others. A wanted place that contains others, such as `chats.list[]` beside `chats.list[].name`, yields a piece without
/// bytes at its beginning.
///
/// For peers, a document that is not JSON between the pieces ends with a ``fault``, and a value that does not contain
/// the wanted places is skipped. For files, which may be damaged, `repairs` reads on as far as possible: an error on the
/// way to a wanted place yields its bytes as one piece at ``brokenPlace``, only once between two pieces. If the file ends
/// within the document, that piece is empty.
package struct JSONCutter: Sendable {
    /// The place of pieces that are broken; no real place has this name.
    package static let brokenPlace = "?"
    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// The limit of bytes of a key that is needed. Wanted ones are shorter, even with every letter escaped; the id of a
    /// room of Matrix has at most 255 bytes.
    private static let maximumKey = 1024
    /// The limit of white space in a row that a peer may send.
    private static let maximumSpace = 64 * 1024

    struct Frame {
        var node: Int
        var isObject: Bool
        /// The key of the object or list, if pieces have paths.
        var key: String?
    }

    enum State {
        /// A value, a key or an end may follow.
        case between
        case key
        /// After a key, with the node of its value; nil if the value is not wanted.
        case colon(Int?)
        case value(Int?)
    }

    /// The token before the present one in an object or a list.
    enum Token { case start, comma, value }

    let places: JSONPlaces
    private let maximumPiece: Int
    let maximumAround: Int
    let repairs: Bool
    /// True to give each piece its path.
    private let hasPaths: Bool
    private(set) var frames: [Frame] = []
    private(set) var state = State.between
    private(set) var last = Token.start
    private var key: [UInt8] = []
    /// The key of the present value in an object, if pieces have paths.
    private var valueKey: String?
    private var isEscaped = false
    /// The state of the value that is being skipped or kept.
    private var scan: ValueScan?
    /// The beginning of that value's piece, when it is wanted.
    private var piece: Piece?
    private var limit = 0
    private var kept: [UInt8] = []
    private var number = 1
    private var isBrokenReported = false
    /// The number of bytes of a byte order mark that have been read.
    private var mark: Int
    /// The position in the document of the byte that has the index 0 in the present part.
    private(set) var origin = 0
    private var (consumed, space) = (0, 0)
    /// The bytes around the pieces so far.
    var around = 0
    package internal(set) var fault: Fault?

    /// - Parameters:
    ///   - maximumPiece: The limit of bytes of a piece. A longer one is cut.
    ///   - maximumAround: The limit of bytes of the objects around the pieces; counted for peers.
    ///   - hasPaths: True to give each piece its path when repairing, too.
    package init(
        _ places: JSONPlaces, maximumPiece: Int, maximumAround: Int = .max, repairs: Bool = false,
        hasPaths: Bool = false
    ) {
        self.hasPaths = hasPaths || !repairs
        (self.places, self.maximumPiece, self.maximumAround) = (places, maximumPiece, maximumAround)
        (self.repairs, mark) = (repairs, repairs ? 0 : Self.byteOrderMark.count)
    }

    /// True if a peer's object or list has ended, whatever follows.
    package var hasEnded: Bool { last == .value && frames.isEmpty && scan == nil }
    /// True if a peer's document is one object or list, and nothing more.
    package var isComplete: Bool { hasEnded && fault == nil }

    /// The bytes of memory that depend on the input.
    package var held: Int { kept.capacity + key.capacity }

    /// Takes bytes, and calls the body with the pieces that end in them.
    package mutating func cutPieces(_ bytes: ArraySlice<UInt8>, _ body: (Piece) throws -> Void) rethrows {
        origin = consumed - bytes.startIndex
        consumed += bytes.count
        var rest = bytes
        while let byte = rest.first, fault == nil {
            if scan != nil {
                rest = try resume(rest, body)
            } else if mark < Self.byteOrderMark.count, byte == Self.byteOrderMark[mark] {
                mark += 1
                rest = rest.dropFirst()
            } else {
                mark = Self.byteOrderMark.count
                rest = try step(byte, rest, body)
            }
        }
    }

    /// Ends a file, and calls the body with the piece at its end.
    package mutating func finish(_ body: (Piece) throws -> Void) rethrows {
        var isOpen = !frames.isEmpty
        if let scan {
            isOpen = (isOpen || !scan.isScalar) && (scan.isScalar || piece == nil)
            try end([], body)
        }
        isBrokenReported = false
        if isOpen { try reportBroken([], body) }
        (frames, state) = ([], .between)
    }

    // MARK: - Between values

    /// Handles one byte, and returns the bytes after it; with it, if the new state must read it again.
    private mutating func step(
        _ byte: UInt8, _ rest: ArraySlice<UInt8>, _ body: (Piece) throws -> Void
    ) rethrows -> ArraySlice<UInt8> {
        if case .key = state { return try takeKey(byte, rest, body) }
        if Byte.isJSONSpace(byte) {
            if byte == Byte.lineFeed { number += 1 }
            space += 1
            if space > Self.maximumSpace, !repairs {
                fault = Fault(isTooLong: true, detail: "the answer has too much space")
            }
            return rest.dropFirst()
        }
        space = 0
        countAround(1)
        if !repairs, !isExpected(byte) {
            fail(byte, rest)
            return rest
        }
        switch state {
        case .key, .between: return try between(byte, rest, body)
        case .colon(let node):
            if byte == Byte.colon {
                state = .value(node)
                return rest.dropFirst()
            }
        case .value(let node):
            if byte == Byte.quote || byte == Byte.objectStart || byte == Byte.listStart || !Byte.endsJSONScalar(byte) {
                return try begin(node, byte, rest, body)
            }
        }
        state = .between
        try reportBroken(rest.prefix(1), body)
        return rest
    }

    private mutating func between(
        _ byte: UInt8, _ rest: ArraySlice<UInt8>, _ body: (Piece) throws -> Void
    ) rethrows -> ArraySlice<UInt8> {
        let frame = frames.last
        let isInObject = frame?.isObject == true
        switch byte {
        case Byte.comma where frame != nil: last = .comma
        case Byte.quote where isInObject:
            key.removeAll(keepingCapacity: true)
            state = .key
        case Byte.objectEnd, Byte.listEnd:
            try close(isObject: byte == Byte.objectEnd, rest, body)
        case Byte.comma, Byte.colon:
            try reportBroken(rest.prefix(1), body)
        case _ where isInObject:
            // The object broke off, or this byte does not begin a key.
            try reportBroken(rest.prefix(1), body)
            if let list = frames.lastIndex(where: { !$0.isObject }), byte == Byte.objectStart {
                frames.removeSubrange((list + 1)...)
                return rest
            }
            return try begin(nil, byte, rest, body)
        default:
            return try begin(frame.map { places.nodes[$0.node].element } ?? JSONPlaces.root, byte, rest, body)
        }
        return rest.dropFirst()
    }

    private mutating func close(
        isObject: Bool, _ rest: ArraySlice<UInt8>, _ body: (Piece) throws -> Void
    ) rethrows {
        let opened = frames.lastIndex { $0.isObject == isObject }
        if opened == nil || opened != frames.indices.last { try reportBroken(rest.prefix(1), body) }
        if let opened { frames.removeSubrange(opened...) }
        last = .value
    }

    private mutating func takeKey(
        _ byte: UInt8, _ rest: ArraySlice<UInt8>, _ body: (Piece) throws -> Void
    ) rethrows -> ArraySlice<UInt8> {
        countAround(1)
        if byte == Byte.lineFeed, repairs {
            (state, isEscaped) = (.between, false)
            try reportBroken(key.prefix(maximumPiece), body)
            return rest
        }
        if byte == Byte.quote, !isEscaped {
            endKey(rest)
        } else {
            isEscaped = byte == Byte.backslash && !isEscaped
            if key.count < Self.maximumKey { key.append(byte) } else if !repairs { fail(byte, rest) }
        }
        return rest.dropFirst()
    }

    private mutating func endKey(_ rest: ArraySlice<UInt8>) {
        let text = key.contains(Byte.backslash) ? JSONText.string([Byte.quote] + key + [Byte.quote]) : nil
        if hasPaths { valueKey = text ?? String(decoding: key, as: UTF8.self) }
        if !repairs, text == nil, key.contains(Byte.backslash) { return fail(Byte.quote, rest) }
        state = .colon(frames.last.flatMap { places.node(in: $0.node, key: text.map { Array($0.utf8) } ?? key) })
    }

    // MARK: - Values

    private mutating func begin(
        _ node: Int?, _ byte: UInt8, _ rest: ArraySlice<UInt8>, _ body: (Piece) throws -> Void
    ) rethrows -> ArraySlice<UInt8> {
        state = .between
        if let node {
            let (found, isObject) = (places.nodes[node], byte == Byte.objectStart)
            if isObject ? found.hasKeys : byte == Byte.listStart && found.element != nil {
                if found.isWanted { try emit(Piece(place: found.name, path: path, number: number, bytes: []), body) }
                frames.append(
                    Frame(node: node, isObject: isObject, key: frames.last?.isObject == true ? valueKey : nil))
                last = .start
                return rest.dropFirst()
            }
            limit = found.limit ?? maximumPiece
            if found.isWanted {
                piece = Piece(place: found.name, path: path, number: number, bytes: [])
            } else if repairs, !isBrokenReported {
                // The value should contain other wanted places.
                piece = Piece(place: Self.brokenPlace, number: number, bytes: [])
            }
        }
        scan = ValueScan(first: byte, repairs: repairs)
        return try resume(rest, isFirst: true, body)
    }

    private var path: [String] {
        guard hasPaths else { return [] }
        return frames.compactMap(\.key) + (frames.last?.isObject == true ? [valueKey ?? ""] : [])
    }

    /// Takes the bytes that belong to the value, and returns the rest.
    private mutating func resume(
        _ rest: ArraySlice<UInt8>, isFirst: Bool = false, _ body: (Piece) throws -> Void
    ) rethrows -> ArraySlice<UInt8> {
        guard let found = scan?.end(in: isFirst ? rest.dropFirst() : rest) else { return rest }
        let count = found.count + (isFirst ? 1 : 0)
        // The first byte has been counted.
        countAround(found.count)
        if found.end == .none { keep(rest.prefix(count)) } else { try end(rest.prefix(count), body) }
        return rest.dropFirst(count)
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        guard piece != nil else { return }
        piece?.length += bytes.count
        kept += bytes.prefix(max(0, limit - kept.count))
    }

    /// - Parameter bytes: The value's last bytes, which are not stored yet.
    private mutating func end(_ bytes: ArraySlice<UInt8>, _ body: (Piece) throws -> Void) rethrows {
        number += scan?.lines ?? 0
        (scan, last) = (nil, .value)
        let isWhole = kept.isEmpty && bytes.count <= limit
        if !isWhole { keep(bytes) }
        guard var ended = piece.take() else { return }
        if isWhole { (ended.bytes, ended.length) = (bytes, bytes.count) } else { ended.bytes = kept[...] }
        kept = []
        // `null` in a place that can contain others means that there are none.
        guard ended.place != Self.brokenPlace || !ended.bytes.elementsEqual("null".utf8) else { return }
        try emit(ended, body)
    }

    private mutating func emit(_ piece: Piece, _ body: (Piece) throws -> Void) rethrows {
        isBrokenReported = piece.place == Self.brokenPlace
        try body(piece)
    }

    private mutating func reportBroken(_ bytes: ArraySlice<UInt8>, _ body: (Piece) throws -> Void) rethrows {
        guard !isBrokenReported else { return }
        try emit(Piece(place: Self.brokenPlace, number: number, bytes: bytes, length: bytes.count), body)
    }
}

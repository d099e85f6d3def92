import Bytes
import Foundation

/// Cuts the pieces at wanted places out of a JSON document that comes in any parts. Keeps at most one piece in memory.
///
/// A wanted place that contains others, such as `chats.list[]` beside `chats.list[].name`, yields a piece without bytes
/// at its beginning. A broken document is read as far as possible: invalid JSON at a wanted place is a piece that can't
/// be decoded later. An error elsewhere on the way to a wanted place yields its bytes as one piece at ``brokenPlace``,
/// only once between two pieces. If the file ends within the document, that piece is empty. Errors inside of other
/// values are ignored.
package struct JSONPieceCutter: SourceCutter {
    /// The place of pieces that are broken; no real place has this name.
    package static let brokenPlace = "?"

    private struct Frame {
        var node: Int
        var isObject: Bool
    }

    private struct Piece {
        var place: String
        var number: Int
    }

    private enum State {
        /// A value, a key or an end may follow.
        case between
        case key
        /// After a key, with the node of its value; nil if the value is not wanted.
        case colon(Int?)
        case value(Int?)
    }

    private let places: JSONPlaces
    private let maximumPiece: Int
    private var frames: [Frame] = []
    private var state = State.between
    private var key: [UInt8] = []
    private var isEscaped = false
    /// The state of the value that is being skipped or kept.
    private var scan: JSONValueScan?
    /// The place of that value, when it is wanted.
    private var piece: Piece?
    private var kept: [UInt8] = []
    private var isCut = false
    private var number = 1
    private var isBrokenReported = false
    /// The number of bytes of a byte order mark that have been read.
    private var mark = 0

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// The limit of bytes that are kept of a key. Each wanted key is shorter, even with every letter escaped.
    private static let maximumKey = 256

    /// - Parameters:
    ///   - places: For example `channel`, `messages[]` and `chats.list[].name`; `[]` for a document that is a list.
    ///   - maximumPiece: The limit of bytes of a piece. A longer one is cut.
    package init(places: [String], maximumPiece: Int) {
        self.places = JSONPlaces(places)
        self.maximumPiece = maximumPiece
    }

    package mutating func read(_ bytes: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows {
        var rest = bytes
        while let byte = rest.first {
            if scan != nil {
                rest = try resume(rest, isFirst: false, body)
            } else if mark < Self.byteOrderMark.count, byte == Self.byteOrderMark[mark] {
                mark += 1
                rest = rest.dropFirst()
            } else {
                mark = Self.byteOrderMark.count
                rest = try step(byte, rest, body)
            }
        }
    }

    package mutating func finish(_ body: (LogLine) throws -> Void) rethrows {
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
        _ byte: UInt8, _ rest: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void
    ) rethrows -> ArraySlice<UInt8> {
        if case .key = state { return try takeKey(byte, rest, body) }
        if Byte.isJSONSpace(byte) {
            if byte == UInt8(ascii: "\n") { number += 1 }
            return rest.dropFirst()
        }
        switch state {
        case .key, .between: return try between(byte, rest, body)
        case .colon(let node):
            if byte == UInt8(ascii: ":") {
                state = .value(node)
                return rest.dropFirst()
            }
        case .value(let node):
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
                || !Byte.endsJSONScalar(byte)
            {
                return try begin(node, byte, rest, body)
            }
        }
        state = .between
        try reportBroken(rest.prefix(1), body)
        return rest
    }

    private mutating func between(
        _ byte: UInt8, _ rest: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void
    ) rethrows -> ArraySlice<UInt8> {
        let frame = frames.last
        let isInObject = frame?.isObject == true
        switch byte {
        case UInt8(ascii: ",") where frame != nil: break
        case UInt8(ascii: "\"") where isInObject:
            key.removeAll(keepingCapacity: true)
            state = .key
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            try close(isObject: byte == UInt8(ascii: "}"), rest, body)
        case UInt8(ascii: ","), UInt8(ascii: ":"):
            try reportBroken(rest.prefix(1), body)
        case _ where isInObject:
            // The object broke off, or this byte does not begin a key.
            try reportBroken(rest.prefix(1), body)
            if let list = frames.lastIndex(where: { !$0.isObject }), byte == UInt8(ascii: "{") {
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
        isObject: Bool, _ rest: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void
    ) rethrows {
        let opened = frames.lastIndex { $0.isObject == isObject }
        if opened == nil || opened != frames.indices.last { try reportBroken(rest.prefix(1), body) }
        if let opened { frames.removeSubrange(opened...) }
    }

    private mutating func takeKey(
        _ byte: UInt8, _ rest: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void
    ) rethrows -> ArraySlice<UInt8> {
        if byte == UInt8(ascii: "\n") {
            (state, isEscaped) = (.between, false)
            try reportBroken(key.prefix(maximumPiece), body)
            return rest
        }
        if byte == UInt8(ascii: "\""), !isEscaped {
            state = .colon(frames.last.flatMap { places.node(in: $0.node, key: Self.unescaped(key)) })
        } else {
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            if key.count < Self.maximumKey { key.append(byte) }
        }
        return rest.dropFirst()
    }

    private static func unescaped(_ key: [UInt8]) -> [UInt8] {
        guard key.contains(UInt8(ascii: "\\")) else { return key }
        let quoted = Data("\"".utf8 + key + "\"".utf8)
        return (try? JSONDecoder().decode(String.self, from: quoted)).map { Array($0.utf8) } ?? key
    }

    // MARK: - Values

    private mutating func begin(
        _ node: Int?, _ byte: UInt8, _ rest: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void
    ) rethrows -> ArraySlice<UInt8> {
        state = .between
        if let node {
            let (found, isObject) = (places.nodes[node], byte == UInt8(ascii: "{"))
            if isObject ? !found.keys.isEmpty : byte == UInt8(ascii: "[") && found.element != nil {
                frames.append(Frame(node: node, isObject: isObject))
                if found.isWanted { try emit(LogLine(number: number, bytes: [], place: found.name), body) }
                return rest.dropFirst()
            }
            if found.isWanted {
                piece = Piece(place: found.name, number: number)
            } else if !isBrokenReported {
                // The value should contain other wanted places.
                piece = Piece(place: Self.brokenPlace, number: number)
            }
        }
        scan = JSONValueScan(first: byte)
        return try resume(rest, isFirst: true, body)
    }

    /// Takes the bytes that belong to the value, and returns the rest.
    private mutating func resume(
        _ rest: ArraySlice<UInt8>, isFirst: Bool, _ body: (LogLine) throws -> Void
    ) rethrows -> ArraySlice<UInt8> {
        guard let (count, end) = scan?.end(in: rest, isFirst: isFirst, lines: &number) else { return rest }
        if end == .none { keep(rest.prefix(count)) } else { try self.end(rest.prefix(count), body) }
        return rest.dropFirst(count)
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        guard piece != nil else { return }
        let room = maximumPiece - kept.count
        kept += bytes.prefix(room)
        if bytes.count > room { isCut = true }
    }

    /// - Parameter last: The value's last bytes, which are not stored yet.
    private mutating func end(_ last: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows {
        scan = nil
        guard let piece else { return }
        var line = LogLine(number: piece.number, bytes: last, place: piece.place)
        if !kept.isEmpty || last.count > maximumPiece {
            keep(last)
            line.bytes = kept[...]
        }
        line.isCut = isCut
        self.piece = nil
        (kept, isCut) = ([], false)
        // `null` in a place that can contain others means that there are none.
        guard line.place != Self.brokenPlace || !line.bytes.elementsEqual("null".utf8) else { return }
        try emit(line, body)
    }

    private mutating func emit(_ line: LogLine, _ body: (LogLine) throws -> Void) rethrows {
        isBrokenReported = line.place == Self.brokenPlace
        try body(line)
    }

    private mutating func reportBroken(_ bytes: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows {
        guard !isBrokenReported else { return }
        try emit(LogLine(number: number, bytes: bytes, place: Self.brokenPlace), body)
    }
}

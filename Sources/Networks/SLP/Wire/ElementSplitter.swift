import Bytes

/// Cuts an answer of any size into the elements of its list; see ``JSONCutter``. The list is the whole answer, or the
/// value of a key in an object.
package struct ElementSplitter: Sendable {
    package struct Limits: Sendable, Hashable {
        /// The most bytes of one element: 1 MiB, far more than such a service allows for a message.
        package var elementBytes = 1 << 20
        /// The most bytes of an object around the list, without its elements; that of a direct history has about 100.
        package var envelopeBytes = 64 * 1024
        /// The number of bytes that are kept of an element that is too long, to identify it.
        package var keptBytes = 1024

        package init() {}
    }

    /// An element of the list, not validated.
    package enum Element: Sendable, Hashable {
        case whole([UInt8])
        /// An element longer than ``Limits/elementBytes``, with its beginning and its length.
        case tooLong(beginning: [UInt8], bytes: Int)
    }

    private let key: String?
    private let limits: Limits
    private var cutter: JSONCutter
    /// The elements that have not been taken, the next one last.
    private var elements: [Element] = []
    private var hasList = false
    /// The first byte of the answer that is not white space.
    private var first: UInt8?

    /// - Parameter key: The key of the list in an answer that is an object; nil if the answer is a list.
    package init(key: String? = nil, limits: Limits = Limits()) {
        (self.key, self.limits) = (key, limits)
        cutter = JSONCutter(
            JSONPlaces(["[]"] + (key.map { [$0, "\($0)[]"] } ?? [])), maximumPiece: limits.elementBytes,
            maximumAround: limits.envelopeBytes)
    }

    /// True if the list and everything around it have ended; false for an incomplete answer.
    package var isComplete: Bool { cutter.isComplete && failure == nil }

    /// The bytes of memory that depend on the input.
    var held: Int {
        elements.reduce(cutter.held) { held, element in
            switch element {
            case .whole(let bytes), .tooLong(let bytes, _): held + bytes.count
            }
        }
    }

    /// Adds bytes, whose elements ``next()`` then returns.
    package mutating func read(_ bytes: [UInt8]) {
        if first == nil { first = bytes.first { !Byte.isJSONSpace($0) } }
        var (found, hasList): ([Element], Bool) = ([], hasList)
        cutter.cutPieces(bytes[...]) { [key, limits] piece in
            if piece.place == key {
                // Some servers send `null` for an empty list.
                if piece.bytes.isEmpty || piece.bytes.first == UInt8(ascii: "n") { hasList = true }
            } else if piece.isCut {
                found.append(.tooLong(beginning: Array(piece.bytes.prefix(limits.keptBytes)), bytes: piece.length))
            } else {
                found.append(.whole(Array(piece.bytes)))
            }
        }
        (elements, self.hasList) = (found.reversed() + elements, hasList)
    }

    /// Returns the next complete element; nil if more bytes are needed.
    ///
    /// - Throws: ``SplitError`` for an answer of another shape, also at every later call.
    package mutating func next() throws(SplitError) -> Element? {
        if let element = elements.popLast() { return element }
        if let failure { throw failure }
        return nil
    }

    private var failure: SplitError? {
        if cutter.hasEnded, first == Byte.objectStart, !hasList {
            return SplitError(code: .noList, detail: "the answer is an object without \"\(key ?? "")\"")
        }
        return cutter.fault.map {
            SplitError(code: $0.isTooLong ? .envelopeTooLong : .unexpectedByte, detail: $0.detail)
        }
    }
}

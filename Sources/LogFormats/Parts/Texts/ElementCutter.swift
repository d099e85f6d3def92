import Bytes

/// Cuts the wanted elements out of XML that may be damaged, such as `<sms …/>` and `<mms …>…</mms>`. Drops what is
/// between them. Keeps at most one element in memory.
///
/// The place of a piece is its element's name. An element that is not closed is a piece at ``brokenPlace``, and so is
/// the end of a file without its last tag, which has no bytes. No wanted element may have another one within.
struct ElementCutter: SourceCutter {
    static let brokenPlace = JSONPieceCutter.brokenPlace

    private enum State {
        /// Between wanted elements.
        case outside
        /// In the name of a tag.
        case name
        /// In a tag of a wanted element, behind the tag's name.
        case tag
        /// In the value of an attribute, up to this quote.
        case value(quote: UInt8)
        /// In a value that is left out.
        case skipped(quote: UInt8)
        /// In a wanted element, between tags.
        case text
    }

    private let names: [[UInt8]]
    /// The names of the elements that end a file; empty if a file need not end.
    private let roots: [[UInt8]]
    /// `NAME=` of the attribute whose value is left out; nil if there is none.
    private let skipped: [UInt8]?
    private let maximumPiece: Int

    private var state = State.outside
    /// The present wanted element; nil outside.
    private var element: [UInt8]?
    private var kept: [UInt8] = []
    private var isCut = false
    /// The name of the present tag, with `/` before it in an end tag; at most ``maximumName`` bytes.
    private var tag: [UInt8] = []
    private var isFirstTag = false
    /// The byte before the present one in a tag.
    private var previous: UInt8 = 0
    /// The line of the piece, and of the next byte.
    private var (first, number) = (1, 1)
    private var hasEnded: Bool

    /// No wanted name is longer.
    private static let maximumName = 40
    private static let (less, greater) = (UInt8(ascii: "<"), UInt8(ascii: ">"))

    /// - Parameters:
    ///   - names: The names of the wanted elements.
    ///   - roots: The names of the elements of which one ends each file; empty if files need not end.
    ///   - attribute: The attribute whose values are left out, however long they are; nil to keep all.
    ///   - maximumPiece: The limit of bytes of a piece, without such values. A longer piece is cut.
    init(_ names: [String], in roots: [String] = [], without attribute: String? = nil, maximumPiece: Int) {
        self.names = names.map { Array($0.utf8) }
        self.roots = roots.map { Array("/\($0)".utf8) }
        skipped = attribute.map { Array("\($0)=".utf8) }
        self.maximumPiece = maximumPiece
        hasEnded = roots.isEmpty
    }

    mutating func cutLines(_ bytes: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if let next = passed(bytes, from: index) {
                index = next
                continue
            }
            try step(bytes[index], body)
            index += 1
        }
    }

    mutating func finish(_ body: (LogLine) throws -> Void) rethrows {
        if element != nil || !hasEnded { try body(LogLine(number: number, bytes: [], place: Self.brokenPlace)) }
        (element, kept, state) = (nil, [], .outside)
    }

    /// Returns the position of the next byte that matters, where bytes are dropped; nil where each byte is kept.
    private mutating func passed(_ bytes: ArraySlice<UInt8>, from index: Int) -> Int? {
        let end: UInt8
        switch state {
        case .outside: end = Self.less
        case .skipped(let quote): end = quote
        default: return nil
        }
        let found = bytes[index...].withUnsafeBufferPointer {
            ByteSearch.firstIndex(of: end, or: Self.less, or: Self.less, in: $0, from: 0)
        }
        guard found > 0 else { return nil }
        number += bytes[index..<(index + found)].count { $0 == Byte.lineFeed }
        return index + found
    }

    private mutating func step(_ byte: UInt8, _ body: (LogLine) throws -> Void) rethrows {
        if byte == Byte.lineFeed { number += 1 }
        switch state {
        case .outside, .text:
            keep(byte)
            if byte == Self.less { beginTag() }
        case .name: try stepInName(byte, body)
        case .tag:
            // No tag has such a byte, so its end is missing.
            guard byte != Self.less else { return try beginAgain(body) }
            if byte == Byte.quote || byte == UInt8(ascii: "'") {
                state = isBehindSkipped ? .skipped(quote: byte) : .value(quote: byte)
            }
            keep(byte)
            if byte == Self.greater { try endTag(body) }
            previous = byte
        case .value(let quote):
            // No value has such a byte, so a quote is missing.
            guard byte != Self.less else { return try beginAgain(body) }
            keep(byte)
            if byte == quote { state = .tag }
        case .skipped(let quote):
            guard byte != Self.less else { return try beginAgain(body) }
            keep(byte)
            if byte == quote { state = .tag }
        }
    }

    /// True behind the name and `=` of the attribute that is left out.
    private var isBehindSkipped: Bool {
        guard let skipped, kept.suffix(skipped.count).elementsEqual(skipped) else { return false }
        return kept.dropLast(skipped.count).last.map(Byte.isJSONSpace) ?? false
    }

    private mutating func keep(_ byte: UInt8) {
        guard element != nil else { return }
        if kept.count < maximumPiece { kept.append(byte) } else { isCut = true }
    }

    private mutating func beginTag() {
        (state, tag) = (.name, [])
    }

    /// Ends a broken element at a `<`, with which a tag begins.
    private mutating func beginAgain(_ body: (LogLine) throws -> Void) rethrows {
        try emit(place: Self.brokenPlace, body)
        beginTag()
    }

    private mutating func stepInName(_ byte: UInt8, _ body: (LogLine) throws -> Void) rethrows {
        guard byte != Self.less else {
            keep(byte)
            return beginTag()
        }
        let isEnd = byte == Self.greater || Byte.isJSONSpace(byte) || byte == Byte.slash && !tag.isEmpty
        guard isEnd else {
            keep(byte)
            if tag.count <= Self.maximumName { tag.append(byte) }
            return
        }
        if roots.contains(tag) { hasEnded = true }
        if names.contains(tag) {
            if element != nil { try emit(place: Self.brokenPlace, body) }
            (element, isFirstTag, first) = (tag, true, number)
            kept = [Self.less] + tag
        }
        guard element != nil else { return state = .outside }
        keep(byte)
        (state, previous) = (.tag, byte)
        if byte == Self.greater { try endTag(body) }
    }

    /// Ends a tag of a wanted element at its `>`.
    private mutating func endTag(_ body: (LogLine) throws -> Void) rethrows {
        guard let element else { return state = .outside }
        let isWhole = isFirstTag && previous == Byte.slash
        let isEnd = tag.first == Byte.slash && tag.dropFirst().elementsEqual(element)
        isFirstTag = false
        guard isWhole || isEnd else { return state = .text }
        try emit(place: String(decoding: element, as: UTF8.self), body)
    }

    private mutating func emit(place: String, _ body: (LogLine) throws -> Void) rethrows {
        try body(LogLine(number: first, bytes: kept[...], isCut: isCut, place: place))
        (element, kept, isCut, state) = (nil, [], false, .outside)
    }
}

extension LogLine {
    /// - Throws: ``UnreadablePiece`` for an element that the cutter cut or found broken.
    func requireWholeElement(limit: Int) throws(UnreadablePiece) {
        guard place != ElementCutter.brokenPlace else {
            throw UnreadablePiece(bytes.isEmpty ? "the file ends in the middle of its XML" : "the XML is invalid here")
        }
        guard !isCut else { throw UnreadablePiece("longer than \(limit) bytes") }
    }
}

extension HTMLTag {
    /// Reads the first tag of a document that begins with a tag, a declaration or a comment; nil for other bytes.
    init?(rootOf beginning: [UInt8]) {
        let text = beginning.drop { Byte.isJSONSpace($0) || [0xEF, 0xBB, 0xBF].contains($0) }
        guard text.first == UInt8(ascii: "<") else { return nil }
        // A root is near the beginning, behind a declaration and a comment.
        var scanner = HTMLScanner(text.prefix(4096))
        while let token = scanner.next() {
            if case .opening(let tag) = token {
                self = tag
                return
            }
        }
        return nil
    }
}

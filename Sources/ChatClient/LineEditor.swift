/// A line of text with a cursor. It edits whole Characters: a syllable, an emoji, a letter with its marks.
struct LineEditor: Sendable, Hashable {
    /// The limit of code points: 300 family emoji have 2,100.
    static let maximumScalars = 4096

    /// The line as scalars, because the next scalar may belong to the Character before it.
    private var scalars: [Unicode.Scalar] = []
    /// The cursor as an index of scalars; inside a Character only while it is being typed.
    private var cursor = 0

    var text: String { Self.string(scalars[...]) }

    var isEmpty: Bool { scalars.isEmpty }

    /// True if the cursor is after the last code point.
    var isAtEnd: Bool { cursor == scalars.count }

    /// The number of complete Characters before the cursor.
    var charactersBeforeCursor: Int {
        boundaries.dropFirst().prefix { $0 <= cursor }.count
    }

    /// Inserts a code point at the cursor. Returns false if the line is full.
    mutating func insert(_ scalar: Unicode.Scalar) -> Bool {
        guard scalars.count < Self.maximumScalars else { return false }
        scalars.insert(scalar, at: cursor)
        cursor += 1
        return true
    }

    /// Replaces the line, for instance by the result of ``take()``.
    mutating func replace(with text: String) {
        scalars = Array(text.unicodeScalars.prefix(Self.maximumScalars))
        cursor = scalars.count
    }

    mutating func take() -> String {
        defer { self = LineEditor() }
        return text
    }

    mutating func moveLeft() {
        cursor = boundaryBefore
    }

    mutating func moveRight() {
        cursor = boundaryAfter
    }

    mutating func moveToStart() {
        cursor = 0
    }

    mutating func moveToEnd() {
        cursor = scalars.count
    }

    mutating func eraseBackward() {
        erase(from: boundaryBefore)
    }

    mutating func eraseForward() {
        scalars.removeSubrange(cursor..<boundaryAfter)
    }

    mutating func eraseToStart() {
        erase(from: 0)
    }

    mutating func eraseToEnd() {
        scalars.removeSubrange(cursor...)
    }

    /// Erases back to the beginning of a word, with the spaces after it.
    mutating func eraseWord() {
        let before = scalars[..<cursor]
        let word = before.lastIndex { !$0.properties.isWhitespace } ?? 0
        let space = before[..<word].lastIndex { $0.properties.isWhitespace }
        erase(from: space.map { $0 + 1 } ?? 0)
    }

    private mutating func erase(from start: Int) {
        scalars.removeSubrange(start..<cursor)
        cursor = start
    }

    private var boundaryBefore: Int {
        boundaries.last { $0 < cursor } ?? 0
    }

    private var boundaryAfter: Int {
        boundaries.first { $0 > cursor } ?? scalars.count
    }

    /// The indices where Characters begin, 0 first, and the end of the last.
    private var boundaries: [Int] {
        text.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.unicodeScalars.count) }
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}

/// A line of text and a cursor in it. Edits by Character: a whole syllable, a whole emoji, a letter with its marks.
struct LineEditor: Sendable, Hashable {
    /// Code points: 300 family emoji have 2,100.
    static let maximumScalars = 4096

    /// Scalars, because what is typed next may belong to the Character before.
    private var scalars: [Unicode.Scalar] = []
    /// In scalars; within a Character only while one is being typed.
    private var cursor = 0

    var text: String { Self.string(scalars[...]) }

    var isEmpty: Bool { scalars.isEmpty }

    /// The cursor stands after the last code point.
    var isAtEnd: Bool { cursor == scalars.count }

    /// Characters of the text that are complete before the cursor.
    var charactersBeforeCursor: Int {
        boundaries.dropFirst().prefix { $0 <= cursor }.count
    }

    /// False when the line is full.
    mutating func insert(_ scalar: Unicode.Scalar) -> Bool {
        guard scalars.count < Self.maximumScalars else { return false }
        scalars.insert(scalar, at: cursor)
        cursor += 1
        return true
    }

    /// Puts back what was taken out with ``take()``.
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

    /// Back to the beginning of a word, the spaces after it included.
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

    /// Where Characters begin, and the end of the last; 0 first.
    private var boundaries: [Int] {
        text.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.unicodeScalars.count) }
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}

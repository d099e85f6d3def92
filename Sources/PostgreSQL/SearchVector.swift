/// Builds a `tsvector` in the binary form of PostgreSQL's `tsvectorsend`.
package struct SearchVector {
    /// The positions of each word; none for a mark.
    private var lexemes: [ArraySlice<UInt8>: [UInt16]] = [:]
    private var size = 0
    /// The number of words that are left out, or whose position is.
    package private(set) var cut = 0

    /// Limits of PostgreSQL ("12.11. Limitations", and `MAXSTRLEN` in `ts_type.h`). The size is of the lexemes with
    /// their positions and the padding between them.
    private static let longestLexeme = 2046
    private static let lastPosition = 16383
    private static let positionsOfLexeme = 255
    private static let largest = (1 << 20) - 4096

    package init() {}

    /// Adds words of a text, in order. A word is a maximal sequence of other bytes than the separators; ASCII letters
    /// are folded.
    ///
    /// - Parameter text: The words with spaces between them, or any ASCII text.
    package mutating func add(words text: String, isPlain: Bool) {
        let bytes = Array(text.utf8)
        var position = 0
        var start: Int?
        func isWord(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"):
                true
            default: !isPlain && byte != UInt8(ascii: " ")
            }
        }
        for index in 0...bytes.count {
            if index < bytes.count, isWord(bytes[index]) {
                start = start ?? index
            } else if let first = start {
                position += 1
                let word = bytes[first..<index]
                addLexeme(isPlain ? Self.folded(word) : word, at: position)
                start = nil
            }
        }
    }

    /// Adds a lexeme without a position. A colon before it keeps marks apart from words.
    package mutating func add(mark: some StringProtocol) {
        let lexeme = ArraySlice([UInt8(ascii: ":")] + Array(mark.utf8))
        guard lexemes[lexeme] == nil, fits(lexeme, 0) else { return }
        lexemes[lexeme] = []
    }

    private mutating func addLexeme(_ lexeme: ArraySlice<UInt8>, at position: Int) {
        let known = lexemes[lexeme]
        guard lexeme.count <= Self.longestLexeme, fits(known == nil ? lexeme : [], 2) else { return cut += 1 }
        guard position <= Self.lastPosition, known?.count ?? 0 < Self.positionsOfLexeme else {
            cut += 1
            if known == nil { lexemes[lexeme] = [] }
            return
        }
        lexemes[lexeme, default: []].append(UInt16(position))
    }

    /// Counts the bytes, and returns false if they are too many.
    private mutating func fits(_ lexeme: ArraySlice<UInt8>, _ positions: Int) -> Bool {
        let more = (lexeme.isEmpty ? 0 : lexeme.count + 3) + positions
        guard size + more <= Self.largest else { return false }
        size += more
        return true
    }

    private static func folded(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isUpper = { (byte: UInt8) in (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
        return word.contains(where: isUpper) ? ArraySlice(word.map { isUpper($0) ? $0 | 0x20 : $0 }) : word
    }

    /// The vector in binary form. PostgreSQL sorts the lexemes itself.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 + size)
        bytes += SQLValue.bigEndian(Int32(lexemes.count))
        for (lexeme, positions) in lexemes {
            bytes += lexeme
            bytes.append(0)
            bytes += SQLValue.bigEndian(UInt16(positions.count))
            for position in positions { bytes += SQLValue.bigEndian(position) }
        }
        return bytes
    }
}

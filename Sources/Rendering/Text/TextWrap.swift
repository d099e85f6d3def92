/// Breaks safe text into lines of at most `width` cells on any terminal; only a single wider character exceeds it.
///
/// It breaks at spaces, and after zero width spaces (Khmer) or between wide characters (Hangul, Han, Kana) when the last
/// space would leave the line less than half full. An address (`https://…`) stays whole if it fits into a line.
package struct TextWrap {
    /// The width in cells; at least 1.
    let width: Int

    private var lines: [String] = []
    private var line = ""
    private var used = 0

    /// Returns the lines of `text`, at least one. Line feeds in it end lines; with a nil `width` nothing else does.
    package static func lines(of text: String, width: Int?) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph -> [String] in
            guard let width else { return [String(paragraph)] }
            let isPlain = !paragraph.utf8.contains(UInt8(ascii: "\t"))
            if isPlain, DisplayWidth.atMost(String(paragraph)) <= width { return [String(paragraph)] }
            var wrap = TextWrap(width: max(1, width))
            return wrap.wrap(paragraph)
        }
    }

    private init(width: Int) {
        self.width = width
    }

    private mutating func wrap(_ paragraph: Substring) -> [String] {
        var rest = paragraph
        while !rest.isEmpty {
            let space = rest.prefix(while: Self.isSpace)
            rest = rest.dropFirst(space.count)
            let word = rest.prefix { !Self.isSpace($0) }
            rest = rest.dropFirst(word.count)
            add(Array(word), after: expand(space))
        }
        return lines + [line]
    }

    private mutating func add(_ word: [Character], after space: String) {
        let needed = word.reduce(0) { $0 + DisplayWidth.atMost($1) }
        let begin = used + space.count
        if begin + needed <= width { return put(space + String(word), space.count + needed) }
        guard !word.isEmpty else { return }
        let isFilled = begin < width && Self.isBreakable(word) && (begin * 2 < width || needed > width)
        if isFilled {
            put(space, space.count)
        } else if !line.isEmpty {
            endLine()
        }
        fill(word[...])
    }

    /// Puts a word on the line, and the part that does not fit on further lines.
    private mutating func fill(_ word: ArraySlice<Character>) {
        var rest = word
        while !rest.isEmpty {
            let head = rest.prefix(fitting(rest))
            put(String(head), head.reduce(0) { $0 + DisplayWidth.atMost($1) })
            rest = rest.dropFirst(head.count)
            if !rest.isEmpty { endLine() }
        }
    }

    /// Returns the number of characters to put on this line: up to the last possible break, else as many as fit; at
    /// least one on an empty line.
    private func fitting(_ word: ArraySlice<Character>) -> Int {
        var cells = used
        let room = word.prefix { character in
            cells += DisplayWidth.atMost(character)
            return cells <= width
        }.count
        guard room < word.count else { return room }
        let breaks = (0..<room).last { Self.mayBreak(word[word.startIndex + $0], word[word.startIndex + $0 + 1]) }
        if let breaks { return breaks + 1 }
        return line.isEmpty ? max(1, room) : 0
    }

    private mutating func put(_ text: String, _ cells: Int) {
        line += text
        used += cells
    }

    private mutating func endLine() {
        lines.append(line)
        line = ""
        used = 0
    }

    /// Returns the spaces. A tab reaches to the next multiple of eight from the beginning of the text.
    private func expand(_ space: Substring) -> String {
        space.reduce(into: "") { result, character in
            let count = character == "\t" ? 8 - (used + result.count) % 8 : DisplayWidth.of(character)
            result += String(repeating: " ", count: count)
        }
    }

    private static func isSpace(_ character: Character) -> Bool {
        character == " " || character == "\t" || character == "\u{3000}"
    }

    private static func isBreakable(_ word: [Character]) -> Bool {
        !String(word).contains("://") && zip(word, word.dropFirst()).contains { mayBreak($0, $1) }
    }

    /// Returns true if a line may break between the characters: after a zero width space; next to a wide one, but not
    /// before a closing mark or after an opening one.
    private static func mayBreak(_ a: Character, _ b: Character) -> Bool {
        if a == "\u{200B}" { return b != "\u{200B}" }
        return (isWide(a) || isWide(b)) && !opening.contains(a) && !closing.contains(b)
    }

    /// Returns false for letters with a vowel sign that takes a cell, such as `हि`: they are parts of a word.
    private static func isWide(_ character: Character) -> Bool {
        DisplayWidth.of(character) > 1
            && !character.unicodeScalars.contains { $0.properties.generalCategory == .spacingMark }
    }

    private static let opening = Set<Character>("([{<\"'「『（［｛〈《【〔“‘")
    private static let closing = Set<Character>(")]}>\"'」』）］｝〉》】〕”’.,:;!?…、。，．：；！？・ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ~～%")
}

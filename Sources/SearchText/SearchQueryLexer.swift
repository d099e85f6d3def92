/// Cuts a query at its spaces and parentheses, and keeps quoted text together.
struct SearchQueryLexer {
    /// One piece of the query, as it was written.
    struct Lexeme {
        let text: String
        var isNegated = false
        var content: Content

        /// The text without its minus.
        var literal: String {
            isNegated ? String(text.unicodeScalars.dropFirst()) : text
        }
    }

    enum Content {
        case or, and, not
        /// The beginning of a group, whose end follows.
        case open
        case close
        case word(String)
        case phrase(String)
        /// `name:value` with a known name. The parser decides if the value is valid.
        case operation(name: String, value: String, isPrefix: Bool)
    }

    private static let names: Set = ["from", "in", "has", "is", "before", "after", "on"]
    /// The limit of groups within each other. FTS5's parser has 100 places (`fts5YYSTACKDEPTH`), and a group takes 7.
    static let maximumDepth = 8

    private var rest: Substring.UnicodeScalarView
    /// The places of the parentheses that end the open groups, the innermost last.
    private var ends: [String.Index] = []

    init(_ text: Substring.UnicodeScalarView) {
        rest = text
    }

    /// Returns the next piece; nil at the end.
    mutating func next() -> Lexeme? {
        rest = rest.drop { $0.properties.isWhitespace }
        if let end = ends.last, rest.startIndex >= end {
            ends.removeLast()
            if rest.startIndex == end { rest.removeFirst() }
            return Lexeme(text: ")", content: .close)
        }
        guard !rest.isEmpty else { return nil }
        let start = rest
        let isNegated = readMinus()
        let content = readContent()
        let text = String(Substring(start[start.startIndex..<rest.startIndex]))
        return Lexeme(text: text, isNegated: isNegated, content: isNegated ? content.withoutOperator : content)
    }

    /// Takes a minus before a term. A minus before a space or at the end is a word.
    private mutating func readMinus() -> Bool {
        guard rest.first == "-", let second = rest.dropFirst().first, !second.properties.isWhitespace,
            rest.index(after: rest.startIndex) != ends.last
        else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func readContent() -> Content {
        if let end = endOfGroup() {
            rest.removeFirst()
            ends.append(end)
            return .open
        }
        if let phrase = readQuoted() {
            return .phrase(phrase)
        }
        if let name = readName() {
            return readOperation(name)
        }
        let word = readWord()
        return switch word {
        case "OR": .or
        case "AND": .and
        case "NOT": .not
        default: .word(word)
        }
    }

    private mutating func readOperation(_ name: String) -> Content {
        let takesPrefix = name == "from"
        if let value = readQuoted() {
            let isPrefix = takesPrefix && rest.first == "*"
            if isPrefix { rest.removeFirst() }
            return .operation(name: name, value: value, isPrefix: isPrefix)
        }
        let value = readWord()
        let isPrefix = takesPrefix && value.unicodeScalars.count > 1 && value.unicodeScalars.last == "*"
        return .operation(
            name: name, value: isPrefix ? String(value.unicodeScalars.dropLast()) : value, isPrefix: isPrefix)
    }

    /// Returns the place of the parenthesis that ends a group here; nil if there is no group. A parenthesis without its
    /// partner, or with a letter after its partner, is part of a word.
    private func endOfGroup() -> String.Index? {
        guard rest.first == "(", ends.count < Self.maximumDepth else { return nil }
        var (depth, isQuoted, isEdge) = (0, false, true)
        for index in rest.indices {
            let scalar = rest[index]
            if scalar == "\"", isQuoted || isEdge { isQuoted.toggle() }
            isEdge = scalar.properties.isWhitespace || "(-:".unicodeScalars.contains(scalar)
            guard !isQuoted else { continue }
            if scalar == "(" { depth += 1 }
            if scalar == ")" { depth -= 1 }
            guard depth == 0 else { continue }
            let next = rest[rest.index(after: index)...].first
            return next.map { $0.properties.isWhitespace || $0 == ")" } ?? true ? index : nil
        }
        return nil
    }

    /// Takes a quoted text. A quote that isn't closed reaches to the end.
    private mutating func readQuoted() -> String? {
        guard rest.first == "\"" else { return nil }
        let inside = rest.dropFirst().prefix { $0 != "\"" }
        rest = rest[inside.endIndex...].dropFirst()
        return String(Substring(inside))
    }

    private mutating func readName() -> String? {
        let name = rest.prefix { ("a"..."z").contains($0) }
        guard rest[name.endIndex...].first == ":", Self.names.contains(String(Substring(name))) else { return nil }
        rest = rest[name.endIndex...].dropFirst()
        return String(Substring(name))
    }

    /// Takes the text up to a space or the end of the group.
    private mutating func readWord() -> String {
        let inside = ends.last.map { rest[..<max($0, rest.startIndex)] } ?? rest
        let word = inside.prefix { !$0.properties.isWhitespace }
        rest = rest[word.endIndex...]
        return String(Substring(word))
    }
}

extension SearchQueryLexer.Content {
    /// The lexeme in which `-OR` is a word.
    fileprivate var withoutOperator: Self {
        switch self {
        case .or: .word("OR")
        case .and: .word("AND")
        case .not: .word("NOT")
        default: self
        }
    }
}

/// Cuts a query at its spaces and keeps quoted text together.
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
        case or
        case word(String)
        case phrase(String)
        /// `name:value` with a known name. The parser decides if the value is valid.
        case operation(name: String, value: String)
    }

    private static let names: Set = ["from", "in", "has", "is", "before", "after", "on"]

    private var rest: Substring.UnicodeScalarView

    init(_ text: Substring.UnicodeScalarView) {
        rest = text
    }

    /// Returns the next piece; nil at the end.
    mutating func next() -> Lexeme? {
        rest = rest.drop { $0.properties.isWhitespace }
        guard !rest.isEmpty else { return nil }
        let start = rest
        let isNegated = readMinus()
        let content = readContent()
        let text = String(Substring(start[start.startIndex..<rest.startIndex]))
        return Lexeme(text: text, isNegated: isNegated, content: isNegated ? content.withoutOr : content)
    }

    /// Takes a minus before a term. A minus before a space or at the end is a word.
    private mutating func readMinus() -> Bool {
        guard rest.first == "-", let second = rest.dropFirst().first, !second.properties.isWhitespace else {
            return false
        }
        rest.removeFirst()
        return true
    }

    private mutating func readContent() -> Content {
        if let phrase = readQuoted() {
            return .phrase(phrase)
        }
        if let name = readName() {
            return .operation(name: name, value: readQuoted() ?? readWord())
        }
        let word = readWord()
        return word == "OR" ? .or : .word(word)
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

    private mutating func readWord() -> String {
        let word = rest.prefix { !$0.properties.isWhitespace }
        rest = rest[word.endIndex...]
        return String(Substring(word))
    }
}

extension SearchQueryLexer.Content {
    /// The lexeme in which `-OR` is a word.
    fileprivate var withoutOr: Self {
        if case .or = self { .word("OR") } else { self }
    }
}

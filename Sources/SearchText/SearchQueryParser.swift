/// Reads the query language: first the meaning of each piece, and after that the pieces that `OR` joins.
struct SearchQueryParser {
    /// The limits of bytes and terms that are read. A query is typed, or consists of a name and a few words. The rest
    /// of a longer query is ignored.
    static let maximumBytes = 4096
    static let maximumTerms = 64

    private enum Piece {
        case or
        /// A wanted term; nil for a word without parts, which `OR` may still join.
        case wanted(Term?)
        case unwanted(Term?)
        case time(TimeFilter)

        var isAlternative: Bool {
            if case .wanted = self { true } else { false }
        }

        var isOr: Bool {
            if case .or = self { true } else { false }
        }
    }

    private var query = SearchQuery()

    static func parse(_ text: String) -> SearchQuery {
        var parser = SearchQueryParser()
        parser.join(parser.read(text))
        return parser.query
    }

    private mutating func read(_ text: String) -> [Piece] {
        let beginning = Self.beginning(of: text)
        query.isCut = beginning.endIndex < text.endIndex
        var lexer = SearchQueryLexer(beginning)
        var pieces: [Piece] = []
        while let lexeme = lexer.next() {
            guard pieces.count < Self.maximumTerms else {
                query.isCut = true
                break
            }
            pieces.append(piece(of: lexeme))
        }
        return pieces
    }

    private static func beginning(of text: String) -> Substring.UnicodeScalarView {
        let scalars = text.unicodeScalars
        guard text.utf8.count > maximumBytes else { return scalars[...] }
        var end = text.utf8.index(text.startIndex, offsetBy: maximumBytes)
        while end.samePosition(in: scalars) == nil {
            end = text.utf8.index(before: end)
        }
        return scalars[..<end]
    }

    private mutating func piece(of lexeme: SearchQueryLexer.Lexeme) -> Piece {
        switch lexeme.content {
        case .or: return .or
        case .phrase(let phrase): return piece(.phrase(phrase), of: lexeme)
        case .word(let word): return piece(Self.wordOrPrefix(word), of: lexeme)
        case .operation(let name, let value):
            if !lexeme.isNegated, let time = Self.time(name: name, value: value) {
                return .time(time)
            }
            return piece(Self.condition(name: name, value: value) ?? .word(lexeme.literal), of: lexeme)
        }
    }

    private mutating func piece(_ term: Term, of lexeme: SearchQueryLexer.Lexeme) -> Piece {
        guard let text = term.text, Segmenter(text).first(where: { _ in true }) == nil else {
            return lexeme.isNegated ? .unwanted(term) : .wanted(term)
        }
        query.ignored.append(lexeme.text)
        return lexeme.isNegated ? .unwanted(nil) : .wanted(nil)
    }

    private static func wordOrPrefix(_ word: String) -> Term {
        word.unicodeScalars.last == "*" ? .prefix(String(word.unicodeScalars.dropLast())) : .word(word)
    }

    private static func time(name: String, value: String) -> TimeFilter? {
        switch name {
        case "before" where !value.isEmpty: .before(value)
        case "after" where !value.isEmpty: .after(value)
        case "on" where !value.isEmpty: .on(value)
        default: nil
        }
    }

    private static func condition(name: String, value: String) -> Term? {
        switch name {
        case "from" where !value.isEmpty: .from(value)
        case "in" where !value.isEmpty: .room(value)
        case "has": Term.Has(rawValue: value).map(Term.has)
        case "is": Term.State(rawValue: value).map(Term.is)
        default: nil
        }
    }

    /// Applies `OR`, which joins two wanted terms; next to anything else, or at an edge, it is a word.
    private mutating func join(_ pieces: [Piece]) {
        var isOpen = false
        var joins = false
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .or where isOpen && pieces.dropFirst(index + 1).first?.isAlternative == true:
                joins = true
                continue
            case .or: want(.word("OR"), joins: joins)
            case .wanted(let term): want(term, joins: joins)
            case .unwanted(let term): query.none += [term].compactMap(\.self)
            case .time(let time): query.times.append(time)
            }
            joins = false
            isOpen = piece.isOr || piece.isAlternative
        }
        query.all.removeAll(where: \.isEmpty)
    }

    private mutating func want(_ term: Term?, joins: Bool) {
        let alternatives = [term].compactMap(\.self)
        if joins, let last = query.all.indices.last {
            query.all[last] += alternatives
        } else {
            query.all.append(alternatives)
        }
    }
}

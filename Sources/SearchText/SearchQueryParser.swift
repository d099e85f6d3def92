/// Reads the query language: first the meaning of each piece, and after that the pieces that operators join.
struct SearchQueryParser {
    /// The limits of bytes and pieces that are read. A query is typed, or consists of a name and a few words. The rest
    /// of a longer query is ignored.
    static let maximumBytes = 4096
    static let maximumTerms = 64

    private enum Piece {
        case or, and, not
        /// A wanted term; nil for a word without parts, which operators may still join.
        case wanted(Term?)
        case unwanted(Term?)
        case time(TimeFilter)

        var isWanted: Bool {
            if case .wanted = self { true } else { false }
        }

        var isOr: Bool {
            if case .or = self { true } else { false }
        }

        var isOperand: Bool {
            switch self {
            case .wanted, .unwanted, .time: true
            case .or, .and, .not: false
            }
        }

        var isNot: Bool {
            if case .not = self { true } else { false }
        }
    }

    private var lexer: SearchQueryLexer
    private let exactLetters: Bool
    private var count = 0
    private var query = SearchQuery()

    static func parse(_ text: String, exactLetters: Bool) -> SearchQuery {
        let beginning = beginning(of: text)
        var parser = SearchQueryParser(SearchQueryLexer(beginning), exactLetters: exactLetters)
        parser.query.isCut = beginning.endIndex < text.endIndex
        let group = parser.join(parser.pieces(inGroup: false))
        (parser.query.all, parser.query.none) = (group.all, group.none)
        if parser.count == 1 { parser.query.remarks = [] }
        return parser.query
    }

    private init(_ lexer: SearchQueryLexer, exactLetters: Bool) {
        (self.lexer, self.exactLetters) = (lexer, exactLetters)
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

    /// Returns the pieces up to the end of the group or the query. Groups within are one piece each.
    private mutating func pieces(inGroup: Bool) -> [Piece] {
        var pieces: [Piece] = []
        while let lexeme = lexer.next() {
            if case .close = lexeme.content { break }
            guard count < Self.maximumTerms else {
                query.isCut = true
                break
            }
            count += 1
            pieces += piece(of: lexeme, inGroup: inGroup).map { [$0] } ?? []
        }
        return pieces
    }

    private mutating func piece(of lexeme: SearchQueryLexer.Lexeme, inGroup: Bool) -> Piece? {
        switch lexeme.content {
        case .or: return .or
        case .and: return .and
        case .not: return .not
        case .close: return nil
        case .open: return group(isNegated: lexeme.isNegated)
        case .phrase(let phrase): return piece(exactLetters ? .exact(phrase) : .phrase(phrase), of: lexeme)
        case .word(let word):
            if let meant = Self.meant(lexeme.text) {
                remark(.resembles(lexeme.text, operator: meant))
                // A name without a letter has no condition.
                if word.first?.isLetter == false { return nil }
            }
            return piece(Self.wordOrPrefix(word), of: lexeme)
        case .operation(let name, let value, let isPrefix):
            if !lexeme.isNegated, let time = Self.time(name: name, value: value) {
                guard inGroup else { return .time(time) }
                remark(.timeAsWord(lexeme.text))
                return piece(.word(lexeme.literal), of: lexeme)
            }
            let condition = Self.condition(name: name, value: value, isPrefix: isPrefix)
            if condition == nil, let unknown = UnknownFilter(name: name, value: value),
                !query.unknown.contains(unknown)
            {
                query.unknown.append(unknown)
            }
            return piece(condition ?? .word(lexeme.literal), of: lexeme)
        }
    }

    /// Returns the group whose beginning was read; nil for an empty one.
    private mutating func group(isNegated: Bool) -> Piece? {
        let group = join(pieces(inGroup: true))
        let term: Term? = group.isEmpty ? nil : .group(group)
        return isNegated ? .unwanted(term) : .wanted(term)
    }

    /// Returns the operator that a text means in other languages.
    private static func meant(_ text: String) -> String? {
        switch text {
        case "or", "|", "||": "OR"
        case "and", "&", "&&": "AND"
        case "not": "NOT"
        default: nil
        }
    }

    private mutating func remark(_ remark: Remark) {
        if !query.remarks.contains(remark) { query.remarks.append(remark) }
    }

    private mutating func piece(_ term: Term, of lexeme: SearchQueryLexer.Lexeme) -> Piece {
        guard let text = term.text, Segmenter.parts(of: text).isEmpty else {
            return lexeme.isNegated ? .unwanted(term) : .wanted(term)
        }
        query.ignored.append(lexeme.text)
        return lexeme.isNegated ? .unwanted(nil) : .wanted(nil)
    }

    private static func wordOrPrefix(_ word: String) -> Term {
        let (isOpenAtStart, isOpenAtEnd) = (word.unicodeScalars.first == "*", word.unicodeScalars.last == "*")
        switch (isOpenAtStart, isOpenAtEnd) {
        case (true, true): return .infix(String(word.unicodeScalars.dropFirst().dropLast()))
        case (true, false): return .suffix(String(word.unicodeScalars.dropFirst()))
        case (false, true): return .prefix(String(word.unicodeScalars.dropLast()))
        case (false, false): return .word(word)
        }
    }

    private static func time(name: String, value: String) -> TimeFilter? {
        switch name {
        case "before" where !value.isEmpty: .before(value)
        case "after" where !value.isEmpty: .after(value)
        case "on" where !value.isEmpty: .on(value)
        default: nil
        }
    }

    private static func condition(name: String, value: String, isPrefix: Bool) -> Term? {
        switch name {
        case "from" where !value.isEmpty: isPrefix ? .fromPrefix(value) : .from(value)
        case "in" where !value.isEmpty: .room(value)
        case "has": Term.Has(written: value).map(Term.has)
        case "is": Term.State(rawValue: value.lowercased()).map(Term.is)
        default: nil
        }
    }
}

extension SearchQueryParser {
    /// Applies the operators. `OR` joins two wanted terms, `NOT` stands before such terms, and `AND` between any two
    /// conditions; elsewhere, each is a word.
    private mutating func join(_ pieces: [Piece]) -> TermGroup {
        var group = TermGroup()
        var index = 0
        while index < pieces.count {
            let next = pieces.dropFirst(index + 1).first
            switch pieces[index] {
            case .and
            where index > 0 && pieces[index - 1].isOperand && (next?.isOperand == true || next?.isNot == true):
                index += 1
            case .not where next?.isWanted == true:
                group.exclude(alternatives(pieces, from: index + 1, end: &index))
            case .unwanted(let term):
                group.exclude(term.map(\.alternatives) ?? [])
                index += 1
            case .time(let time):
                query.times.append(time)
                index += 1
            case .wanted, .or, .and, .not:
                group.require(alternatives(pieces, from: index, end: &index))
            }
        }
        return group
    }

    /// Returns the terms that `OR` joins.
    ///
    /// - Parameter end: Receives the index of the first piece after them.
    private mutating func alternatives(_ pieces: [Piece], from start: Int, end: inout Int) -> [Term] {
        var terms = term(pieces[start]).map(\.alternatives) ?? []
        end = start + 1
        while end + 1 < pieces.count, pieces[end].isOr, pieces[end + 1].isWanted {
            terms += term(pieces[end + 1]).map(\.alternatives) ?? []
            end += 2
        }
        return terms
    }

    /// Returns the term of a piece. An operator that joins nothing is a word.
    private mutating func term(_ piece: Piece) -> Term? {
        let name: String
        switch piece {
        case .wanted(let term), .unwanted(let term): return term
        case .time: return nil
        case .or: name = "OR"
        case .and: name = "AND"
        case .not: name = "NOT"
        }
        remark(.operatorAsWord(name))
        return .word(name)
    }
}

extension TermGroup {
    /// Adds alternatives of which one must match. Merges a group that is the only one.
    fileprivate mutating func require(_ terms: [Term]) {
        if terms.count == 1, case .group(let inner) = terms[0] {
            all += inner.all
            none += inner.none
        } else if !terms.isEmpty {
            all.append(terms)
        }
    }

    /// Adds terms of which none may match.
    fileprivate mutating func exclude(_ terms: [Term]) {
        none += terms
    }
}

extension Term {
    /// The terms of a group that only has alternatives; else the term itself.
    fileprivate var alternatives: [Term] {
        if case .group(let group) = self, group.none.isEmpty, group.all.count == 1 { group.all[0] } else { [self] }
    }
}

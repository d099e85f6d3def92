/// One term as a condition on one column.
struct Condition {
    let text: String

    /// - Returns: Nil for a term that can't match.
    init?(
        _ term: Term, in language: MatchExpression.Language, users: (Term) -> [String], rooms: (String) -> [String],
        words: (WordPart) -> [String]
    ) {
        switch term {
        case .word(let text), .phrase(let text), .exact(let text), .prefix(let text), .infix(let text),
            .suffix(let text):
            self.init(term, Segmenter.alternatives(of: text), in: language, words: words)
        case .from, .fromPrefix, .room, .has, .is:
            self.init(facets: term.facets(users: users, rooms: rooms), in: language)
        case .group(let group):
            switch MatchExpression(group, in: language, users: users, rooms: rooms, words: words) {
            case .nothing: return nil
            case .everything: self.init(expression: MatchExpression.all(in: language))
            case .match(let expression): self.init(expression: "(\(expression))")
            }
        }
    }

    private init(expression: String) {
        text = expression
    }

    init?(facets tokens: [String], in language: MatchExpression.Language) {
        guard !tokens.isEmpty else { return nil }
        text =
            switch language {
            case .fts5: "facets : (" + tokens.map(Self.quoted).joined(separator: " OR ") + ")"
            case .tsquery:
                "(" + tokens.map { Self.lexeme(":\($0)".unicodeScalars) }.joined(separator: " | ") + ")"
            }
    }

    /// - Parameter alternatives: The term's parts, of which the message needs the ones or the others.
    private init?(
        _ term: Term, _ alternatives: [[Part]], in language: MatchExpression.Language, words: (WordPart) -> [String]
    ) {
        let conditions = alternatives.compactMap { parts in
            guard let part = term.wordPart(of: parts) else {
                return Self.condition(parts, isPrefix: term.isOpenAtEnd, in: language)
            }
            return Self.condition(words(part), parts.dropFirst(), isPrefix: term.isOpenAtEnd, in: language)
        }
        guard let first = conditions.first else { return nil }
        text =
            conditions.count == 1
            ? first : "(" + conditions.joined(separator: language == .fts5 ? " OR " : " | ") + ")"
    }

    private static func condition(
        _ parts: [Part], isPrefix: Bool, in language: MatchExpression.Language
    ) -> String? {
        guard let first = parts.first else { return nil }
        if parts.count == 1, first.kind == .run, first.token.count == 1 {
            return language == .fts5 ? "chars : \(quoted(first.token))" : lexeme([":"] + first.token)
        }
        let phrase = PairPhrase(parts, isPrefix: isPrefix)
        return switch language {
        case .fts5: "text : \(quoted(phrase))"
        case .tsquery: "(\(lexemes(phrase)))"
        }
    }

    /// Returns the condition for one of some words, and the parts that must follow it; nil without words.
    ///
    /// - Parameter isPrefix: True if the last of the parts may continue.
    private static func condition(
        _ words: [String], _ parts: ArraySlice<Part>, isPrefix: Bool, in language: MatchExpression.Language
    ) -> String? {
        guard !words.isEmpty else { return nil }
        let phrases = words.map { word in
            let first = Part(kind: .word, token: Array(word.unicodeScalars), origins: [])
            return PairPhrase([first] + parts, isPrefix: isPrefix && !parts.isEmpty)
        }
        return switch language {
        case .fts5: "text : (" + phrases.map(quoted).joined(separator: " OR ") + ")"
        case .tsquery: "(" + phrases.map { "(\(lexemes($0)))" }.joined(separator: " | ") + ")"
        }
    }

    private static func quoted(_ phrase: PairPhrase) -> String {
        quoted(phrase.tokens.joined(separator: [" "])) + (phrase.isPrefix ? " *" : "")
    }

    private static func lexemes(_ phrase: PairPhrase) -> String {
        phrase.tokens.map(lexeme).joined(separator: " <-> ") + (phrase.isPrefix ? ":*" : "")
    }

    /// Returns a lexeme in single quotes, where a quote and a backslash are doubled. NUL is removed.
    private static func lexeme(_ text: some Sequence<Unicode.Scalar>) -> String {
        var scalars: String.UnicodeScalarView = "'".unicodeScalars
        for scalar in text where scalar != "\0" {
            scalars.append(contentsOf: repeatElement(scalar, count: scalar == "'" || scalar == "\\" ? 2 : 1))
        }
        return String(scalars) + "'"
    }

    private static func quoted(_ text: String) -> String {
        quoted(text.unicodeScalars)
    }

    /// Returns the text in quotes. Removes NUL, which would end the expression; between quotes, only quotes need an
    /// escape.
    private static func quoted(_ text: some Sequence<Unicode.Scalar>) -> String {
        var scalars: String.UnicodeScalarView = "\"".unicodeScalars
        for scalar in text where scalar != "\0" {
            if scalar == "\"" { scalars.append(scalar) }
            scalars.append(scalar)
        }
        return String(scalars) + "\""
    }
}

extension Term {
    /// Returns the facet tokens of which a message needs one to fulfil a condition on the message itself; none for a
    /// text or a group.
    package func facets(users: (Term) -> [String], rooms: (String) -> [String]) -> [String] {
        switch self {
        case .from, .fromPrefix: users(self)
        case .room(let name): rooms(name)
        case .has(let has): ["h\(has.rawValue)"]
        case .is(.topic): ["ktopic"]
        case .is(let state): ["x\(state.rawValue)"]
        case .word, .phrase, .exact, .prefix, .infix, .suffix, .group: []
        }
    }
}

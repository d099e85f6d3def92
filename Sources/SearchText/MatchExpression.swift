/// A query in the language of an index, with all quoting.
package enum MatchExpression: Sendable, Hashable {
    /// The query has no condition for the index: only times, or nothing.
    case everything
    /// Nothing can match: for instance, no sender or room has the name.
    case nothing
    /// The operand of `MATCH`, or of `@@`.
    case match(String)

    /// The language of an index.
    package enum Language: Sendable {
        /// SQLite's FTS5. People's text is between double quotes, with inner quotes doubled, and searches only the
        /// column `text` or `chars`.
        case fts5
        /// PostgreSQL's `tsquery`. Lexemes are between single quotes. Facets and single characters begin with a colon,
        /// which keeps them apart from words.
        case tsquery
    }

    /// Translates a query. Finds the messages with an exact phrase in every spelling; ``Matcher`` has the rest of the rule.
    ///
    /// - Parameters:
    ///   - facets: Further groups of facet tokens, such as the kinds to show. One token of each group must match. An
    ///     empty group can't match.
    ///   - letters: Further groups of terms, of which one of each group must match, unless the message has a text whose letters
    ///     an index does not have as they are (``IndexedText/rawFacet``).
    ///   - language: The language of the index.
    ///   - users: Returns the facet tokens (`u7`) of all users who have or had the name of a term; none for an unknown
    ///     name.
    ///   - rooms: Returns the facet tokens (`r12`) of the rooms with a name.
    ///   - words: Returns the words of the index that have a part.
    package init(
        _ query: SearchQuery, facets: [[String]] = [], letters: [[Term]] = [], in language: Language = .fts5,
        users: (Term) -> [String], rooms: (String) -> [String], words: (WordPart) -> [String] = { _ in [] }
    ) {
        self.init(
            TermGroup(all: query.all, none: query.none).indexed, facets: facets, letters: letters, in: language,
            users: users, rooms: rooms, words: words)
    }

    init(
        _ group: TermGroup, facets: [[String]] = [], letters: [[Term]] = [], in language: Language,
        users: (Term) -> [String], rooms: (String) -> [String], words: (WordPart) -> [String]
    ) {
        func conditions(_ terms: [Term]) -> [String] {
            terms.compactMap { Condition($0, in: language, users: users, rooms: rooms, words: words)?.text }
        }
        func condition(_ facets: [String]) -> [String] {
            Condition(facets: facets, in: language).map { [$0.text] } ?? []
        }
        let wanted =
            group.all.map(conditions) + facets.map(condition)
            + letters.map { conditions($0) + condition([IndexedText.rawFacet]) }
        let unwanted = conditions(group.none)
        if wanted.contains(where: \.isEmpty) {
            self = .nothing
        } else if wanted.isEmpty, unwanted.isEmpty {
            self = .everything
        } else {
            self = .match(Self.expression(wanted: wanted, unwanted: unwanted, in: language))
        }
    }

    /// Returns the expression that every message matches.
    package static func all(in language: Language) -> String {
        language == .fts5 ? "facets : \"all\"" : "':all'"
    }

    /// Returns the expression that no message matches.
    package static func none(in language: Language) -> String {
        language == .fts5 ? "facets : \"nothing\"" : "':nothing'"
    }

    /// Returns the expression. FTS5 has no NOT with one operand, so a query of unwanted terms alone subtracts them from
    /// all messages.
    private static func expression(wanted: [[String]], unwanted: [String], in language: Language) -> String {
        func alternatives(_ conditions: [String]) -> String {
            "(" + conditions.joined(separator: language == .fts5 ? " OR " : " | ") + ")"
        }
        let (and, not) = language == .fts5 ? (" AND ", " NOT ") : (" & ", " & !")
        let left = wanted.isEmpty ? all(in: language) : wanted.map(alternatives).joined(separator: and)
        return unwanted.isEmpty ? left : "(\(left))\(not)\(alternatives(unwanted))"
    }
}

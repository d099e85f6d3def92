/// The meaning of a search query, the same in every interface.
package struct SearchQuery: Sendable, Hashable {
    /// Groups that must all match, each by any of its terms. No group is empty.
    package var all: [[Term]]
    /// Terms of which none may match.
    package var none: [Term]
    /// The bounds of time, which must all hold. Their values aren't checked here.
    package var times: [TimeFilter]
    /// Words without anything to search for, such as `?!`, as they were written.
    package var ignored: [String]
    /// Words that may not mean what their writer expects, each once.
    package var remarks: [Remark] = []
    /// The conditions with an unknown value, each once.
    package var unknown: [UnknownFilter] = []
    /// True if the query was longer than ``SearchQueryParser`` reads, so that only its beginning counts.
    package var isCut: Bool

    package init(
        all: [[Term]] = [], none: [Term] = [], times: [TimeFilter] = [], ignored: [String] = [], isCut: Bool = false
    ) {
        (self.all, self.none, self.times, self.ignored, self.isCut) = (all, none, times, ignored, isCut)
    }

    /// True if the query has no conditions, so that every message would match.
    package var isEmpty: Bool {
        all.isEmpty && none.isEmpty && times.isEmpty
    }

    /// Every term, those of groups in place of the groups.
    package var leaves: [Term] { TermGroup(all: all, none: none).leaves }

    /// The terms that may be the reason for a match, those of groups in place of the groups.
    package var wanted: [Term] { TermGroup(all: all, none: none).wanted }

    /// The names of `in:`.
    package var roomNames: [String] {
        leaves.compactMap { term in if case .room(let name) = term { name } else { nil } }
    }

    /// True if the query has a word, or clusters of a script without spaces between words.
    package var hasWords: Bool {
        leaves.contains { term in
            term.text.map { Segmenter.parts(of: $0).contains { [.word, .clusters].contains($0.kind) } } ?? false
        }
    }

    /// True if the query has a phrase whose letters count as they are written, which the index alone does not decide.
    package var hasExactLetters: Bool { leaves.contains(where: \.isExact) }

    /// Reads the query language. No text is an error: anything that isn't an operator is a word.
    ///
    /// - Parameter exactLetters: True if the letters of phrases count as they are written.
    package init(parsing text: String, exactLetters: Bool = false) {
        self = SearchQueryParser.parse(text, exactLetters: exactLetters)
    }
}

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

    /// The names of `in:`.
    package var roomNames: [String] {
        (all.joined() + none).compactMap { term in if case .room(let name) = term { name } else { nil } }
    }

    /// Reads the query language. No text is an error: anything that isn't an operator is a word.
    package init(parsing text: String) {
        self = SearchQueryParser.parse(text)
    }
}

/// What a search asks for; the value that the query language means, the same in every interface.
package struct SearchQuery: Sendable, Hashable {
    /// Every group must match, by any of its terms. No group is empty.
    package var all: [[Term]]
    /// None of these may match.
    package var none: [Term]
    package var times: [TimeFilter]
    /// Words that no message can be found by, such as `?!`, as they were written.
    package var ignored: [String]
    /// Whether the query was longer than ``SearchQueryParser`` reads, and so means only its beginning.
    package var isCut: Bool

    package init(
        all: [[Term]] = [], none: [Term] = [], times: [TimeFilter] = [], ignored: [String] = [], isCut: Bool = false
    ) {
        self.all = all
        self.none = none
        self.times = times
        self.ignored = ignored
        self.isCut = isCut
    }

    /// Whether it asks for nothing at all, so that every message would match.
    package var isEmpty: Bool {
        all.isEmpty && none.isEmpty && times.isEmpty
    }

    /// Whatever is not an operator is a word: no text is an error.
    ///
    /// - Parameter isTime: whether the value of `before:`, `after:` or `on:` can be understood; else it is a word.
    package init(parsing text: String, isTime: (String) -> Bool) {
        self = SearchQueryParser.parse(text, isTime: isTime)
    }
}

/// Finds the places of a body that a search's words, and its regular expression, match.
package struct Highlighter: Sendable {
    /// The limit of ranges in one body, as of ``RegularExpression/maximumRanges``.
    package static let maximumRanges = 1000

    private let matcher: Matcher
    private let expression: RegularExpression?
    private let deadline: ContinuousClock.Instant?

    /// - Parameter deadline: The instant from which long bodies are no longer searched with the expression; nil for none.
    package init(
        _ query: SearchQuery, _ expression: RegularExpression? = nil, until deadline: ContinuousClock.Instant? = nil
    ) {
        (matcher, self.expression, self.deadline) = (Matcher(query), expression, deadline)
    }

    /// Returns the first ``maximumRanges`` ranges, in order: none is empty, and no two touch.
    package func ranges(in body: String) -> [Range<String.Index>] {
        let words = matcher.ranges(in: body)
        guard let expression else { return Array(words.prefix(Self.maximumRanges)) }
        let found = expression.ranges(in: body, stop: deadline.map { deadline in { ContinuousClock.now >= deadline } })
        return Array(Matcher.merged(words + found).prefix(Self.maximumRanges))
    }
}

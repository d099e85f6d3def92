import SearchText

/// The rows from which a page of hits is read.
struct SearchHits: Sendable {
    /// The argument of MATCH.
    private(set) var match: String
    /// The exclusive bounds, in microseconds since 1970.
    private(set) var after: Int64
    private(set) var before: Int64
    /// Leaves out hits of an account's file; nil to leave out none.
    let sieve: TextSieve?
    /// True if all messages between the bounds are hits.
    let isEverything: Bool
    /// True if all messages are hits that the sieve does not leave out.
    var hasAll: Bool { isEverything && sieve != nil }

    init(
        _ expression: MatchExpression, in language: MatchExpression.Language, after: Int64?, before: Int64?,
        sieve: TextSieve? = nil
    ) {
        self.after = after ?? .min
        self.before = before ?? .max
        self.sieve = sieve
        isEverything = expression == .everything
        match =
            switch expression {
            case .everything: MatchExpression.all(in: language)
            case .match(let text): text
            case .nothing: MatchExpression.none(in: language)
            }
    }

    /// Returns those of a part of the time.
    func within(_ part: TimePart) -> SearchHits {
        var hits = self
        (hits.after, hits.before) = (max(after, part.after), min(before, part.before))
        return hits
    }

    /// Returns those of a room of an account's file.
    func inRoom(_ room: Int64) -> SearchHits {
        var hits = self
        hits.match = "(\(match)) AND facets : \"r\(room)\""
        return hits
    }
}

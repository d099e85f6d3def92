/// Decides without the index if a body matches a query, and finds the ranges to highlight. The index must give the same
/// result.
///
/// A word matches a whole word; Hangul, Han and Kana match inside a run. Several parts must follow each other: the
/// first may be the end of a run, the last may be the beginning of a run, and the others must be whole.
package struct Matcher: Sendable {
    private let all: [[Criterion]]
    private let none: [Criterion]

    package init(_ query: SearchQuery) {
        all = query.all.map { $0.map(Criterion.init) }
        none = query.none.map(Criterion.init)
    }

    /// Returns true if the body fulfils all terms of the query. Ignores the query's times, which the caller compares.
    ///
    /// - Parameter isTrue: Decides a term without text, such as a sender or a room.
    package func matches(_ body: String, where isTrue: (Term) -> Bool) -> Bool {
        let parts = Segmenter.parts(of: body)
        func isMatched(_ criterion: Criterion) -> Bool {
            criterion.pattern.map { !$0.matches(in: parts).isEmpty } ?? isTrue(criterion.term)
        }
        return all.allSatisfy { $0.contains(where: isMatched) } && !none.contains(where: isMatched)
    }

    /// Returns the ranges to highlight, in order; no two touch. Words and phrases are whole; in Hangul, Han and Kana,
    /// the ranges have only the text of the query.
    package func ranges(in body: String) -> [Range<String.Index>] {
        let patterns = all.joined().compactMap(\.pattern)
        let parts = patterns.isEmpty ? [] : Segmenter.parts(of: body)
        let found = patterns.flatMap { $0.matches(in: parts) }
        return Self.merged(found).map { offsets in
            let start = body.utf8.index(body.startIndex, offsetBy: offsets.lowerBound)
            return start..<body.utf8.index(start, offsetBy: offsets.count)
        }
    }

    private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
    }
}

/// A term, and the pattern to find in the body if it has a text.
private struct Criterion {
    let term: Term
    let pattern: Pattern?

    init(_ term: Term) {
        self.term = term
        pattern = Pattern(term)
    }
}

/// The definition of a match, by looking at a body alone; and where in it the matches are, to be highlighted.
///
/// A word matches a whole word; Hangul, Han and Kana match inside a run. Several parts stand one after the other, whatever
/// is between: the first may then be the end of a run, the last the beginning of one, the others are whole.
package struct Matcher: Sendable {
    private let all: [[Criterion]]
    private let none: [Criterion]

    package init(_ query: SearchQuery) {
        all = query.all.map { $0.map(Criterion.init) }
        none = query.none.map(Criterion.init)
    }

    /// Times are the caller's to compare.
    ///
    /// - Parameter isTrue: whether the message fulfils a condition that does not ask for text.
    package func matches(_ body: String, where isTrue: (Term) -> Bool) -> Bool {
        let parts = Segmenter.parts(of: body)
        func isMatched(_ criterion: Criterion) -> Bool {
            criterion.pattern.map { !$0.matches(in: parts).isEmpty } ?? isTrue(criterion.term)
        }
        return all.allSatisfy { $0.contains(where: isMatched) } && !none.contains(where: isMatched)
    }

    /// - Returns: what to highlight, in order, none touching another: whole words, phrases, and of Hangul, Han and Kana
    ///   what was asked for.
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

/// A term, and what to look for in the body if it asks for text.
private struct Criterion {
    let term: Term
    let pattern: Pattern?

    init(_ term: Term) {
        self.term = term
        pattern = Pattern(term)
    }
}

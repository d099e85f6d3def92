/// Decides without the index if a body matches a query, and finds the ranges to highlight. The index must give the same
/// result.
///
/// A word matches a whole word; Hangul, Han, Kana and scripts without spaces between words match inside a run. Several
/// parts must follow each other: the
/// first may be the end of a run, the last may be the beginning of a run, and the others must be whole.
package struct Matcher: Sendable {
    private let criteria: Criteria
    /// The patterns to highlight.
    private let wanted: [Pattern]

    package init(_ query: SearchQuery) {
        let group = TermGroup(all: query.all, none: query.none)
        criteria = Criteria(group)
        wanted = group.wanted.compactMap(Pattern.init)
    }

    /// Returns true if the body fulfils all terms of the query. Ignores the query's times, which the caller compares.
    ///
    /// - Parameter isTrue: Decides a term without text, such as a sender or a room.
    package func matches(_ body: String, where isTrue: (Term) -> Bool) -> Bool {
        var text = Text(body)
        func isMatched(_ criterion: Criterion) -> Bool {
            switch criterion {
            case .text(let pattern): text.has(pattern)
            case .condition(let term): isTrue(term)
            case .group(let group): isMatched(group)
            }
        }
        func isMatched(_ group: Criteria) -> Bool {
            group.all.allSatisfy { $0.contains(where: isMatched) } && !group.none.contains(where: isMatched)
        }
        return isMatched(criteria)
    }

    /// Returns false only if no message with this body matches, whoever wrote it and wherever.
    package func mayMatch(_ body: String) -> Bool {
        var text = Text(body)
        return criteria.all.allSatisfy { alternatives in
            alternatives.contains { if case .text(let pattern) = $0 { text.has(pattern) } else { true } }
        }
    }

    /// Returns the ranges to highlight, in order; no two touch. Words and phrases are whole; in runs,
    /// the ranges have only the text of the query.
    package func ranges(in body: String) -> [Range<String.Index>] {
        let readings = wanted.isEmpty ? [] : Segmenter.readings(of: body)
        let found = wanted.flatMap { $0.matches(in: readings, of: body) }
        return Self.merged(found).map { offsets in
            let start = body.utf8.index(body.startIndex, offsetBy: offsets.lowerBound)
            return start..<body.utf8.index(start, offsetBy: offsets.count)
        }
    }

    /// Returns the ranges in order; those that overlap or touch become one.
    static func merged<Bound>(_ ranges: [Range<Bound>]) -> [Range<Bound>] {
        ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
    }
}

/// A body, which is cut into its parts when a pattern needs them.
private struct Text {
    private let body: String
    private let isPlain: Bool
    private lazy var readings = Segmenter.readings(of: body)

    init(_ body: String) { (self.body, isPlain) = (body, Analyser.isPlain(body)) }

    mutating func has(_ pattern: Pattern) -> Bool {
        if isPlain {
            if let isWritten = pattern.isWritten(inPlain: body) { return isWritten }
            guard pattern.mayBe(inPlain: body) else { return false }
        }
        return !pattern.matches(in: readings, of: body).isEmpty
    }
}

/// The terms of a group, with their patterns.
private struct Criteria: Sendable {
    let all: [[Criterion]]
    let none: [Criterion]

    init(_ group: TermGroup) {
        all = group.all.map { $0.map(Criterion.init) }
        none = group.none.map(Criterion.init)
    }
}

private enum Criterion: Sendable {
    /// The pattern to find in the body.
    case text(Pattern)
    /// A condition on the message itself.
    case condition(Term)
    case group(Criteria)

    init(_ term: Term) {
        if case .group(let group) = term {
            self = .group(Criteria(group))
        } else {
            self = Pattern(term).map(Criterion.text) ?? .condition(term)
        }
    }
}

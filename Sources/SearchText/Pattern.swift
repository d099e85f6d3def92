/// A term's text, to find among the parts of a body.
struct Pattern {
    private let parts: [Part]
    /// True if the last part, if it is a word or an emoji, may continue.
    private let isPrefix: Bool

    /// - Returns: Nil for a term without text.
    init?(_ term: Term) {
        guard let text = term.text else { return nil }
        parts = Segmenter.parts(of: text)
        isPrefix = if case .prefix = term { true } else { false }
    }

    /// - Returns: The ranges of all matches in the body's UTF-8, in order. They may overlap.
    func matches(in body: [Part]) -> [Range<Int>] {
        guard let only = parts.first, let last = parts.last else { return [] }
        if parts.count == 1 {
            return body.flatMap { matches(of: only, in: $0) }
        }
        return body.indices.dropLast(parts.count - 1).compactMap { match(first: only, last: last, in: body[$0...]) }
    }

    private func matches(of part: Part, in candidate: Part) -> [Range<Int>] {
        guard part.kind == .run, candidate.kind == .run else {
            return isLast(part, in: candidate) ? [candidate.origin] : []
        }
        return candidate.token.indices
            .filter { candidate.token[$0...].starts(with: part.token) }
            .map { candidate.origin(of: $0..<($0 + part.token.count)) }
    }

    private func match(first: Part, last: Part, in body: ArraySlice<Part>) -> Range<Int>? {
        let candidates = body.prefix(parts.count)
        guard let start = candidates.first, let end = candidates.last, isFirst(first, in: start), isLast(last, in: end),
            zip(parts, candidates).dropFirst().dropLast().allSatisfy({ isSame($0, $1) })
        else { return nil }
        let from = start.origin(of: (start.token.count - first.token.count)..<start.token.count)
        let to = last.kind == .run ? end.origin(of: last.token.indices) : end.origin
        return from.lowerBound..<to.upperBound
    }

    private func isSame(_ part: Part, _ candidate: Part) -> Bool {
        part.kind == candidate.kind && part.token == candidate.token
    }

    private func isFirst(_ part: Part, in candidate: Part) -> Bool {
        guard part.kind == .run, candidate.kind == .run else { return isSame(part, candidate) }
        return candidate.token.suffix(part.token.count) == part.token[...]
    }

    private func isLast(_ part: Part, in candidate: Part) -> Bool {
        guard part.kind == candidate.kind, isPrefix || part.kind == .run else { return isSame(part, candidate) }
        return candidate.token.starts(with: part.token)
    }
}

import Bytes

/// A term's text, to find among the parts of a body.
struct Pattern {
    /// The parts that must follow each other. A text that has either of the alternatives matches.
    private let alternatives: [[Part]]
    /// True if the last part, if it is a word or an emoji, may continue.
    private let isPrefix: Bool
    /// True if the first part, if it is a word, may begin earlier.
    private let isOpenAtStart: Bool
    /// The term's text if its letters count as they are written; nil for all other terms.
    private let exactText: String?
    /// The alternatives as they are written; empty if their letters don't count as they are written.
    private let written: [WrittenPhrase]
    /// The longest word of each alternative that plain ASCII can have.
    private let plainWords: [[UInt8]]

    /// - Returns: Nil for a term without text.
    init?(_ term: Term) {
        guard let text = term.text else { return nil }
        alternatives = Segmenter.alternatives(of: text)
        (isPrefix, isOpenAtStart) = (term.isOpenAtEnd, term.isOpenAtStart)
        exactText = term.isExact ? text : nil
        written = term.isExact ? alternatives.filter { !$0.isEmpty }.map { WrittenPhrase($0, of: text) } : []
        plainWords = alternatives.compactMap(Self.plainWord)
    }

    /// Returns the longest word of some parts; nil if plain ASCII can't have all of them.
    private static func plainWord(of parts: [Part]) -> [UInt8]? {
        guard parts.allSatisfy({ $0.kind == .word && $0.token.allSatisfy(\.isASCII) }) else { return nil }
        return parts.map { $0.token.map { UInt8($0.value) } }.max { $0.count < $1.count }
    }

    /// Returns false only if a text of plain ASCII (``Analyser/isPlain(_:)``) does not match. Takes a small part of the time
    /// of cutting it into parts.
    func mayBe(inPlain body: String) -> Bool {
        var body = body
        return body.withUTF8 { bytes in plainWords.contains { ByteSearch.hasLetters($0, in: bytes) } }
    }

    /// Returns true if a text of plain ASCII (``Analyser/isPlain(_:)``) matches; nil for a term whose letters don't count as
    /// they are written.
    func isWritten(inPlain body: String) -> Bool? {
        exactText.map { _ in written.contains { $0.isFound(inPlain: body) } }
    }

    /// - Parameter readings: The parts of the body (``Segmenter/readings(of:)``).
    /// - Returns: The ranges of all matches in the body's UTF-8. They may overlap.
    func matches(in readings: [[Part]], of body: String) -> [Range<Int>] {
        alternatives.flatMap { parts in readings.flatMap { matches(of: parts, in: $0, of: body) } }
    }

    private func matches(of parts: [Part], in body: [Part], of text: String) -> [Range<Int>] {
        guard let only = parts.first else { return [] }
        if parts.count == 1 {
            return body.flatMap { matches(of: only, in: $0) }
                .filter { isWritten(only.origin, at: $0, of: text, only.kind) }
        }
        return body.indices.dropLast(parts.count - 1).compactMap { place in
            match(of: parts, in: body[place..<place + parts.count], of: text)
        }
    }

    private func matches(of part: Part, in candidate: Part) -> [Range<Int>] {
        guard part.isRun, candidate.kind == part.kind else {
            let isMatch =
                isOpenAtStart && part.kind == .word
                ? candidate.kind == .word && WordPart(part, isEnd: !isPrefix).fits(candidate.token)
                : isLast(part, in: candidate)
            return isMatch ? [candidate.origin] : []
        }
        return candidate.token.indices
            .filter { candidate.isStart($0) && candidate.token[$0...].starts(with: part.token) }
            .map { candidate.origin(of: $0..<($0 + part.token.count)) }
    }

    private func match(of parts: [Part], in candidates: ArraySlice<Part>, of text: String) -> Range<Int>? {
        guard let first = parts.first, let last = parts.last, let start = candidates.first, let end = candidates.last,
            isFirst(first, in: start), isLast(last, in: end),
            zip(parts, candidates).dropFirst().dropLast().allSatisfy({ isSame($0, $1) })
        else { return nil }
        let from =
            first.isRun ? start.origin(of: (start.token.count - first.token.count)..<start.token.count) : start.origin
        let to = last.isRun ? end.origin(of: last.token.indices) : end.origin
        guard exactText != nil else { return from.lowerBound..<to.upperBound }
        let origins = [from] + candidates.dropFirst().dropLast().map(\.origin) + [to]
        guard zip(parts, origins).allSatisfy({ isWritten($0.origin, at: $1, of: text, $0.kind) }) else { return nil }
        return from.lowerBound..<to.upperBound
    }

    /// Returns true if letters don't count as they are written, or if they are the same in both texts. Composed and
    /// decomposed characters are the same; an emoji has no letters.
    private func isWritten(_ range: Range<Int>, at place: Range<Int>, of body: String, _ kind: Part.Kind) -> Bool {
        guard let exactText, kind != .emoji else { return true }
        return WrittenPhrase.letters(at: range, of: exactText, kind)
            == WrittenPhrase.letters(at: place, of: body, kind)
    }

    private func isSame(_ part: Part, _ candidate: Part) -> Bool {
        part.kind == candidate.kind && part.token == candidate.token
    }

    private func isFirst(_ part: Part, in candidate: Part) -> Bool {
        guard part.isRun, candidate.kind == part.kind else {
            guard isOpenAtStart, part.kind == .word, candidate.kind == .word else { return isSame(part, candidate) }
            return WordPart(part, isEnd: true).fits(candidate.token)
        }
        return candidate.token.suffix(part.token.count) == part.token[...]
            && candidate.isStart(candidate.token.count - part.token.count)
    }

    private func isLast(_ part: Part, in candidate: Part) -> Bool {
        guard part.kind == candidate.kind, isPrefix || part.isRun else { return isSame(part, candidate) }
        return candidate.token.starts(with: part.token)
    }
}

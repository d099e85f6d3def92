/// Other forms of a term, and its text in a query.
extension Term {
    /// The longest run for which other spacings are tried.
    private static let longestRun = 16

    /// The words that begin with the term's word; nil if the term is not a word, or finds them already.
    package var beginning: Term? {
        guard case .word(let word) = self, let last = Segmenter.parts(of: word).last, !last.isRun else {
            return nil
        }
        return .prefix(word)
    }

    /// The words that have the term's word within them; nil if the term is not a word, or finds them already.
    package var containing: Term? {
        guard case .word(let word) = self, case .prefix = beginning else { return nil }
        return .infix(word)
    }

    /// The term's Hangul, Han or Kana with other spaces, the most likely form first: a word as two words, or the words
    /// of a phrase as one. Empty for other texts.
    package var otherSpacings: [Term] {
        guard let text, !isExact else { return [] }
        let runs = Segmenter.parts(of: text)
        guard runs.allSatisfy({ $0.kind == .run }) else { return [] }
        if runs.count > 1 { return [.word(Self.string(runs.flatMap(\.token)))] }
        guard let run = runs.first?.token, (3...Self.longestRun).contains(run.count) else { return [] }
        // The halves are most alike in the middle; in 우리집, the longer one comes first.
        return (1..<run.count)
            .sorted { (abs(2 * $0 - run.count), -$0) < (abs(2 * $1 - run.count), -$1) }
            .map { .phrase("\(Self.string(run[..<$0])) \(Self.string(run[$0...]))") }
    }

    /// True for a phrase whose letters count as they are written.
    package var isExact: Bool { if case .exact = self { true } else { false } }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// The term in the form of a query.
    package var written: String {
        switch self {
        case .word(let text): Self.isWord(text) ? text : "\"\(text)\""
        case .phrase(let text), .exact(let text): "\"\(text)\""
        case .prefix(let text): "\(text)*"
        case .infix(let text): "*\(text)*"
        case .suffix(let text): "*\(text)"
        case .from(let name): "from:\(Self.value(name))"
        case .fromPrefix(let name): "from:\(Self.value(name))*"
        case .room(let name): "in:\(Self.value(name))"
        case .has(let what): "has:\(what.rawValue)"
        case .is(let state): "is:\(state.rawValue)"
        case .group(let group): "(\(group.written))"
        }
    }

    private static func isWord(_ text: String) -> Bool {
        let query = SearchQuery(parsing: "\(text) x")
        return query.all == [[.word(text)], [.word("x")]] && query.none.isEmpty && query.remarks.isEmpty
            && query.unknown.isEmpty
    }

    private static func value(_ name: String) -> String {
        name.unicodeScalars.contains { $0.properties.isWhitespace || "()*".unicodeScalars.contains($0) }
            ? "\"\(name)\"" : name
    }
}

extension TermGroup {
    /// The conditions in the form of a query.
    package var written: String {
        (all.map { $0.map(\.written).joined(separator: " OR ") } + none.map { "-\($0.written)" })
            .joined(separator: " ")
    }
}

extension SearchQuery {
    /// The query in a form that means the same.
    package var written: String {
        let times = times.map { time in
            switch time {
            case .before(let text): "before:\"\(text)\""
            case .after(let text): "after:\"\(text)\""
            case .on(let text): "on:\"\(text)\""
            }
        }
        return ([TermGroup(all: all, none: none).written] + times).joined(separator: " ")
    }
}

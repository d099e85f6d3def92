package import ChatModel
package import Reading
import Rendering
package import SearchText

/// Finds other forms of a query's words that have hits, such as `gru*` and `*gru*` for `gru`, and `"학교 폭력"` for `학교폭력`.
package struct OtherForms: Sendable {
    let reading: ArchiveReading
    let query: MessageQuery
    let search: SearchScope

    package init(reading: ArchiveReading, query: MessageQuery, search: SearchScope) {
        (self.reading, self.query, self.search) = (reading, query, search)
    }

    /// The limit of searches for each kind of form.
    private static let limit = 16
    /// The time limit for all forms. A search takes a millisecond or less if the index is in the page cache.
    private static let patience = Duration.milliseconds(200)

    /// Returns notes about forms with hits, each with the command that shows them.
    ///
    /// - Parameters:
    ///   - isEmpty: True if the query itself has no hits.
    ///   - command: Returns the command for a query.
    package func notes(isEmpty: Bool, command: (SearchQuery) -> String) throws -> [String] {
        try suggestions(isEmpty: isEmpty).map { "\($0.words): \(command($0.query))" }
    }

    /// A query that has hits, and a sentence about it that is safe for a terminal.
    package struct Suggestion: Sendable {
        package var words: String
        package var query: SearchQuery
    }

    /// Returns the forms with hits.
    ///
    /// - Parameter isEmpty: True if the query itself has no hits.
    package func suggestions(isEmpty: Bool) throws -> [Suggestion] {
        var notes: [Suggestion] = []
        if isEmpty, let found = try first({ [$0.beginning, $0.containing].compactMap(\.self) }) {
            let (word, other) = (Sanitizer.line(found.term.written), Sanitizer.line(found.other.written))
            // What has words that begin so has words with that part.
            let wider = found.term.containing.flatMap { $0 == found.other ? nil : Sanitizer.line($0.written) }
            let forms = wider.map { "\(other) and \($0) have matches" } ?? "\(other) has matches"
            notes.append(Suggestion(words: "\(word) finds only the whole word; \(forms)", query: found.query))
        }
        if let found = try first(\.otherSpacings) {
            notes.append(
                Suggestion(
                    words: "with other spaces, \(Sanitizer.line(found.other.written)) has matches", query: found.query))
        }
        return notes
    }

    private struct Form {
        var term: Term
        var other: Term
        var query: SearchQuery
    }

    /// Returns the first other form with hits. Groups in parentheses are left out.
    private func first(_ others: (Term) -> [Term]) throws -> Form? {
        let end = ContinuousClock.now + Self.patience
        var left = Self.limit
        for group in search.query.all.indices {
            for place in search.query.all[group].indices {
                let term = search.query.all[group][place]
                for other in others(term) where left > 0 && (left == Self.limit || ContinuousClock.now < end) {
                    left -= 1
                    var search = search
                    search.query.all[group][place] = other
                    if try hasHits(of: other, in: group, search) {
                        return Form(term: term, other: other, query: search.query)
                    }
                }
            }
        }
        return nil
    }

    /// Returns true if the other form has hits, without its alternatives.
    private func hasHits(of other: Term, in group: Int, _ search: SearchScope) throws -> Bool {
        var search = search
        search.query.all[group] = [other]
        let one = try query.with(anchor: .latest, limit: 1)
        // Skips a part that too many words have.
        do { return try !reading.page(one, matching: search).messages.isEmpty } catch is TooManyWords { return false }
    }
}

package import ChatModel
package import Reading
import Rendering
package import SearchText

/// The times of `before:`, `after:` and `on:` in a query, read in a zone.
package struct SearchTimes: Sendable {
    let zone: Zone
    let now: Timestamp

    package init(zone: Zone, now: Timestamp) {
        (self.zone, self.now) = (zone, now)
    }

    /// Returns the query with its time bounds, the narrowest of several.
    ///
    /// - Throws: ``UsageError`` for a text that is not a time, for an instant in `on:`, and for an unknown value of `has:`
    ///   or `is:`.
    package func scope(_ query: SearchQuery) throws -> SearchScope {
        if let unknown = query.unknown.first { throw UsageError(unknown.sentence) }
        var scope = SearchScope(query: query)
        for filter in query.times {
            let bounds = try bounds(filter)
            if let after = bounds.after { scope.after = max(scope.after ?? after, after) }
            if let before = bounds.before { scope.before = min(scope.before ?? before, before) }
        }
        return scope
    }

    private func bounds(_ filter: TimeFilter) throws -> (after: MessageID?, before: MessageID?) {
        switch filter {
        case .before(let text): (nil, try time(text, of: "before").before)
        case .after(let text): (try time(text, of: "after").after, nil)
        case .on(let text):
            switch try time(text, of: "on") {
            case .span(let span): (TimePhrase.span(span).after, MessageID(span.upperBound))
            case .cursor, .instant:
                throw UsageError(
                    TimePhraseError("on: needs a day, a week, a month or a year; for an instant, use after: or before:")
                        .described(text))
            }
        }
    }

    private func time(_ text: String, of name: String) throws -> TimePhrase {
        do {
            return try TimePhrase(text, zone: zone, now: now)
        } catch {
            let error = error.described(text)
            let literal = "to search for the text, quote it: '\"\(name):\(Sanitizer.value(text))\"'"
            throw UsageError(
                OperationError(
                    error.code, error.detail, hint: [error.hint, literal].compactMap(\.self).joined(separator: "; ")))
        }
    }
}

extension UnknownFilter {
    /// The error in words.
    fileprivate var sentence: String {
        let written = "\(name):\(Sanitizer.value(value))"
        let nearest = Nearest.to(value, among: known).map { "did you mean \(name):\($0)? " } ?? ""
        return "unknown condition \(written); \(nearest)known: "
            + known.map { "\(name):\($0)" }.joined(separator: ", ")
            + "; to search for the text, quote it: '\"\(written)\"'"
    }
}

import Archive
import ChatModel
import Foundation
import SearchText

/// The times of `before:`, `after:` and `on:` in a query, read in a zone.
struct SearchTimes: Sendable {
    let zone: TimeZone
    let now: Timestamp

    /// Returns true for a text that is a time. Any other text is an ordinary word.
    func isTime(_ text: String) -> Bool {
        (try? TimeArgument(text, zone: zone, now: now)) != nil
    }

    /// Returns the query with its time bounds, the narrowest of several.
    func scope(_ query: SearchQuery) -> SearchScope {
        var scope = SearchScope(query: query)
        for filter in query.times {
            let bounds = bounds(filter)
            if let after = bounds.after { scope.after = max(scope.after ?? after, after) }
            if let before = bounds.before { scope.before = min(scope.before ?? before, before) }
        }
        return scope
    }

    private func bounds(_ filter: TimeFilter) -> (after: MessageID?, before: MessageID?) {
        switch filter {
        case .before(let text): (nil, time(text)?.before)
        case .after(let text): (time(text)?.after, nil)
        case .on(let text):
            if let span = TimeArgument.span(text, zone: zone, now: now) {
                (TimeArgument.instant(span.lowerBound).after, MessageID(span.upperBound))
            } else {
                (time(text)?.after, time(text).map { MessageID($0.instant.time.advanced(byMicroseconds: 1)) })
            }
        }
    }

    private func time(_ text: String) -> TimeArgument? {
        try? TimeArgument(text, zone: zone, now: now)
    }
}

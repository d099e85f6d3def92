/// A place in time as a person types it: `2026-11-21`, `last week`, `90m`, `10:30`, `어제`.
///
/// `WrittenTime` reads the exact forms that programs write; this reads what people say. A phrase has one meaning or is
/// an error: nothing is guessed.
package enum TimePhrase: Sendable, Hashable {
    /// A message's id as printed. The message itself is excluded.
    case cursor(MessageID)
    /// A point in time: `now`, `2 weeks ago`, a Unix time, a time with a fraction of a second.
    case instant(Timestamp)
    /// A year, month, week, day, minute or second from its start to its end, which is excluded.
    case span(Range<Timestamp>)

    /// - Parameters:
    ///   - zone: The zone of dates and times without an offset.
    ///   - now: The instant from which relative times count.
    /// - Throws: ``TimePhraseError`` for a text that is not a time.
    package init(_ text: String, zone: Zone, now: Timestamp) throws(TimePhraseError) {
        if let cursor = Timestamp(cursor: text) {
            self = .cursor(MessageID(cursor))
        } else {
            self = try TimePhraseReader(zone: zone, now: now).read(text)
        }
    }

    /// The exclusive lower bound of the messages after this place. It includes a message at the start of a date or
    /// time.
    package var after: MessageID {
        switch self {
        case .cursor(let id): id
        case .instant, .span: MessageID(start.time.advanced(byMicroseconds: -1))
        }
    }

    /// The exclusive upper bound of the messages before this place. It excludes a message at its start.
    package var before: MessageID { start }

    /// The instant, or the start of the span.
    package var start: MessageID {
        switch self {
        case .cursor(let id): id
        case .instant(let time): MessageID(time)
        case .span(let span): MessageID(span.lowerBound)
        }
    }
}

/// A text that can't be read as a time.
package struct TimePhraseError: Error, Sendable, Hashable {
    /// Names the mistake: `February 2010 has 28 days`; nil for a text of no known form.
    package let reason: String?

    package init(_ reason: String? = nil) { self.reason = reason }
}

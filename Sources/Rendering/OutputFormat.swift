/// The format of an answer.
package enum OutputFormat: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// One JSON document.
    case json
    /// One JSON object a line, without an envelope.
    case jsonl
    /// A record a line, with a header.
    case csv
}

/// The choice of colour for text.
package enum ColorChoice: String, Sendable, CaseIterable {
    /// Colour on a terminal, unless `NO_COLOR` is set or the terminal is dumb.
    case auto
    case always
    case never
}

/// How a reader's answer is written.
package enum OutputFormat: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// One document.
    case json
    /// One object a line, without an envelope.
    case jsonl
    case csv
}

/// Whether to colour text.
package enum ColorChoice: String, Sendable, CaseIterable {
    /// On a terminal, unless `NO_COLOR` is set or it is dumb.
    case auto
    case always
    case never
}

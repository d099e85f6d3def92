import ArgumentParser

/// How a reader's answer is written.
enum OutputFormat: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// For people.
    case text
    /// One document.
    case json
    /// One object a line, without an envelope.
    case jsonl
    case csv
}

/// Whether to colour text.
enum ColorChoice: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// On a terminal, unless `NO_COLOR` is set or it is dumb.
    case auto
    case always
    case never
}

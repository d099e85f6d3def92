import ArgumentParser

/// How a log record is written; one a line in either.
enum LogFormat: String, Sendable, CaseIterable, ExpressibleByArgument {
    case text, json
}

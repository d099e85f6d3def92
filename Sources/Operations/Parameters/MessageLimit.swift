import ChatModel

/// The value of `--limit`: a number of messages, or all of them.
package enum MessageLimit: Sendable, Hashable, CustomStringConvertible {
    case count(Int)
    case all

    /// - Throws: ``UsageError`` for a text that is neither `all` nor a number from 1 to 1000.
    package init(parameter text: String) throws {
        if text == "all" {
            self = .all
        } else if let count = Int(text), MessageQuery.limits.contains(count) {
            self = .count(count)
        } else {
            // The error has the value and the option before it.
            throw UsageError("use 1 to 1000, or all")
        }
    }

    package var description: String {
        switch self {
        case .count(let count): String(count)
        case .all: "all"
        }
    }

    /// The number; nil for all.
    package var count: Int? {
        if case .count(let count) = self { count } else { nil }
    }

    /// The number of messages that are read at once.
    package var page: Int {
        switch self {
        case .count(let count): count
        case .all: MessageQuery.limits.upperBound
        }
    }
}

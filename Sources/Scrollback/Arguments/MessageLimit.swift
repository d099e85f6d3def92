import ArgumentParser
import ChatModel

/// The value of `-n`: a number of messages, or all of them.
enum MessageLimit: Sendable, Hashable, CustomStringConvertible {
    case count(Int)
    case all

    /// - Throws: ``ValidationError`` for a text that is neither `all` nor a number from 1 to 1000.
    init(option text: String) throws {
        if text == "all" {
            self = .all
        } else if let count = Int(text), MessageQuery.limits.contains(count) {
            self = .count(count)
        } else {
            // The parser writes the value and the option before it.
            throw ValidationError("use 1 to 1000, or all")
        }
    }

    var description: String {
        switch self {
        case .count(let count): String(count)
        case .all: "all"
        }
    }

    /// The number of messages that are read at once.
    var page: Int {
        switch self {
        case .count(let count): count
        case .all: MessageQuery.limits.upperBound
        }
    }
}

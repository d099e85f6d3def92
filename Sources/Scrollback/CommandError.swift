import Rendering

/// A failure of a command itself, not of a library.
typealias CommandError = Failure<CommandErrorCode>

enum CommandErrorCode: String, Sendable, CaseIterable {
    case address
    case ambiguous
    case backup
    case badRegex = "bad-regex"
    case badTime = "bad-time"
    case check
    case connection
    case editor
    case export
    case noLimits = "no-limits"
    case noListener = "no-listener"
    case notFetched = "not-fetched"
    case stopped
    case unknownAccount = "unknown-account"
    case unknownMessage = "unknown-message"
    case unknownNetwork = "unknown-network"
    case unknownRoom = "unknown-room"
}

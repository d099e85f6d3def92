package import Rendering

/// A failure of an operation on the archive, the same for every interface.
package typealias OperationError = Failure<OperationErrorCode>

/// The code of an ``OperationError``; `docs/errors/` explains it.
package enum OperationErrorCode: String, Sendable, CaseIterable {
    case ambiguous
    case badRegex = "bad-regex"
    case badTime = "bad-time"
    case stopped
    case unknownAccount = "unknown-account"
    case unknownMessage = "unknown-message"
    case unknownRoom = "unknown-room"
    case unknownUser = "unknown-user"
}

/// A mistake in the parameters of an operation. The text names them as the options of the command: `--after`.
package struct UsageError: Error, CustomStringConvertible {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }

    package var description: String { message }
}

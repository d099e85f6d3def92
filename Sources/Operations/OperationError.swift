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
    /// The mistake with its code; nil for a mistake without one.
    package let coded: OperationError?

    package init(_ message: String) {
        self.message = message
        coded = nil
    }

    package init(_ error: OperationError) {
        message = error.sentence
        coded = error
    }

    package var description: String { message }
}

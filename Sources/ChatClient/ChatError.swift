package import Rendering

/// The reason why a chat failed.
package typealias ChatError = Failure<ChatErrorCode>

/// The code of a ``ChatError``; `docs/errors/` explains it.
package enum ChatErrorCode: String, Sendable, CaseIterable {
    case connection
    /// Standard input can't be read.
    case input
    /// Lines of a script were not sent.
    case notSent = "not-sent"
}

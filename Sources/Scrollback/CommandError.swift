package import Rendering

/// A failure of a command itself, not of a library.
package typealias CommandError = Failure<CommandErrorCode>

package enum CommandErrorCode: String, Sendable, CaseIterable {
    case address
    case backup
    case check
    case connection
    case editor
    case export
    case input
    case noListener = "no-listener"
    case noServer = "no-server"
    case noRules = "no-rules"
    case noSharedArchive = "no-shared-archive"
    case notConfirmed = "not-confirmed"
    case notFetched = "not-fetched"
    case postgresql
    case sharedSchema = "shared-schema"
    case sql
    case stopped
    case unknownNetwork = "unknown-network"
}

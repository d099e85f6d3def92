import Accounts
package import ChatModel
import Files
import Schema

extension AccountWriter {
    /// Replaces the names and ids of the account's own person that the configuration or a command gave. The messages of
    /// those who have them become the account's own; the messages of the others no longer are, unless the network or an
    /// export says so.
    ///
    /// - Throws: ``ArchiveError``; does not wait while the disk has trouble.
    package func setOwnNames(_ names: [String], from source: OwnNameSource) async throws {
        try await use { try await $0.setOwnNames(names, from: source) }
    }
}

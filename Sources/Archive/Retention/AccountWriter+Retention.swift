import Accounts
package import ChatModel
import Files
import Records
import Schema
import Writing

extension AccountWriter {
    /// Does a step of applying rules: one transaction of some milliseconds, which runs between events.
    ///
    /// - Parameter place: Where the step begins; nil for the beginning of the work.
    /// - Throws: ``ArchiveError``; does not wait while the disk has trouble.
    package func purge(_ rules: RetentionRules, from place: PurgePlace? = nil, at now: Timestamp) async throws
        -> PurgeProgress
    {
        let (purger, files) = (Purger(rules: rules, now: now), AttachmentFolder(of: folder))
        return try await ArchiveError.wrapping(folder.database) {
            try await connections.use { connection in
                let progress = try await connection.purge(purger, from: place, files)
                guard progress.next == nil else { return progress }
                try await connection.run { [account, catalog] db in
                    try connection.sharePurges(of: account.name, with: catalog, db)
                }
                return progress
            }
        }
    }

    /// Sets a hold. Replaces one of the same name.
    ///
    /// - Throws: ``ArchiveError``; does not wait while the disk has trouble.
    package func setHold(_ hold: Hold) async throws {
        try await ArchiveError.wrapping(folder.database) {
            try await connections.use { try await $0.writeHolds { db in try hold.set(db) } }
        }
    }

    /// Removes a hold.
    ///
    /// - Returns: False if there is none of that name.
    /// - Throws: ``ArchiveError``; does not wait while the disk has trouble.
    package func removeHold(named name: String) async throws -> Bool {
        try await ArchiveError.wrapping(folder.database) {
            try await connections.use { try await $0.writeHolds { db in try Hold.remove(name, db) } }
        }
    }
}

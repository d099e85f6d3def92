import Accounts
package import ChatModel
import Files
import Schema
import Writing

extension AccountWriter {
    /// Does a step of a merge, or of undoing one, between events.
    ///
    /// - Parameter place: Where the step begins; nil for the beginning of the work.
    /// - Throws: ``ArchiveError``, with `merge` if the request can't be fulfilled; does not wait while the disk has
    ///   trouble.
    package func merge(_ request: Merging, from place: MergingPlace? = nil, at now: Timestamp) async throws
        -> MergingProgress
    {
        let merger = Merger(request: request, now: now)
        return try await use { try await $0.merge(merger, from: place) }
    }
}

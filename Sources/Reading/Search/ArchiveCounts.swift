import Accounts
package import ChatModel
import Records
import Schema
import SearchText

/// Counts messages: the hits of a search, the messages of each day, and the statistics of a scope.
package struct ArchiveCounts: Sendable {
    package let reading: ArchiveReading

    /// Counts the matching messages: rooms and users sorted by count, the highest first; times in order.
    ///
    /// - Parameter limit: The number of people whose names are wanted of a count by user, from the highest count down; nil for
    ///   all. Those after them have no name.
    /// - Throws: ``TooManyCounts``.
    package func hits(
        scope: MessageQuery.Scope, matching search: SearchScope, by grouping: HitGrouping, named limit: Int? = nil
    ) throws -> [HitCount] {
        var search = search
        search.wordLimit = TooManyWords.countLimit
        let counts = try reading.collect(in: scope, into: [HitCount]()) { [search] counts, reader in
            let tally = SearchTally(account: reader.account, scope: scope, search: search)
            counts += try tally.counts(by: grouping, named: limit, of: reader)
            guard case .crossed = grouping, counts.count > TooManyCounts.limit else { return }
            // Accounts may have the same times, which are one row.
            counts = grouping.order(counts)
            guard counts.count <= TooManyCounts.limit else { throw TooManyCounts() }
        }.result
        return grouping.order(counts)
    }
}

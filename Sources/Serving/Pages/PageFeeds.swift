import Archive
import Rendering

/// The change feeds that an open page follows.
enum PageFeeds {
    /// Returns the queries of the feeds, separated by spaces, safe within an attribute's quotes. Each has the feed's end
    /// before the page's messages are read, so that the page misses no change. Leaves out what has no feed: an account
    /// that is compressed, or that the visitor may not read whole.
    ///
    /// - Parameter parts: The accounts, or the rooms.
    static func text(
        _ parts: [(account: String, room: Int64?)], for visitor: Visitor, in reading: ArchiveReading
    ) async throws -> String {
        var queries: [String] = []
        for (account, room) in parts where visitor.access.seesAll(of: account) {
            guard try await !reading.isCompressed(account) else { continue }
            let end = try await reading.feedEnd(of: account)
            let place = end.epoch.isEmpty ? [] : [("after", end.description)]
            queries.append(Query.text([("account", account)] + (room.map { [("room", String($0))] } ?? []) + place))
        }
        return HTMLText.escape(queries.joined(separator: " "))
    }
}

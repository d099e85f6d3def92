import ChatModel
import Reading
import Rendering

/// The change feeds that an open page follows.
enum PageFeeds {
    /// The limit of feeds of a page: a browser has six connections to a server (HTTP/1.1).
    private static let limit = 3

    /// Returns the attributes of the page's element from which its script learns how to follow: the queries of the feeds,
    /// separated by spaces, or `data-poll` to ask from time to time. Each query has the feed's end before the page's
    /// messages are read, so that the page misses no change. A compressed account does not change.
    ///
    /// - Parameter parts: The accounts, or the rooms.
    static func attributes(
        _ parts: [(account: String, room: Int64?)], for visitor: Visitor, in reading: ArchiveReading
    ) throws -> HTML {
        var changing: [(account: String, room: Int64?)] = []
        for part in parts where try !reading.isCompressed(part.account) { changing.append(part) }
        // A feed has the whole account.
        guard changing.count <= limit, changing.allSatisfy({ visitor.access.seesAll(of: $0.account) }) else {
            return " data-poll"
        }
        var queries: [String] = []
        for (account, room) in changing {
            let end = try reading.feeds.end(of: account)
            let place = end.epoch.isEmpty ? [] : [(name: "after", value: end.description)]
            let room = room.map { [(name: "room", value: String($0))] } ?? []
            queries.append(Query.text([(name: "account", value: account)] + room + place))
        }
        return " data-feeds=\"\(queries.joined(separator: " "))\""
    }
}

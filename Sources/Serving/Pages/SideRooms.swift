import Archive
import ChatModel
import Operations
import Reading
import Rendering
import Synchronization

/// The list of rooms beside a room on wide screens: the rooms with the latest messages, by account.
///
/// Reading all rooms of a large archive takes longer than a page may, so each list is used for a few seconds.
final class SideRooms: Sendable {
    private struct Shelf: Sendable {
        var rooms: [Room]
        /// The number of all rooms.
        var count: Int
        var readAt: ContinuousClock.Instant
        /// The time for which the list is used.
        var age: Duration
    }

    private let site: Site
    private let shelves = Mutex<[ReadAccess: Shelf]>([:])

    /// The limit of listed rooms.
    private static let limit = 40
    /// The time for which a list is used: at least 3 s, and for an archive with thousands of rooms, 100 times as long
    /// as reading it takes.
    private static let age = (least: Duration.seconds(3), multiple: 100)
    /// The limit of lists. Each set of rights has its own list.
    private static let shelfLimit = 16

    init(site: Site) {
        self.site = site
    }

    /// Returns the list as HTML.
    ///
    /// - Parameter current: The room or the account of the page.
    func html(for visitor: Visitor, current: SideRooms.Current) throws -> HTML {
        let shelf = try shelf(for: visitor)
        guard shelf.count > 0 else { return "" }
        let accounts = Dictionary(grouping: shelf.rooms, by: \.account).sorted { $0.key < $1.key }
        let lists = accounts.map { account, rooms -> HTML in
            let isCurrent: HTML = current == .account(account) ? " aria-current=\"page\"" : ""
            return
                "<h2><a href=\"\(HTMLAddress.local("/account/"))\(HTMLAddress.segment(account))\"\(isCurrent)><bdi>\(HTMLText.name(account))</bdi></a></h2>\n<ul>\n"
                + visitor.shown(rooms).map { Self.item($0, current) }.joined() + "</ul>\n"
        }
        return "<nav class=\"side\" aria-label=\"Rooms\">\n\(lists.joined())"
            + "<a href=\"\(HTMLAddress.local("/"))\">All \(shelf.count.of("room"))</a>\n</nav>\n"
    }

    enum Current: Equatable {
        case room(Room)
        case account(String)
        case none
    }

    private static func item(_ room: Room, _ current: Current) -> HTML {
        var room = room
        var isCurrent = false
        if case .room(let now) = current, now.key == room.key { (room, isCurrent) = (now, true) }
        let count = RoomWords.unread(room.unread)
        let mark: HTML = count.isEmpty ? "" : "<span class=\"unread\">\(count)<span class=\"v\"> unread</span></span>"
        return
            "<li><a href=\"\(HTMLAddress.room(room.account, room.id))#end\"\(isCurrent ? " aria-current=\"page\"" : "")"
            + "\(count.isEmpty ? "" : " class=\"has-unread\"")><bdi>\(RoomWords.name(room))</bdi>\(mark)</a></li>\n"
    }

    private func shelf(for visitor: Visitor) throws -> Shelf {
        let access = visitor.access
        let now = ContinuousClock.now
        if let shelf = shelves.withLock({ $0[access] }), now - shelf.readAt < shelf.age { return shelf }
        // Releases the accounts, because open accounts can't be compressed or erased, and this reads all of them every
        // few seconds.
        let (rooms, count) = try site.readInPlace(as: visitor, keepsOpen: false) { reading in
            let rooms = try RoomsOperation(accounts: [], order: .last).outlines(in: reading)
            return (try reading.listed(Array(rooms.prefix(Self.limit))), rooms.count)
        }
        let shelf = Shelf(
            rooms: rooms, count: count, readAt: now,
            age: max(Self.age.least, (.now - now) * Self.age.multiple))
        shelves.withLock { shelves in
            if shelves.count >= Self.shelfLimit { shelves = [:] }
            shelves[access] = shelf
        }
        return shelf
    }
}

import ChatModel

/// The rooms of an account, by their ids, with the people in them.
struct MatrixRooms: Sendable {
    private var rooms: [String: MatrixRoom] = [:]
    var people = MatrixPeople()
    /// The spaces of rooms, also of those that the account is not in.
    private var spaces: [String: String] = [:]
    /// The names of spaces that are no rooms of the account.
    private var spaceNames: [String: String] = [:]
    /// True after a change that may concern the listings of other rooms.
    private(set) var areListingsStale = false

    /// The limit of rooms in spaces.
    private static let maximumSpaces = 20_000

    var all: Dictionary<String, MatrixRoom>.Values { rooms.values }

    subscript(_ id: String) -> MatrixRoom? { rooms[id] }

    /// The limit of rooms, more than a homeserver's accounts have.
    static let maximum = 50_000

    var count: Int { rooms.count }

    /// Changes a room, which is new if it is unknown.
    mutating func change<Result>(_ id: String, _ change: (inout MatrixRoom) -> Result) -> Result {
        change(&rooms[id, default: MatrixRoom(id: id, space: spaces[id])])
    }

    @discardableResult
    mutating func remove(_ id: String) -> MatrixRoom? { rooms.removeValue(forKey: id) }

    func reference(of id: String) -> RoomReference {
        (rooms[id] ?? MatrixRoom(id: id)).reference { people.name(of: $0) }
    }

    func listing(of id: String, me: String) -> RoomListing {
        let room = rooms[id]
        let partner = room?.partner.map { UserReference(key: $0, name: people.name(of: $0), isSelf: $0 == me) }
        let workspace = room?.space.map { space in
            let name = rooms[space] == nil ? spaceNames[space] ?? space : reference(of: space).name
            return WorkspaceReference(key: space, name: name, picture: rooms[space]?.picture ?? .unknown)
        }
        var listing = RoomListing(room: reference(of: id), workspace: workspace, partner: partner)
        listing.picture = room?.picture ?? .unknown
        listing.owner = room?.owner ?? .unknown
        return listing
    }

    /// Returns the listings that differ from what the archive has, and takes them as stored.
    mutating func changedListings(me: String) -> [RoomListing] {
        areListingsStale = false
        return rooms.keys.sorted().filter { rooms[$0]?.listing != nil }.compactMap { changedListing(of: $0, me: me) }
    }

    /// Returns the room's listing if it differs from what the archive has, and takes it as stored.
    mutating func changedListing(of id: String, me: String) -> RoomListing? {
        let listing = listing(of: id, me: me)
        return change(id) { room in
            defer { room.listing = listing }
            return room.listing == listing ? nil : listing
        }
    }

    /// Learns a room that the archive has.
    mutating func recall(_ listing: RoomListing) {
        change(listing.room.key) { room in
            room.listing = listing
            room.partner = room.partner ?? listing.partner?.key
            room.space = listing.workspace?.key
        }
        if let partner = listing.partner { people.note(partner.key, name: partner.name) }
        if let space = listing.workspace { (spaceNames[space.key], spaces[listing.room.key]) = (space.name, space.key) }
    }

    /// Learns that a room is in a space, or no longer in this one. A room has one space: that which it names itself, or
    /// else the first that names it.
    mutating func place(_ room: String, in space: String, isIn: Bool, isOwnWord: Bool) {
        let known = spaces[room]
        guard isIn ? known == nil || isOwnWord && known != space : known == space else { return }
        guard !isIn || spaces.count < Self.maximumSpaces else { return }
        spaces[room] = isIn ? space : nil
        rooms[room]?.space = spaces[room]
        areListingsStale = true
    }

    /// Learns the name, and whether it may be that of a space with rooms.
    mutating func rename(_ id: String, _ name: String?) {
        change(id) { $0.name = .known(name) }
        areListingsStale = true
    }

    /// Learns the picture, which may be that of a space with rooms.
    mutating func setPicture(of id: String, _ picture: String?) {
        change(id) { $0.picture = .known(picture) }
        areListingsStale = true
    }

    /// Learns the direct rooms, with the other person's id.
    mutating func setPartners(_ partners: [String: String]) {
        for (room, partner) in partners { change(room) { $0.partner = partner } }
        areListingsStale = true
    }
}

/// The present members of each room, so that a QUIT or NICK, which names no channel, can be assigned to rooms.
///
/// Replayed messages don't change it. Names are kept as the server last wrote them.
package struct Membership: Sendable {
    /// The rooms that a message affects.
    package struct Effect: Sendable, Hashable {
        /// The names in the order of their keys; for NICK and QUIT, the rooms that the user is known to be in.
        package var rooms: [[UInt8]]
        /// True if the account itself joins, leaves, is kicked or is renamed.
        package var isOwn: Bool
    }

    /// The limits of the stored rooms and members.
    package struct Limits: Sendable, Hashable {
        /// The limit of rooms. Servers allow an account 20 to 250, and a bouncer's user has one connection for each
        /// network.
        package var rooms = 2000
        /// The limit of members in all rooms together. The largest channels have thousands (Libera's #libera: 1,500).
        package var members = 100_000
        /// The limit of bytes, by ``Membership/personBytes`` and ``Membership/memberBytes``: 40,000 people in one room
        /// each, or 15,000 in eight.
        package var bytes = 12 * 1024 * 1024
        /// The longest name of a room or nick in bytes, as of a line without tags (RFC 2812 §2.3). A client can't write
        /// to a longer one.
        package var nameBytes = 512

        package init() {}
    }

    struct Room: Sendable {
        /// A number that stays when the room is renamed.
        let number: Int
        var name: [UInt8]
        /// The folded nicks, the keys of ``Membership/people``.
        var members: Set<[UInt8]> = []
        /// True if the whole list was received (366).
        var isListed = false
    }

    /// A user in at least one room.
    struct Person: Sendable {
        /// The key in ``Membership/people``; rooms share this array instead of copying it.
        let key: [UInt8]
        var nick: [UInt8]
        /// The numbers of the rooms.
        var rooms: Set<Int> = []
    }

    /// The bytes of a person besides the nick, which counts twice, and of each of their rooms *(measured)*.
    static let (personBytes, memberBytes) = (240, 48)
    /// The limit of changes of the case mapping. A server announces it once; a bouncer's may change a few times.
    private static let maximumRefolds = 8

    let limits: Limits
    var rooms: [[UInt8]: Room] = [:]
    /// The keys of rooms by number.
    private var keys: [Int: [UInt8]] = [:]
    private var lastNumber = 0
    /// The users in our rooms by folded nick, so that a QUIT or NICK finds their rooms directly.
    private(set) var people: [[UInt8]: Person] = [:]
    /// The number of members in all rooms together.
    private(set) var memberCount = 0
    /// The bytes that count towards ``Limits/bytes``.
    private var bytes = 0
    private var refolds = 0
    /// True once a member was left out because of the limits; QUIT and NICK may then miss rooms.
    package private(set) var isPartial = false
    /// The account's present nick.
    package internal(set) var nick: [UInt8]
    /// The case mapping in use.
    package private(set) var mapping: CaseMapping

    package init(nick: [UInt8], mapping: CaseMapping, limits: Limits = Limits()) {
        (self.nick, self.mapping, self.limits) = (nick, mapping, limits)
    }

    /// Takes a message. Returns nil if it affects no room that we are in.
    package mutating func receive(_ message: IRCMessage, support: ISupport, isReplay: Bool = false) -> Effect? {
        guard !isReplay else { return nil }
        if support.caseMapping != mapping { refold(support.caseMapping) }
        switch message.verb {
        case "353":
            list(message, support)
            return nil
        case "366":
            rooms[mapping.fold(message.param(1))]?.isListed = true
            return nil
        case "JOIN": return join(message)
        case "PART": return part(message)
        case "KICK": return kick(message)
        case "NICK": return rename(message)
        case "QUIT": return quit(message)
        case "RENAME": return renameRoom(message)
        default: return nil
        }
    }

    /// The rooms that the account is in, in the order of their keys.
    package var joined: [[UInt8]] { rooms.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value.name) }

    /// The number of rooms that the account is in.
    package var roomCount: Int { rooms.count }

    package func isJoined(_ room: [UInt8]) -> Bool { rooms[mapping.fold(room)] != nil }

    /// Forgets a room that the account is no longer in.
    package mutating func leave(_ room: [UInt8]) { removeRoom(mapping.fold(room)) }

    /// Returns true if the room's whole list was received; nil if the account is not in the room.
    package func isListed(_ room: [UInt8]) -> Bool? { rooms[mapping.fold(room)]?.isListed }

    /// Returns the nicks in a room, in the order of their keys; empty for a room that the account isn't in.
    package func members(of room: [UInt8]) -> [[UInt8]] {
        let members = rooms[mapping.fold(room)]?.members ?? []
        return members.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { people[$0]?.nick }
    }

    /// Returns true if a nick is the account's own; false for nil.
    package func isOwn(_ name: [UInt8]?) -> Bool {
        name.map { mapping.fold($0) == mapping.fold(nick) } ?? false
    }

    /// Returns the keys of the rooms that a user is in, in order.
    func places(of nick: [UInt8]) -> [[UInt8]] {
        let numbers = people[mapping.fold(nick)]?.rooms ?? []
        return numbers.compactMap { keys[$0] }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Folds all names again, after the server's case mapping has changed.
    private mutating func refold(_ mapping: CaseMapping) {
        guard refolds < Self.maximumRefolds else { return }
        refolds += 1
        let (rooms, people) = (rooms.values, people)
        (self.rooms, self.people, keys, memberCount, bytes, self.mapping) = ([:], [:], [:], 0, 0, mapping)
        for room in rooms {
            let key = mapping.fold(room.name)
            addRoom(room.name, isListed: room.isListed)
            for member in room.members { add(people[member]?.nick ?? member, to: key) }
        }
    }

    /// Adds a room without members, in place of a room with the same key.
    mutating func addRoom(_ name: [UInt8], isListed: Bool = false) {
        let key = mapping.fold(name)
        removeRoom(key)
        lastNumber += 1
        keys[lastNumber] = key
        rooms[key] = Room(number: lastNumber, name: name, isListed: isListed)
    }

    /// - Parameter room: The room's key.
    mutating func add(_ nick: [UInt8], to room: [UInt8]) {
        guard let number = rooms[room]?.number else { return }
        let folded = mapping.fold(nick)
        let known = people[folded]
        if known?.rooms.contains(number) != true {
            let cost = Self.memberBytes + (known == nil ? Self.cost(of: folded) : 0)
            guard memberCount < limits.members, bytes + cost <= limits.bytes, nick.count <= limits.nameBytes else {
                isPartial = true
                return
            }
            memberCount += 1
            bytes += cost
        }
        let key = known?.key ?? folded
        people[key, default: Person(key: key, nick: nick)].rooms.insert(number)
        // Uses the same array if both are equal.
        people[key]?.nick = nick == key ? key : nick
        rooms[room]?.members.insert(key)
    }

    mutating func remove(_ nick: [UInt8], from room: [UInt8]) -> Bool {
        let key = mapping.fold(nick)
        guard let number = rooms[room]?.number, rooms[room]?.members.remove(key) != nil else { return false }
        forget(key, in: number)
        return true
    }

    mutating func removeRoom(_ key: [UInt8]) {
        guard let room = rooms.removeValue(forKey: key) else { return }
        keys[room.number] = nil
        for member in room.members { forget(member, in: room.number) }
    }

    /// Gives the room another key.
    mutating func moveRoom(_ room: Room, to new: [UInt8]) {
        rooms[new] = room
        keys[room.number] = new
    }

    private mutating func forget(_ key: [UInt8], in room: Int) {
        memberCount -= 1
        bytes -= Self.memberBytes
        people[key]?.rooms.remove(room)
        guard people[key]?.rooms.isEmpty == true else { return }
        people[key] = nil
        bytes -= Self.cost(of: key)
    }

    private static func cost(of nick: [UInt8]) -> Int { personBytes + 2 * nick.count }
}

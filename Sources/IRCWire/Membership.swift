/// Who is in which room now, so that a QUIT or NICK, which name no channel, can be told of each.
///
/// A replayed JOIN or QUIT says nothing of now. Names are kept as the server last wrote them.
package struct Membership: Sendable {
    /// What a message changes.
    package struct Effect: Sendable, Hashable {
        /// In the order of their keys; with NICK and QUIT, those that the user is known to be in.
        package var rooms: [[UInt8]]
        /// It is the account itself that joins, leaves, is kicked or renamed.
        package var isOwn: Bool
    }

    package struct Limits: Sendable, Hashable {
        /// Rooms; servers allow an account 20 to 250, and a bouncer's user of several networks has one connection for each.
        package var rooms = 2000
        /// Members in all rooms together. The greatest channels have thousands (Libera's #libera: 1,500).
        package var members = 100_000
        /// Bytes of people and members, by ``Membership/personBytes`` and ``Membership/memberBytes``: 40,000 people in one room each,
        /// or 15,000 in eight.
        package var bytes = 12 * 1024 * 1024
        /// Of a room or a nick: what a line has without tags (RFC 2812 §2.3). A longer one is no name that anybody could write to.
        package var nameBytes = 512

        package init() {}
    }

    struct Room: Sendable {
        /// Stays where the room is renamed.
        let number: Int
        var name: [UInt8]
        /// Folded nicks, which are the keys of ``Membership/people``.
        var members: Set<[UInt8]> = []
        /// The whole list was heard (366).
        var isListed = false
    }

    /// Somebody in one room at least.
    struct Person: Sendable {
        /// As ``Membership/people`` has it: rooms hold the same array, not a copy.
        let key: [UInt8]
        var nick: [UInt8]
        /// Numbers.
        var rooms: Set<Int> = []
    }

    /// What a person takes besides the nick's letters, twice, and what each of their rooms takes *(measured)*.
    static let (personBytes, memberBytes) = (240, 48)
    /// A server says once how names fold; a few times where it is behind a bouncer.
    private static let maximumRefolds = 8

    let limits: Limits
    var rooms: [[UInt8]: Room] = [:]
    /// Keys of rooms by number.
    private var keys: [Int: [UInt8]] = [:]
    private var lastNumber = 0
    /// Those who are in our rooms, by folded nick, so that a QUIT or NICK finds the rooms without looking through all.
    private(set) var people: [[UInt8]: Person] = [:]
    /// In all rooms together.
    private(set) var memberCount = 0
    /// Of ``Limits/bytes``.
    private var bytes = 0
    private var refolds = 0
    /// A member was left out for want of room: QUIT and NICK may miss rooms.
    package private(set) var isPartial = false
    package internal(set) var nick: [UInt8]
    package private(set) var mapping: CaseMapping

    package init(nick: [UInt8], mapping: CaseMapping, limits: Limits = Limits()) {
        (self.nick, self.mapping, self.limits) = (nick, mapping, limits)
    }

    /// nil for what changes nothing, names a room that we are not in, or is no business of this.
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

    /// The rooms that the account is in, by name.
    package var joined: [[UInt8]] { rooms.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value.name) }

    package var roomCount: Int { rooms.count }

    package func isJoined(_ room: [UInt8]) -> Bool { rooms[mapping.fold(room)] != nil }

    /// nil where we are not in the room; false until its whole list was heard.
    package func isListed(_ room: [UInt8]) -> Bool? { rooms[mapping.fold(room)]?.isListed }

    /// Sorted by key.
    package func members(of room: [UInt8]) -> [[UInt8]] {
        let members = rooms[mapping.fold(room)]?.members ?? []
        return members.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { people[$0]?.nick }
    }

    package func isOwn(_ name: [UInt8]?) -> Bool {
        name.map { mapping.fold($0) == mapping.fold(nick) } ?? false
    }

    /// Keys of the rooms that somebody is in, in order.
    func places(of nick: [UInt8]) -> [[UInt8]] {
        let numbers = people[mapping.fold(nick)]?.rooms ?? []
        return numbers.compactMap { keys[$0] }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The server's names became others: what is one to it now is one here.
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

    /// Without members, whatever it had.
    mutating func addRoom(_ name: [UInt8], isListed: Bool = false) {
        let key = mapping.fold(name)
        removeRoom(key)
        lastNumber += 1
        keys[lastNumber] = key
        rooms[key] = Room(number: lastNumber, name: name, isListed: isListed)
    }

    /// - Parameter room: Its key.
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
        // One array where they are the same.
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

    /// The room has another key.
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

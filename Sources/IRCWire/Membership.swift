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
        /// Rooms; servers allow an account 20 to 250.
        package var rooms = 10_000
        /// Members in all rooms together, some 100 bytes each. The greatest channels have tens of thousands.
        package var members = 1_000_000

        package init() {}
    }

    struct Room: Sendable {
        var name: [UInt8]
        /// By folded nick.
        var members: [[UInt8]: [UInt8]] = [:]
        /// The whole list was heard (366).
        var isListed = false
    }

    let limits: Limits
    var rooms: [[UInt8]: Room] = [:]
    /// In all rooms together.
    private(set) var memberCount = 0
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

    package func isJoined(_ room: [UInt8]) -> Bool { rooms[mapping.fold(room)] != nil }

    /// nil where we are not in the room; false until its whole list was heard.
    package func isListed(_ room: [UInt8]) -> Bool? { rooms[mapping.fold(room)]?.isListed }

    /// Sorted by key.
    package func members(of room: [UInt8]) -> [[UInt8]] {
        let members = rooms[mapping.fold(room)]?.members ?? [:]
        return members.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    package func isOwn(_ name: [UInt8]?) -> Bool {
        name.map { mapping.fold($0) == mapping.fold(nick) } ?? false
    }

    /// The server's names became others: what is one to it now is one here.
    private mutating func refold(_ mapping: CaseMapping) {
        let old = rooms.values
        (rooms, memberCount, self.mapping) = ([:], 0, mapping)
        for room in old {
            rooms[mapping.fold(room.name)] = Room(name: room.name, isListed: room.isListed)
            for member in room.members.values { add(member, to: mapping.fold(room.name)) }
        }
    }

    mutating func add(_ nick: [UInt8], to room: [UInt8]) {
        let key = mapping.fold(nick)
        if rooms[room]?.members[key] == nil {
            guard memberCount < limits.members else {
                isPartial = true
                return
            }
            memberCount += 1
        }
        rooms[room]?.members[key] = nick
    }

    mutating func remove(_ nick: [UInt8], from room: [UInt8]) -> Bool {
        guard rooms[room]?.members.removeValue(forKey: mapping.fold(nick)) != nil else { return false }
        memberCount -= 1
        return true
    }

    mutating func removeRoom(_ key: [UInt8]) {
        memberCount -= rooms.removeValue(forKey: key)?.members.count ?? 0
    }
}

import Bytes

extension Membership {
    mutating func join(_ message: IRCMessage) -> Effect? {
        guard let nick = message.source?.nick else { return nil }
        let isOwn = isOwn(nick)
        var joined: [[UInt8]] = []
        for name in Self.names(message.param(0)) {
            let key = mapping.fold(name)
            if isOwn, name.count <= limits.nameBytes, rooms.count < limits.rooms || rooms[key] != nil {
                addRoom(name)
            }
            guard rooms[key] != nil else { continue }
            add(nick, to: key)
            joined.append(name)
        }
        return effect(joined, isOwn: isOwn)
    }

    mutating func part(_ message: IRCMessage) -> Effect? {
        guard let nick = message.source?.nick else { return nil }
        var seen: Set<[UInt8]> = []
        let left = Self.names(message.param(0)).compactMap { leave(mapping.fold($0), nick) }
        return effect(left.filter { seen.insert($0).inserted }, isOwn: isOwn(nick))
    }

    /// Handles a KICK. With several channels and nicks, each nick leaves the channel at its position; with one channel,
    /// all nicks leave it (RFC 2812 §3.2.8).
    mutating func kick(_ message: IRCMessage) -> Effect? {
        let (channels, nicks) = (Self.names(message.param(0)), Self.names(message.param(1)))
        guard let first = channels.first, channels.count == 1 || channels.count == nicks.count else { return nil }
        var (left, isOwn) = ([[UInt8]](), false)
        var seen: Set<[UInt8]> = []
        for (index, nick) in nicks.enumerated() {
            let channel = channels.count == 1 ? first : channels[index]
            guard let room = leave(mapping.fold(channel), nick) else { continue }
            if seen.insert(room).inserted { left.append(room) }
            isOwn = isOwn || self.isOwn(nick)
        }
        return effect(left, isOwn: isOwn)
    }

    mutating func rename(_ message: IRCMessage) -> Effect? {
        guard let old = message.source?.nick, !message.param(0).isEmpty else { return nil }
        let isOwn = isOwn(old)
        if isOwn { nick = message.param(0) }
        let places = places(of: old)
        for place in places where remove(old, from: place) { add(message.param(0), to: place) }
        return Effect(rooms: places.compactMap { rooms[$0]?.name }, isOwn: isOwn)
    }

    mutating func quit(_ message: IRCMessage) -> Effect? {
        guard let nick = message.source?.nick else { return nil }
        let isOwn = isOwn(nick)
        let places = isOwn ? rooms.keys.sorted { $0.lexicographicallyPrecedes($1) } : places(of: nick)
        let names = places.compactMap { rooms[$0]?.name }
        for place in places {
            if isOwn { removeRoom(place) } else { _ = remove(nick, from: place) }
        }
        return Effect(rooms: names, isOwn: isOwn)
    }

    /// Handles `RENAME old new :reason` (IRCv3 draft/channel-rename). The effect has the old name.
    mutating func renameRoom(_ message: IRCMessage) -> Effect? {
        let (old, new) = (mapping.fold(message.param(0)), mapping.fold(message.param(1)))
        guard !new.isEmpty, new.count <= limits.nameBytes, var room = rooms.removeValue(forKey: old) else { return nil }
        removeRoom(new)
        let name = room.name
        room.name = message.param(1)
        moveRoom(room, to: new)
        return Effect(rooms: [name], isOwn: isOwn(message.source?.nick))
    }

    /// Handles 353: `me = #channel :@alice +bob!user@host`, with the marks of multi-prefix and the addresses of
    /// userhost-in-names.
    mutating func list(_ message: IRCMessage, _ support: ISupport) {
        let key = mapping.fold(message.param(message.params.count - 2))
        guard message.params.count >= 3, rooms[key] != nil else { return }
        let marks = support.prefixes.map(\.mark)
        for entry in (message.params.last ?? []).split(separator: Byte.space) {
            let nick = IRCSource(Array(entry.drop(while: marks.contains))).nick
            if !nick.isEmpty { add(nick, to: key) }
        }
    }

    /// Removes a nick from a room. Returns the room's name, also for an unknown nick, because the line itself says that
    /// the user was in the room; nil if we are not in the room.
    private mutating func leave(_ key: [UInt8], _ nick: [UInt8]) -> [UInt8]? {
        guard let name = rooms[key]?.name else { return nil }
        if isOwn(nick) { removeRoom(key) } else { _ = remove(nick, from: key) }
        return name
    }

    private func effect(_ rooms: [[UInt8]], isOwn: Bool) -> Effect? {
        rooms.isEmpty ? nil : Effect(rooms: rooms, isOwn: isOwn)
    }

    private static func names(_ list: [UInt8]) -> [[UInt8]] {
        list.split(separator: Byte.comma).map { Array($0) }
    }
}

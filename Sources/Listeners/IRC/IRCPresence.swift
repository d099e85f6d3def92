import ChatModel
import IRCWire

/// An account's place on a network: its nick, the rooms it is in, and from when on each room is live, by the network's clock.
///
/// A bouncer's outages are times in which it was not connected to the network, though we were connected to it. A PONG is the
/// bouncer's, and its history holds what it received. So an outage ends what is known to be complete at the last line that the
/// network sent before the mark, wherever that line is stored.
struct IRCPresence: Sendable {
    let id: SessionID
    /// When the server registered the account; from here on the server sends whatever is for the account.
    let openedAt: Timestamp
    /// The same by the server's clock, in microseconds since 1970; nil where the server sends no times.
    let welcomedAt: Int64?
    let serverName: [UInt8]
    private(set) var configuration: IRCConfiguration
    private(set) var registration: Registration
    var membership: Membership
    var names: IRCNames
    var regain: IRCNickRegain
    /// Direct rooms that are live, by key.
    private(set) var directs = IRCConversations()
    /// When the account joined a channel, by the channel's key, in microseconds by the server's clock.
    private var joinTimes: [String: Int64] = [:]
    /// Keys of direct rooms in which a bouncer itself writes.
    private var bouncerRooms: Set<String> = []
    /// A bouncer has a dozen modules that speak.
    private static let maximumBouncerRooms = 1000
    /// True when a bouncer has lost its network, by its own words.
    private(set) var isNetworkLost = false
    /// The ends of a bouncer's outages, in the order of being noticed.
    private(set) var outages: [Timestamp] = []
    /// The most outages that are kept: claims about conversations, whose history has no marks, stop at them.
    private static let maximumOutages = 1000
    /// Keys of rooms that a bouncer's outage ended and in which nothing was received since.
    private var silentRooms: Set<String> = []
    /// The time since which all messages to the account are received, by our clock.
    private(set) var accountLiveSince: Timestamp
    /// Rooms whose history is complete up to the unit of time in which they became live, by key.
    private var unsettled: [String: RoomReference] = [:]
    /// The start of the live span of each room whose history can be fetched.
    private(set) var liveSince: [String: Timestamp] = [:]
    /// The time by which the network's clock is ahead of ours, in microseconds.
    private var clockLead: Int64 = 0

    init(
        id: SessionID, openedAt: Timestamp, elapsed: Duration, login: IRCLogin, stored: IRCStoredState,
        configuration: IRCConfiguration
    ) {
        (self.id, self.openedAt, self.configuration) = (id, openedAt, configuration)
        (registration, welcomedAt, serverName) = (login.registration, login.serverTime, login.serverName)
        let mapping = registration.support.caseMapping
        membership = Membership(nick: registration.nick, mapping: mapping)
        var names = IRCNames(host: configuration.host, fallback: configuration.fallback)
        names.mapping = mapping
        for channel in stored.channels { names.note(channel.room) }
        self.names = names
        let taken = login.registration.takenNick
        let isLost = !membership.isOwn(taken) && !configuration.staysInAllRooms
        regain = IRCNickRegain(isLost ? taken : nil, now: elapsed)
        let opening = welcomedAt.map(Timestamp.init(microseconds:))
        accountLiveSince = openedAt.advanced(by: opening.map { $0.endOfUnit.since($0) } ?? .zero)
    }

    var support: ISupport { registration.support }

    /// False while another connection has the configured nick: messages to that nick aren't received.
    var hasOwnNick: Bool { regain.nick == nil }

    /// True when the server has history to request.
    var hasHistory: Bool { registration.capabilities.contains("draft/chathistory") }

    /// True when the server is a bouncer: soju says so (`BOUNCER_NETID`). Its history ends while the account is out of the room.
    var isBouncer: Bool { support["BOUNCER_NETID"] != nil }

    mutating func configure(_ new: IRCConfiguration) {
        configuration = new
        names.fallback = new.fallback
    }

    /// - Returns: What the message asks of the connection.
    mutating func receive(_ message: IRCMessage) -> [Registration.Action] {
        let actions = registration.receive(message)
        if !actions.isEmpty { names.mapping = support.caseMapping }
        return actions
    }

    /// The network's clock shows `time` at our `receipt`.
    mutating func setClock(_ time: Int64?, at receipt: Timestamp, _ step: inout IRCStep) {
        guard let time else { return }
        let lead = time - receipt.microseconds
        guard lead != clockLead else { return }
        clockLead = lead
        step.events.append(.networkClock(session: id, leadMicroseconds: lead))
    }

    /// Converts a time of receipt into the network's clock.
    func networkTime(_ receipt: Timestamp) -> Timestamp { receipt.advanced(byMicroseconds: clockLead) }

    /// Returns the conversation's room. All messages to the account since its registration were received, so the room is live
    /// from there on; a bouncer's own messages to whoever is connected can't be requested.
    mutating func direct(_ nick: [UInt8], _ step: inout IRCStep) -> RoomReference {
        let room = names.direct(nick)
        let insertion = directs.insert(room.key)
        guard insertion != .known else { return room }
        let partner = names.user(nick, isSelf: membership.isOwn(nick))
        step.events.append(.roomListed(RoomListing(room: room, partner: partner), at: openedAt))
        if insertion == .refused { return room }
        if bouncerRooms.contains(room.key) {
            step.events.append(.roomUncovered(room, at: openedAt))
        } else if isNetworkLost {
            silentRooms.insert(room.key)
        } else if hasOwnNick {
            step.events.append(.roomLive(session: id, room: room, at: accountLiveSince))
        }
        return room
    }

    /// Takes up the conversations that the archive has, and looks up what is missing of them.
    mutating func resume(_ partners: [String: UserReference], _ step: inout IRCStep) {
        var known: [RoomReference] = []
        for (key, partner) in partners.sorted(by: { $0.key < $1.key }) {
            // A partner with another nick has that name by now; the conversation is still with the earlier nick.
            let name = names.key(Array(partner.name.utf8)) == key ? partner.name : key
            let room = RoomReference(key: key, name: name, kind: .direct)
            guard directs.insert(key) == .new else { continue }
            if isOfBouncer(room) {
                bouncerRooms.insert(key)
                step.events.append(.roomUncovered(room, at: openedAt))
                continue
            }
            known.append(room)
            if hasOwnNick { step.events.append(.roomLive(session: id, room: room, at: accountLiveSince)) }
            liveSince[key] = networkTime(accountLiveSince)
        }
        step.lookups.append(.directs(known))
    }

    /// Marks a conversation whose history is requested as live since the clock was first compared, unless it is live already.
    mutating func markLive(_ room: RoomReference) {
        liveSince[room.key] = liveSince[room.key] ?? networkTime(accountLiveSince)
    }

    /// Begins the live spans of all conversations, and requests their history until now.
    mutating func beginLiveConversations(_ step: inout IRCStep) {
        let rooms = conversations
        for room in rooms {
            silentRooms.remove(room.key)
            beginLive(room, since: nil, &step)
        }
        step.lookups.append(.directs(rooms))
    }

    /// Conversations with people, without those with the bouncer.
    var conversations: [RoomReference] {
        directs.keys.subtracting(bouncerRooms).sorted().map { names.direct(Array($0.utf8)) }
    }

    mutating func noteBouncerRoom(_ key: String) {
        if bouncerRooms.count < Self.maximumBouncerRooms, directs.contains(key) || key.utf8.count < 64 {
            bouncerRooms.insert(key)
        }
    }

    /// True when the archived conversation is with the bouncer.
    private func isOfBouncer(_ room: RoomReference) -> Bool {
        room.name.hasPrefix("*") || isBouncer && room.key == names.key(Array("BouncerServ".utf8))
    }

    /// When the account joined the channel, in microseconds by the server's clock; nil where it is in none of that key, or
    /// the server sent no time.
    func joinTime(_ key: String) -> Int64? { joinTimes[key] }

    /// Returns the room, if it is still live.
    func liveRoom(_ key: String) -> RoomReference? {
        let name = Array(key.utf8)
        if support.isChannel(name) { return membership.isJoined(name) ? names.channel(name) : nil }
        return directs.contains(key) ? names.direct(name) : nil
    }

    mutating func joined(_ room: RoomReference, at time: Int64?, _ step: inout IRCStep) {
        joinTimes[room.key] = time ?? welcomedAt
        if let time, time >= welcomedAt ?? .max { setClock(time, at: step.at, &step) }
    }

    mutating func left(_ room: RoomReference) {
        joinTimes[room.key] = nil
        silentRooms.remove(room.key)
        endLive(room)
    }

    mutating func renamed(_ old: RoomReference, to room: RoomReference) {
        joinTimes[room.key] = joinTimes.removeValue(forKey: old.key) ?? welcomedAt
        let wasLive = liveSince[old.key]
        silentRooms.remove(old.key)
        endLive(old)
        liveSince[room.key] = wasLive
    }

    /// Ends a room's live span.
    private mutating func endLive(_ room: RoomReference) {
        (liveSince[room.key], unsettled[room.key]) = (nil, nil)
    }

    /// Begins the live span of a room at the end of the unit of time in which the network stamped `stamp`: what the network sent earlier in
    /// the same unit has the same stamp.
    ///
    /// - Parameter stamp: nil where the network sent no time.
    mutating func beginLive(_ room: RoomReference, since stamp: Timestamp?, _ step: inout IRCStep) {
        let isStampOfNow = stamp.map { $0.microseconds >= welcomedAt ?? .max } ?? false
        let since = isStampOfNow ? stamp.map(\.endOfUnit) : nil
        step.events.append(
            .roomLive(session: id, room: room, at: since?.advanced(byMicroseconds: -clockLead) ?? step.at))
        liveSince[room.key] = since ?? networkTime(step.at)
        unsettled[room.key] = nil
    }

    /// Claims that all of the room between two instants is stored, other than the interruptions.
    ///
    /// Where the room is live from the second instant on, the unit of time in which that began is claimed when it is over: until
    /// then history may get more messages of it.
    mutating func claim(
        _ room: RoomReference, from: Timestamp, to: Timestamp,
        without interruptions: [IRCInterruptions.Interruption] = [], _ step: inout IRCStep
    ) {
        var end = to
        if to == liveSince[room.key], networkTime(step.at) <= to, to.beginningOfUnit < to {
            end = to.beginningOfUnit.advanced(byMicroseconds: -1)
            unsettled[room.key] = room
        }
        guard from <= end else { return }
        step.events.append(.covered(session: id, room: room, from: from, to: end))
        let outages = room.kind == .direct ? outages.map { IRCInterruptions.Interruption(from: nil, to: $0) } : []
        for interruption in interruptions + outages where interruption.to > from && interruption.to <= end {
            withdraw(interruption, of: room, &step)
        }
    }

    /// Claims the units of time that are over according to the last read.
    mutating func settle(_ step: inout IRCStep) {
        for (key, room) in unsettled {
            guard let since = liveSince[key], networkTime(step.at) > since else { continue }
            unsettled[key] = nil
            let start = since.beginningOfUnit.advanced(byMicroseconds: -1)
            step.events.append(.covered(session: id, room: room, from: start, to: since))
        }
    }

    /// Withdraws what was claimed of a time in which history shows that the bouncer was away, so history won't have it either.
    func withdraw(
        _ interruption: IRCInterruptions.Interruption, of room: RoomReference, _ step: inout IRCStep
    ) {
        step.events.append(
            .unproven(
                UnprovenTime(
                    room: room, from: interruption.from, to: interruption.to, bouncerRooms: bouncerRooms.sorted(),
                    isLost: true)))
    }

    mutating func note(outage time: Timestamp) {
        if outages.count >= Self.maximumOutages { outages.removeFirst() }
        outages.append(time)
    }

    /// Ends the live span of every room.
    ///
    /// - Parameter time: When the bouncer was connected again, by the network's clock; nil where it is not yet.
    /// - Returns: The rooms that were live; nil where the network was lost before.
    mutating func lostNetwork(until time: Timestamp?, _ step: inout IRCStep) -> [RoomReference]? {
        guard !isNetworkLost else { return nil }
        isNetworkLost = true
        let mark = time ?? networkTime(step.at)
        let rooms = (membership.joined.map(names.channel) + conversations).filter { !silentRooms.contains($0.key) }
        for room in rooms {
            silentRooms.insert(room.key)
            endLive(room)
            step.events.append(.roomSilent(session: id, room: room, at: step.at, reason: .bouncer))
            step.events.append(
                .unproven(UnprovenTime(room: room, from: nil, to: mark, bouncerRooms: bouncerRooms.sorted())))
        }
        return rooms
    }

    /// Receives messages to the account again. Channels are live when the account is in them again.
    mutating func regainedNetwork(_ step: inout IRCStep) {
        guard isNetworkLost else { return }
        isNetworkLost = false
        accountLiveSince = step.at
        note(outage: networkTime(step.at))
        if hasOwnNick { beginLiveConversations(&step) }
    }

    /// True when a bouncer's outage ended the room's live span and nothing was received in it since.
    func isSilent(_ room: RoomReference) -> Bool { silentRooms.contains(room.key) }

    /// Ends the room's outage.
    ///
    /// - Returns: Whether the room had one.
    mutating func endOutage(of room: RoomReference) -> Bool { silentRooms.remove(room.key) != nil }
}

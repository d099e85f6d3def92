import ChatModel
import IRCWire
import Sessions

/// The presence of an account on a network: its nick, its rooms and its conversations.
///
/// A bouncer's outages are times in which it was not connected to the network, although we were connected to it. The
/// bouncer itself answers our PINGs, and its history has only the messages that it received. So an outage ends the
/// coverage at the network's last line before the bouncer's notice, in whatever room that line is.
struct IRCPresence: Sendable {
    let id: SessionID
    /// The time when the server registered the account, after which it sends all messages for the account.
    let openedAt: Timestamp
    /// The same time by the server's clock, in microseconds since 1970; nil if the server sends no times.
    let welcomedAt: Int64?
    let serverName: [UInt8]
    private(set) var configuration: IRCConfiguration
    private(set) var registration: Registration
    var membership: Membership
    var names: IRCNames
    var regain: IRCNickRegain
    /// The direct rooms that are live, by key.
    private(set) var directRooms = IRCConversations()
    /// The time when the account joined a channel, by the channel's key, in microseconds of the server's clock.
    private var joinTimes: [String: Int64] = [:]
    /// Keys of direct rooms in which a bouncer itself writes.
    private var bouncerRooms: Set<String> = []
    /// The limit of ``bouncerRooms``. A bouncer has a dozen modules that write.
    private static let maximumBouncerRooms = 1000
    /// True if a bouncer reported that it lost its network.
    private(set) var isNetworkLost = false
    /// The ends of a bouncer's outages, in the order in which they were noticed.
    private(set) var outages: [Timestamp] = []
    /// The limit of ``outages``. Coverage of conversations ends at each, as their history does not show outages.
    private static let maximumOutages = 1000
    /// Keys of rooms that a bouncer's outage ended and in which nothing was received since.
    private var silentRooms: Set<String> = []
    /// The time since which all messages to the account are received, by our clock.
    private(set) var accountLiveSince: Timestamp
    /// The live spans of the rooms.
    private(set) var spans: IRCLiveSpans

    init(
        id: SessionID, openedAt: Timestamp, elapsed: Duration, login: IRCLogin, stored: IRCStoredState,
        configuration: IRCConfiguration
    ) {
        (self.id, self.openedAt, self.configuration) = (id, openedAt, configuration)
        (registration, welcomedAt, serverName) = (login.registration, login.serverTime, login.serverName)
        spans = IRCLiveSpans(session: id, welcomedAt: welcomedAt)
        let mapping = registration.support.caseMapping
        membership = Membership(nick: registration.nick, mapping: mapping)
        var names = IRCNames(host: configuration.host, fallback: configuration.fallback)
        names.mapping = mapping
        for channel in stored.channels { names.keepSpelling(of: channel.room) }
        self.names = names
        let taken = login.registration.takenNick
        let isLost = !membership.isOwn(taken) && !configuration.staysInAllRooms
        regain = IRCNickRegain(isLost ? taken : nil, now: elapsed)
        let opening = welcomedAt.map(Timestamp.init(microseconds:))
        accountLiveSince = openedAt.advanced(by: opening.map { $0.endOfUnit.since($0) } ?? .zero)
    }

    var support: ISupport { registration.support }

    /// False while another user has the configured nick, so that messages to that nick are not received.
    var hasOwnNick: Bool { regain.nick == nil }

    /// True if the server has history.
    var hasHistory: Bool { registration.capabilities.contains("draft/chathistory") }

    /// True if the server announces that it is a bouncer (soju's `BOUNCER_NETID`), whose history lacks our absences.
    var isBouncer: Bool { support["BOUNCER_NETID"] != nil }

    mutating func configure(_ new: IRCConfiguration) {
        configuration = new
        names.fallback = new.fallback
    }

    /// - Returns: The actions that the registration requests.
    mutating func receive(_ message: IRCMessage) -> [Registration.Action] {
        let actions = registration.receive(message)
        if !actions.isEmpty { names.mapping = support.caseMapping }
        return actions
    }

    /// Notes that the network's clock shows `time` at our `receipt`.
    mutating func setClock(_ time: Int64?, at receipt: Timestamp, _ step: inout IRCStep) {
        spans.setClock(time, at: receipt, &step)
    }

    /// Converts a time of receipt to the network's clock.
    func networkTime(_ receipt: Timestamp) -> Timestamp { spans.networkTime(receipt) }

    /// Returns the start of the room's live span, by the network's clock; nil if its history can't be fetched.
    func liveSince(_ key: String) -> Timestamp? { spans.starts[key] }

    /// Returns the conversation's room. All messages to the account since its registration were received, so the room
    /// is live from there on. A room in which the bouncer itself writes has no history.
    mutating func direct(_ nick: [UInt8], _ step: inout IRCStep) -> RoomReference {
        let room = names.direct(nick)
        let insertion = directRooms.insert(room.key)
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

    /// Resumes the conversations in the archive, and looks up their missing history.
    mutating func resume(_ partners: [String: UserReference], _ step: inout IRCStep) {
        var known: [RoomReference] = []
        for (key, partner) in partners.sorted(by: { $0.key < $1.key }) {
            // A partner may have another nick today; the conversation is still with the earlier nick. The key may be by
            // another case mapping than the server has today.
            let name = Self.widelyFolded(partner.name) == Self.widelyFolded(key) ? partner.name : key
            let room = RoomReference(key: key, name: name, kind: .direct)
            guard directRooms.insert(key) == .new else { continue }
            if isOfBouncer(room) {
                bouncerRooms.insert(key)
                step.events.append(.roomUncovered(room, at: openedAt))
                continue
            }
            known.append(room)
            if hasOwnNick { step.events.append(.roomLive(session: id, room: room, at: accountLiveSince)) }
            spans.begin(key, at: accountLiveSince)
        }
        step.lookups.append(.directRooms(known))
    }

    private static func widelyFolded(_ name: String) -> [UInt8] { CaseMapping.rfc1459.fold(Array(name.utf8)) }

    /// Marks a conversation whose history is requested as live since the first comparison of clocks.
    mutating func markLive(_ room: RoomReference) {
        if liveSince(room.key) == nil { spans.begin(room.key, at: accountLiveSince) }
    }

    /// Begins the live spans of all conversations, and requests their history until now.
    mutating func beginLiveConversations(_ step: inout IRCStep) {
        let rooms = conversations
        for room in rooms {
            silentRooms.remove(room.key)
            beginLive(room, since: nil, &step)
        }
        step.lookups.append(.directRooms(rooms))
    }

    /// The conversations with people, without the bouncer's own.
    var conversations: [RoomReference] {
        directRooms.keys.subtracting(bouncerRooms).sorted().map { names.direct(Array($0.utf8)) }
    }

    mutating func noteBouncerRoom(_ key: String) {
        if bouncerRooms.count < Self.maximumBouncerRooms, directRooms.contains(key) || key.utf8.count < 64 {
            bouncerRooms.insert(key)
        }
    }

    /// Returns true if the archived conversation is with the bouncer.
    private func isOfBouncer(_ room: RoomReference) -> Bool {
        room.name.hasPrefix("*") || room.name == "-bip" || isBouncer && room.key == names.key(Array("BouncerServ".utf8))
    }

    /// Returns the time of our join, in microseconds of the server's clock; nil outside the channel or without a time.
    func joinTime(_ key: String) -> Int64? { joinTimes[key] }

    /// Returns the room if it is still live; nil otherwise.
    func liveRoom(_ key: String) -> RoomReference? {
        let name = Array(key.utf8)
        if support.isChannel(name) { return membership.isJoined(name) ? names.channel(name) : nil }
        return directRooms.contains(key) ? names.direct(name) : nil
    }

    mutating func joined(_ room: RoomReference, at time: Int64?, _ step: inout IRCStep) {
        joinTimes[room.key] = time ?? welcomedAt
        if let time, time >= welcomedAt ?? .max { setClock(time, at: step.at, &step) }
    }

    mutating func left(_ room: RoomReference) {
        joinTimes[room.key] = nil
        silentRooms.remove(room.key)
        spans.end(room.key)
    }

    mutating func renamed(_ old: RoomReference, to room: RoomReference) {
        joinTimes[room.key] = joinTimes.removeValue(forKey: old.key) ?? welcomedAt
        silentRooms.remove(old.key)
        spans.rename(old.key, to: room.key)
    }

    /// Begins a room's live span; see ``IRCLiveSpans/begin(_:since:_:)``.
    mutating func beginLive(_ room: RoomReference, since stamp: Timestamp?, _ step: inout IRCStep) {
        spans.begin(room, since: stamp, &step)
    }

    /// Covers the room between two instants, except for the interruptions.
    mutating func claim(
        _ room: RoomReference, from: Timestamp, to: Timestamp,
        without interruptions: [IRCInterruptions.Interruption] = [], _ step: inout IRCStep
    ) {
        let outages = room.kind == .direct ? outages.map { IRCInterruptions.Interruption(from: nil, to: $0) } : []
        let within = (interruptions + outages).filter { $0.to > from && $0.to <= to.next }
        spans.claim(room, from: from, to: to, lastInterruption: within.map(\.to).max(), &step)
        for interruption in within { withdraw(interruption, of: room, &step) }
    }

    /// Covers the units of time that have ended by the last read.
    mutating func settle(_ step: inout IRCStep) { spans.settle(&step) }

    /// Withdraws the coverage of a time in which the bouncer was not connected and has no history.
    func withdraw(
        _ interruption: IRCInterruptions.Interruption, of room: RoomReference, _ step: inout IRCStep
    ) {
        step.events.append(
            .withdrawn(
                WithdrawnCoverage(
                    room: room, from: interruption.from, to: interruption.to, bouncerRooms: bouncerRooms.sorted(),
                    isLost: true)))
    }

    mutating func noteOutage(until time: Timestamp) {
        if outages.count >= Self.maximumOutages { outages.removeFirst() }
        outages.append(time)
    }

    /// Ends the live span of every room.
    ///
    /// - Parameter time: The time when the bouncer connected again, by the network's clock; nil if it has not yet.
    /// - Returns: The rooms that were live; nil if the network was already lost.
    mutating func lostNetwork(until time: Timestamp?, _ step: inout IRCStep) -> [RoomReference]? {
        guard !isNetworkLost else { return nil }
        isNetworkLost = true
        let mark = time ?? networkTime(step.at)
        let rooms = (membership.joined.map(names.channel) + conversations).filter { !silentRooms.contains($0.key) }
        for room in rooms {
            silentRooms.insert(room.key)
            spans.end(room.key)
            step.events.append(.roomSilent(session: id, room: room, at: step.at, reason: .bouncer))
            step.events.append(
                .withdrawn(WithdrawnCoverage(room: room, from: nil, to: mark, bouncerRooms: bouncerRooms.sorted())))
        }
        return rooms
    }

    /// Receives messages to the account again. Channels are live when the account is in them again.
    mutating func regainedNetwork(_ step: inout IRCStep) {
        guard isNetworkLost else { return }
        isNetworkLost = false
        accountLiveSince = step.at
        noteOutage(until: networkTime(step.at))
        if hasOwnNick { beginLiveConversations(&step) }
    }

    /// Returns true if a bouncer's outage ended the room's live span and nothing was received in it since.
    func isSilent(_ room: RoomReference) -> Bool { silentRooms.contains(room.key) }

    /// Ends the room's outage.
    ///
    /// - Returns: True if the room had one.
    mutating func endOutage(of room: RoomReference) -> Bool { silentRooms.remove(room.key) != nil }

    /// Handles the end of NAMES, which completes the list of the room's members.
    mutating func receiveEndOfNames(_ message: IRCMessage, _ step: inout IRCStep) {
        let name = message.param(1)
        // Writes the list once for each join, so that a server can't make us write it with each line.
        let isFirst = membership.isListed(name) == false
        _ = membership.receive(message, support: support)
        guard isFirst, !membership.isPartial else { return }
        let users = membership.members(of: name).map { names.user($0, isSelf: membership.isOwn($0)) }
        step.events.append(.membersListed(names.channel(name), users, at: step.at))
    }
}

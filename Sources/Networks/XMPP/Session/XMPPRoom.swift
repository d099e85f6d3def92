import ChatModel
import Sessions
import XMPPWire

/// A room of the account, on one connection.
struct XMPPRoom: Sendable {
    /// A person in the room.
    struct Occupant: Sendable, Hashable {
        var address: JID?
        var occupantID: String?
    }

    /// The progress of being in the room.
    enum Phase: Sendable {
        case outside, joining
        /// In the room; what it sends before its topic is history (XEP-0045 §7.1).
        case history
        case live
    }

    let wish: XMPPRoomWish
    /// The nick in the room.
    var nick: String
    var info: DiscoInfo?
    var phase = Phase.outside
    private(set) var occupants: [String: Occupant] = [:]
    /// The people whose addresses the room showed to us, by their ids.
    private var addresses: [String: JID] = [:]
    /// The time of the next attempt to join, or, in the room, of the next question whether we are in it. Nil while a
    /// question waits for its answer.
    var due: Duration?
    var backoff: Backoff
    /// When the account joined, by the session's time; nil outside of the room.
    var joinedAt: Duration?
    /// The last reason why the room could not be joined, which is logged once.
    var trouble: String?
    /// How the account was put out of the room, which the refusals of later attempts to join do not say.
    var removal: (reason: RoomTrouble.Reason, detail: String)?
    /// Since when everything that is said in the room comes; nil outside of it.
    var liveSince: Timestamp?
    /// The number of changes of the room's configuration, and of those that were there when it described itself last.
    private(set) var (changes, knownChanges) = (0, 0)
    /// True from the join until the room sends the topic that stands, which it does once.
    var topicIsDue = false
    /// The newest stored messages, newest first, some of which the history of a join repeats without ids. Empty where the
    /// room has an archive.
    private var heard: [StoredPoint] = []
    /// The nicks that were refused because another person has them.
    var conflicts = 0

    /// The limit of people in a room that are known: 20 times as many as in large rooms. The messages of others show only
    /// their nicks.
    static let maximumOccupants = 10_000

    /// The distance of two clocks within which equal messages are one: far more than between servers that set their clocks.
    private static let clockDistance = Duration.seconds(60)

    init(_ wish: XMPPRoomWish, backoff: Backoff.Limits, due: Duration) {
        (self.wish, nick, self.due) = (wish, wish.nick, due)
        self.backoff = Backoff(limits: backoff)
    }

    var address: JID { wish.room }
    var isInside: Bool { phase == .history || phase == .live }
    var reference: RoomReference { RoomReference(key: "\(address)", name: "\(address)", kind: .channel) }
    var hasArchive: Bool { info?.hasArchive ?? false }
    /// True if the room's configuration changed, so that it must be asked about itself again.
    var isChanged: Bool { changes > knownChanges }

    var listing: RoomListing {
        var listing = RoomListing(room: reference)
        listing.description = .known(info?.description ?? info?.name)
        return listing
    }

    /// Notes a person. Returns false if too many are known.
    mutating func note(_ nick: String, _ occupant: Occupant) -> Bool {
        guard occupants.count < Self.maximumOccupants || occupants[nick] != nil else { return false }
        occupants[nick] = occupant
        if let address = occupant.address, let id = occupant.occupantID, addresses.count < Self.maximumOccupants {
            addresses[id] = address
        }
        return true
    }

    mutating func forget(_ nick: String) -> Occupant? { occupants.removeValue(forKey: nick) }

    /// Notes that the account asks to join, with what is stored of the room.
    mutating func beginJoin(_ info: DiscoInfo, heard: [StoredPoint]) {
        (self.info, self.heard, phase, knownChanges) = (info, heard, .joining, changes)
    }

    mutating func noteChange() { changes += 1 }

    /// Notes the room's description, which has this many of the changes.
    mutating func learn(_ info: DiscoInfo, changes: Int) {
        (self.info, knownChanges) = (info, changes)
    }

    /// Notes that the history of the join has ended.
    mutating func endHistory() { (phase, heard) = (.live, []) }

    /// Returns true, once for each stored message, for a message of the join's history that has no id and repeats it.
    mutating func repeatsHeard(_ event: ChatEvent) -> Bool {
        guard case .message(let message, .replay) = event, message.remoteID == nil, let time = message.sourceTime
        else { return false }
        // The two times are those of two clocks, and one of them may be in whole seconds.
        let place = heard.firstIndex { point in
            let stored = point.sourceTime ?? point.id.time
            return point.kind == message.kind && point.body == message.body && point.sender == message.sender?.name
                && max(stored, time).since(min(stored, time)) <= Self.clockDistance
        }
        guard let place else { return false }
        heard.remove(at: place)
        return true
    }

    mutating func leave() {
        (phase, occupants, addresses, heard) = (.outside, [:], [:], [])
        (liveSince, joinedAt) = (nil, nil)
    }

    /// Returns the person with a nick in a message or a presence.
    ///
    /// - Parameters:
    ///   - occupantID: The id in the stanza, which counts only if the room gives such ids: others pass on what the sender
    ///     wrote (ejabberd 23.01).
    ///   - address: The address that the room shows.
    func user(_ nick: String, occupantID: String?, address: JID?, account: JID) -> UserReference {
        let id = info?.hasOccupantIDs == true ? occupantID : nil
        let known = address ?? id.flatMap { addresses[$0] }
        let key = known.map { "\($0.bare)" } ?? id.map { "\(self.address)#\($0)" } ?? "\(self.address)/\(nick)"
        return UserReference(key: key, name: nick, isSelf: key == "\(account.bare)" || key == ownKey)
    }

    /// Returns the person who is in the room with a nick.
    func user(present nick: String, account: JID) -> UserReference {
        let occupant = occupants[nick]
        return user(nick, occupantID: occupant?.occupantID, address: occupant?.address, account: account)
    }

    /// Returns all people in the room, in the order of their nicks. The account has its address for a name, as in
    /// conversations: with another nick in each room, each list would change its name.
    func members(account: JID) -> [UserReference] {
        occupants.keys.sorted().map { nick in
            var person = user(present: nick, account: account)
            if person.key == "\(account.bare)" { person.name = person.key }
            return person
        }
    }

    /// Our own key where the room shows no address; nil outside of the room.
    private var ownKey: String? {
        guard isInside else { return nil }
        if info?.hasOccupantIDs == true, let id = occupants[nick]?.occupantID { return "\(address)#\(id)" }
        return "\(address)/\(nick)"
    }

    /// Returns the sender of a live message.
    func sender(of message: XMPPMessage, account: JID) -> UserReference? {
        guard let nick = message.from?.resource, !nick.isEmpty else { return nil }
        let occupant = occupants[nick]
        return user(
            nick, occupantID: message.occupantID ?? occupant?.occupantID, address: occupant?.address, account: account)
    }

    /// Returns the sender of a message in the room's archive.
    func sender(ofArchived message: XMPPMessage, account: JID) -> UserReference? {
        guard let nick = message.from?.resource, !nick.isEmpty else { return nil }
        let address = info?.showsAddresses == true ? message.shownAddress : nil
        return user(nick, occupantID: message.occupantID, address: address, account: account)
    }
}

import ChatModel
import SLPWire

/// One of the account's rooms, and its state.
struct SLPRoom: Sendable {
    /// Live messages that wait until the history before them is stored.
    struct Holding: Sendable {
        /// The time when the first of them came; nil while there is none.
        var since: Timestamp?
        var events: [ChatEvent] = []
        var bytes = 0
    }

    var address: SLPRoomAddress
    var listing: RoomListing
    /// The other person in a direct room.
    var partner: SLPUser?
    /// The room's beginning, before which nothing can be missing.
    var beginning: Timestamp
    /// The time when live receiving began; nil while the namespace is not granted.
    var liveSince: Timestamp?
    /// The held messages; nil while there are none.
    var holding: Holding?
    /// The time of the last request for the namespace, on the session's stopwatch, and the number of requests since its
    /// last grant.
    var subscribedAt: Duration = .zero
    var requests = 0
    var isFetching = false
    /// The time up to which the room's history was last fetched in this session.
    var fetchedUntil: Timestamp?
    /// The time when the last fetch ended, by the session's stopwatch, and the number of failures in a row.
    var triedAt: Duration = .zero
    var failures = 0

    var reference: RoomReference { listing.room }

    /// Returns true if a message can belong to the room. Generation 1 finds history by a name, which another room may
    /// have now.
    func has(_ chat: SLPChat) -> Bool {
        switch address {
        case .channel(_, let id, _), .direct(_, let id, _): chat.roomID == nil || chat.roomID == id
        }
    }

    /// The namespace, which is also the room's key in the archive, because ids of channels and of direct rooms overlap.
    var namespace: String { listing.room.key }

    init(_ channel: SLPChannel, in workspace: WorkspaceReference) {
        let name = channel.name ?? channel.id
        address = .channel(workspace: workspace.key, id: channel.id, name: name)
        listing = RoomListing(
            room: RoomReference(key: Self.channelPrefix + channel.id, name: name, kind: .channel), workspace: workspace)
        listing.description = .known(channel.description)
        (listing.owner, listing.ownerName) = (.known(channel.ownerID), channel.ownerID)
        beginning = Self.beginning(channel.createdAt)
    }

    /// - Parameter known: The former partner, for a room whose partner the service no longer names.
    init(_ room: SLPDirectRoom, in workspace: WorkspaceReference, known: UserReference? = nil) {
        self.partner = room.partner
        let partner = room.partner.map { UserReference($0) } ?? known
        address = .direct(workspace: workspace.key, id: room.id, partner: partner?.key ?? "")
        listing = RoomListing(
            room: RoomReference(key: Self.key(ofDirect: room.id), name: partner?.name ?? room.id, kind: .direct),
            workspace: workspace, partner: partner)
        beginning = Self.beginning(room.createdAt)
    }

    private static let (channelPrefix, directPrefix) = ("/ws-channel-", "/ws-dm-")

    static func key(ofDirect id: String) -> String { directPrefix + id }

    /// Returns the id of a direct room; nil for a key of another kind.
    static func directID(ofKey key: String) -> String? { id(ofKey: key, directPrefix) }
    static func channelID(ofKey key: String) -> String? { id(ofKey: key, channelPrefix) }

    private static func id(ofKey key: String, _ prefix: String) -> String? {
        key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : nil
    }

    /// Returns the time of creation; if the service gives none, the earliest time of any message.
    private static func beginning(_ createdAt: SLPTime?) -> Timestamp {
        createdAt.map { Timestamp(microseconds: $0.microseconds) } ?? .earliestPlausible
    }

    /// The longest wait before a repetition.
    private static let longest = Duration.seconds(600)

    func isDueToSubscribe(at now: Duration, first: Duration) -> Bool {
        liveSince == nil && now - subscribedAt >= Self.wait(after: requests, first: first)
    }

    /// - Parameter grant: The time that the first fetch waits for the namespace's grant.
    func isDueToFetch(at now: Duration, first: Duration, grant: Duration) -> Bool {
        guard !isFetching, fetchedUntil == nil || failures > 0 else { return false }
        return now - triedAt >= (failures == 0 ? grant : Self.wait(after: failures, first: first))
    }

    private static func wait(after failures: Int, first: Duration) -> Duration {
        min(first * (1 << min(failures, 10)), longest)
    }

    /// Updates the room from the present list.
    mutating func relist(_ room: SLPRoom) {
        (address, listing, partner, beginning) = (room.address, room.listing, room.partner, room.beginning)
    }
}

extension UserReference {
    init(_ user: SLPUser, me: String? = nil) {
        self.init(key: user.id, name: user.nickname ?? user.email ?? user.id, isSelf: user.id == me)
    }
}

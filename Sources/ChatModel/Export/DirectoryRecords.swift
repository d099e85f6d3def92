/// The account of an export. Epoch and time are those of the exported file.
package struct AccountRecord: Sendable, Hashable, Codable {
    package var name: String
    package var network: String
    /// The epoch of the file: its changes are numbered within one epoch.
    package var epoch: String
    /// The time when the exported file was created.
    package var createdAt: Timestamp

    package init(name: String, network: String, epoch: String, createdAt: Timestamp) {
        (self.name, self.network, self.epoch, self.createdAt) = (name, network, epoch, createdAt)
    }

    private enum CodingKeys: String, CodingKey {
        case name, network, epoch
        case createdAt = "created_at"
    }
}

/// A group of rooms, on networks that have them.
package struct WorkspaceRecord: Sendable, Hashable, Codable {
    /// The network's id.
    package var key: String
    /// The names in order of time; the last is today's.
    package var names: [NameSpan]
    /// Nil for none, and in an export of an earlier version.
    private var listedPictures: [NameSpan]?

    package init(key: String, names: [NameSpan], pictures: [NameSpan] = []) {
        (self.key, self.names) = (key, names)
        listedPictures = pictures.isEmpty ? nil : pictures
    }

    /// The places of pictures in order of time.
    package var pictures: [NameSpan] { listedPictures ?? [] }

    private enum CodingKeys: String, CodingKey {
        case key, names
        case listedPictures = "pictures"
    }
}

/// A person to whom a room belonged, with the time.
package struct OwnerSpan: Sendable, Hashable, Codable {
    package var user: UserIdentity
    package var firstSeen: Timestamp
    /// The time when there was found to be another owner, or none; nil for the present one.
    package var lastSeen: Timestamp?

    package init(user: UserIdentity, firstSeen: Timestamp, lastSeen: Timestamp?) {
        (self.user, self.firstSeen, self.lastSeen) = (user, firstSeen, lastSeen)
    }

    private enum CodingKeys: String, CodingKey {
        case userKey = "user_key"
        case userFormer = "user_former"
        case firstSeen = "first_seen"
        case lastSeen = "last_seen"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        user = try values.user(key: .userKey, former: .userFormer)
        firstSeen = try values.decode(Timestamp.self, forKey: .firstSeen)
        lastSeen = try values.decodeIfPresent(Timestamp.self, forKey: .lastSeen)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(user, key: .userKey, former: .userFormer)
        try values.encode(firstSeen, forKey: .firstSeen)
        try values.encodeIfPresent(lastSeen, forKey: .lastSeen)
    }
}

/// A room, without its messages.
package struct RoomRecord: Sendable, Hashable, Codable {
    /// The room's identity in the account; empty for a server's one room.
    package var key: String
    package var kind: RoomReference.Kind
    /// The names in order of time; the last is today's.
    package var names: [NameSpan]
    /// The network's id of its workspace; nil if it has none.
    package var workspaceKey: String?
    private var partnerKey: String?
    private var partnerFormer: UserIdentity.Former?
    /// The time when the account was found to have left the room; nil while it is in the room.
    package var leftAt: Timestamp?
    /// The time when the network was found to have removed the room; nil while it has the room.
    package var goneAt: Timestamp?
    /// The time back to which the history before the first span was fetched; nil if it was not fetched.
    package var fetchedBackTo: Timestamp?
    // Nil for none, and in an export of an earlier version.
    private var listedPictures: [NameSpan]?
    private var listedDescriptions: [NameSpan]?
    private var listedOwners: [OwnerSpan]?

    package init(
        key: String, kind: RoomReference.Kind, names: [NameSpan], workspaceKey: String? = nil,
        partner: UserIdentity? = nil, leftAt: Timestamp? = nil, goneAt: Timestamp? = nil,
        fetchedBackTo: Timestamp? = nil, pictures: [NameSpan] = [], descriptions: [NameSpan] = [],
        owners: [OwnerSpan] = []
    ) {
        (self.key, self.kind, self.names) = (key, kind, names)
        listedPictures = pictures.isEmpty ? nil : pictures
        listedDescriptions = descriptions.isEmpty ? nil : descriptions
        listedOwners = owners.isEmpty ? nil : owners
        (self.workspaceKey, partnerKey, partnerFormer) = (workspaceKey, partner?.key, partner?.former)
        (self.leftAt, self.goneAt, self.fetchedBackTo) = (leftAt, goneAt, fetchedBackTo)
    }

    /// The other person of a direct room; nil for other rooms.
    package var partner: UserIdentity? { UserIdentity(key: partnerKey, former: partnerFormer) }
    /// The places of pictures in order of time.
    package var pictures: [NameSpan] { listedPictures ?? [] }
    /// The descriptions in order of time, each as a name.
    package var descriptions: [NameSpan] { listedDescriptions ?? [] }
    /// The owners in order of time.
    package var owners: [OwnerSpan] { listedOwners ?? [] }

    private enum CodingKeys: String, CodingKey {
        case key, kind, names
        case workspaceKey = "workspace_key"
        case partnerKey = "partner_key"
        case partnerFormer = "partner_former"
        case leftAt = "left_at"
        case goneAt = "gone_at"
        case fetchedBackTo = "asked_back_to"
        case listedPictures = "pictures"
        case listedDescriptions = "descriptions"
        case listedOwners = "owners"
    }
}

/// A user with all names and pictures.
package struct UserRecord: Sendable, Hashable, Codable {
    /// The network's id, or the folded name. Nil after another user has taken it; this user is then identified by the
    /// first name.
    package var key: String?
    /// True for the account itself.
    package var isSelf: Bool
    /// The names in order of time; at least one.
    package var names: [NameSpan]
    /// The places of pictures in order of time.
    package var pictures: [NameSpan]

    package init(key: String?, isSelf: Bool, names: [NameSpan], pictures: [NameSpan] = []) {
        (self.key, self.isSelf, self.names, self.pictures) = (key, isSelf, names, pictures)
    }

    private enum CodingKeys: String, CodingKey {
        case key, names, pictures
        case isSelf = "is_self"
    }

    /// The user's identity; nil without a key and a name.
    package var identity: UserIdentity? {
        UserIdentity(
            key: key, former: names.first.map { UserIdentity.Former(name: $0.name, firstSeen: $0.firstSeen) })
    }
}

/// A user's stay in a room.
package struct MembershipRecord: Sendable, Hashable, Codable {
    package var roomKey: String
    package var user: UserIdentity
    /// The time of joining; nil if it is unknown.
    package var joinedAt: Timestamp?
    /// The time of leaving; nil while they are there.
    package var leftAt: Timestamp?

    package init(roomKey: String, user: UserIdentity, joinedAt: Timestamp?, leftAt: Timestamp?) {
        (self.roomKey, self.user, self.joinedAt, self.leftAt) = (roomKey, user, joinedAt, leftAt)
    }

    private enum CodingKeys: String, CodingKey {
        case roomKey = "room_key"
        case userKey = "user_key"
        case userFormer = "user_former"
        case joinedAt = "joined_at"
        case leftAt = "left_at"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        roomKey = try values.decode(String.self, forKey: .roomKey)
        user = try values.user(key: .userKey, former: .userFormer)
        joinedAt = try values.decodeIfPresent(Timestamp.self, forKey: .joinedAt)
        leftAt = try values.decodeIfPresent(Timestamp.self, forKey: .leftAt)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(roomKey, forKey: .roomKey)
        try values.encode(user, key: .userKey, former: .userFormer)
        try values.encodeIfPresent(joinedAt, forKey: .joinedAt)
        try values.encodeIfPresent(leftAt, forKey: .leftAt)
    }
}

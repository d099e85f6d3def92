/// Whose archive it is. The epoch and the time are those of the file that was exported.
package struct AccountRecord: Sendable, Hashable, Codable {
    package var name: String
    package var network: String
    package var epoch: String
    package var createdAt: Timestamp

    package init(name: String, network: String, epoch: String, createdAt: Timestamp) {
        (self.name, self.network, self.epoch, self.createdAt) = (name, network, epoch, createdAt)
    }

    private enum CodingKeys: String, CodingKey {
        case name, network, epoch
        case createdAt = "created_at"
    }
}

package struct WorkspaceRecord: Sendable, Hashable, Codable {
    package var key: String
    /// In order of time.
    package var names: [NameSpan]

    package init(key: String, names: [NameSpan]) {
        (self.key, self.names) = (key, names)
    }
}

package struct RoomRecord: Sendable, Hashable, Codable {
    package var key: String
    package var kind: RoomReference.Kind
    /// In order of time.
    package var names: [NameSpan]
    package var workspaceKey: String?
    /// Whom a direct room is with.
    package var partner: UserIdentity?
    package var leftAt: Timestamp?
    package var goneAt: Timestamp?
    package var askedBackTo: Timestamp?

    package init(
        key: String, kind: RoomReference.Kind, names: [NameSpan], workspaceKey: String? = nil,
        partner: UserIdentity? = nil, leftAt: Timestamp? = nil, goneAt: Timestamp? = nil, askedBackTo: Timestamp? = nil
    ) {
        (self.key, self.kind, self.names) = (key, kind, names)
        (self.workspaceKey, self.partner) = (workspaceKey, partner)
        (self.leftAt, self.goneAt, self.askedBackTo) = (leftAt, goneAt, askedBackTo)
    }

    private enum CodingKeys: String, CodingKey {
        case key, kind, names
        case workspaceKey = "workspace_key"
        case partnerKey = "partner_key"
        case partnerFormer = "partner_former"
        case leftAt = "left_at"
        case goneAt = "gone_at"
        case askedBackTo = "asked_back_to"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        key = try values.decode(String.self, forKey: .key)
        kind = try values.decode(RoomReference.Kind.self, forKey: .kind)
        names = try values.decode([NameSpan].self, forKey: .names)
        workspaceKey = try values.decodeIfPresent(String.self, forKey: .workspaceKey)
        partner = try values.optionalUser(key: .partnerKey, former: .partnerFormer)
        leftAt = try values.decodeIfPresent(Timestamp.self, forKey: .leftAt)
        goneAt = try values.decodeIfPresent(Timestamp.self, forKey: .goneAt)
        askedBackTo = try values.decodeIfPresent(Timestamp.self, forKey: .askedBackTo)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(key, forKey: .key)
        try values.encode(kind, forKey: .kind)
        try values.encode(names, forKey: .names)
        try values.encodeIfPresent(workspaceKey, forKey: .workspaceKey)
        try values.encode(partner, key: .partnerKey, former: .partnerFormer)
        try values.encodeIfPresent(leftAt, forKey: .leftAt)
        try values.encodeIfPresent(goneAt, forKey: .goneAt)
        try values.encodeIfPresent(askedBackTo, forKey: .askedBackTo)
    }
}

package struct UserRecord: Sendable, Hashable, Codable {
    /// Nil once somebody else has taken it: then they are told from others by the first of their names.
    package var key: String?
    package var isSelf: Bool
    /// In order of time; at least one.
    package var names: [NameSpan]
    /// Where the network has or had their picture, in order of time.
    package var pictures: [NameSpan]

    package init(key: String?, isSelf: Bool, names: [NameSpan], pictures: [NameSpan] = []) {
        (self.key, self.isSelf, self.names, self.pictures) = (key, isSelf, names, pictures)
    }

    private enum CodingKeys: String, CodingKey {
        case key, names, pictures
        case isSelf = "is_self"
    }

    package var identity: UserIdentity? {
        UserIdentity(
            key: key, former: names.first.map { UserIdentity.Former(name: $0.name, firstSeen: $0.firstSeen) })
    }
}

package struct MembershipRecord: Sendable, Hashable, Codable {
    package var roomKey: String
    package var user: UserIdentity
    package var joinedAt: Timestamp?
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
